/// A line of `key=value`, whose format no value can break.
struct LogLine {
    /// The limits of values from outside, in scalars; a line without bodies has less than 4096 bytes of ASCII.
    private static let urlLimit = 1000
    private static let messageLimit = 500

    private(set) var text: String

    /// Creates a line with the kind of the event, a word.
    init(_ event: StaticString) {
        text = "event=\(event)"
        text.reserveCapacity(320)
    }

    /// Appends a value that can be any text; `nil` appends nothing.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value.
    ///   - limit: The number of characters after which the value is truncated, with an ellipsis.
    ///   - isCut: Whether a part of the value is missing anyway.
    mutating func add(
        _ key: StaticString,
        _ value: String?,
        limit: Int = PrintableText.usualLimit,
        isCut: Bool = false
    ) {
        guard let value else { return }
        begin(key)
        var isPlain = value.utf8.count <= limit && !value.isEmpty && !isCut
        if isPlain { isPlain = value.utf8.allSatisfy(Self.isPlain) }
        guard !isPlain else { return text += value }
        let printable = PrintableText.escape(value, limit: limit) + (isCut ? "…" : "")
        let needsQuotes = printable.isEmpty || printable.utf8.contains { [0x20, 0x22, 0x3D].contains($0) }
        guard needsQuotes else { return text += printable }
        text += "\""
        // Escape bytes, because a letter can form one character with the quotation mark next to it.
        var quoted: [UInt8] = []
        quoted.reserveCapacity(printable.utf8.count + 16)
        for byte in printable.utf8 {
            if byte == UInt8(ascii: "\"") { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        text += String(decoding: quoted, as: UTF8.self)
        text += "\""
    }

    /// Appends the beginning of a body; `nil` appends nothing.
    mutating func add(_ key: StaticString, _ body: LogBody?) {
        guard let body else { return }
        // The body was already limited, and its text may be longer.
        add(key, body.text, limit: .max, isCut: body.isCut)
    }

    /// Appends a number; `nil` appends nothing.
    mutating func add(_ key: StaticString, _ value: Int?) {
        guard let value else { return }
        begin(key)
        text += String(value)
    }

    /// Appends a time in milliseconds; `nil` appends nothing.
    mutating func add(_ key: StaticString, _ value: Duration?) {
        guard let value else { return }
        begin(key)
        text += value.milliseconds
    }

    private mutating func begin(_ key: StaticString) {
        text += " "
        key.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
        text += "="
    }

    /// Whether a byte needs neither an escape nor quotation marks.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "\\"): false
        default: 0x21...0x7E ~= byte
        }
    }
}

// MARK: The lines

extension LogLine {
    /// Returns the line of an exchange that ended.
    static func exchange(_ exchange: ObservedExchange, _ summary: ExchangeSummary, isSlow: Bool) -> LogLine {
        var line = LogLine("exchange")
        line.add("call", exchange.call.id)
        line.add("exchange", exchange.number)
        line.add("method", exchange.method)
        line.add("url", exchange.location, limit: urlLimit)
        line.add("route", exchange.call.routeTemplate)
        line.add("status", summary.statusCode?.rawValue)
        line.add("ms", summary.duration)
        if let metrics = summary.metrics {
            line.add("queued_ms", metrics.queued > .zero ? metrics.queued : nil)
            line.add("first_byte_ms", summary.statusCode == nil ? nil : metrics.firstByte)
            line.add("in", metrics.bytesReceived)
            line.add("out", metrics.bytesSent)
        }
        if let connection = summary.connection {
            line.add("http", connection.httpVersion)
            line.add("connection", connection.isReused ? "reused" : "new")
            line.add("remote", connection.remoteAddress)
            line.add("proxy", connection.proxy)
        }
        if exchange.attempt.number > 1 {
            line.add("attempt", exchange.attempt.number)
            line.add("cause", exchange.attempt.cause.word)
        }
        line.add("redirect", exchange.redirectCount > 0 ? exchange.redirectCount : nil)
        line.add(summary.outcome)
        if isSlow { line.add("slow", "true") }
        return line
    }

    /// Returns the line of an event loop that a task held up.
    static func heldUp(_ loop: Int, _ duration: Duration) -> LogLine {
        var line = LogLine("loop_held_up")
        line.add("loop", loop)
        line.add("ms", duration)
        return line
    }

    /// Returns the line of a request that will be sent again.
    static func retry(of call: ObservedCall, _ cause: Attempt.Cause, _ delay: Duration) -> LogLine {
        var line = LogLine("retry")
        line.add(call)
        line.add("cause", cause.word)
        line.add("delay_ms", delay)
        return line
    }

    /// Returns the line of a response from a cache.
    static func cached(_ call: ObservedCall, _ status: CacheStatus) -> LogLine {
        var line = LogLine("cache")
        line.add(call)
        line.add("outcome", status.outcome.rawValue)
        line.add("ttl", status.timeToLive)
        line.add("detail", status.detail)
        return line
    }

    /// Returns the line of a WebSocket that ended.
    static func webSocketClosed(_ call: ObservedCall, _ code: Int, isClean: Bool) -> LogLine {
        var line = LogLine("websocket_closed")
        line.add(call)
        line.add("ms", call.duration)
        line.add("code", code)
        line.add("clean", isClean ? "true" : "false")
        return line
    }

    /// Returns the line of a call that ended in a way that no exchange shows.
    static func call(_ call: ObservedCall, _ outcome: ObservedOutcome) -> LogLine {
        var line = LogLine("call")
        line.add(call)
        line.add("ms", call.duration)
        line.add(outcome)
        return line
    }

    private mutating func add(_ call: ObservedCall) {
        add("call", call.id)
        add("method", call.method)
        add("url", call.location, limit: Self.urlLimit)
        add("route", call.routeTemplate)
    }

    private mutating func add(_ outcome: ObservedOutcome) {
        add("error", outcome.failureName)
        guard case .failure(let error) = outcome else { return }
        add("message", Self.message(of: error), limit: Self.messageLimit)
    }

    /// Returns the text of an error of PiuPiu; `nil` for any other error, whose text may contain anything.
    private static func message(of error: any Error) -> String? {
        switch error {
        case let error as TransportError:
            // Its description would repeat the URL.
            return error.reason + (error.underlyingDescription.map { ": " + $0 } ?? "")
        case is any Redacted, is LimitError, is CircuitBreaker.OpenError, is AuthenticationError: return "\(error)"
        default: return nil
        }
    }
}

extension Attempt.Cause {
    /// The cause as a word.
    fileprivate var word: String {
        switch self {
        case .call: "call"
        case .status(let statusCode): String(statusCode.rawValue)
        case .failure(let code): "\(code)"
        case .otherFailure: "failure"
        case .credentials: "credentials"
        case .hedge: "hedge"
        }
    }
}
