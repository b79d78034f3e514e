import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

@Suite(.timeLimit(.generous)) struct OutboundBodyTests {
    private struct Failure: Error {}

    /// Reads as a transport does: it pauses if there is nothing, and continues when it is told to.
    private struct Reader {
        let body: OutboundBody
        private let wakes = Tally()
        private var pauses = 0
        private(set) var bytes = Data()

        init(_ body: RequestBody) throws {
            self.body = OutboundBody(try body.resolved(), wake: { [wakes] in wakes.add() })
        }

        /// Reads once; waits for what is there.
        mutating func read(_ size: Int = 16_384) async -> OutboundBody.ReadResult {
            var buffer = [UInt8](repeating: 0, count: size)
            while true {
                let result = buffer.withUnsafeMutableBytes { body.read(into: $0) }
                switch result {
                case .pause:
                    pauses += 1
                    await wakes.reach(pauses)
                case .copied(let count):
                    bytes += buffer.prefix(count)
                    return result
                case .end, .abort: return result
                }
            }
        }

        /// Reads to the end.
        ///
        /// - Returns: Why it did not come to the end.
        mutating func readAll(_ size: Int = 16_384) async -> (any Error)? {
            while true {
                switch await read(size) {
                case .copied, .pause: break
                case .end: return nil
                case .abort: return body.error ?? CancellationError()
                }
            }
        }
    }

    /// A stream that gives chunks and then ends or fails.
    private static func stream(_ chunks: [Data], error: (any Error)? = nil) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            for chunk in chunks { continuation.yield(chunk) }
            continuation.finish(throwing: error)
        }
    }

    private static func stream(_ texts: String..., error: (any Error)? = nil) -> AsyncThrowingStream<Data, any Error> {
        stream(texts.map { Data($0.utf8) }, error: error)
    }

    private static func code(_ error: (any Error)?) -> TransferError.Code? { (error as? TransferError)?.code }

    // MARK: Streams

    @Test(arguments: [nil, 9] as [Int64?], [1, 4, 16_384])
    func aStreamIsSentAsItComes(_ length: Int64?, _ size: Int) async throws {
        var reader = try Reader(.stream(Self.stream("abc", "", "defg", "hi", ""), length: length))
        #expect(await reader.readAll(size) == nil)
        #expect(reader.bytes == Data("abcdefghi".utf8))
        #expect(reader.body.error == nil)
        reader.body.close()
    }

    @Test(arguments: [nil, 0, -5] as [Int64?])
    func anEmptyStreamIsAnEmptyBody(_ length: Int64?) async throws {
        var reader = try Reader(.stream(Self.stream("", ""), length: length))
        #expect(await reader.readAll() == nil)
        #expect(reader.bytes.isEmpty)
    }

    @Test func fewerBytesThanAnnouncedAreAMismatch() async throws {
        var reader = try Reader(.stream(Self.stream("abc", "def"), length: 7))
        #expect(Self.code(await reader.readAll()) == .lengthMismatch)
        #expect(reader.bytes.count < 7)
    }

    // With the last announced byte the server would take the message for complete.
    @Test(arguments: [["abc", "def", "g"], ["abc", "defg"], ["abcdefg"], ["abc", "def", "", "g"]])
    func theLastBytesAreHeldBackFromAStreamThatGivesMore(_ texts: [String]) async throws {
        var reader = try Reader(.stream(Self.stream(texts.map { Data($0.utf8) }), length: 6))
        #expect(Self.code(await reader.readAll()) == .lengthMismatch)
        #expect(reader.bytes.count < 6)
        #expect(Data("abcdef".utf8).starts(with: reader.bytes))
    }

    @Test func theLastBytesAreHeldBackUntilTheStreamEnds() async throws {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        let taken = Tally()
        var reader = try Reader(
            .stream(
                stream.map {
                    taken.add()
                    return $0
                },
                length: 6
            )
        )
        continuation.yield(Data("abc".utf8))
        continuation.yield(Data("def".utf8))
        #expect(await reader.read() == .copied(3))
        await taken.reach(2)
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(buffer.withUnsafeMutableBytes { reader.body.read(into: $0) } == .pause)
        continuation.finish()
        #expect(await reader.read() == .copied(3))
        #expect(reader.bytes == Data("abcdef".utf8))
        #expect(await reader.read() == .end)
    }

    @Test func anErrorOfTheStreamIsTheError() async throws {
        var reader = try Reader(.stream(Self.stream("abc", error: Failure()), length: 100))
        #expect(await reader.readAll() is Failure)
        #expect(reader.body.error is Failure)
    }

    @Test func nothingIsTouchedBeforeTheFirstRead() async throws {
        let touched = Tally()
        let body = RequestBody.stream(
            Self.stream("abc").map {
                touched.add()
                return $0
            }
        )
        let outbound = OutboundBody(try body.resolved(), wake: {})
        #expect(!outbound.hasStarted)
        outbound.close()
        #expect(!outbound.hasStarted)
        #expect(touched.count == 0)
        var reader = try Reader(body)
        #expect(await reader.readAll() == nil)
        #expect(reader.body.hasStarted)
        #expect(touched.count == 1)
    }

    @Test func aReadAfterTheEndOfTheExchangeTouchesNothing() async throws {
        let body = RequestBody.stream(Self.stream("abc"))
        let outbound = OutboundBody(try body.resolved(), wake: {})
        outbound.close()
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(buffer.withUnsafeMutableBytes { outbound.read(into: $0) } == .abort)
        var reader = try Reader(body)
        #expect(await reader.readAll() == nil)
        #expect(reader.bytes == Data("abc".utf8))
    }

    @Test func aStreamIsSentOnce() async throws {
        let body = RequestBody.stream(Self.stream("abc"))
        var first = try Reader(body)
        var second = try Reader(body)
        #expect(await first.readAll() == nil)
        #expect(Self.code(await second.readAll()) == .bodyNotRepeatable)
        #expect(TransferError.Code.thrown { try body.resolved() } == .bodyNotRepeatable)
    }

    @Test func closingCancelsTheProducer() async throws {
        let (cancelled, gate) = (Tally(), Gate())
        let chunks = AsyncThrowingStream<Data, any Error> {
            do {
                try await gate.wait()
                return nil
            } catch {
                cancelled.add()
                throw error
            }
        }
        var reader = try Reader(.stream(chunks))
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(buffer.withUnsafeMutableBytes { reader.body.read(into: $0) } == .pause)
        await gate.arrival()
        reader.body.close()
        await cancelled.reach(1)
        #expect(reader.body.error == nil)
        #expect(await reader.read() == .abort)
    }

    @Test func closingEndsTheWaitOfAProducerThatIsAhead() async throws {
        let (given, gone) = (Tally(), Tally())
        func body() -> RequestBody {
            let token = Token(gone)
            return .stream(
                AsyncStream {
                    given.add()
                    return withExtendedLifetime(token) { Data(repeating: 1, count: OutboundBody.highWater) }
                }
            )
        }
        var reader = try Reader(body())
        #expect(await reader.read(1) == .copied(1))
        // Half of the buffer has to be taken first.
        #expect(given.count == 1)
        reader.body.close()
        await gone.reach(1)
        #expect(given.count == 1)
    }

    @Test func aStreamIsIteratedNoFasterThanItIsSent() async throws {
        let given = Tally()
        let chunk = Data(repeating: 7, count: OutboundBody.highWater / 8)
        let chunks = AsyncThrowingStream<Data, any Error> {
            guard given.count < 100 else { return nil }
            given.add()
            return chunk
        }
        var reader = try Reader(.stream(chunks))
        var taken = 0
        while case .copied(let count) = await reader.read(chunk.count) {
            taken += count
            // What is in the buffer, and what waits for it.
            #expect(given.count * chunk.count <= taken + OutboundBody.highWater + chunk.count)
        }
        #expect(taken == 100 * chunk.count)
    }

    /// Data can have a custom deallocator, which may ask the body for something.
    @Test(arguments: [true, false]) func dataIsReleasedOutsideOfTheLock(isRead: Bool) async throws {
        let released = Tally()
        let owner = Locked<OutboundBody?>(nil)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        bytes.initializeMemory(as: UInt8.self, repeating: 7)
        let address = UInt(bitPattern: bytes.baseAddress)
        let given = Tally()
        let chunks = AsyncThrowingStream<Data, any Error> {
            given.add()
            guard given.count == 1, let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
            return Data(
                bytesNoCopy: pointer,
                count: 4096,
                deallocator: .custom { pointer, _ in
                    // Needs the lock.
                    _ = owner.withLock { $0 }?.hasStarted
                    released.add()
                    pointer.deallocate()
                }
            )
        }
        var reader = try Reader(.stream(chunks))
        owner.withLock { $0 = reader.body }
        #expect(await reader.read(isRead ? 4096 : 1) == .copied(isRead ? 4096 : 1))
        reader.body.close()
        await released.reach(1)
        owner.withLock { $0 = nil }
    }

    // MARK: Bytes and files

    @Test func bytesInMemoryAreSent() async throws {
        var reader = try Reader(.data(Data("hello".utf8)))
        #expect(await reader.readAll(2) == nil)
        #expect(reader.bytes == Data("hello".utf8))
    }

    @Test(arguments: [0, 1, 128 * 1024, 128 * 1024 + 1, 700_000])
    func aFileIsSent(_ count: Int) async throws {
        let folder = try FormFolder()
        let contents = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 253) })
        var reader = try Reader(.file(try folder.file("file", contents)))
        #expect(await reader.readAll() == nil)
        #expect(reader.bytes == contents)
    }

    @Test func aFormIsSentAsItIsEncoded() async throws {
        let folder = try FormFolder()
        var form = MultipartFormData(boundary: "b")
        form.append("text", name: "a")
        form.append(file: try folder.file("file", Data(repeating: 1, count: 200_000)), name: "b")
        form.append(file: try folder.file("empty", Data()), name: "c")
        var reader = try Reader(.multipart(form))
        #expect(await reader.readAll() == nil)
        #expect(reader.bytes == (try form.encoded()))
    }

    @Test(arguments: [699_999, 0, 700_001, 400_000])
    func aFileThatChangesBeforeItIsOpenedIsRefused(_ length: Int64) async throws {
        let folder = try FormFolder()
        let file = try folder.sparseFile("file", length: 700_000)
        var reader = try Reader(.file(file))
        try OpenFile.continuing(file).truncate(to: length)
        let error = await reader.readAll()
        #expect(Self.code(error) == .fileChanged)
        #expect((error as? TransferError)?.file == file)
        #expect(reader.bytes.isEmpty)
    }

    // The producer is ahead by the buffer and one piece, 768 KiB, so it did not read the end of the file when it changes.
    @Test(arguments: [2_000_001, 4_000_000, 1_999_999, 1_500_000, 0])
    func aFileThatChangesUnderwayIsNotSentToItsEnd(_ length: Int64) async throws {
        let folder = try FormFolder()
        let file = try folder.sparseFile("file", length: 2_000_000)
        var reader = try Reader(.file(file))
        #expect(await reader.read(1) == .copied(1))
        try OpenFile.continuing(file).truncate(to: length)
        #expect(Self.code(await reader.readAll()) == .fileChanged)
        #expect(reader.bytes.count < 2_000_000)
    }

    @Test func aFileThatGoesBeforeItIsOpenedIsNotFound() async throws {
        let folder = try FormFolder()
        let file = try folder.file("file", Data("abc".utf8))
        var reader = try Reader(.file(file))
        OpenFile.remove(file)
        #expect(Self.code(await reader.readAll()) == .fileNotFound)
    }

    @Test func closingWhileAFileIsReadEndsIt() async throws {
        let folder = try FormFolder()
        var reader = try Reader(.file(try folder.sparseFile("file", length: 1 << 40)))
        #expect(await reader.read(100) == .copied(100))
        reader.body.close()
        #expect(await reader.read() == .abort)
        #expect(reader.body.error == nil)
    }
}

/// An object that is counted when it is released.
private final class Token: Sendable {
    private let gone: Tally

    init(_ gone: Tally) {
        self.gone = gone
    }

    deinit {
        gone.add()
    }
}

extension OutboundBody.ReadResult: Equatable {
    /// Compares two results.
    ///
    /// - Parameters:
    ///   - lhs: A result.
    ///   - rhs: Another result.
    /// - Returns: Whether they say the same.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.copied(let left), .copied(let right)): left == right
        case (.pause, .pause), (.end, .end), (.abort, .abort): true
        default: false
        }
    }
}
