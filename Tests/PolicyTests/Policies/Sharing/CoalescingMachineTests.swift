import SuiteSupport
import Testing

@testable import PiuPiuAsync

/// Every rule of the machine, as a script of events and what they return.
///
/// Exchanges are numbered in the order in which they begin. `begin 1` passes on the handle `x1`.
struct CoalescingMachineTests {
    private typealias Machine = CoalescingMachine<String, String, String>

    struct Row: CustomTestStringConvertible, Sendable {
        let rule: String
        let script: String
        let effects: String

        init(_ rule: String, _ script: String, _ effects: String) {
            (self.rule, self.script, self.effects) = (rule, script, effects)
        }

        var testDescription: String { rule }
    }

    static let rows = [
        Row("the first call begins an exchange", "join k a", "a begins 1"),
        Row("a call with the same key joins", "join k a, join k b", "a begins 1, b joins 1"),
        Row("a call with another key begins another", "join k a, join l b", "a begins 1, b begins 2"),
        Row(
            "the result resumes all, in the order in which they joined",
            "join k a, begin 1, join k b, join k c, finish 1",
            "a begins 1, b joins 1, c joins 1, resume a b c"
        ),
        Row(
            "the end leaves other exchanges",
            "join k a, join l b, finish 1, join l c",
            "a begins 1, b begins 2, resume a, c joins 2"
        ),
        Row("a call after the end begins another", "join k a, finish 1, join k b", "a begins 1, resume a, b begins 2"),
        Row("an exchange ends once", "join k a, finish 1, finish 1", "a begins 1, resume a"),
        Row(
            "a call that left is not resumed",
            "join k a, join k b, leave a, finish 1",
            "a begins 1, b joins 1, resume b"
        ),
        Row(
            "the first can leave",
            "join k a, begin 1, join k b, leave a, join k c",
            "a begins 1, b joins 1, c joins 1"
        ),
        Row(
            "all but one can leave",
            "join k a, begin 1, join k b, join k c, leave a, leave c",
            "a begins 1, b joins 1, c joins 1"
        ),
        Row(
            "the last that leaves cancels",
            "join k a, begin 1, join k b, leave b, leave a",
            "a begins 1, b joins 1, cancel x1"
        ),
        Row(
            "a call after the last left begins another",
            "join k a, begin 1, leave a, join k b",
            "a begins 1, cancel x1, b begins 2"
        ),
        Row("nobody is resumed after the last left", "join k a, begin 1, leave a, finish 1", "a begins 1, cancel x1"),
        Row(
            "the late end of a cancelled exchange leaves the next one",
            "join k a, begin 1, leave a, join k b, finish 1, join k c",
            "a begins 1, cancel x1, b begins 2, c joins 2"
        ),
        Row("leaving twice does nothing", "join k a, begin 1, join k b, leave a, leave a", "a begins 1, b joins 1"),
        Row("leaving after the end does nothing", "join k a, begin 1, finish 1, leave a", "a begins 1, resume a"),
        Row(
            "an exchange that was left before it began is cancelled",
            "join k a, leave a, begin 1",
            "a begins 1, cancel x1"
        ),
        Row(
            "an exchange that ended before it began is released",
            "join k a, finish 1, begin 1",
            "a begins 1, resume a, cancel x1"
        ),
        Row("no call joins a sealed exchange", "join k a, seal k, join k b", "a begins 1, b begins 2"),
        Row(
            "a sealed exchange keeps its calls",
            "join k a, seal k, join k b, finish 1",
            "a begins 1, b begins 2, resume a"
        ),
        Row(
            "the end of a sealed exchange leaves the next one",
            "join k a, seal k, join k b, finish 1, join k c, finish 2",
            "a begins 1, b begins 2, resume a, c joins 2, resume b c"
        ),
        Row(
            "the last that leaves a sealed exchange cancels",
            "join k a, begin 1, seal k, leave a",
            "a begins 1, cancel x1"
        ),
        Row("sealing leaves other keys", "join k a, join l b, seal l, join k c", "a begins 1, b begins 2, c joins 1"),
        Row(
            "progress is told to those that wait",
            "join k a, join k b, join l c, leave a, advance 1",
            "a begins 1, b joins 1, c begins 2, tell b: 1"
        ),
        Row(
            "progress adds up for those that join",
            "join k a, advance 1, advance 1",
            "a begins 1, tell a: 1, tell a: 2"
        ),
        Row("progress after the end is ignored", "join k a, finish 1, advance 1", "a begins 1, resume a"),
    ]

