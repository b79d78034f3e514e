#if os(Linux)
import CurlShim

/// The content of a request while it is sent: which bytes come next, and whether it can begin again.
///
///     untouched ── read ──▶ sending ── the last byte ──▶ complete
///         ▲                    │                            │
///         └───── rewind ───────┴────────────────────────────┘
struct RequestContent {
    /// What there is to be sent now.
    enum Piece {
        case bytes(Int)
        /// The producer has nothing yet.
        case pause
        /// The producer has ended.
        case end
        /// The content can't be sent to its end; ``RequestContent/error`` says why.
        case abort
    }

    private let kind: PreparedRequest.Kind
    private let wake: (@Sendable () -> Void)?
    /// The content that is produced while it is sent; `nil` before it is needed.
    private var source: OutboundBody?
    /// How many bytes were handed out.
    private(set) var bytesRead = 0
    /// Whether all bytes were handed out.
    private(set) var isComplete = false

    /// Creates content of which nothing was sent.
    ///
    /// - Parameters:
    ///   - kind: The content.
    ///   - wake: What a producer calls when it has more.
    init(_ kind: PreparedRequest.Kind, wake: (@Sendable () -> Void)?) {
        self.kind = kind
        self.wake = wake
        // Made on the caller's thread, for the sake of its producer.
        if case .withStream(let body) = kind, !body.isRepeatable, let wake { source = OutboundBody(body, wake: wake) }
    }

    /// Why the producer failed.
    var error: (any Error)? { source?.error }

    /// Whether a producer has begun.
    var hasStarted: Bool { source?.hasStarted == true }

    /// Whether it can be sent from its beginning, now or again.
    var isRepeatable: Bool {
        guard case .withStream(let body) = kind else { return true }
        return body.isRepeatable || !hasStarted
    }

    /// Whether it may go on for ever.
    var isEndless: Bool {
        guard case .withStream(let body) = kind, !body.isRepeatable else { return false }
        return hasStarted && !isComplete
    }

    /// Whether a producer may have more.
    var isProducing: Bool {
        guard case .withStream = kind else { return false }
        return !isComplete
    }

    /// Copies the next bytes.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        switch kind {
        case .withContent(let data): return .bytes(copy(data, into: buffer))
        case .withStream(let body): return pull(body, into: buffer)
        case .withoutContent, .head: return .end
        }
    }

    private mutating func copy(_ data: Data, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, data.count - bytesRead)
        if count > 0 {
            let start = data.startIndex + bytesRead
            data.copyBytes(to: buffer, from: start..<(start + count))
            bytesRead += count
        }
        isComplete = bytesRead == data.count
        return count
    }

    private mutating func pull(_ body: ResolvedBody, into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        guard let wake else { return .abort }
        let source = source ?? OutboundBody(body, wake: wake)
        self.source = source
        switch source.read(into: buffer) {
        case .copied(let count):
            bytesRead += count
            // Where the length is known, nobody asks for the end.
            if let length = body.length, Int64(bytesRead) == length { isComplete = true }
            return .bytes(count)
        case .pause: return .pause
        case .end:
            isComplete = true
            return .end
        case .abort: return .abort
        }
    }

    /// Goes back to a place, from where it is sent again.
    ///
    /// - Returns: Whether that is possible.
    mutating func rewind(to offset: Int) -> Bool {
        switch kind {
        case .withContent(let data):
            guard (0...data.count).contains(offset) else { return false }
        case .withStream:
            guard offset == 0, isRepeatable else { return false }
            if hasStarted { source.take()?.close() }
        case .withoutContent, .head:
            guard offset == 0 else { return false }
        }
        bytesRead = offset
        isComplete = false
        return true
    }

    /// Ends the producer, if it has begun: one that has not can still be needed.
    func close() {
        if hasStarted { source?.close() }
    }
}
#endif
