/// An iterator over chunks of bytes that releases the one below it at the end, in whatever way the end comes.
struct ChunkIterator<Base: AsyncSequence & Sendable> where Base.Element == Data {
    private var base: Base.AsyncIterator?

    /// Begins with a sequence.
    ///
    /// - Parameter base: The chunks.
    init(_ base: Base) {
        self.base = base.makeAsyncIterator()
    }

    /// Waits for the next chunk, in the isolation of the caller.
    ///
    /// - Returns: The chunk, `nil` at the end and ever after.
    /// - Throws: What the sequence throws, once; `nil` comes after it.
    mutating func next() async throws -> Data? {
        guard var iterator = base else { return nil }
        base = nil
        let chunk: Data?
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            chunk = try await iterator.next(isolation: #isolation)
        } else {
            // Sound, as nobody else has the iterator: it came from a sendable sequence, and only this call uses it.
            nonisolated(unsafe) var other = iterator
            chunk = try await other.next()
            iterator = other
        }
        if chunk != nil { base = iterator }
        return chunk
    }

    /// Ends it, which releases the iterator below.
    mutating func end() {
        base = nil
    }
}
