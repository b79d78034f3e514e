#if os(Linux)
import CurlShim

/// One exchange on its event loop.
///
/// The caller makes it and hands it to its loop; from then on it is touched on the loop's thread only.
final class CurlExchange: DeadlineHeapItem {
    let ticket: ExchangeTicket
    let request: PreparedRequest
    let streams: ExchangeStreams?
    /// Who waits for the outcome; `nil` once told.
    private var continuation: ExchangeContinuation?
    private let createdAt: Int64

    var timeline: ExchangeTimeline
    /// The engine's handle while the exchange has one.
    var handle: CurlHandle?
    /// What went wrong, where that is known better than from the engine's code.
    var failure: TransportError.Code?
    /// What the body that is sent failed with.
    var failureCause: (any Error)?
    /// Whether HTTP/2 was offered, so that the answer tells what the origin speaks.
    var offersHTTP2 = false
    /// The socket that libcurl watched for it last; -1 where another exchange had its connection watched.
    var socket: Int32 = -1
    /// Which directions the caller holds up, as libcurl's mask.
    var pauseMask: Int32 = 0
    /// Whether libcurl hands out what it kept during a pause: all of it is taken, because it would copy the rest anew each
    /// time, which of decompressed bytes can be megabytes.
    var isGettingWhatWasKept = false
    /// Whether bytes were passed on that the reader may not have been woken for.
    var needsFlush = false

    var dueAt: Int64 = 0
    var heapIndex: Int?

    private(set) var head: [UInt8] = []
    private(set) var isHeadComplete = false
    private(set) var statusCode = 0
    private(set) var body: Data?
    private(set) var bytesReceived = 0
    private var gatherer = BodyGatherer()
    /// The body that is produced while it is sent; `nil` before it is needed.
    private(set) var outbound: OutboundBody?
    private var headBytesTotal = 0
    private var contentLength: Int?
    private(set) var bodyBytesSent = 0
    private var hasSentAll = false

    /// Creates an exchange, on the caller's thread.
    ///
    /// - Parameters:
    ///   - ticket: What stands for it elsewhere.
    ///   - request: What is sent.
    ///   - streams: What a transfer needs beside; `nil` for most exchanges.
    init(ticket: ExchangeTicket, request: PreparedRequest, streams: ExchangeStreams?) {
        self.ticket = ticket
        self.request = request
        self.streams = streams
        let now = CurlMulti.clock()
        createdAt = now
        let options = request.options
        let remaining =
            request.deadline.map { ContinuousClock.now.duration(to: $0).clampedNanoseconds }
            ?? options.timeouts.total?.clampedNanoseconds
        timeline = ExchangeTimeline(
            timeouts: ExchangeTimeline.Limits(options.timeouts),
            now: now,
            totalDeadline: remaining.map { now.addingReportingOverflow($0).overflow ? .max : now + $0 }
        )
        head.reserveCapacity(384)
    }

    /// Notes who waits for the outcome, before the exchange is handed to its loop.
    func setContinuation(_ continuation: ExchangeContinuation) {
        self.continuation = continuation
    }

    /// How long it waited for a connection, in nanoseconds.
    var queuedTime: Int64 { (timeline.leftQueueAt ?? createdAt) - createdAt }

    /// Whether the final head is there, and a producer may have more to send.
    var isAnsweredEarly: Bool {
        guard case .withStream = request.kind else { return false }
        return isHeadComplete && statusCode >= 200 && !hasSentAll
    }

    /// Whether the final response is there with all its bytes, as far as its head tells their number.
    var isResponseComplete: Bool {
        // What libcurl keeps for a reader who is not ready was counted, and is lost when it fails.
        guard isHeadComplete, statusCode >= 200, pauseMask & Int32(PP_CURLPAUSE_RECV) == 0 else { return false }
        if case .head = request.kind { return true }
        if statusCode == 204 || statusCode == 304 { return true }
        guard let contentLength, let easy = handle?.easy else { return false }
        // Counted before they were decompressed, as they were announced.
        var count: Int64 = 0
        pp_easy_get_offset(easy, PP_CURLINFO_SIZE_DOWNLOAD_T, &count)
        return count == Int64(contentLength)
    }

    /// Tells the caller how it ended.
    ///
    /// The event loop calls this once, after it has let go of the exchange.
    func finish(_ outcome: ExchangeOutcome) {
        outbound?.close()
        flush()
        if let continuation = continuation.take() { return continuation.resume(returning: outcome) }
        switch outcome {
        case .response, .head: streams?.inbound?.finish(nil)
        case .failure(let failure): streams?.inbound?.finish(failure)
        case .cancelled: streams?.inbound?.finish(CancellationError())
        }
    }

