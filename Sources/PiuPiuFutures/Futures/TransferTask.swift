/// The progress of a future's request, as ``ResponseFuture/updated(_:)`` reports it.
public struct TransferTask: Sendable, Identifiable {
    /// The state of the request.
    public enum State: Sendable, Hashable {
        /// Bytes are being transferred.
        case running
        /// The request waits for its turn.
        case suspended
        /// The request was cancelled and is ending.
        case canceling
        /// The request has ended.
        case completed
    }

    /// The identifier of the request within a chain; the same in all updates of one request.
    public let id: UUID
    /// The progress of the request.
    public var progress: TransferProgress
    /// The state of the request.
    public var state: State
    private let cancellation: @Sendable () -> Void

    /// Creates a task, for your own mocks.
    ///
    /// - Parameters:
    ///   - id: The identifier of the request.
    ///   - progress: The progress of the request.
    ///   - state: The state of the request.
    ///   - cancel: Cancels the future that the request belongs to.
    public init(
        id: UUID = UUID(),
        progress: TransferProgress,
        state: State = .running,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        self.id = id
        self.progress = progress
        self.state = state
        cancellation = cancel
    }

    /// Cancels the future that the request belongs to, and the request.
    public func cancel() {
        cancellation()
    }

    /// The number of bytes of the request's body that were sent.
    public var countOfBytesSent: Int64 { progress.bytesSent }
    /// The length of the request's body in bytes; -1 if it is not known.
    public var countOfBytesExpectedToSend: Int64 { progress.bytesToSend ?? -1 }
    /// The number of bytes of the response's body that arrived.
    public var countOfBytesReceived: Int64 { progress.bytesReceived }
    /// The length of the response's body in bytes; -1 if it is not known.
    public var countOfBytesExpectedToReceive: Int64 { progress.bytesToReceive ?? -1 }

    /// The part of the request's body that was sent, from 0 to 1; `nil` if there is no body or its length is not known.
    public var percentSent: Float? { Self.part(countOfBytesSent, countOfBytesExpectedToSend) }
    /// The part of the response's body that arrived, from 0 to 1; `nil` if there is no body or its length is not known.
    public var percentReceived: Float? { Self.part(countOfBytesReceived, countOfBytesExpectedToReceive) }
    /// The same as ``percentReceived``, spelled as in PiuPiu 1.
    public var percentRecieved: Float? { percentReceived }

    /// The average of the parts that were sent and that arrived if both are known, otherwise the one that is known.
    public var percentTransferred: Float? {
        switch (percentSent, percentReceived) {
        case (let sent?, let received?): (sent + received) / 2
        case (let sent?, nil): sent
        case (nil, let received): received
        }
    }

    private static func part(_ count: Int64, _ whole: Int64) -> Float? {
        whole > 0 ? min(1, Float(Double(count) / Double(whole))) : nil
    }
}

extension Sequence where Element == TransferTask {
    /// The average of ``TransferTask/percentSent`` over the tasks that know it; `nil` if none does.
    public var averagePercentSent: Float? { Self.average(compactMap(\.percentSent)) }
    /// The average of ``TransferTask/percentReceived`` over the tasks that know it; `nil` if none does.
    public var averagePercentReceived: Float? { Self.average(compactMap(\.percentReceived)) }
    /// The same as ``averagePercentReceived``, spelled as in PiuPiu 1.
    public var averagePercentRecieved: Float? { averagePercentReceived }
    /// The average of ``TransferTask/percentTransferred`` over the tasks that know it; `nil` if none does.
    public var averagePercentTransferred: Float? { Self.average(compactMap(\.percentTransferred)) }

    /// The tasks that have ended.
    public var completed: [TransferTask] { filter { $0.state == .completed } }
    /// The tasks that are being cancelled.
    public var cancelling: [TransferTask] { filter { $0.state == .canceling } }
    /// The tasks that are running.
    public var running: [TransferTask] { filter { $0.state == .running } }
    /// The tasks that are waiting.
    public var suspended: [TransferTask] { filter { $0.state == .suspended } }

    private static func average(_ values: [Float]) -> Float? {
        values.isEmpty ? nil : values.reduce(0, +) / Float(values.count)
    }
}
