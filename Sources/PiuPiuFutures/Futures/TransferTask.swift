/// A request of a future, and its progress, as reported by ``ResponseFuture/updated(_:)``.
///
/// A task has an identity, as a `URLSessionTask` has: all updates of one request pass the same task, and a task's
/// properties always show the request's current state. A set keeps one entry for each request:
///
/// ```swift
/// var tasks: Set<TransferTask> = []
/// let future = dispatcher.dataFuture(from: request)
///     .updated { task in
///         tasks.insert(task)
///         self.fraction = tasks.averagePercentTransferred ?? 0
///     }
/// ```
///
/// A property may show a newer state than the one that caused an update.
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

    private struct Values: Sendable {
        var progress: TransferProgress
        var state: State
    }

    /// The part that all copies of a task share.
    private final class Box: Sendable {
        let id: UUID
        let values: Locked<Values>
        let cancellation: @Sendable () -> Void

        init(_ id: UUID, _ values: Values, _ cancellation: @escaping @Sendable () -> Void) {
            self.id = id
            self.values = Locked(values)
            self.cancellation = cancellation
        }
    }

    private let box: Box

    /// Creates a task, for your own mocks.
    ///
    /// - Parameters:
    ///   - id: The identifier of the request. Tasks with the same identifier are equal, but only copies of one task
    ///     share their state.
    ///   - progress: The progress of the request.
    ///   - state: The state of the request.
    ///   - cancel: Cancels the future that the request belongs to.
    public init(
        id: UUID = UUID(),
        progress: TransferProgress,
        state: State = .running,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        box = Box(id, Values(progress: progress, state: state), cancel)
    }

    /// The identifier of the request; the same in all updates of one request.
    public var id: UUID { box.id }
    /// The current progress of the request.
    public var progress: TransferProgress { box.values.withLock { $0.progress } }
    /// The current state of the request.
    public var state: State { box.values.withLock { $0.state } }

    /// Changes what this task and all its copies show, for your own mocks.
    ///
    /// Afterwards, pass the task to ``ResponseFuture/update(with:)``, which calls the handlers.
    ///
    /// - Parameters:
    ///   - progress: The new progress.
    ///   - state: The new state.
    public func set(progress: TransferProgress, state: State = .running) {
        box.values.withLock { $0 = Values(progress: progress, state: state) }
    }

    /// Applies a change and returns the progress before and after it; counts only grow.
    func advance(_ change: (inout TransferProgress) -> Void) -> (old: TransferProgress, new: TransferProgress) {
        box.values.withLock { values in
            let old = values.progress
            _ = values.progress.advance(change)
            return (old, values.progress)
        }
    }

    /// Records that the request has ended.
    func complete() {
        box.values.withLock { $0.state = .completed }
    }

    /// Cancels the future that the request belongs to, and the request.
    public func cancel() {
        box.cancellation()
    }
}

extension TransferTask: Hashable {
    /// Returns whether two tasks represent the same request.
    ///
    /// - Parameters:
    ///   - lhs: A task.
    ///   - rhs: Another task.
    /// - Returns: `true` if the identifiers are equal, regardless of the progress.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.box === rhs.box || lhs.id == rhs.id
    }

    /// Feeds the identifier to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

extension TransferTask: Redacted {
    /// The identifier, the state and the counts.
    package var shown: KeyValuePairs<String, Any> { ["id": id, "state": state, "progress": progress] }
}

extension TransferTask {
    /// The number of bytes of the request's body that were sent.
    public var countOfBytesSent: Int64 { progress.bytesSent }
    /// The length of the request's body in bytes; -1 if it is unknown.
    public var countOfBytesExpectedToSend: Int64 { progress.bytesToSend ?? -1 }
    /// The number of bytes of the response's body that arrived.
    public var countOfBytesReceived: Int64 { progress.bytesReceived }
    /// The length of the response's body in bytes; -1 if it is unknown.
    public var countOfBytesExpectedToReceive: Int64 { progress.bytesToReceive ?? -1 }

    /// The fraction of the request's body that was sent, from 0 to 1; `nil` if there is no body or its length is unknown.
    public var percentSent: Float? { Percentages(progress).sent }
    /// The fraction of the response's body that arrived, from 0 to 1; `nil` if there is no body or its length is unknown.
    public var percentReceived: Float? { Percentages(progress).received }
    /// The same as ``percentReceived``, spelled as in PiuPiu 1.
    public var percentRecieved: Float? { percentReceived }
    /// The average of ``percentSent`` and ``percentReceived`` if both are known, otherwise the known one.
    public var percentTransferred: Float? { Percentages(progress).transferred }
}

extension Sequence where Element == TransferTask {
    /// The average of the known values of ``TransferTask/percentSent``; `nil` if none is known.
    public var averagePercentSent: Float? { Percentages.average(map(\.percentSent)) }
    /// The average of the known values of ``TransferTask/percentReceived``; `nil` if none is known.
    public var averagePercentReceived: Float? { Percentages.average(map(\.percentReceived)) }
    /// The same as `averagePercentReceived`, spelled as in PiuPiu 1.
    public var averagePercentRecieved: Float? { averagePercentReceived }
    /// The average of the known values of ``TransferTask/percentTransferred``; `nil` if none is known.
    public var averagePercentTransferred: Float? { Percentages.average(map(\.percentTransferred)) }

    /// The tasks that have ended.
    public var completed: [TransferTask] { filter { $0.state == .completed } }
    /// The tasks that are being cancelled.
    public var cancelling: [TransferTask] { filter { $0.state == .canceling } }
    /// The tasks that are running.
    public var running: [TransferTask] { filter { $0.state == .running } }
    /// The tasks that are waiting.
    public var suspended: [TransferTask] { filter { $0.state == .suspended } }
}
