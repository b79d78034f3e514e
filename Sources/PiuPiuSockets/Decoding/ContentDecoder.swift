#if os(Linux)
/// Decodes the content codings of a body, piece by piece and in a fixed amount of memory.
///
/// The caller offers any amount of compressed bytes and output memory while there is input or ``mayHaveMore`` is `true`. It may
/// stop after any call.
///
/// At the end of the body, ``finish()`` checks whether it is complete. Only one thread at a time uses a decoder.
package struct ContentDecoder: ~Copyable {
    /// The maximum number of bytes that pass between codings in one call.
    ///
    /// Nested codings can expand from a few bytes to terabytes without any output, and the caller has other transfers
    /// to serve.
    private static let workLimit = 256 * 1024

    /// The codings, in the order in which they are decoded.
    private let stages: [DecodingStage]
    /// The output of each stage except the last.
    private let blocks: [IntermediateBlock]
    private var hasBegun = false
    private var isInterrupted = false
    private var failure: ContentDecodingError?

    /// Creates a decoder; `nil` if there is nothing to decode.
    ///
    /// - Parameters:
    ///   - contentEncoding: The values of the `Content-Encoding` lines.
    ///   - budget: The budget for the memory of large windows; `nil` if that memory does not count.
    /// - Throws: ``ContentDecodingError`` if there are too many codings, or not enough memory.
    init?(contentEncoding: some Sequence<String>, budget: WindowBudget? = nil) throws(ContentDecodingError) {
        let codings = try ContentCoding.list(in: contentEncoding)
        if codings.isEmpty { return nil }
        var stages: [DecodingStage] = []
        for coding in codings.reversed() { stages.append(try DecodingStage(coding, budget: budget)) }
        self.stages = stages
        blocks = stages.dropLast().map { _ in IntermediateBlock() }
    }

    /// Whether more output may follow without more input.
    ///
    /// After a call without output, this is `true` only if the call reached its work limit.
    var mayHaveMore: Bool {
        isInterrupted || stages.contains(where: \.mayHaveMore) || blocks.contains { !$0.rest.isEmpty }
    }

    /// Whether the bytes so far are a complete body; an empty one is complete, because servers declare codings for it too.
    var isComplete: Bool {
        !hasBegun || failure == nil && !mayHaveMore && stages.allSatisfy(\.isComplete)
    }

    /// Decodes the next bytes.
    ///
    /// - Parameters:
    ///   - input: The compressed bytes; advanced past the consumed ones. The caller offers the rest again, before the following
    ///     bytes.
    ///   - output: The memory for decoded bytes.
    /// - Returns: The number of bytes produced.
    /// - Throws: ``ContentDecodingError``; after the first error, every call throws it again.
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

    /// Ends the body; throws ``ContentDecodingError/truncated`` if it is incomplete, or the error of an earlier call.
    func finish() throws(ContentDecodingError) {
        if let failure { throw failure }
        guard isComplete else { throw .truncated }
    }

    /// Runs the stages up to an index; each stage asks the one before it for bytes when it has none.
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

extension ContentDecodingError {
    /// The error code for the caller.
    package var code: TransportError.Code {
        switch self {
        case .outOfMemory: .outOfResources
        case .grownTooMuch: .decompressionLimit
        case .tooManyCodings, .malformed, .windowTooLarge: .malformedBody
        case .truncated: .truncatedBody
        }
    }

    /// The failure of an exchange, with the reason if the code alone does not describe it.
    package var failure: ExchangeFailure { ExchangeFailure(code, reason: reason) }

    private var reason: String? {
        switch self {
        case .tooManyCodings:
            "The body has more than \(ContentCoding.maximumCount) content codings, or one with a large window twice"
        case .windowTooLarge: "The zstd body needs a window of more than 8 MiB (RFC 9659)"
        case .truncated: "The body ended before its compressed data was complete"
        case .malformed, .grownTooMuch, .outOfMemory: nil
        }
    }
}
#endif
