import HTTPTypes
import PiuPiuAsync

// Stand-ins with the shape of those of swift-openapi-runtime, on which this package does not depend.

/// Sends the requests of a generated client.
protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPTypes.HTTPResponse, HTTPBody?)
}

/// The body of a request or a response: a sequence of byte chunks.
final class HTTPBody: AsyncSequence, Sendable {
    typealias ByteChunk = ArraySlice<UInt8>
    typealias Element = ByteChunk

    /// Whether the sequence may be iterated more than once.
    enum IterationBehavior: Sendable {
        case single, multiple
    }

    /// The number of bytes, if it is known.
    enum Length: Sendable, Equatable {
        case unknown
        case known(Int64)
    }

    struct Iterator: AsyncIteratorProtocol {
        let produceNext: () async throws -> ByteChunk?

        mutating func next() async throws -> ByteChunk? {
            try await produceNext()
        }
    }

    let length: Length
    let iterationBehavior: IterationBehavior
    private let makeIterator: @Sendable () -> Iterator

    init<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes,
        length: Length,
        iterationBehavior: IterationBehavior
    ) where Bytes.Element == ByteChunk {
        self.length = length
        self.iterationBehavior = iterationBehavior
        makeIterator = {
            // One task at a time uses an iterator.
            nonisolated(unsafe) var iterator = sequence.makeAsyncIterator()
            return Iterator { try await iterator.next() }
        }
    }

    func makeAsyncIterator() -> Iterator {
        makeIterator()
    }
}
