import PiuPiuAsync
import TestSupport

/// A body that arrives in chunks, and counts what is done with it.
package struct Chunks: AsyncSequence, Sendable {
    package typealias Element = Data

    /// What happened to the iterators.
    package struct Record {
        package var released = 0
        package var taken = 0
        package var isolations: [ObjectIdentifier?] = []
    }

    package let chunks: [Data]
    package var error: (any Error)?
    package let record = Locked(Record())

    package init(_ chunks: [Data], error: (any Error)? = nil) {
        self.chunks = chunks
        self.error = error
    }

    package init(_ texts: String..., error: (any Error)? = nil) {
        self.init(texts.map { Data($0.utf8) }, error: error)
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: self, lifetime: Lifetime(record: record))
    }

    package final class Lifetime {
        package let record: Locked<Record>
        package init(record: Locked<Record>) { self.record = record }
        deinit { record.withLock { $0.released += 1 } }
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        package let chunks: Chunks
        package let lifetime: Lifetime
        package var position = 0

        package mutating func next() async throws -> Data? {
            guard position < chunks.chunks.count else {
                if let error = chunks.error { throw error }
                return nil
            }
            position += 1
            lifetime.record.withLock { $0.taken += 1 }
            return chunks.chunks[position - 1]
        }

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        package mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Data? {
            lifetime.record.withLock { $0.isolations.append(actor.map { ObjectIdentifier($0) }) }
            return try await next()
        }
    }
}

extension Data {
    /// The same bytes in pieces of random length, some of them empty, some of them slices of something larger.
    package func pieces(_ random: inout SeededRandom, most: Int = 12) -> [Data] {
        var pieces: [Data] = []
        var position = startIndex
        while position < endIndex {
            let end = Swift.min(endIndex, position + Int.random(in: 0...most, using: &random))
            pieces.append(Bool.random(using: &random) ? self[position..<end] : Data(self[position..<end]))
            position = end
        }
        return pieces
    }

    /// Bytes that are made of some words in random order, among which a random byte now and then is.
    package static func random(of words: [String], count: Int, _ random: inout SeededRandom) -> Data {
        (0..<count).reduce(into: Data()) { data, _ in
            let word = Int.random(in: 0...words.count, using: &random)
            if word < words.count {
                data.append(contentsOf: words[word].utf8)
            } else {
                data.append(.random(in: 0...255, using: &random))
            }
        }
    }
}

/// What a sequence gave, and the error that ended it.
package func collect<Sequence: AsyncSequence>(_ sequence: Sequence) async -> (
    elements: [Sequence.Element], error: (any Error)?
) {
    var elements: [Sequence.Element] = []
    do {
        for try await element in sequence { elements.append(element) }
        return (elements, nil)
    } catch {
        return (elements, error)
    }
}
