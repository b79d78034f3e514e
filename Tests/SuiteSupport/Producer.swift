import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// The bytes of an upload, made on demand, with a record of what was asked for and what became of the iteration.
package struct Producer: AsyncSequence, Sendable {
    /// What was seen of the iteration.
    package struct Record: Sendable {
        /// How many bytes were given.
        package var given: Int64 = 0
        /// How many chunks were asked for.
        package var asked = 0
        /// Whether the iterating task was cancelled while a chunk was waited for.
        package var wasCancelled = false
        /// How many iterations were begun.
        package var iterations = 0
    }

    package typealias Element = Data

    private let state = Locked(Record())
    private let observers = Locked<[(Int64, Gate)]>([])
    private let ended = Gate()
    private let chunk: @Sendable (Int) async throws -> Data?

    /// Creates a producer.
    ///
    /// - Parameter chunk: Makes the chunk with a number; `nil` at the end.
    package init(_ chunk: @escaping @Sendable (Int) async throws -> Data?) {
        self.chunk = chunk
    }

    /// Gives the same chunk again and again.
    package static func endless(_ count: Int = 64 * 1024) -> Producer {
        let data = Data(repeating: 0x65, count: count)
        return Producer { _ in data }
    }

    /// Gives chunks.
    package static func of(_ chunks: [Data]) -> Producer {
        Producer { $0 < chunks.count ? chunks[$0] : nil }
    }

    /// Gives chunks, then waits until it is cancelled or a gate is open, then gives the rest.
    package static func of(_ chunks: [Data], then gate: Gate, rest: [Data] = []) -> Producer {
        Producer { index in
            if index < chunks.count { return chunks[index] }
            if index == chunks.count { try await gate.wait() }
            let next = index - chunks.count
            return next < rest.count ? rest[next] : nil
        }
    }

    package var record: Record { state.withLock { $0 } }

    /// Waits until it has given so many bytes.
    package func waitUntilGiven(_ count: Int64) async throws {
        let gate = Gate()
        observers.withLock { $0.append((count, gate)) }
        if record.given >= count { return }
        try await gate.wait()
    }

    /// Waits until the iteration is over, for whatever reason; returns at once if none was begun.
    package func waitUntilEnded() async throws {
        if record.iterations > 0 { try await ended.wait() }
    }

    /// Waits until nothing is asked for while a hundred requests are answered.
    ///
    /// Each of them takes the dispatcher through a turn, in which it would have asked for what it has room for.
    ///
    /// - Parameter dispatcher: The dispatcher that sends the upload; the limits of its time do not apply.
    /// - Throws: `CancellationError` if the test is cancelled, and what the dispatcher's requests end with.
    package func waitUntilHeldBack(by dispatcher: URLRequestDispatcher) async throws {
        let server = try LoopbackServer()
        let options = RequestOptions(timeouts: Timeouts(queue: nil, connect: nil, idle: nil))
        // It asks for something in any case, and begins with that.
        try await waitUntilGiven(1)
        var last: Int64 = -1
        while record.given != last {
            last = record.given
            for _ in 0..<100 {
                _ = try await dispatcher.data(for: URLRequest(url: server.url("/")), options: options)
            }
        }
    }

    package func makeAsyncIterator() -> Iterator {
        state.withLock { $0.iterations += 1 }
        return Iterator(self)
    }

    package final class Iterator: AsyncIteratorProtocol {
        private let producer: Producer
        private var index = 0

        fileprivate init(_ producer: Producer) {
            self.producer = producer
        }

        deinit {
            producer.ended.open()
        }

        package func next() async throws -> Data? {
            let producer = producer
            producer.state.withLock { $0.asked += 1 }
            let number = index
            index += 1
            let data = try await withTaskCancellationHandler {
                try await producer.chunk(number)
            } onCancel: {
                producer.state.withLock { $0.wasCancelled = true }
            }
            guard let data else { return nil }
            let given = producer.state.withLock { record in
                record.given += Int64(data.count)
                return record.given
            }
            let due = producer.observers.withLock { observers in
                let due = observers.filter { $0.0 <= given }
                if !due.isEmpty { observers.removeAll { $0.0 <= given } }
                return due
            }
            for (_, gate) in due { gate.open() }
            return data
        }
    }
}

/// Bytes that differ from place to place, so that a piece in the wrong place is noticed.
package func pattern(_ count: Int, seed: UInt64 = 1) -> Data {
    var random = SeededRandom(seed: seed)
    // A prime, so that the pattern does not repeat at an offset that matters.
    let words = (0..<min(count / 8 + 1, 131_071)).map { _ in random.next() }
    let block = words.withUnsafeBytes { Data($0) }
    var data = Data(capacity: count + block.count)
    while data.count < count { data.append(block) }
    return data.prefix(count)
}

/// How many descriptors of this process are open for a file.
package func openDescriptors(of file: URL) -> Int {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { name in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == file.path
    }
}

/// Waits until a condition holds, for things that end a moment after an upload without a notification.
///
/// - Returns: Whether it held before the test was cancelled by its time limit.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    while !Task.isCancelled {
        if try await condition() { return true }
        await Task.yield()
    }
    return false
}

/// What an upload has to end in.
extension TransferError.Code {
    /// The code of a transfer's error; `nil` for other errors.
    package static func of(_ error: any Error) -> TransferError.Code? { (error as? TransferError)?.code }
}
