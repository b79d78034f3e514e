/// An argument that makes no sense.
struct ArgumentError: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// What to do.
struct Arguments: Sendable {
    static let usage = """
        ResponseFuzzer [SECONDS] [OPTION ...]

            --count N          Send N responses; 100000 if no time is given.
            --seconds N        Send responses for so long.
            --seed N           Where all choices come from; the time by default.
            --without-folds    Send no line that begins with white space.
            --corpus FOLDER    Send the responses of the folder's files first, each file in a process of its own.
            --lanes N          How many dispatchers work side by side; 16 by default.
            --http2            Send frames of HTTP/2; numbers are those of groups of up to four requests.
            --tls              Send them over TLS, which HAProxy speaks in front of the server.
            --only N           Send the response with one number, in this process.
            --after N          With --only and --minimize: how many of the lane's responses to send before; 3 by default.
            --minimize N       Make the response with that number as small as its finding allows.
            --file FILE        Send the responses of a file, in this process.
            --keep-going       Go on after twenty findings.
            --patience N       How many seconds a call may take; 30 by default.
        """

    /// How many lanes there can be.
    static let maximumLanes = 64

    var seconds: Double?
    var count: Int?
    var seed: UInt64
    var lanes = 16
    var only: Int?
    var after = 3
    var minimize: Int?
    var file: String?
    var corpus: String?
    var restrictions = Plan.Restrictions()
    /// Whether HTTP/2 is spoken.
    var isHTTP2 = false
    /// Whether TLS is in front of the server for HTTP/1.1.
    var usesTLS = false
    var keepsGoing = false
    var patience = 30.0
    /// The file with the progress; only for the processes that the fuzzer starts.
    var worker: String?

    /// How many responses are sent at most.
    var limit: Int { count ?? (seconds == nil ? 100_000 : Int(Marker.limit / 8) - 200_000) }

    /// Reads a command line without its first word.
    init(_ words: [String], defaultSeed: UInt64) throws(ArgumentError) {
        seed = defaultSeed
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--seconds": seconds = try Self.number(word, &rest)
            case "--count": count = try Self.number(word, &rest)
            case "--seed": seed = try Self.number(word, &rest)
            case "--lanes": lanes = min(max(1, try Self.number(word, &rest)), Self.maximumLanes)
            case "--only": only = try Self.number(word, &rest)
            case "--after": after = try Self.number(word, &rest)
            case "--minimize": minimize = try Self.number(word, &rest)
            case "--patience": patience = try Self.number(word, &rest)
            case "--file": file = rest.popFirst()
            case "--corpus": corpus = rest.popFirst()
            case "--worker": worker = rest.popFirst()
            case "--without-folds": restrictions.hasNoFolds = true
            case "--http2": isHTTP2 = true
            case "--tls": usesTLS = true
            case "--keep-going": keepsGoing = true
            default:
                guard let value = Double(word) else { throw ArgumentError(word) }
                seconds = value
            }
        }
    }

    private static func number<Number: LosslessStringConvertible>(
        _ name: String,
        _ rest: inout ArraySlice<String>
    ) throws(ArgumentError) -> Number {
        guard let number = rest.popFirst().flatMap({ Number($0) }) else {
            throw ArgumentError("\(name) needs a number")
        }
        return number
    }
}

#if os(Linux)
extension Arguments {
    /// What a number stands for, for people to read.
    func text(of number: Int) -> String {
        if isHTTP2 { return FramePlan.plans(group: number, seed: seed).map(\.text).joined(separator: "\n") }
        let plan = Plan(number: number, seed: seed, restrictions)
        return "# \(plan.origin)\n" + Script.text(of: plan)
    }
}
#endif
