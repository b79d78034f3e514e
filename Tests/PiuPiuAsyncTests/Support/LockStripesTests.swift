import Testing

@testable import PiuPiuAsync

@Suite struct LockStripesTests {
    private final class Counter: @unchecked Sendable {
        // `@unchecked` is what the test is about: the lock of the number guards the count.
        var count = 0
    }

    @Test(arguments: [0, 63, 64, -1, Int.max, Int.min])
    func oneThreadAtATimeUsesANumber(_ number: Int) async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { LockStripes.withLock(for: number) { counter.count += 1 } }
                }
            }
        }
        #expect(counter.count == 8000)
    }

    @Test func consecutiveNumbersHaveDifferentLocks() {
        // One lock inside another would wait for itself if they were the same; nothing but a test may do so.
        for number in 0..<63 {
            #expect(LockStripes.withLock(for: number) { LockStripes.withLock(for: number + 1) { true } })
        }
    }
}
