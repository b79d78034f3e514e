extension ResponseBody {
    /// Reads the beginning of a refused response's body, for an error, and closes the exchange.
    ///
    /// The time is limited, because a stream of events may never end. It is real time, regardless of the transport's clock.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes to read.
    ///   - patience: The maximum time to read.
    /// - Returns: The bytes, and whether they are the whole body.
    /// - Throws: `CancellationError`; other errors only end the reading.
    func beginning(
        upTo limit: Int = UnacceptableResponseError.bodyLimit,
        within patience: Duration = .seconds(5)
    ) async throws -> (data: Data, isComplete: Bool) {
        let beginning = Locked((data: Data(), isComplete: false))
        await read(until: { try? await Task.sleep(for: patience) }) { chunk in
            beginning.withLock { read in
                guard let chunk else {
                    read.isComplete = true
                    return false
                }
                let rest = limit - read.data.count
                read.data += chunk.prefix(rest)
                return chunk.count <= rest
            }
        }
        try Task.checkCancellation()
        return beginning.withLock { $0 }
    }

    /// Reads an unwanted body to its end, so that its connection can be reused, or closes the exchange.
    ///
    /// The exchange is closed if the body exceeds a limit or fails, or if the calling task is cancelled.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes to read.
    ///   - end: The time to give up.
    ///   - clock: The clock that measures it.
    package func drain(upTo limit: Int, until end: ContinuousClock.Instant, clock: TransferClock) async {
        guard expectedLength ?? 0 <= Int64(limit) else { return discard() }
        let count = Locked(0)
        await read(until: { try? await clock.sleep(until: end) }) { chunk in
            count.withLock { count in
                count += chunk?.count ?? 0
                return count <= limit
            }
        }
    }

    /// Reads the body for a limited time, and closes the exchange.
    ///
    /// - Parameters:
    ///   - timeIsUp: Returns when the time is up.
    ///   - take: Receives a chunk, or `nil` at the end of the body, and returns whether it wants more.
    private func read(
        until timeIsUp: @escaping @Sendable () async -> Void,
        _ take: @escaping @Sendable (Data?) -> Bool
    ) async {
        let body = self
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    for try await chunk in body {
                        guard take(chunk) else { return }
                    }
                    _ = take(nil)
                } catch {
                    // The bytes read so far are useful without the rest of the body.
                }
            }
            group.addTask { await timeIsUp() }
            await group.next()
            // Close the exchange first, so that a source that ignores cancellation is notified, too. After the end of the body,
            // this does nothing.
            discard()
            group.cancelAll()
        }
    }
}
