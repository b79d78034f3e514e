import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

struct DeadlineHeapTests {
    private final class Item: DeadlineHeapItem {
        var dueAt: Int64 = 0
        var heapIndex: Int?
    }

    @Test func anEmptyHeapHasNothingDue() {
        var heap = DeadlineHeap<Item>()
        #expect(heap.first == nil)
        heap.remove(Item())
        #expect(heap.count == 0)
    }

    @Test func whatIsDueFirstComesFirst() {
        var heap = DeadlineHeap<Item>()
        for dueAt in [5, 1, 4, 1, 3, .max, .min, 0] as [Int64] { heap.schedule(Item(), at: dueAt) }
        var order: [Int64] = []
        while let first = heap.first {
            order.append(first.dueAt)
            heap.remove(first)
            #expect(first.heapIndex == nil)
        }
        #expect(order == [.min, 0, 1, 1, 3, 4, 5, .max])
    }

    @Test func anItemIsMovedAndNotPutInTwice() {
        var heap = DeadlineHeap<Item>()
        let (a, b) = (Item(), Item())
        heap.schedule(a, at: 1)
        heap.schedule(b, at: 2)
        heap.schedule(a, at: 3)
        #expect(heap.count == 2)
        #expect(heap.first === b)
        heap.schedule(a, at: 0)
        #expect(heap.first === a)
        heap.remove(a)
        heap.remove(a)
        #expect(heap.count == 1)
        #expect(heap.first === b)
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func randomOperationsAgreeWithASortedArray(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var heap = DeadlineHeap<Item>()
        let pool = (0..<200).map { _ in Item() }
        var model: [ObjectIdentifier: Int64] = [:]
        for _ in 0..<10_000 {
            let item = pool[Int.random(in: 0..<pool.count, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let dueAt = Int64.random(in: 0..<1_000, using: &random)
                heap.schedule(item, at: dueAt)
                model[ObjectIdentifier(item)] = dueAt
            case 6..<8:
                heap.remove(item)
                model[ObjectIdentifier(item)] = nil
            default:
                if let first = heap.first {
                    heap.remove(first)
                    #expect(model.removeValue(forKey: ObjectIdentifier(first)) == first.dueAt)
                }
            }
            #expect(heap.count == model.count)
            #expect(heap.first?.dueAt == model.values.min())
            #expect((item.heapIndex == nil) == (model[ObjectIdentifier(item)] == nil))
        }
        for dueAt in model.values.sorted() {
            #expect(heap.first?.dueAt == dueAt)
            if let first = heap.first { heap.remove(first) }
        }
        #expect(heap.count == 0)
        #expect(pool.allSatisfy { $0.heapIndex == nil })
    }
}
