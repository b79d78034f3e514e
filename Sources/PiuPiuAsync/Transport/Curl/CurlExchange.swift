#if os(Linux)
/// How an exchange ended, as the event loop tells the caller.
enum ExchangeOutcome: Sendable {
    case response(statusCode: Int, head: RawHead, body: Data?, metrics: ExchangeMetrics)
    case failure(ExchangeFailure)
    case cancelled
}

/// Why there is no response.
///
/// The caller's side makes a ``TransportError`` of it, because it has the request.
struct ExchangeFailure: Error, Sendable {
    var code: TransportError.Code
    var underlyingDescription: String?
    var head: RawHead?
    var bytesReceived = 0
}

/// One exchange on its event loop.
///
/// It is touched on the loop's thread only.
final class CurlExchange: DeadlineHeapItem {
    let ticket: ExchangeTicket
    let request: PreparedRequest
    private let continuation: CheckedContinuation<ExchangeOutcome, Never>
    private let createdAt: Int64

    var timeline: ExchangeTimeline
    /// The engine's handle while the exchange has one.
    var handle: CurlHandle?
    /// What went wrong, where that is known better than from the engine's code.
    var failure: TransportError.Code?

    var dueAt: Int64 = 0
    var heapIndex: Int?

    private(set) var head: [UInt8] = []
    private(set) var isHeadComplete = false
    private(set) var statusCode = 0
    private(set) var body: Data?
    private var headBytesTotal = 0
    private var contentLength: Int?
    private(set) var bodyBytesSent = 0

    init(_ start: ExchangeStart, now: Int64) {
        ticket = start.ticket
        request = start.request
        continuation = start.continuation
        createdAt = now
        let options = start.request.options
        let remaining =
            start.request.deadline.map { ContinuousClock.now.duration(to: $0).clampedNanoseconds }
            ?? options.timeouts.total?.clampedNanoseconds
        timeline = ExchangeTimeline(
            timeouts: ExchangeTimeline.Limits(options.timeouts),
            now: now,
            totalDeadline: remaining.map { now.addingReportingOverflow($0).overflow ? .max : now + $0 }
        )
    }

    /// How long it waited for a connection, in nanoseconds.
    var queuedTime: Int64 { (timeline.leftQueueAt ?? createdAt) - createdAt }

    /// Tells the caller how it ended.
    ///
    /// The event loop calls this once, after it has let go of the exchange.
    func finish(_ outcome: ExchangeOutcome) {
        continuation.resume(returning: outcome)
    }

    // MARK: What arrives

    /// Takes one line of a head, or of the trailers.
    ///
    /// - Returns: Whether to go on; if not, ``failure`` says why.
    func receiveHeadLine(_ line: UnsafeRawBufferPointer, now: Int64) -> Bool {
        timeline.activity(now: now)
        headBytesTotal += line.count
        guard headBytesTotal <= request.options.maximumHead else {
            failure = .headTooLarge
            return false
        }
        let isStatusLine = line.starts(with: "HTTP/".utf8)
        if isHeadComplete {
            // Trailers come after the body; they are counted and left out (RFC 9110 §6.5.1).
            guard isStatusLine, statusCode < 200 else { return true }
            isHeadComplete = false
        }
        if isStatusLine {
            // A head after an informational one takes its place.
            head.removeAll(keepingCapacity: true)
            contentLength = nil
            if head.capacity == 0 { head.reserveCapacity(384) }
        }
        if line.count <= 2, line.first == 0x0D || line.first == 0x0A {
            return completeHead(now: now)
        }
        head.append(contentsOf: line)
        return isStatusLine || checkContentLength(line)
    }

    private func completeHead(now: Int64) -> Bool {
        guard let code = RawHead(bytes: head).statusCode, code >= 100 else {
            failure = .malformedHead
            return false
        }
        // 1xx are steps on the way, except that 101 would end HTTP, which nobody asked for (RFC 9110 §15.2.2).
        guard code != 101 else {
            failure = .malformedHead
            return false
        }
        isHeadComplete = true
        statusCode = code
        if code >= 200 { timeline.head(now: now) }
        return true
    }

    /// Refuses lengths that contradict each other (RFC 9112 §6.3), which libcurl lets pass.
    private func checkContentLength(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count > 15, line[14] == 0x3A, line[0] | 0x20 == 0x63 else { return true }
        let name = "content-length".utf8
        guard zip(name, line).allSatisfy({ $0 == $1.asciiLowercased }) else { return true }
        var value = 0
        var digits = 0
        var isAtEnd = false
        let isSpace = { (byte: UInt8) in byte.isHTTPWhitespace || byte == 0x0D || byte == 0x0A }
        for byte in line[15...].drop(while: isSpace) {
            if isSpace(byte) {
                isAtEnd = true
                continue
            }
            guard !isAtEnd, (0x30...0x39).contains(byte), digits < 18 else {
                // "5, 5" is allowed to mean 5 by RFC 9110 §8.6; nobody sends it, and nobody agrees on it.
                failure = .malformedHead
                return false
            }
            value = value * 10 + Int(byte - 0x30)
            digits += 1
        }
        guard digits > 0, contentLength == nil || contentLength == value else {
            failure = .malformedHead
            return false
        }
        contentLength = value
        return true
    }

    /// Takes a piece of the body.
    ///
    /// - Returns: Whether to go on; if not, ``failure`` says why.
    func receiveBody(_ bytes: UnsafeRawBufferPointer, now: Int64) -> Bool {
        timeline.activity(now: now)
        let limit = request.options.maximumBufferedBody
        let count = body?.count ?? 0
        guard bytes.count <= limit - count else {
            failure = .bodyTooLarge
            return false
        }
        if body == nil {
            guard let contentLength, contentLength > bytes.count else {
                body = Data(bytes)
                return true
            }
            body = Data(capacity: min(contentLength, limit, 1 << 20))
        }
        body?.append(contentsOf: bytes)
        return true
    }

    // MARK: What is sent

    /// Copies the next piece of the request's body.
    ///
    /// - Returns: How many bytes were copied; 0 at the end.
    func provideBody(into buffer: UnsafeMutableRawBufferPointer, now: Int64) -> Int {
        guard case .withContent(let data) = request.kind else { return 0 }
        timeline.activity(now: now)
        let count = min(buffer.count, data.count - bodyBytesSent)
        if count > 0 {
            let start = data.startIndex + bodyBytesSent
            data.copyBytes(to: buffer, from: start..<(start + count))
            bodyBytesSent += count
        }
        if bodyBytesSent == data.count { timeline.sent(now: now) }
        return count
    }

    /// Goes back to a place in the request's body, because the engine has to send it again.
    ///
    /// - Returns: Whether there is such a place.
    func rewindBody(to offset: Int) -> Bool {
        guard case .withContent(let data) = request.kind, (0...data.count).contains(offset) else { return false }
        bodyBytesSent = offset
        return true
    }

    /// Forgets what an attempt on a dead connection left behind.
    func restart() {
        bodyBytesSent = 0
        head.removeAll(keepingCapacity: true)
        headBytesTotal = 0
        contentLength = nil
        isHeadComplete = false
        statusCode = 0
        body = nil
    }
}
#endif
