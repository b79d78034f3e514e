/// Takes down what a transfer moves, for whoever reads its progress.
///
/// A transport finds it in ``TransportRequest/reporter``. Each attempt and each redirect begins again with
/// ``willSend(_:)``; the reader sees counts that only grow.
public final class TransferReporter: Sendable {
    private let update: @Sendable (_ change: (inout TransferProgress) -> Void) -> Void

    /// Creates a reporter.
    ///
    /// - Parameter update: Called with each change, on any thread; it must not block.
    public init(_ update: @escaping @Sendable (_ change: (inout TransferProgress) -> Void) -> Void) {
        self.update = update
    }

    /// A request is about to be sent.
    ///
    /// - Parameter length: How many bytes its body has; `nil` where that is not known.
    public func willSend(_ length: Int64?) {
        update { $0.bytesToSend = length }
    }

    /// A part of the request's body was sent.
    ///
    /// - Parameter count: How many bytes were sent of this attempt.
    public func didSend(_ count: Int64) {
        update { $0.bytesSent = count }
    }

    /// The response's body is about to arrive.
    ///
    /// - Parameter length: How many bytes it has; `nil` where that is not known.
    public func willReceive(_ length: Int64?) {
        update { $0.bytesToReceive = length }
    }

    /// The response's body continues what an earlier one had begun, and was kept.
    ///
    /// - Parameter count: How many bytes were kept.
    func willContinue(at count: Int64) {
        update {
            $0.bytesKept += max(0, count - $0.bytesReceived)
            $0.bytesReceived = count
        }
    }

    /// A part of the response's body arrived.
    ///
    /// - Parameter count: How many bytes arrived of this response.
    public func didReceive(_ count: Int64) {
        update { $0.bytesReceived = count }
    }
}
