import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuValues

struct LockStripesTests {
    private final class Counter: @unchecked Sendable {
        // `@unchecked` is what the test is about: the lock of the object guards the count.
        var count = 0
    }

    @Test func oneThreadAtATimeUsesAnObject() async {
        let counters = (0..<6).map { _ in Counter() }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for counter in counters {
                        for _ in 0..<1000 { LockStripes.withLock(of: counter) { counter.count += 1 } }
                    }
                }
            }
        }
        #expect(counters.map(\.count) == Array(repeating: 8000, count: 6))
    }

    @Test(arguments: [0, 16, 0x7f12_3456_7890, UInt.max])
    func eachAddressHasOneOfTheLocks(_ address: UInt) {
        #expect((0..<64).contains(LockStripes.index(of: address)))
    }

    /// Objects of one kind are often as far apart as their size, or at the same place of different pages or areas.
    @Test(arguments: [16, 48, 96, 112, 128, 160, 4096, 4112, 64 << 20])
    func objectsAtRegularDistancesShareNoLock(_ distance: UInt) {
        let indices = (0..<8).map { LockStripes.index(of: 0x7f12_3456_0000 + $0 * distance) }
        #expect(Set(indices).count == 8)
    }
}
