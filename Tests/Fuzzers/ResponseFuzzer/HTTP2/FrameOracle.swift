#if os(Linux)
import PiuPiuAsync
import TestSupport

/// Compares what a caller was told with the frames that were sent.
enum FrameOracle {
    /// Judges a call.
    ///
    /// - Returns: What is wrong; `nil` if nothing is.
    static func judge(_ result: CallResult, _ exchange: FrameExchange, _ server: FrameServer) -> Finding? {
        if let finding = judgeAttempts(exchange, server) { return finding }
        switch result {
        case .failure(let error): return judge(error, exchange, server)
        case .beginning(let head, _, let body):
            return foreignMark(head, body, exchange) ?? judge(head, body, isWhole: false, exchange, server)
        case .success(let head, _, let body):
            let body = body ?? []
            return foreignMark(head, body, exchange) ?? judge(head, body, isWhole: true, exchange, server)
        }
    }

    /// The mark of another request, unless damage of the group can have put it there.
    private static func foreignMark(_ head: ResponseHead?, _ body: [UInt8], _ exchange: FrameExchange) -> Finding? {
        guard exchange.plan?.mayMix != true else { return nil }
        return Oracle.foreignMark(head, body, exchange.id)
    }

    // MARK: Attempts

    /// A `POST` may be sent again only if the server has certainly not processed it before.
    private static func judgeAttempts(_ exchange: FrameExchange, _ server: FrameServer) -> Finding? {
        guard exchange.plan?.method == .post else { return nil }
        // Which one was the last is not known: they may arrive in another order than they were sent.
        guard exchange.attempts.count(where: { !isUnprocessed($0, server) }) > 1 else { return nil }
        return Finding(kind: .mistaken, text: "a POST was sent again that the server may have processed")
    }

    /// Whether the server said that it has not processed a request (RFC 9113 §6.8, §8.7).
    private static func isUnprocessed(_ attempt: FrameExchange.Attempt, _ server: FrameServer) -> Bool {
        let reader = server.sent(attempt).reader
        if let last = reader.lastStream, last < attempt.stream { return true }
        let reset = reader.resets[attempt.stream]
        return reset == HTTP2ErrorCode.refusedStream.rawValue || reset == HTTP2ErrorCode.http11Required.rawValue
    }

    // MARK: Failures

    private static func judge(_ error: any Error, _ exchange: FrameExchange, _ server: FrameServer) -> Finding? {
        guard let error = error as? TransportError else {
            return Finding(kind: .mistaken, text: "\(type(of: error)): \(error)")
        }
        let details = (error.underlyingDescription ?? "").filter { !$0.isNewline }
        if let finding = error.response.flatMap({ foreignMark($0, [], exchange) }) { return finding }
        if error.code.timeoutPhase != nil { return Finding(kind: .timeout, text: "\(error.code)") }
        if error.isSafeToRetry, !exchange.attempts.allSatisfy({ isUnprocessed($0, server) }) {
            return Finding(kind: .mistaken, text: "\(error.code) (\(details)) is safe to retry, although it was sent")
        }
        guard exchange.plan?.isLegal == true, let last = exchange.attempts.last else { return nil }
        // Something else on the connection may have ended it.
        let isAlone = exchange.attempts.allSatisfy { attempt in
            let (reader, isClosed) = server.sent(attempt)
            return reader.verdict == .sound && !isClosed && reader.lastStream.map { $0 >= attempt.stream } ?? true
                && reader.streams[attempt.stream]?.reset == nil && !reader.isInside
                // After these, the connection may be given up.
                && !reader.resets.values.contains { [0, HTTP2ErrorCode.http11Required.rawValue].contains($0) }
        }
        guard isAlone, server.sent(last).reader.streams[last.stream]?.isComplete == true else { return nil }
        return Finding(kind: .refused, text: "\(error.code) (\(details))")
    }

    // MARK: Responses

