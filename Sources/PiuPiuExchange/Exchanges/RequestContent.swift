#if os(Linux)
/// The content of a request while it is sent: the next bytes, and whether they can be sent again.
///
///     untouched ── read ──▶ sending ── the last byte ──▶ complete
///         ▲                    │                            │
///         └───── rewind ───────┴────────────────────────────┘
package struct RequestContent {
    /// The result of reading the next bytes.
    package enum Piece {
        case bytes(Int)
        /// The producer has no bytes yet.
        case pause
        /// The producer has ended.
        case end
        /// The content can't be completed; ``RequestContent/error`` has the reason.
        case abort
    }

    package let kind: PreparedRequest.Kind
    private let wake: (@Sendable () -> Void)?
    /// The producer of streamed content; `nil` until it is needed.
    private var source: OutboundBody?
    /// The number of bytes handed out.
    package private(set) var bytesRead = 0
    /// Whether all bytes were handed out.
    package private(set) var isComplete = false

    /// Creates content that is not yet sent; a producer calls the closure when it has more bytes.
    package init(_ kind: PreparedRequest.Kind, wake: (@Sendable () -> Void)?) {
        self.kind = kind
        self.wake = wake
        // Created on the caller's thread, so that the producer inherits the caller's task-local values and priority.
        if case .withStream(let body) = kind, !body.isRepeatable, let wake { source = OutboundBody(body, wake: wake) }
    }

    /// The producer's error.
    package var error: (any Error)? { source?.error }

    /// The trailer lines, after the end of the content was read.
    package var trailers: [String] { source?.trailers ?? [] }

    /// Whether a producer has started.
    package var hasStarted: Bool { source?.hasStarted == true }

    /// Whether the content can be sent from its beginning.
    package var isRepeatable: Bool {
        guard case .withStream(let body) = kind else { return true }
        return body.isRepeatable || !hasStarted
    }

    /// Copies the next bytes.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
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
            // A reader that knows the length may not ask for the end.
            if let length = body.length, Int64(bytesRead) == length { isComplete = true }
            return .bytes(count)
        case .pause: return .pause
        case .end:
            isComplete = true
            return .end
        case .abort: return .abort
        }
    }

    /// Rewinds to an offset from which to send the content again, and returns whether that is possible.
    package mutating func rewind(to offset: Int) -> Bool {
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

    /// Ends the producer if it has started; one that has not may still be needed.
    package func close() {
        if hasStarted { source?.close() }
    }
}
#endif