    /// Tells the caller that the head is there, where it wants to know.
    private func deliverHead() {
        guard let streams else { return }
        // A length that is about compressed bytes says nothing about those that are delivered.
        let isEncoded = request.decodesContent && RawHead(bytes: head).firstValue(of: "Content-Encoding") != nil
        // Nor does one that is about a body that is not sent (RFC 9112 §6.3).
        var expectedLength = isEncoded ? nil : contentLength.map { Int64($0) }
        if case .head = request.kind { expectedLength = 0 }
        if statusCode == 204 || statusCode == 304 { expectedLength = 0 }
        guard streams.inbound != nil else {
            if reportsBody { streams.reporter?.willReceive(expectedLength) }
            return
        }
        let metrics = CurlOutcome.metrics(of: self)
        continuation.take()?.resume(
            returning: .head(
                statusCode: statusCode,
                RawHead(bytes: head),
                expectedLength: expectedLength,
                metrics: metrics
            )
        )
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
        let isStatusLine = line.first == 0x48 && line.starts(with: "HTTP/".utf8)
        if isHeadComplete {
            // Trailers come after the body; they are counted and left out (RFC 9110 §6.5.1).
            guard isStatusLine, statusCode < 200 else { return true }
            isHeadComplete = false
        }
        if isStatusLine {
            // A head after an informational one takes its place.
            head.removeAll(keepingCapacity: true)
            contentLength = nil
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
        if code >= 200 {
            timeline.head(now: now)
            deliverHead()
        }
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

    enum ReceiveResult {
        case proceed
        /// Not taken; the engine keeps the bytes until the exchange is resumed.
        case pause
        /// The exchange ends; ``CurlExchange/failure`` says why.
        case stop
    }

    /// Takes a piece of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer, now: Int64) -> ReceiveResult {
        timeline.activity(now: now)
        if let inbound = streams?.inbound {
            switch gatherer.gather(bytes, for: inbound, takesMore: isGettingWhatWasKept) {
            case .ready: bytesReceived += bytes.count
            case .closed: return .stop
            case .pause:
                pause(PP_CURLPAUSE_RECV, now: now)
                return .pause
            }
            return .proceed
        }
        guard collect(bytes) else { return .stop }
        bytesReceived += bytes.count
        if reportsBody { streams?.reporter?.didReceive(Int64(bytesReceived)) }
        return .proceed
    }

    /// Passes on what was gathered of a streamed body.
    func flush() {
        guard let inbound = streams?.inbound else { return }
        gatherer.flush(to: inbound)
    }

    /// Whether the body is what the caller waits for; that of a redirect is not.
    private var reportsBody: Bool { !(300..<400).contains(statusCode) }

    private func collect(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
    /// - Returns: How many bytes were copied; 0 at the end, otherwise one of libcurl's numbers.
    func provideBody(into buffer: UnsafeMutableRawBufferPointer, now: Int64) -> Int {
        timeline.activity(now: now)
        // libcurl asks for more when it has sent what it got before.
        streams?.reporter?.didSend(Int64(bodyBytesSent))
        switch request.kind {
        case .withContent(let data): return copy(data, into: buffer, now: now)
        case .withStream(let body): return pull(body, into: buffer, now: now)
        case .withoutContent, .head: return 0
        }
    }

    private func pull(_ body: ResolvedBody, into buffer: UnsafeMutableRawBufferPointer, now: Int64) -> Int {
        guard let streams else { return Int(PP_CURL_READFUNC_ABORT) }
        let outbound = outbound ?? OutboundBody(body, wake: streams.wakeSending)
        self.outbound = outbound
        switch outbound.read(into: buffer) {
        case .copied(let count):
            bodyBytesSent += count
            if let length = body.length, Int64(bodyBytesSent) == length { sentAll(now: now) }
            return count
        case .pause:
            pause(PP_CURLPAUSE_SEND, now: now)
            return Int(PP_CURL_READFUNC_PAUSE)
        case .end:
            sentAll(now: now)
            return 0
        case .abort:
            failureCause = outbound.error
            return Int(PP_CURL_READFUNC_ABORT)
        }
    }

    /// Whether a body is being sent that may go on for ever, and that only an answer could cut short.
    ///
    /// One that can be repeated comes to its end, and the engine may yet send it again on another connection.
    var needsAnswerToGoOn: Bool {
        guard case .withStream(let body) = request.kind, !body.isRepeatable, outbound?.hasStarted == true else {
            return false
        }
        return !hasSentAll && !(isHeadComplete && statusCode >= 200)
    }

    /// Notes that the engine has the last byte, after which it does not ask again where it knows the length.
    private func sentAll(now: Int64) {
        hasSentAll = true
        timeline.sent(now: now)
        streams?.reporter?.didSend(Int64(bodyBytesSent))
    }

    /// Notes that the engine will stop moving bytes in a direction until it is told to go on.
    private func pause(_ direction: Int, now: Int64) {
        pauseMask |= Int32(direction)
        timeline.setPaused(true, now: now)
    }

    private func copy(_ data: Data, into buffer: UnsafeMutableRawBufferPointer, now: Int64) -> Int {
        let count = min(buffer.count, data.count - bodyBytesSent)
        if count > 0 {
            let start = data.startIndex + bodyBytesSent
            data.copyBytes(to: buffer, from: start..<(start + count))
            bodyBytesSent += count
        }
        if bodyBytesSent == data.count { sentAll(now: now) }
        return count
    }

    /// Goes back to a place in the request's body, because the engine has to send it again.
    ///
    /// - Returns: Whether there is such a place.
    func rewindBody(to offset: Int) -> Bool {
        switch request.kind {
        case .withContent(let data) where (0...data.count).contains(offset):
            bodyBytesSent = offset
            return true
        case .withStream(let body) where offset == 0:
            return rewind(body)
        default: return false
        }
    }

    private func rewind(_ body: ResolvedBody) -> Bool {
        guard let outbound, outbound.hasStarted else { return true }
        guard body.isRepeatable else {
            failureCause = TransferError(.bodyNotRepeatable)
            return false
        }
        outbound.close()
        self.outbound = nil
        bodyBytesSent = 0
        return true
    }

    /// Begins an attempt, and forgets what one on a dead connection left behind.
    ///
    /// - Returns: Whether the body can be sent.
    func begin(now: Int64) -> Bool {
        if case .withStream(let body) = request.kind, !rewind(body) { return false }
        bodyBytesSent = 0
        hasSentAll = false
        bytesReceived = 0
        // libcurl begins without pauses too.
        pauseMask = 0
        timeline.setPaused(false, now: now)
        head.removeAll(keepingCapacity: true)
        headBytesTotal = 0
        contentLength = nil
        isHeadComplete = false
        statusCode = 0
        body = nil
        streams?.reporter?.willSend(request.kind.length)
        return true
    }
}
#endif
