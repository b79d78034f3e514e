extension ResponseBody {
    /// Reads the beginning of the body of a refused response, for an error, and closes the exchange.
    ///
    /// The time is limited, because a stream of events may never end. It is real time, whatever the transport's clock.
    ///
    /// - Parameters:
    ///   - limit: The most to read, in bytes.
    ///   - patience: How long to read.
    /// - Returns: What was read, and whether it is the whole body.
    /// - Throws: `CancellationError`; other errors end the reading.
    func beginning(
        upTo limit: Int = UnacceptableResponseError.bodyLimit,
        within patience: Duration = .seconds(5)
    ) async throws -> (data: Data, isComplete: Bool) {
        let read = Locked((data: Data(), isComplete: false))
        let body = self
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    for try await chunk in body {
                        let isFull = read.withLock { read in
                            let rest = limit - read.data.count
                            read.data += chunk.prefix(rest)
                            return chunk.count > rest
                        }
                        if isFull { return }
                    }
                    read.withLock { $0.isComplete = true }
                } catch {
                    // The error is useful without the rest of the body.
                }
            }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            // Closes the exchange first, so that a source that ignores cancellation learns of it, too.
            discard()
            group.cancelAll()
        }
        try Task.checkCancellation()
        return read.withLock { $0 }
    }
}
