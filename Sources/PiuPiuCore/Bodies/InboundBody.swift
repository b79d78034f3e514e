/// A locked buffer that passes a response's body from the transport to the reader.
///
/// It has one writer, the transport, and one reader. Either can end it: the transport with ``finish(_:)``, the reader
/// with ``close()``, which tells the transport to cancel the exchange.
package final class InboundBody: Sendable {
    private typealias Waiter = CheckedContinuation<Data?, any Error>

    /// The number of unread bytes at which the transport pauses; with the chunk in progress, 256 KiB.
    static let highWater = 192 * 1024

    private let buffer = Locked(InboundBuffer<Waiter>(highWater: InboundBody.highWater))
    /// Tells the transport to continue.
    private let resume: @Sendable () -> Void
    /// Tells the transport to cancel the exchange.
    private let cancel: @Sendable () -> Void

    package init(resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
        self.resume = resume
        self.cancel = cancel
    }

    // MARK: The transport

    /// The number of unread bytes.
    package var count: Int { buffer.withLock { $0.count } }

    /// Returns whether the transport may continue; after a pause, `resume` tells it to continue.
    package func checkRoom() -> InboundBuffer<Never>.Readiness {
        switch buffer.withLock({ $0.checkRoom() }) {
        case .ready: .ready
        case .pause: .pause
        case .closed: .closed
        }
    }

    /// Adds a chunk.
    package func write(_ chunk: Data) {
        if let (waiter, data) = buffer.withLock({ $0.write(chunk) }) { waiter.resume(returning: data) }
    }

    /// Delivers the buffered bytes to the waiting reader, because the transport has nothing more for now.
    package func flush() {
        if let (waiter, data) = buffer.withLock({ $0.flush() }) { waiter.resume(returning: data) }
    }

    /// Ends the body.
    ///
    /// - Parameters:
    ///   - error: The reason why the body is incomplete; `nil` if it is complete.
    ///   - trailers: The lines of the trailer section.
    package func finish(_ error: (any Error)?, trailers: [UInt8] = []) {
        switch buffer.withLock({ $0.finish(error, trailers: trailers) }) {
        case .none: break
        case .deliver(let waiter, let data): waiter.resume(returning: data)
        case .end(let waiter): waiter.resume(returning: nil)
        case .fail(let waiter, let error): waiter.resume(throwing: error)
        }
    }

    // MARK: The reader

    /// The lines of the trailer section; empty before the end.
    package var trailers: [UInt8] { buffer.withLock { $0.trailers } }

    /// Waits for the next chunk.
    ///
    /// - Parameter isolation: The actor to resume on.
    /// - Returns: A chunk; `nil` at the end.
    /// - Throws: The reason why the body is incomplete, or `CancellationError` if the task is cancelled, which also
    ///   cancels the exchange.
    package func next(isolation: isolated (any Actor)?) async throws -> Data? {
        if Task.isCancelled { close() }
        switch buffer.withLock({ $0.read() }) {
        case .deliver(let data, let resumes):
            // Resume the transport first, so that it works in parallel with the reader.
            if resumes { resume() }
            return data
        case .end: return nil
        case .fail(let error): throw error
        case .wait: return try await nextAfterWait(isolation: isolation)
        }
    }

    private func nextAfterWait(isolation: isolated (any Actor)?) async throws -> Data? {
        defer { buffer.showOrder() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation(isolation: isolation) { (waiter: Waiter) in
                switch buffer.withLock({ $0.read(waiter) }) {
                case .deliver(let data, let resumes):
                    if resumes { resume() }
                    waiter.resume(returning: data)
                case .end: waiter.resume(returning: nil)
                case .fail(let error): waiter.resume(throwing: error)
                case .wait: break
                }
            }
        } onCancel: {
            close()
        }
    }

    /// Abandons the body.
    package func close() {
        let (dropped, (stopsWriter, waiter)) = buffer.withLock { buffer in
            let dropped = buffer
            return (dropped, buffer.close())
        }
        // Release outside the lock, because releasing chunks and errors can run foreign code.
        withExtendedLifetime(dropped) {}
        if stopsWriter { cancel() }
        waiter?.resume(throwing: CancellationError())
    }
}
