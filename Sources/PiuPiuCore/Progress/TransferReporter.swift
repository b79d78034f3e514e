/// Records the progress of a transfer for its reader.
///
/// A transport finds the reporter in ``TransportRequest/reporter``. Each attempt and each redirect starts again with
/// ``willSend(_:)``; the reader sees counts that only grow.
public final class TransferReporter: Sendable {
    private let update: @Sendable (_ change: (inout TransferProgress) -> Void) -> Void

    /// Creates a reporter.
    ///
    /// - Parameter update: Called with each change, on any thread; it must not block.
    public init(_ update: @escaping @Sendable (_ change: (inout TransferProgress) -> Void) -> Void) {
        self.update = update
    }

    /// Passes on a change that another reporter recorded.
    package func report(_ change: (inout TransferProgress) -> Void) {
        update(change)
    }

    /// Reports that a request is about to be sent.
    ///
    /// - Parameter length: The length of its body; `nil` if it is unknown.
    public func willSend(_ length: Int64?) {
        update { $0.bytesToSend = length }
    }

    /// Reports that the request is sent again, and that the previous response is discarded.
    ///
    /// The length of that response's body is reset; the counts stand still until the new attempt has overtaken them.
    package func willSendAgain() {
        update {
            $0.restarts += 1
            $0.bytesToReceive = nil
        }
    }

    /// Reports that a part of the request's body was sent.
    ///
    /// - Parameter count: The number of bytes sent in this attempt.
    public func didSend(_ count: Int64) {
        update { $0.bytesSent = count }
    }

    /// Reports that the response's body is about to arrive.
    ///
    /// - Parameter length: The length of the body; `nil` if it is unknown.
    public func willReceive(_ length: Int64?) {
        update { $0.bytesToReceive = length }
    }

    /// Reports that the response's body resumes an earlier one, of which `count` bytes were kept.
    package func willContinue(at count: Int64) {
        update {
            $0.bytesKept += max(0, count - $0.bytesReceived)
            $0.bytesReceived = count
        }
    }

    /// Reports that a part of the response's body arrived.
    ///
    /// - Parameter count: The number of bytes of this response that arrived.
    public func didReceive(_ count: Int64) {
        update { $0.bytesReceived = count }
    }
}
