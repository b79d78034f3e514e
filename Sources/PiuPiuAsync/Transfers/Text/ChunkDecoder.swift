/// Decodes chunks of bytes into elements, as a pure value.
protocol ChunkDecoder<Element> {
    associatedtype Element

    /// Adds the next bytes.
    ///
    /// - Parameter chunk: The bytes, split at any position.
    mutating func append(_ chunk: Data)

    /// Returns the next complete element; `nil` if more bytes are needed.
    mutating func next() throws -> Element?

    /// Returns the last element; call it at the end of the bytes, after ``next()`` returned `nil`.
    mutating func finish() throws -> Element?

    /// Discards the incomplete element.
    mutating func discardPending()
}

/// An iterator over the elements of a text that arrives in chunks.
struct DecodingIterator<Base: AsyncSequence & Sendable, Decoder: ChunkDecoder> where Base.Element == Data {
    private var chunks: ChunkIterator<Base>
    private var decoder: Decoder

    init(_ base: Base, _ decoder: Decoder) {
        chunks = ChunkIterator(base)
        self.decoder = decoder
    }

    /// Waits for the next element; returns `nil` at the end and after an error.
    mutating func next() async throws -> Decoder.Element? {
        do {
            while true {
                if let element = try decoder.next() { return element }
                guard let chunk = try await chunks.next() else { return try decoder.finish() }
                decoder.append(chunk)
            }
        } catch {
            end()
            throw error
        }
    }

    /// Ends the iteration and abandons the chunks.
    mutating func end() {
        chunks.end()
        decoder.discardPending()
    }
}
