import Foundation
import NIOConcurrencyHelpers

/// The chunks of an upload, made when they are asked for.
struct Producer: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let count = NIOLockedValueBox(0)
    private let chunk: Data
    private var rest: Int

    /// How many bytes were given.
    var given: Int { count.withLockedValue { $0 } }

    /// Creates a producer.
    ///
    /// - Parameters:
    ///   - chunk: Each chunk.
    ///   - chunks: How many there are.
    init(_ chunk: Data, count chunks: Int) {
        self.chunk = chunk
        rest = chunks
    }

    mutating func next() async throws -> Data? {
        guard rest > 0 else { return nil }
        rest -= 1
        count.withLockedValue { $0 += chunk.count }
        return chunk
    }

    func makeAsyncIterator() -> Producer { self }
}
