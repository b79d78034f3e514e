import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

struct MemoryStorageTests {
    /// The chunks of a stream are blocks of 64 KiB, however little is in them.
    @Test func aShortBodyKeepsNoBlock() async throws {
        let storage = MemoryStorage(limit: 1 << 20)
        let key = CacheKey(TransportRequest(Fixture.request), try RequestTarget(Fixture.url), identity: nil)
        let isReleased = Locked(false)
        for (size, isShared) in [(500, false), (BlockPool.blockSize, true)] {
            isReleased.withLock { $0 = false }
            try await store(size, key, in: storage) { isReleased.withLock { $0 = true } }
            #expect(isReleased.withLock { $0 } != isShared, "\(size)")
            guard case .data(let data)? = await storage.response(for: key)?.body else {
                Issue.record("Nothing is stored.")
                continue
            }
            #expect(data == Data(repeating: 7, count: size))
        }
    }

    private func store(
        _ size: Int,
        _ key: CacheKey,
        in storage: MemoryStorage,
        release: @escaping @Sendable () -> Void
    ) async throws {
        let block = UnsafeMutableRawPointer.allocate(byteCount: BlockPool.blockSize, alignment: 16)
        block.initializeMemory(as: UInt8.self, repeating: 7, count: BlockPool.blockSize)
        let chunk = Data(
            bytesNoCopy: block,
            count: size,
            deallocator: .custom { block, _ in
                block.deallocate()
                release()
            }
        )
        let head = StoredHead(statusCode: 200, httpVersion: "HTTP/1.1", headers: [:], requestTime: 1, responseTime: 1)
        let writer = try #require(await storage.begin(head, for: key, length: nil))
        #expect(await writer.write(chunk))
        #expect(await writer.commit())
    }
}
