/// Decodes chunks of bytes into elements, as a pure value.
protocol ChunkDecoder<Element>: Sendable {
    associatedtype Element

    /// Adds the next bytes, split at any position.
    mutating func append(_ chunk: Data)

    /// Returns the next complete element; `nil` if more bytes are needed.
    mutating func next() throws -> Element?

    /// Returns the last element; call it at the end of the bytes, after ``next()`` returned `nil`.
    mutating func finish() throws -> Element?

    /// Discards the incomplete element.
    mutating func discardPending()
}

/// An iterator over chunks of bytes that releases its base iterator at the end or after an error.
struct ChunkIterator<Base: AsyncSequence & Sendable> where Base.Element == Data {
    private var base: Base.AsyncIterator?

    init(_ base: Base) {
        self.base = base.makeAsyncIterator()
    }

    /// Waits for the next chunk, in the isolation of the caller; `nil` at the end, and after the sequence threw an error.
    mutating func next() async throws -> Data? {
        guard var iterator = base else { return nil }
        base = nil
        let chunk: Data?
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            chunk = try await iterator.next(isolation: #isolation)
        } else {
            // Safe, because the iterator comes from a sendable sequence and only this call uses it.
            nonisolated(unsafe) var other = iterator
            chunk = try await other.next()
            iterator = other
        }
        if chunk != nil { base = iterator }
        return chunk
    }

    /// Ends the iteration and releases the base iterator.
    mutating func end() {
        base = nil
    }
}
