import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct FIFOTests {
    /// Everything that is left in a queue, in order.
    private static func rest(_ queue: FIFO<Int>) -> [Int] {
        var queue = queue
        var elements: [Int] = []
        while let element = queue.popFirst() { elements.append(element) }
        return elements
    }

    @Test func elementsComeOutInTheOrderTheyWentIn() {
        var queue = FIFO<String>()
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
        for element in ["a", "b", "c"] { queue.append(element) }
        #expect(queue.count == 3)
        for element in ["a", "b", "c", nil] { #expect(queue.popFirst() == element) }
        #expect(queue.isEmpty)
    }

    @Test func anElementThatWaitsKeepsItsPlace() {
        var queue = FIFO<Int>()
        for element in [1, 2, 1] { queue.append(element) }
        #expect(queue.count == 2)
        #expect(queue.popFirst() == 1)
        queue.append(1)
        #expect(Self.rest(queue) == [2, 1])
    }

    @Test(arguments: [0, 1, 2])
    func anElementIsTakenOutAnywhere(_ index: Int) {
        var queue = FIFO<Int>()
        for element in 0..<3 { queue.append(element) }
        #expect(queue.remove(index) == true)
        #expect(queue.remove(index) == false)
        #expect(Self.rest(queue) == [0, 1, 2].filter { $0 != index })
    }

    @Test func gapsAreClosed() {
        var queue = FIFO<Int>()
        for element in 0..<1_000 { queue.append(element) }
        for element in 0..<1_000 where element % 100 != 0 { queue.remove(element) }
        #expect(queue.count == 10)
        #expect(Self.rest(queue) == Array(stride(from: 0, to: 1_000, by: 100)))
    }

    @Test(arguments: [21, 22, 23] as [UInt64])
    func randomOperationsAgreeWithAnArray(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = FIFO<Int>()
        var model: [Int] = []
        for step in 0..<rounds(10_000) {
            // The queue grows for a while, then it shrinks.
            let appends = step / 1_000 % 2 == 0 ? 6 : 2
            let element = Int.random(in: 0..<400, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<appends:
                queue.append(element)
                if !model.contains(element) { model.append(element) }
            case appends..<(appends + 2):
                let index = model.firstIndex(of: element)
                #expect(queue.remove(element) == (index != nil))
                if let index { model.remove(at: index) }
            default:
                let expected = model.isEmpty ? nil : model.removeFirst()
                #expect(queue.popFirst() == expected)
            }
            #expect(queue.count == model.count)
            #expect(queue.isEmpty == model.isEmpty)
        }
        #expect(Self.rest(queue) == model)
    }
}
