import TestSupport

/// One exchange: what is asked and how, and what the server does.
struct Plan: Sendable {
    enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    /// What the client does with the response.
    enum Way: String, Sendable, CaseIterable {
        case data, download, cancelled
        case stream, streamSlowly, streamPartly, streamCancelled
    }

    /// What the server does with the connection after the response.
    enum Ending: String, Sendable, CaseIterable {
        case keep, close, reset, halfClose
    }

    var number: Int
    /// The number of the request, for its mark.
    var id: UInt64
    var method = Method.get
    var way = Way.data
    /// Whether a redirect comes first.
    var isRedirected = false
    /// Whether the server waits between two writes.
    var isSlow = false
    var bytes: [UInt8] = []
    /// Where the writes end; the last one ends with the bytes.
    var cuts: [Int] = []
    var ending = Ending.keep
    /// How a connection ends whose client may still wait for more, although the server keeps it open.
    var lateEnding = Ending.close
    /// A small number that the way of reading depends on.
    var amount = 0
    /// Whether the call has to succeed.
    var isLegal = false
    /// How many bytes are written one by one, in a plan that was read from a file.
    var single = 0
    /// The entry of the corpus and the mutations.
    var origin = ""

    var isMutated: Bool { origin.contains("+") }
    /// The path whose answer is ``bytes``.
    var path: String { "/n/\(id)" }
}

extension Plan {
    /// What is kept from the responses of a run.
    struct Restrictions: Sendable {
        /// Whether no line begins with white space.
        var hasNoFolds = false
    }

    /// Whether a call like this succeeds with any legal response.
    ///
    /// A `POST` may meet a connection that was just closed.
    private var mayNotFail: Bool {
        method != .post && (way == .data || way == .stream || way == .streamSlowly || way == .streamPartly)
    }

    /// Makes the exchange that a seed and a number stand for.
    ///
    /// - Parameters:
    ///   - number: The number of the exchange.
    ///   - seed: The seed of the run.
    ///   - restrictions: What is kept from it.
    init(number: Int, seed: UInt64, _ restrictions: Restrictions) {
        self.init(number: number, id: UInt64(number) * 2)
        var mixer = SeededRandom(seed: seed)
        var random = SeededRandom(seed: mixer.next() &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        method = random.picks(70) ? .get : random.picks(50) ? .head : .post
        way = random.picks(45) ? .data : random.element(of: Way.allCases)
        isRedirected = random.picks(8)
        amount = random.below(6)

        var entry = random.element(of: CorpusEntry.allCases)
        if restrictions.hasNoFolds, entry.hasFolds { entry = .length }
        var draft = entry.make(id: id, &random)
        origin = entry.rawValue
        if !random.picks(6) {
            if random.picks(8) {
                let other = random.element(of: CorpusEntry.allCases)
                Mutator.splice(&draft.bytes, other.make(id: id, &random).bytes, &random)
                origin += "+\(other.rawValue)"
            }
            for _ in 0..<(random.picks(60) ? 1 : 1 + random.below(5)) {
                origin += "+" + Mutator.mutate(&draft.bytes, &random)
            }
        }
        if restrictions.hasNoFolds { Mutator.removeFolds(&draft.bytes) }
        bytes = draft.bytes
        isLegal = !isMutated && entry.isLegal && mayNotFail
        ending = random.picks(75) ? draft.ending : random.element(of: Ending.allCases)
        if ending == .reset || draft.ending == .close && ending != .close { isLegal = false }
        lateEnding = random.picks(80) ? .close : .reset
        isSlow = random.picks(3)
        cuts = [bytes.count]
        if random.picks(35), bytes.count > 1 {
            // One byte at a time now and then.
            let count = random.picks(5) ? min(bytes.count, 300) : 1 + random.below(4)
            var places: Set<Int> = [bytes.count]
            for index in 0..<count {
                places.insert(count > 4 ? index + 1 : 1 + random.below(bytes.count))
            }
            cuts = places.sorted()
            // Content that comes late and must not come cannot be told from the answer to the next request.
            if method == .head { isLegal = false }
        }
    }
}
