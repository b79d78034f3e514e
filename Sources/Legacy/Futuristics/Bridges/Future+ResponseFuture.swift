public import PiuPiuFutures

extension Future {
    /// Creates a future from a `ResponseFuture` of PiuPiu, and sends it.
    ///
    /// A cancelled `ResponseFuture` rejects this one with a `CancellationError`.
    ///
    /// - Parameter responseFuture: The future; its own handlers also run. If it was already sent, this future waits for
    ///   its outcome.
    public convenience init(_ responseFuture: ResponseFuture<T>) {
        // Sent here and not in the task, because the thread that sends a chain matters.
        responseFuture.send()
        self.init { try await responseFuture.fetchResult() }
    }

    /// Makes a `ResponseFuture` of PiuPiu with the same outcome.
    ///
    /// Once it is sent, it waits for the outcome. Cancelling it ends the wait and does not affect the promise.
    ///
    /// - Returns: The future, which has to be sent.
    public func responseFuture() -> ResponseFuture<T> {
        ResponseFuture { try await self.value }
    }
}
