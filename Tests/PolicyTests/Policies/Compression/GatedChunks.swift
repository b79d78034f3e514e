import PiuPiuAsync
import TestSupport

/// A stream of given chunks.
struct GatedChunks: AsyncSequence, Sendable {
    typealias Element = Data

    private let chunks: [Data]
    private let gate: Gate?

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - chunks: The chunks.
    ///   - gate: Where it waits before its end.
    init(_ chunks: [Data], gate: Gate? = nil) {
        self.chunks = chunks
        self.gate = gate
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...], gate: gate) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<Data>
        fileprivate let gate: Gate?

        mutating func next() async throws -> Data? {
            if let chunk = rest.popFirst() { return chunk }
            try await gate?.wait()
            return nil
        }
    }
}