    /// Judges by each attempt that may have led to the result; one that agrees is enough.
    private static func judge(
        _ head: ResponseHead?,
        _ body: [UInt8],
        isWhole: Bool,
        _ exchange: FrameExchange,
        _ server: FrameServer
    ) -> Finding? {
        var finding: Finding? = Finding(kind: .foreign, text: "a response, although the server was not asked")
        for attempt in exchange.attempts.reversed() {
            let reader = server.sent(attempt).reader
            finding = judge(head, body, isWhole: isWhole, reader, attempt.stream, exchange)
            if finding == nil { return nil }
        }
        return finding
    }

    private static func judge(
        _ head: ResponseHead?,
        _ body: [UInt8],
        isWhole: Bool,
        _ reader: FrameReader,
        _ number: Int,
        _ exchange: FrameExchange
    ) -> Finding? {
        guard let stream = reader.streams[number] else { return nil }
        let codings = stream.head?.filter { $0.name == "content-encoding" } ?? []
        var sent = reader.body(of: number)
        if !stream.isComplete {
            // It is unknown what a client makes of the rest.
            if case .undecided = reader.verdict { return nil }
            guard stream.fault == nil else { return nil }
            // Nothing follows some heads.
            let isBare = stream.isHead || stream.status == 204 || stream.status == 304
            // What comes behind an announced length is not the caller's.
            if let length = stream.contentLength { sent = Array(sent.prefix(length)) }
            let isEnough = stream.head != nil && (isBare || stream.contentLength == sent.count)
            if isWhole, !isEnough {
                return Finding(kind: .incomplete, text: "success, although the stream has not ended")
            }
        }
        // What comes behind a head without content is not the caller's either.
        if stream.isHead || stream.status == 204 || stream.status == 304 { sent = [] }
        guard stream.fault == nil else { return judgeFault(head, stream) }
        guard let head, let status = stream.status else {
            return Finding(kind: .different, text: "a response without a head")
        }
        guard head.statusCode.rawValue == status else {
            return Finding(kind: .different, text: "the status is \(head.statusCode.rawValue) instead of \(status)")
        }
        if codings.isEmpty {
            let isSame = isWhole ? body == sent || stream.isHead : sent.starts(with: body)
            if !isSame {
                return Finding(
                    kind: .different,
                    text: "the body has \(body.count) bytes instead of \(sent.count), or others"
                )
            }
        } else if isWhole, !stream.isHead, codings.count == 1, let decoded = decoded(sent, codings[0].value),
            decoded != body
        {
            return Finding(kind: .different, text: "the decompressed body is another")
        }
        return judge(head.headers, stream)
    }

    /// What was compressed, if it is gzip and whole.
    private static func decoded(_ body: [UInt8], _ coding: String?) -> [UInt8]? {
        guard coding == "gzip", body.count > 18 else { return nil }
        return try? Inflater(body[10...]).output
    }

    private static func judge(_ headers: HTTPHeaderFields, _ stream: FrameReader.Stream) -> Finding? {
        // nghttp2 leaves out a length that goes without saying.
        let isBare = stream.status == 204
        let fields = (stream.head ?? []).filter {
            !$0.name.hasPrefix(":") && !(isBare && $0.name == "content-length")
        }
        let headers = headers.filter { !(isBare && $0.name == "content-length") }
        let isSame =
            headers.count == fields.count
            && zip(headers, fields).allSatisfy { $0.name == $1.name && $0.value == $1.value }
        return isSame ? nil : Finding(kind: .different, text: "the fields are others than were sent")
    }

    /// A message against the rules may be taken or not, but nothing in it may become a field of its own.
    private static func judgeFault(_ head: ResponseHead?, _ stream: FrameReader.Stream) -> Finding? {
        guard head?.headers.contains("Injected") != true else {
            return Finding(kind: .different, text: "a line in a value became a field")
        }
        return nil
    }
}
#endif
