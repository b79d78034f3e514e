/// The handlers of a future, one for each event.
struct FutureHandlers<Value: Sendable>: Sendable {
    typealias Succeeded = @MainActor @Sendable (Value) throws -> Void
    typealias Failed = @MainActor @Sendable (any Error) -> Void
    typealias Ended = @MainActor @Sendable () -> Void
    typealias Updated = @MainActor @Sendable (TransferTask) -> Void

    var success: Succeeded?
    var error: Failed?
    var cancellation: Ended?
    var completion: Ended?
    var updated: Updated?
}
