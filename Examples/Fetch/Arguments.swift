import Foundation

/// What the user asks for.
struct Arguments: Equatable {
    enum Command: Equatable {
        /// Shows what it can, against a server of its own.
        case demonstrate
        case help
        case download(URL, to: String)
        case upload(String, to: URL)
    }

    struct Header: Equatable {
        var name: String
        var value: String
    }

    /// The user asks for something that cannot be done.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let help = """
        USAGE: swift run Fetch URL [FILE]
               swift run Fetch URL --upload FILE

        Downloads a URL to a file, or uploads a file to it, and shows the progress. Without
        a FILE, the name is the last part of the URL. A file that exists is replaced, once
        the new one is complete.

          --resume                Keep what has arrived where a download fails or is cancelled,
                                  and continue there the next time.
          --upload FILE           Send a file, with PUT.
          --method METHOD         Use another method.
          --header "Name: value"  Send a header field; may be repeated.
          --help                  Show this.

        Without arguments, it starts an HTTP server on 127.0.0.1 and shows a download, one
        that breaks and continues, and an upload. Nothing leaves this machine.

        The exit status is 0 for a success, 1 for a failure, 64 for arguments that make no
        sense, and 130 where Ctrl-C or SIGTERM ended it.
        """

    var command = Command.demonstrate
    /// `nil` for the usual one.
    var method: String?
    var headers: [Header] = []
    var resumes = false

    /// Reads the command line.
    ///
    /// - Parameter words: Its words, without the program's name.
    /// - Throws: ``Mistake``.
    init(_ words: [String]) throws(Mistake) {
        var reader = Reader(words)
        var operands: [String] = []
        var upload: String?
        while let word = reader.next() {
            switch word {
            case .operand(let text): operands.append(text)
            case .option("--help", nil), .option("-h", nil):
                command = .help
                return
            case .option("--resume", nil): resumes = true
            case .option("--upload", let value): upload = try reader.value("--upload", value)
            case .option("--method", let value): method = try Self.method(reader.value("--method", value))
            case .option("--header", let value): headers.append(try Self.header(reader.value("--header", value)))
            case .option("--resume", _?), .option("--help", _?):
                throw Mistake(description: "An option has a value and takes none: \(word.text)")
            case .option: throw Mistake(description: "There is no such option: \(word.text)")
            }
        }
        guard let first = operands.first else {
            if !words.allSatisfy({ $0 == "--" }) { throw Mistake(description: "A URL is missing.") }
            return
        }
        let url = try Self.url(first)
        guard operands.count <= (upload == nil ? 2 : 1) else {
            throw Mistake(description: "This is too much: \(operands.last ?? "")")
        }
        if let upload {
            if resumes { throw Mistake(description: "Only a download can continue, no --upload.") }
            command = .upload(upload, to: url)
        } else {
            let file = operands.count > 1 ? operands[1] : FileName.of(url)
            if file.isEmpty { throw Mistake(description: "The file's name is empty.") }
            command = .download(url, to: file)
        }
    }

    private static func url(_ text: String) throws(Mistake) -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
        else {
            throw Mistake(description: "This is no URL that begins with http:// or https://: \(text)")
        }
        return url
    }

    private static func method(_ text: String) throws(Mistake) -> String {
        guard isToken(text) else { throw Mistake(description: "This is no method: \(text)") }
        return text
    }

    private static func header(_ text: String) throws(Mistake) -> Header {
        // The value may be a secret, and is not shown.
        guard let colon = text.firstIndex(of: ":"), isToken(text[..<colon]) else {
            throw Mistake(description: "A header field is written as \"Name: value\".")
        }
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        guard value.unicodeScalars.allSatisfy({ $0 == "\t" || $0.properties.generalCategory != .control }) else {
            throw Mistake(description: "The header field \(text[..<colon]) has control characters in it.")
        }
        return Header(name: String(text[..<colon]), value: value)
    }

    /// A token of RFC 9110 §5.6.2.
    private static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

/// Tells options from the rest.
private struct Reader {
    enum Word {
        case option(String, String?)
        case operand(String)

        /// The word as it is in a message.
        var text: String {
            switch self {
            case .option(let name, _): name
            case .operand(let text): text
            }
        }
    }

    private var words: ArraySlice<String>
    private var hasOptions = true

    init(_ words: [String]) {
        self.words = words[...]
        // `swift run Fetch -- URL` passes the dashes on.
        if words.first == "--" { self.words.removeFirst() }
    }

    mutating func next() -> Word? {
        guard let word = words.popFirst() else { return nil }
        guard hasOptions, word.hasPrefix("-"), word != "-" else { return .operand(word) }
        guard word != "--" else {
            hasOptions = false
            return next()
        }
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return .option(word, nil) }
        return .option(String(word[..<sign]), String(word[word.index(after: sign)...]))
    }

    /// What belongs to an option: after its `=`, or the next word.
    mutating func value(_ name: String, _ attached: String?) throws(Arguments.Mistake) -> String {
        guard let value = attached ?? words.popFirst(), !value.isEmpty else {
            throw Arguments.Mistake(description: "Something is missing after \(name).")
        }
        return value
    }
}

/// A name for the file that a URL leads to.
enum FileName {
    /// The last part of the URL's path; `download` if that cannot be a name.
    static func of(_ url: URL) -> String {
        let path = url.path(percentEncoded: true)
        let last = path.split(separator: "/").last.map(String.init)
        // A percent-encoded slash must not lead elsewhere.
        guard let name = last?.removingPercentEncoding, !path.hasSuffix("/"), ![".", ".."].contains(name),
            name.utf8.count <= 255,
            name.unicodeScalars.allSatisfy({ $0 != "/" && $0.properties.generalCategory != .control })
        else {
            return "download"
        }
        return name
    }
}
