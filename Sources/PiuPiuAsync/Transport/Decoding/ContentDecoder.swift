#if os(Linux)
/// Undoes the content codings of a body, piece by piece and in a fixed amount of memory.
///
/// The caller offers compressed bytes and room, as much of each as it likes, for as long as there is input or
/// ``mayHaveMore``, and may stop after any call.
///
/// At the end of the body, ``finish()`` tells whether it was whole. A decoder belongs to one thread at a time.
struct ContentDecoder: ~Copyable {
    /// How many bytes may pass between codings in one call.
    ///
    /// Codings over codings can grow from a few bytes to terabytes without anything coming out, and the caller has other
    /// transfers to attend to.
    private static let workLimit = 256 * 1024

    /// The codings that are undone on this system, as the value of `Accept-Encoding`; empty if there are none.
    static let supportedCodings = names(of: ContentCoding.allCases)

    /// Those of them that take little memory.
    static let smallCodings = names(of: ContentCoding.allCases.filter { !$0.hasLargeWindow })

    private static func names(of codings: [ContentCoding]) -> String {
        codings.filter(\.isAvailable).map(\.name).joined(separator: ", ")
    }

    /// The codings, in the order in which they are undone.
    private let stages: [DecodingStage]
    /// What came out of each stage but the last.
    private let blocks: [IntermediateBlock]
    private var hasBegun = false
    private var isInterrupted = false
    private var failure: ContentDecodingError?

    /// Creates a decoder; `nil` if there is nothing to undo.
    ///
    /// - Parameters:
    ///   - contentEncoding: The values of the `Content-Encoding` lines.
    ///   - budget: What the memory for large windows is taken of; `nil` if it need not be counted.
    /// - Throws: ``ContentDecodingError`` if a coding is not supported, or there are too many.
    init?(contentEncoding: some Sequence<String>, budget: WindowBudget? = nil) throws(ContentDecodingError) {
        let codings = try ContentCoding.list(in: contentEncoding)
        if codings.isEmpty { return nil }
        var stages: [DecodingStage] = []
        for coding in codings.reversed() { stages.append(try DecodingStage(coding, budget: budget)) }
        self.stages = stages
        blocks = stages.dropLast().map { _ in IntermediateBlock() }
    }

    /// Whether more may come out without more going in.
    ///
    /// After a call that produced nothing this is `true` only if the call did as much as one call may do.
    var mayHaveMore: Bool {
        isInterrupted || stages.contains(where: \.mayHaveMore) || blocks.contains { !$0.rest.isEmpty }
    }

    /// Whether the bytes so far are a whole body, an empty one among them: servers name codings for those too.
    var isComplete: Bool {
        !hasBegun || failure == nil && !mayHaveMore && stages.allSatisfy(\.isComplete)
    }

    /// Decodes the next bytes.
    ///
    /// - Parameters:
    ///   - input: The compressed bytes; advanced past what was consumed. What is left has to be offered again, before what
    ///     follows it.
    ///   - output: The memory for decoded bytes.
    /// - Returns: How many bytes were produced.
    /// - Throws: ``ContentDecodingError``; again and again, after the first time.
    mutating func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        if let failure { throw failure }
        if !input.isEmpty { hasBegun = true }
        var room = output
        var work = Self.workLimit
        do {
            try decode(&input, upTo: stages.count - 1, into: &room, work: &work)
        } catch {
            failure = error
            throw error
        }
        isInterrupted = work <= 0
        return output.count - room.count
    }

    /// Ends the body.
    ///
    /// - Throws: ``ContentDecodingError/truncated`` if it is not whole, or the error that was thrown before.
    func finish() throws(ContentDecodingError) {
        if let failure { throw failure }
        guard isComplete else { throw .truncated }
    }

    /// Decodes by the stages up to one, which asks the stage before it for bytes whenever it has none.
    private func decode(
        _ input: inout UnsafeRawBufferPointer,
        upTo index: Int,
        into room: inout UnsafeMutableRawBufferPointer,
        work: inout Int
    ) throws(ContentDecodingError) {
        guard index > 0 else { return try stages[0].decode(&input, into: &room) }
        let block = blocks[index - 1]
        while true {
            try stages[index].decode(&block.rest, into: &room)
            guard !room.isEmpty, work > 0 else { return }
            let count = try block.fill { room throws(ContentDecodingError) in
                try decode(&input, upTo: index - 1, into: &room, work: &work)
            }
            work -= count
            if count == 0 { return }
        }
    }
}
#endif
