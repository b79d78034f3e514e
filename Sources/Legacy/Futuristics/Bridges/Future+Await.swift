import PiuPiuFutures

extension Future {
    /// Blocks the thread until the promise ends.
    ///
    /// - Returns: The value.
    /// - Throws: The error the promise was rejected with; ``FutureError/blocksMainThread`` if this is the main thread;
    ///   ``FutureError/unresolved`` if the promise is released while it is pending.
    @available(*, noasync) public func await() throws -> T {
        guard !MainThread.isCurrent else { throw FutureError.blocksMainThread }
        // Closures that this thread has deferred may end the promise, so they run before the thread waits.
        NestedCalls.runDeferred()
        // This function is documented to block the thread; asynchronous code cannot call it.
        let end = DispatchSemaphore(value: 0)
        let outcome = Locked<Outcome>(.failure(FutureError.unresolved))
        wait(UUID()) { result in
            outcome.withLock { $0 = result }
            end.signal()
        }
        end.wait()
        return try outcome.withLock { $0 }.get()
    }
}

/// Blocks the thread until promises have ended, with a value or with an error.
///
/// Write `Futuristics.await(first, second)`, or put `await` between backticks, because it is a keyword of Swift.
///
/// - Parameter futures: The futures.
/// - Throws: ``FutureError/blocksMainThread`` if this is the main thread; ``FutureError/unresolved`` if a promise is
///   released while it is pending. It does not throw the errors that promises are rejected with.
@available(*, noasync) public func `await`<T: Sendable>(_ futures: Future<T>...) throws {
    try `await`(futures)
}

/// Blocks the thread until promises have ended, with a value or with an error.
///
/// Write `Futuristics.await(futures)`, or put `await` between backticks, because it is a keyword of Swift.
///
/// - Parameter futures: The futures.
/// - Throws: ``FutureError/blocksMainThread`` if this is the main thread; ``FutureError/unresolved`` if a promise is
///   released while it is pending. It does not throw the errors that promises are rejected with.
@available(*, noasync) public func `await`<T: Sendable>(_ futures: [Future<T>]) throws {
    guard !MainThread.isCurrent else { throw FutureError.blocksMainThread }
    for future in futures {
        let result = Result { try future.await() }
        if future.state.isPending { _ = try result.get() }
    }
}
