import PiuPiuEngine

extension FuzzCase {
    /// A byte with the conditions, and the bytes of a response to the end of its connection.
    static let response = FuzzCase(
        name: "ResponseParser",
        limit: 4096,
        tokens: ResponseSample.tokens,
        sample: ResponseSample.make
    ) { input throws(FuzzProblem) in
        guard let conditions = input.first else { return }
        try ResponseCheck(conditions, Array(input.dropFirst())).run()
    }
}

private struct ResponseCheck {
    let bytes: [UInt8]
    let isHEAD: Bool
    let limit: Int
    let reference: ReferenceResponse

    init(_ conditions: UInt8, _ bytes: [UInt8]) {
        self.bytes = bytes
        isHEAD = conditions & 1 == 1
        limit = [100_000, 600, 100, bytes.count / 2][Int(conditions >> 1) & 3]
        reference = ReferenceResponse(bytes, isHEAD: isHEAD)
    }

    func run() throws(FuzzProblem) {
        let whole = try ResponseReading(bytes, isHEAD: isHEAD, limit: limit) { bytes.count }
        try checkPieces(whole)
        try checkHeads(whole)
        if whole.keepsConnection { try checkKept(whole) }
        switch whole.outcome {
        case .complete, .endedWithConnection: try checkComplete(whole)
        case .truncated: try checkTruncated(whole)
        case .withoutHead: try demand(reference.bodyStart == nil, "a head is missed")
        case .failed: break
        }
        if limit == 100_000, reference.isStrict { try checkAccepted(whole) }
    }

    private func checkPieces(_ whole: ResponseReading) throws(FuzzProblem) {
        var random = FuzzRandom(bytes: bytes)
        let single = try ResponseReading(bytes, isHEAD: isHEAD, limit: limit) { 1 }
        try same(single, whole)
        let few = try ResponseReading(bytes, isHEAD: isHEAD, limit: limit) { 1 + random.below(bytes.count) }
        try same(few, whole)
        let many = try ResponseReading(bytes, isHEAD: isHEAD, limit: limit) { random.below(12) }
        try same(many, whole)
    }

    private func same(_ pieces: ResponseReading, _ whole: ResponseReading) throws(FuzzProblem) {
        try demand(pieces.outcome == whole.outcome, "pieces have another outcome")
        try demand(pieces.heads == whole.heads && pieces.codes == whole.codes, "pieces have other heads")
        try demand(pieces.body == whole.body, "pieces have another body")
        guard whole.outcome != .complete else { return try demand(pieces == whole, "pieces end differently") }
        try demand(pieces.trailers == whole.trailers, "pieces have other trailers")
    }

    private func checkHeads(_ whole: ResponseReading) throws(FuzzProblem) {
        try demand(whole.codes == Array(reference.codes.prefix(whole.codes.count)), "the status codes are others")
        try demand(whole.codes.dropLast().allSatisfy { $0 < 200 }, "a head follows the final head")
        try demand(!whole.codes.contains(101), "another protocol is taken for HTTP")
    }

    /// On a connection that is kept, everybody has to see the same end of the response.
    private func checkKept(_ whole: ResponseReading) throws(FuzzProblem) {
        try demand(whole.outcome == .complete, "a connection is kept without a complete response")
        try demand(reference.framing != .unclear, "a connection is kept whose framing is unclear")
        try demand(reference.framing != .untilClose, "a connection is kept although its end is that of the body")
        try demand(!reference.closes, "a connection is kept that the server closes")
    }

    private func checkComplete(_ whole: ResponseReading) throws(FuzzProblem) {
        guard let start = reference.bodyStart else { throw FuzzProblem(text: "a response is complete without a head") }
        let rest = bytes[start...]
        let isAtOnce = whole.outcome == .complete
        switch reference.framing {
        case .none:
            try demand(isAtOnce && whole.body.isEmpty && whole.taken == start, "there is a body where there is none")
        case .length(let length):
            try demand(isAtOnce && whole.body.count == length, "a body has not the length that was announced")
            try demand(whole.body.elementsEqual(rest.prefix(length)), "a body of known length is another")
            try demand(whole.taken == start + length, "another number of bytes is taken")
        case .chunked: try checkChunks(whole, start)
        case .untilClose:
            try demand(!isAtOnce && whole.body.elementsEqual(rest), "a body until the end is another")
        // Chunks have precedence over a length; nothing else may be accepted, unless there is no body at all.
        case .unclear: if !whole.body.isEmpty { try checkChunks(whole, start) }
        }
    }

    private func checkChunks(_ whole: ResponseReading, _ start: Int) throws(FuzzProblem) {
        let chunks = ReferenceChunks(bytes, from: start)
        guard case .complete(let end) = chunks.end else { throw FuzzProblem(text: "chunks are complete that are not") }
        try demand(whole.outcome == .complete && whole.body == chunks.body, "the chunks have another body")
        try demand(whole.taken == end, "the chunks end elsewhere")
    }

    private func checkTruncated(_ whole: ResponseReading) throws(FuzzProblem) {
        guard let start = reference.bodyStart else { throw FuzzProblem(text: "a body is cut off without a head") }
        let available = bytes.count - start
        switch reference.framing {
        case .length(let length): try demand(available < length, "a whole body is cut off")
        case .none, .untilClose: throw FuzzProblem(text: "a body is cut off that cannot be")
        case .chunked, .unclear:
            let chunks = ReferenceChunks(bytes, from: start)
            if case .complete = chunks.end { throw FuzzProblem(text: "whole chunks are cut off") }
            if chunks.end == .cutOff { try demand(whole.body == chunks.body, "the part of a body is another") }
        }
    }

    /// What is as the grammar has it is accepted.
    private func checkAccepted(_ whole: ResponseReading) throws(FuzzProblem) {
        guard let start = reference.bodyStart else {
            return try demand(whole.outcome == .withoutHead, "a good beginning is refused")
        }
        switch reference.framing {
        case .none: try demand(whole.outcome == .complete, "a good head is refused")
        case .length(let length):
            let isThere = bytes.count - start >= length
            try demand(whole.outcome == (isThere ? .complete : .truncated), "a good body of known length is refused")
        case .untilClose: try demand(whole.outcome == .endedWithConnection, "a good body until the end is refused")
        case .chunked:
            let chunks = ReferenceChunks(bytes, from: start)
            guard chunks.isStrict, chunks.end != .wrong else { return }
            try demand(whole.outcome == (chunks.end == .cutOff ? .truncated : .complete), "good chunks are refused")
        case .unclear: break
        }
        guard whole.outcome == .complete else { return }
        try demand(whole.keepsConnection == !reference.closes, "a connection is kept, or closed, without a reason")
    }
}