    @Test(arguments: rows) func rule(_ row: Row) throws {
        var machine = Machine()
        var tickets: [String: Machine.Ticket] = [:]
        var ids: [Int] = []
        var effects: [String] = []
        for step in row.script.split(separator: ",") {
            let words = step.split(separator: " ").map(String.init)
            func id() throws -> Int { ids[try #require(Int(words[1])) - 1] }
            switch words[0] {
            case "join":
                let (ticket, isFirst) = machine.join(words[1], words[2])
                tickets[words[2]] = ticket
                if isFirst { ids.append(ticket.exchange) }
                let number = try #require(ids.firstIndex(of: ticket.exchange)) + 1
                effects.append("\(words[2]) \(isFirst ? "begins" : "joins") \(number)")
            case "begin":
                if let exchange = machine.begin("x" + words[1], as: try id()) { effects.append("cancel \(exchange)") }
            case "leave":
                if let exchange = machine.leave(try #require(tickets[words[1]])) {
                    effects.append("cancel \(exchange)")
                }
            case "finish":
                let waiters = machine.finish(try id())
                if !waiters.isEmpty { effects.append("resume " + waiters.joined(separator: " ")) }
            case "advance":
                let waiters = machine.advance(try id()) { $0.bytesReceived += 1 }
                let progress = machine.progress(of: try id())?.bytesReceived
                if let progress { effects.append("tell \(waiters.joined(separator: " ")): \(progress)") }
            default: machine.seal { $0 == words[1] }
            }
        }
        #expect(effects.joined(separator: ", ") == row.effects)
    }

    @Test func nothingIsKeptAfterTheEnd() {
        var machine = Machine()
        let (first, _) = machine.join("k", "a")
        let (second, _) = machine.join("l", "b")
        #expect(machine.waiterCount == 2)
        _ = machine.finish(first.exchange)
        machine.seal { _ in true }
        _ = machine.leave(second)
        #expect(machine.isEmpty)
        #expect(machine.waiterCount == 0)
    }

    /// Random events against a machine that keeps a plain list of all calls.
    @Test func randomEventsGiveWhatAListGives() {
        struct Call {
            var key: Int
            var exchange: Int
            var isWaiting = true
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var machine = CoalescingMachine<Int, Int, Int>()
            var calls: [Call] = []
            var tickets: [CoalescingMachine<Int, Int, Int>.Ticket] = []
            var sealed: Set<Int> = []
            for _ in 0..<100 {
                let key = Int.random(in: 0..<4, using: &random)
                let waiting = calls.indices.filter { calls[$0].isWaiting }
                switch Int.random(in: 0..<8, using: &random) {
                case 0...3:
                    let open = waiting.first { calls[$0].key == key && !sealed.contains(calls[$0].exchange) }
                    let (ticket, isFirst) = machine.join(key, calls.count)
                    #expect(isFirst == (open == nil))
                    if let open { #expect(ticket.exchange == calls[open].exchange) }
                    if isFirst { #expect(machine.begin(ticket.exchange, as: ticket.exchange) == nil) }
                    calls.append(Call(key: key, exchange: ticket.exchange))
                    tickets.append(ticket)
                case 4...5:
                    guard let call = calls.indices.randomElement(using: &random) else { continue }
                    let others = waiting.filter { calls[$0].exchange == calls[call].exchange && $0 != call }
                    let isLast = calls[call].isWaiting && others.isEmpty
                    calls[call].isWaiting = false
                    #expect(machine.leave(tickets[call]) == (isLast ? calls[call].exchange : nil))
                case 6:
                    guard let call = calls.indices.randomElement(using: &random) else { continue }
                    let expected = waiting.filter { calls[$0].exchange == calls[call].exchange }
                    #expect(machine.finish(calls[call].exchange) == expected)
                    for call in expected { calls[call].isWaiting = false }
                default:
                    machine.seal { $0 == key }
                    sealed.formUnion(calls.filter { $0.key == key }.map(\.exchange))
                }
                #expect(machine.waiterCount == calls.count { $0.isWaiting })
            }
        }
    }
}
