extension ResponseBody {
    /// Reads the beginning of a body that nobody wants, for an error, and gives the rest up.
    ///
    /// It ends early if the server takes long: a stream of events need not end at all.
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
                    // What the server has to say about its failure is good to know, not needed.
                }
            }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
        discard()
        try Task.checkCancellation()
        return read.withLock { $0 }
    }
}
