#if os(Linux)
import PiuPiuAsync

/// Compares what a caller was told with what was sent.
enum Oracle {
    /// Judges a call.
    ///
    /// - Parameters:
    ///   - result: How the call ended.
    ///   - exchange: What the server sent for it.
    ///   - decodes: Whether the client decompresses.
    /// - Returns: What is wrong; `nil` if nothing is.
    static func judge(_ result: CallResult, _ exchange: Exchange, decodes: Bool) -> Finding? {
        switch result {
        case .failure(let error):
            if let error = error as? TransportError {
                guard error.code.timeoutPhase == nil else {
                    return Finding(kind: .timeout, text: "\(error.code)")
                }
                return error.response.flatMap { foreignMark($0, [], exchange.id) } ?? judge(error, exchange)
            }
            let isKnown = error is TransferError || error is CancellationError || error is FencedTransport.Refusal
            return isKnown ? nil : Finding(kind: .mistaken, text: "\(type(of: error)): \(error)")
        case .beginning(let head, let path, let body):
            if let finding = foreignMark(head, body, exchange.id) { return finding }
            return judgeReadings(exchange, path) { judgeBeginning(body, of: $0, exchange, decodes) }
        case .success(let head, let path, let body):
            if let finding = foreignMark(head, body ?? [], exchange.id) { return finding }
            return judgeReadings(exchange, path) { judge(head, body, $0, exchange, decodes) }
        }
    }

    /// Codes that promise that nothing was sent.
    private static let unsentCodes: Set<TransportError.Code> = [
        .invalidRequest, .invalidURL, .unsupportedScheme, .cannotResolveHost, .cannotConnect, .tls, .shutDown,
        .libraryUnavailable,
    ]

    private static func judge(_ error: TransportError, _ exchange: Exchange) -> Finding? {
        guard unsentCodes.contains(error.code) || error.isSafeToRetry, let url = error.request?.url else {
            return nil
        }
        let path = url.path(percentEncoded: true)
        guard exchange.attempts.contains(where: { $0.path == path }) else { return nil }
        let details = (error.underlyingDescription ?? "").filter { !$0.isNewline }
        let text = "\(error.code) (\(details)), although the request was sent"
        return Finding(kind: .mistaken, text: text)
    }

    /// The mark of another request in a response.
    static func foreignMark(_ head: ResponseHead?, _ body: [UInt8], _ id: UInt64) -> Finding? {
        let text = head.map { $0.headers.map(\.value).joined(separator: "\n") } ?? ""
        let owners = Marker.owners(in: Array(text.utf8)) + Marker.owners(in: body)
        guard let other = owners.first(where: { $0 != id }) else { return nil }
        return Finding(kind: .foreign, text: "the response to \(id) has the mark of \(other)")
    }

    /// Judges by each attempt that may have led to the result; one that agrees is enough.
    private static func judgeReadings(
        _ exchange: Exchange,
        _ path: String,
        _ judge: (Exchange.Attempt) -> Finding?
    ) -> Finding? {
        let all = exchange.attempts
        let own = all.filter { $0.path == path || $0.path.hasPrefix(path + "?") }
        let candidates = own.isEmpty ? all.filter { !$0.path.hasPrefix("/r/") && $0.path != exchange.plan?.path } : own
        var finding: Finding? = Finding(
            kind: .foreign,
            text: "a response to \(path), which the server was not asked for"
        )
        for attempt in candidates.reversed() {
            finding = judge(attempt)
            if finding == nil { return nil }
        }
        return finding
    }

    private static func reading(_ attempt: Exchange.Attempt, decodes: Bool) -> Reading {
        let sent = attempt.sent == attempt.bytes.count ? attempt.bytes : Array(attempt.bytes[..<attempt.sent])
        return Reference.read(sent, isHead: attempt.isHead, end: attempt.end, decodes: decodes)
    }

    private static func judgeBeginning(
        _ body: [UInt8],
        of attempt: Exchange.Attempt,
        _ exchange: Exchange,
        _ decodes: Bool
    ) -> Finding? {
        guard case .complete(let message) = reading(attempt, decodes: decodes), !message.body.starts(with: body) else {
            return nil
        }
        return Finding(kind: .different, text: "the beginning of the body is another than was sent")
    }

    private static func judge(
        _ head: ResponseHead?,
        _ body: [UInt8]?,
        _ attempt: Exchange.Attempt,
        _ exchange: Exchange,
        _ decodes: Bool
    ) -> Finding? {
        switch reading(attempt, decodes: decodes) {
        case .undecided: return nil
        case .incomplete(let reason): return Finding(kind: .incomplete, text: "success, although \(reason)")
        case .complete(let message):
            guard let head else { return Finding(kind: .different, text: "a response without a head") }
            guard head.statusCode.rawValue == message.statusCode else {
                let text = "the status is \(head.statusCode.rawValue) instead of \(message.statusCode)"
                return Finding(kind: .different, text: text)
            }
            if let body, body != message.body {
                let text = "the body has \(body.count) bytes instead of \(message.body.count), or others"
                return Finding(kind: .different, text: text)
            }
            guard let fields = message.fields else { return nil }
            return judge(head.headers, fields)
        }
    }

    private static func judge(_ headers: HTTPHeaderFields, _ fields: [(name: [UInt8], value: [UInt8])]) -> Finding? {
        guard headers.count == fields.count else {
            return Finding(kind: .different, text: "there are \(headers.count) fields instead of \(fields.count)")
        }
        for (header, field) in zip(headers, fields) {
            let name = String(decoding: field.name, as: UTF8.self)
            guard header.name == name, words(header.value) == words(text(field.value)) else {
                return Finding(kind: .different, text: "the field \(name) is \(header.name): \(header.value)")
            }
        }
        return nil
    }

    /// The words of a value; how much white space is between them may change when lines are joined.
    private static func words(_ value: String) -> [Substring] {
        value.split { $0 == " " || $0 == "\t" }
    }

    private static func text(_ value: [UInt8]) -> String {
        String(validating: value, as: UTF8.self) ?? String(String.UnicodeScalarView(value.map { UnicodeScalar($0) }))
    }
}
#endif
