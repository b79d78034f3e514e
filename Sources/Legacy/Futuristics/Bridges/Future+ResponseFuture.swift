public import PiuPiuFutures

extension Future {
    /// Creates a future from a `ResponseFuture` of PiuPiu, and sends it.
    ///
    /// A cancelled `ResponseFuture` rejects this one with a `CancellationError`.
    ///
    /// - Parameter responseFuture: The future; its own handlers run too. If it was sent already, this future waits for
    ///   its outcome.
    public convenience init(_ responseFuture: ResponseFuture<T>) {
        // Sent here and not in the task, because it matters from which thread a chain is sent.
        responseFuture.send()
        self.init { try await responseFuture.fetchResult() }
    }

    /// Makes a `ResponseFuture` of PiuPiu with the same outcome.
    ///
    /// It waits for the outcome once it is sent. Cancelling it ends the waiting; the promise is not
    /// affected.
    ///
    /// - Returns: The future, which has to be sent.
    public func responseFuture() -> ResponseFuture<T> {
        ResponseFuture { try await self.value }
    }
}
