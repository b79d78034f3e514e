extension ResponseBody {
    /// Reads a body that nobody wants to its end, so that its connection can be used again, or closes the exchange.
    ///
    /// The exchange is closed if the body is longer, takes longer, or breaks off. Cancelling the calling task closes it too.
    ///
    /// - Parameters:
    ///   - limit: The most to read, in bytes.
    ///   - end: When to give up.
    ///   - clock: The clock to measure with.
    func drain(upTo limit: Int, until end: ContinuousClock.Instant, clock: TransferClock) async {
        guard expectedLength ?? 0 <= Int64(limit) else { return discard() }
        let body = self
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    var count = 0
                    for try await chunk in body {
                        count += chunk.count
                        guard count <= limit else { return }
                    }
                } catch {
                    // The body is not wanted, so neither is its error.
                }
            }
            group.addTask { try? await clock.sleep(until: end) }
            await group.next()
            // Closes the exchange first, so that a source that ignores cancellation learns of it, too. After the end of the
            // body, this does nothing.
            discard()
            group.cancelAll()
        }
    }
}
