/// How far the request of a future has come, as ``ResponseFuture/updated(_:)`` tells it.
public struct TransferTask: Sendable, Identifiable {
    /// Whether the request still runs.
    public enum State: Sendable, Hashable {
        /// Bytes move.
        case running
        /// It waits for its turn.
        case suspended
        /// It was cancelled and is ending.
        case canceling
        /// It has ended.
        case completed
    }

    /// What tells the requests of a chain apart; the same each time one of them is told of.
    public let id: UUID
    /// What was counted.
    public var progress: TransferProgress
    /// Whether the request still runs.
    public var state: State
    private let cancellation: @Sendable () -> Void

    /// Creates a task, for a mock of your own.
    ///
    /// - Parameters:
    ///   - id: What tells it from others.
    ///   - progress: What was counted.
    ///   - state: Whether the request still runs.
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

    /// How many bytes of the request's body were sent.
    public var countOfBytesSent: Int64 { progress.bytesSent }
    /// How many bytes the request's body has; -1 where that is not known.
    public var countOfBytesExpectedToSend: Int64 { progress.bytesToSend ?? -1 }
    /// How many bytes of the response's body arrived.
    public var countOfBytesReceived: Int64 { progress.bytesReceived }
    /// How many bytes the response's body has; -1 where that is not known.
    public var countOfBytesExpectedToReceive: Int64 { progress.bytesToReceive ?? -1 }

    /// The part of the request's body that was sent, from 0 to 1; `nil` where there is none, or its length is not known.
    public var percentSent: Float? { Self.part(countOfBytesSent, countOfBytesExpectedToSend) }
    /// The part of the response's body that arrived, from 0 to 1; `nil` where there is none, or its length is not known.
    public var percentReceived: Float? { Self.part(countOfBytesReceived, countOfBytesExpectedToReceive) }
    /// The same as ``percentReceived``, spelled as in PiuPiu 1.
    public var percentRecieved: Float? { percentReceived }

    /// The average of what was sent and what arrived, where both are known, or else the one that is.
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
    /// The average of ``TransferTask/percentSent`` over those that know it; `nil` where none does.
    public var averagePercentSent: Float? { Self.average(compactMap(\.percentSent)) }
    /// The average of ``TransferTask/percentReceived`` over those that know it; `nil` where none does.
    public var averagePercentReceived: Float? { Self.average(compactMap(\.percentReceived)) }
    /// The same as ``averagePercentReceived``, spelled as in PiuPiu 1.
    public var averagePercentRecieved: Float? { averagePercentReceived }
    /// The average of ``TransferTask/percentTransferred`` over those that know it; `nil` where none does.
    public var averagePercentTransferred: Float? { Self.average(compactMap(\.percentTransferred)) }

    /// Those that have ended.
    public var completed: [TransferTask] { filter { $0.state == .completed } }
    /// Those that are being cancelled.
    public var cancelling: [TransferTask] { filter { $0.state == .canceling } }
    /// Those that run.
    public var running: [TransferTask] { filter { $0.state == .running } }
    /// Those that wait.
    public var suspended: [TransferTask] { filter { $0.state == .suspended } }

    private static func average(_ values: [Float]) -> Float? {
        values.isEmpty ? nil : values.reduce(0, +) / Float(values.count)
    }
}
