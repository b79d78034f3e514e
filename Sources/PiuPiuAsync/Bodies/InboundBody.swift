/// Where a transport puts a response's body, and from where it is read: the buffer between both, with its lock.
///
/// It has one writer, the transport, and one reader. Either may end it: the transport with ``finish(_:)``, the reader with
/// ``close()``, which tells the transport to give the exchange up.
package final class InboundBody: Sendable {
    private typealias Waiter = CheckedContinuation<Data?, any Error>

    /// How many bytes wait to be read before the transport has to; with the chunk that is under way, 256 KiB.
    static let highWater = 192 * 1024

    private let buffer = Locked(InboundBuffer<Waiter>(highWater: InboundBody.highWater))
    /// Tells the transport to go on.
    private let resume: @Sendable () -> Void
    /// Tells the transport to give the exchange up.
    private let cancel: @Sendable () -> Void

    package init(resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
        self.resume = resume
        self.cancel = cancel
    }

    // MARK: The transport

    /// How many bytes wait to be read.
    var count: Int { buffer.withLock { $0.count } }

    /// Whether the transport may go on; where it may not, it is told when it may.
    package func checkRoom() -> InboundBuffer<Never>.Readiness {
        switch buffer.withLock({ $0.checkRoom() }) {
        case .ready: .ready
        case .pause: .pause
        case .closed: .closed
        }
    }

    /// Takes a chunk over.
    package func write(_ chunk: Data) {
        if let (waiter, data) = buffer.withLock({ $0.write(chunk) }) { waiter.resume(returning: data) }
    }

    /// There is nothing more at the moment: whoever waits gets what is there.
    package func flush() {
        if let (waiter, data) = buffer.withLock({ $0.flush() }) { waiter.resume(returning: data) }
    }

    /// The body has ended.
    ///
    /// - Parameter error: Why it is not complete; `nil` where it is.
    package func finish(_ error: (any Error)?) {
        switch buffer.withLock({ $0.finish(error) }) {
        case .none: break
        case .deliver(let waiter, let data): waiter.resume(returning: data)
        case .end(let waiter): waiter.resume(returning: nil)
        case .fail(let waiter, let error): waiter.resume(throwing: error)
        }
    }

    // MARK: The reader

    /// Waits for bytes.
    ///
    /// - Parameter isolation: Where to go on.
    /// - Returns: A chunk; `nil` at the end.
    /// - Throws: Why the body is not complete; `CancellationError` where the task is cancelled, which also gives the
    ///   exchange up.
    package func next(isolation: isolated (any Actor)?) async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation(isolation: isolation) { (waiter: Waiter) in
                switch buffer.withLock({ $0.read(waiter) }) {
                case .deliver(let data, let resumes):
                    // First, so that both work at the same time.
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

    /// Gives the body up.
    package func close() {
        let (dropped, (stopsWriter, waiter)) = buffer.withLock { buffer in
            let dropped = buffer
            return (dropped, buffer.close())
        }
        // Released outside of the lock, because chunks and errors can run foreign code then.
        withExtendedLifetime(dropped) {}
        if stopsWriter { cancel() }
        waiter?.resume(throwing: CancellationError())
    }
}
