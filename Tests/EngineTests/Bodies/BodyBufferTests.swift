import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuCore

struct BodyBufferTests {
    /// Made once: under a sanitizer, more bytes than these one at a time would keep a processor busy for a minute.
    ///
    /// An array, because the leak sanitizer does not find the memory of a `Data` that is global.
    private static let source = [UInt8](pattern(9 << 20))

    /// Adds pieces of a size until a number of bytes is there.
    private static func body(of count: Int, piece: Int, promise: Int?, pool: BlockPool = BlockPool()) -> Data? {
        var buffer = BodyBuffer(pool: pool)
        source.withUnsafeBytes { source in
            for start in stride(from: 0, to: count, by: piece) {
                buffer.append(.init(rebasing: source[start..<min(start + piece, count)]), of: promise)
            }
        }
        return buffer.take()
    }

    @Test(arguments: [1, 1000, 65_535, 65_536, 65_537, 300_000, 1 << 20, 9 << 20], [7_001, 1 << 18])
    func bytesArriveWhole(_ count: Int, piece: Int) {
        let expected = Data(Self.source.prefix(count))
        // Known, unknown, shorter and longer than announced: decoded bodies are longer than their length.
        for promise in [count, nil, count / 2, 3 * count, .max] {
            #expect(Self.body(of: count, piece: piece, promise: promise) == expected)
        }
    }

    @Test func nothingIsNoBody() {
        var buffer = BodyBuffer(pool: BlockPool())
        #expect(buffer.take() == nil)
        buffer.append(UnsafeRawBufferPointer(start: nil, count: 0), of: nil)
        #expect(buffer.take() == Data())
        #expect(buffer.take() == nil)
    }

    @Test func theMemoryOfABodyServesTheNext() {
        let pool = BlockPool()
        var body = Self.body(of: 1 << 20, piece: 1 << 18, promise: 1 << 20, pool: pool)
        let first = body.map { $0.withUnsafeBytes { $0.baseAddress } }
        #expect(first != nil)
        #expect(pool.keptBytes == 0)
        body = nil
        #expect(pool.keptBytes == 1 << 20)
        body = Self.body(of: 1 << 20, piece: 1 << 18, promise: 1 << 20, pool: pool)
        #expect(body.map { $0.withUnsafeBytes { $0.baseAddress } } == first)
    }

    @Test func aBodyThatIsChangedIsACopyOfItsOwn() {
        let pool = BlockPool()
        var body = Self.body(of: 1 << 20, piece: 1 << 18, promise: 1 << 20, pool: pool) ?? Data()
        let other = body
        body.append(contentsOf: [1, 2, 3])
        body[0] = 200
        #expect(other == Data(Self.source.prefix(1 << 20)))
        #expect(body.count == 1 << 20 + 3 && body[0] == 200)
    }

    @Test func whatIsNotTakenGoesBack() {
        let pool = BlockPool()
        do {
            var buffer = BodyBuffer(pool: pool)
            Self.source.prefix(100_000).withUnsafeBytes { buffer.append($0, of: nil) }
            #expect(pool.keptBytes == 0)
        }
        #expect(pool.keptBytes == BlockPool.size(for: 100_000))
    }

    // MARK: The pool

    @Test(arguments: [1, 65_536, 65_537, 80_000, 100_000, 1 << 20, 1 << 20 + 1, 5_000_000, 70_000_000])
    func aBlockIsAQuarterTooLargeAtMost(_ count: Int) {
        let size = BlockPool.size(for: count)
        #expect(size >= count)
        #expect(size <= max(BlockPool.blockSize, count + count / 4))
        #expect(BlockPool.size(for: size) == size)
    }

    @Test func aPoolKeepsNoMoreThanItsLimit() {
        let pool = BlockPool(limit: 3 * BlockPool.blockSize)
        let blocks = (0..<5).map { _ in pool.block() }
        for block in blocks { pool.take(back: block) }
        #expect(pool.keptBytes == 3 * BlockPool.blockSize)
        let large = pool.block(size: 9 << 20)
        pool.take(back: large, size: 9 << 20)
        #expect(pool.keptBytes == 3 * BlockPool.blockSize)
    }

    @Test func aPoolGivesUpWhatNobodyNeeds() {
        let pool = BlockPool(limit: 100 * BlockPool.blockSize)
        let blocks = (0..<5).map { _ in pool.block() }
        for block in blocks { pool.take(back: block) }
        // They came back since the last time.
        #expect(pool.tidy())
        #expect(pool.keptBytes == 5 * BlockPool.blockSize)
        let needed = (0..<2).map { _ in pool.block() }
        for block in needed { pool.take(back: block) }
        #expect(pool.tidy())
        #expect(pool.keptBytes == 2 * BlockPool.blockSize)
        #expect(!pool.tidy())
        #expect(pool.keptBytes == 0)
    }
}
