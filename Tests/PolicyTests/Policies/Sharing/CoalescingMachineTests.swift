import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// Every rule of the machine, as a script of events and what they return.
///
/// Exchanges are numbered in the order in which they begin. `begin 1` passes on the handle `x1`. `join k a 5` has the limit 5,
/// and `at 5` moves the time.
struct CoalescingMachineTests {
    private typealias Machine = CoalescingMachine<String, String, String, Int>

    static let rows = RuleScript.rules(
        """
        the first call begins an exchange
            join k a -> a begins 1
        a call with the same key joins
            join k a, join k b -> a begins 1, b joins 1
        a call with another key begins another
            join k a, join l b -> a begins 1, b begins 2
        the result resumes all, in the order in which they joined
            join k a, begin 1, join k b, join k c, finish 1 -> a begins 1, b joins 1, c joins 1, resume a b c
        the end leaves other exchanges
            join k a, join l b, finish 1, join l c -> a begins 1, b begins 2, resume a, c joins 2
        a call after the end begins another
            join k a, finish 1, join k b -> a begins 1, resume a, b begins 2
        an exchange ends once
            join k a, finish 1, finish 1 -> a begins 1, resume a
        a call that left is not resumed
            join k a, join k b, leave a, finish 1 -> a begins 1, b joins 1, resume b
        the first can leave
            join k a, begin 1, join k b, leave a, join k c -> a begins 1, b joins 1, c joins 1
        all but one can leave
            join k a, begin 1, join k b, join k c, leave a, leave c -> a begins 1, b joins 1, c joins 1
        the last that leaves cancels
            join k a, begin 1, join k b, leave b, leave a -> a begins 1, b joins 1, cancel x1
        a call after the last left begins another
            join k a, begin 1, leave a, join k b -> a begins 1, cancel x1, b begins 2
        nobody is resumed after the last left
            join k a, begin 1, leave a, finish 1 -> a begins 1, cancel x1
        the late end of a cancelled exchange leaves the next one
            join k a, begin 1, leave a, join k b, finish 1, join k c -> a begins 1, cancel x1, b begins 2, c joins 2
        leaving twice does nothing
            join k a, begin 1, join k b, leave a, leave a -> a begins 1, b joins 1
        leaving after the end does nothing
            join k a, begin 1, finish 1, leave a -> a begins 1, resume a
        an exchange that was left before it began is cancelled
            join k a, leave a, begin 1 -> a begins 1, cancel x1
        an exchange that ended before it began is released
            join k a, finish 1, begin 1 -> a begins 1, resume a, cancel x1
        no call joins a sealed exchange
            join k a, seal k, join k b -> a begins 1, b begins 2
        a sealed exchange keeps its calls
            join k a, seal k, join k b, finish 1 -> a begins 1, b begins 2, resume a
        the end of a sealed exchange leaves the next one
            join k a, seal k, join k b, finish 1, join k c, finish 2 -> a begins 1, b begins 2, resume a, c joins 2, resume b c
        the last that leaves a sealed exchange cancels
            join k a, begin 1, seal k, leave a -> a begins 1, cancel x1
        sealing leaves other keys
            join k a, join l b, seal l, join k c -> a begins 1, b begins 2, c joins 1
        progress is told to those that wait
            join k a, join k b, join l c, leave a, advance 1 -> a begins 1, b joins 1, c begins 2, tell b: 1
        progress adds up for those that join
            join k a, advance 1, advance 1 -> a begins 1, tell a: 1, tell a: 2
        progress after the end is ignored
            join k a, finish 1, advance 1 -> a begins 1, resume a
        at the limit, those without time left are over
            join k a 5, begin 1, join k b 5, at 5, expire 1 -> a begins 1, b joins 1, over a b
        those with time left wait for one new exchange, begun by the one with the latest limit
            join k a 5, begin 1, join k b 7, join k c 9, join k d 8, at 5, expire 1, start 2, begin 2, join k e, finish 2
            -> a begins 1, b joins 1, c joins 1, d joins 1, over a, c begins 2, wanted, e joins 2, resume b c2 d e
        no limit is later than any limit, and the earliest of equals begins
            join k a 5, join k b 7, join k c, join k d, at 5, expire 1
            -> a begins 1, b joins 1, c joins 1, d joins 1, over a, c begins 2
        a limit that passed as well is over
            join k a 5, join k b 6, join k c 9, at 7, expire 1 -> a begins 1, b joins 1, c joins 1, over a b, c begins 2
        an exchange that cannot end in time expires early
            join k a 5, join k b 4, join k c 9, at 1, expire 1 -> a begins 1, b joins 1, c joins 1, over a b, c begins 2
        a due exchange is not cancelled when the last leaves, and ends once
            join k a 5, begin 1, at 5, leave a, expire 1, finish 1, join k b -> a begins 1, b begins 2
        a call that joins a due exchange begins the next
            join k a 5, begin 1, at 5, leave a, join k b 9, expire 1 -> a begins 1, b joins 1, b begins 2
        an exchange before its limit is cancelled when the last leaves
            join k a 5, begin 1, at 4, leave a, expire 1 -> a begins 1, cancel x1
        the late end of an expired exchange is ignored
            join k a 5, begin 1, join k b 9, at 5, expire 1, finish 1, expire 1, advance 1, start 2, begin 2, finish 2
            -> a begins 1, b joins 1, over a, b begins 2, wanted, resume b2
        what began late and expired is cancelled
            join k a 5, join k b 9, at 5, expire 1, begin 1 -> a begins 1, b joins 1, over a, b begins 2, cancel x1
        an heir that left begins for the others
            join k a 5, join k b 9, join k c 8, at 5, expire 1, leave b, start 2, begin 2, finish 2
            -> a begins 1, b joins 1, c joins 1, over a, b begins 2, wanted, resume c
        an heir that left begins nothing if nobody waits
            join k a 5, join k b 9, at 5, expire 1, leave b, start 2, join k c
            -> a begins 1, b joins 1, over a, b begins 2, c begins 3
        an heir that left late begins nothing if nobody waits
            join k a 5, join k b 9, at 5, expire 1, at 9, leave b, start 2, join k c
            -> a begins 1, b joins 1, over a, b begins 2, c begins 3
        the exchange after a sealed one is open
            join k a 5, join k b 9, seal k, at 5, expire 1, join k c -> a begins 1, b joins 1, over a, b begins 2, c joins 2
        progress begins anew with the next exchange
            join k a 5, join k b 9, advance 1, at 5, expire 1, start 2, begin 2, advance 2
            -> a begins 1, b joins 1, tell a b: 1, over a, b begins 2, wanted, tell b2: 1
        """
    )

    @Test(arguments: rows) func rule(_ row: RuleScript) throws {
        var machine = Machine()
        var tickets: [String: Machine.Ticket] = [:]
        var ids: [Machine.ID] = []
        var effects: [String] = []
        var now = 0
        for words in row.steps {
            func id() throws -> Machine.ID { ids[try #require(Int(words[1])) - 1] }
            switch words[0] {
            case "join":
                let (ticket, first) = machine.join(words[1], words[2], until: words.count > 3 ? Int(words[3]) : nil)
                tickets[words[2]] = ticket
                if let first { ids.append(first) }
                let number = try #require(ids.lastIndex { $0.group == ticket.group }) + 1
                effects.append("\(words[2]) \(first != nil ? "begins" : "joins") \(number)")
            case "begin":
                if let exchange = machine.begin("x" + words[1], as: try id()) { effects.append("cancel \(exchange)") }
            case "leave":
                if let exchange = machine.leave(try #require(tickets[words[1]]), at: now)?.cancelled {
                    effects.append("cancel \(exchange)")
                }
            case "finish":
                let waiters = machine.finish(try id())
                if !waiters.isEmpty { effects.append("resume " + waiters.joined(separator: " ")) }
            case "at": now = try #require(Int(words[1]))
            case "expire":
                let expiry = machine.expire(try id(), at: now) { $0 + "2" }
                if !expiry.over.isEmpty { effects.append("over " + expiry.over.joined(separator: " ")) }
                if let heir = expiry.heir, let next = expiry.next {
                    ids.append(next)
                    effects.append("\(heir) begins \(ids.count)")
                }
            case "start": if machine.start(try id()) { effects.append("wanted") }
            case "advance":
                let id = try id()
                let waiters = machine.advance(id) { $0.bytesReceived += 1 }
                let ticket = Machine.Ticket(group: id.group, waiter: 0)
                if !waiters.isEmpty, let progress = machine.progress(of: ticket)?.bytesReceived {
                    effects.append("tell \(waiters.joined(separator: " ")): \(progress)")
                }
            default: machine.seal { $0 == words[1] }
            }
        }
        #expect(effects.joined(separator: ", ") == row.effects)
    }

    @Test func nothingIsKeptAfterTheEnd() throws {
        var machine = Machine()
        let (_, first) = machine.join("k", "a", until: nil)
        let (second, _) = machine.join("l", "b", until: 5)
        #expect(machine.waiterCount == 2)
        _ = machine.finish(try #require(first))
        machine.seal { _ in true }
        _ = machine.leave(second, at: 0)
        #expect(machine.isEmpty)
        #expect(machine.waiterCount == 0)
    }

    /// Random events against a machine that keeps a plain list of all calls.
    @Test func randomEventsGiveWhatAListGives() throws {
        typealias Machine = CoalescingMachine<Int, Int, Int, Int>
        struct Call {
            var key: Int
            var limit: Int?
            var ticket: Machine.Ticket
            var isWaiting = true
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var machine = Machine()
            var calls: [Call] = []
            var current: [Int: Machine.ID] = [:]
            var limits: [Machine.ID: Int?] = [:]
            var open: [Int: Int] = [:]
            var begun: [Int: Int] = [:]
            var now = 0
            func waiting(_ group: Int) -> [Int] {
                calls.indices.filter { calls[$0].isWaiting && calls[$0].ticket.group == group }
            }
            func forget(_ group: Int) {
                current[group] = nil
                for (key, id) in open where id == group { open[key] = nil }
            }
            for _ in 0..<150 {
                let key = Int.random(in: 0..<4, using: &random)
                let group = current.keys.randomElement(using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0...3:
                    let limit = Bool.random(using: &random) ? now + Int.random(in: 1...9, using: &random) : nil
                    let (ticket, first) = machine.join(key, calls.count, until: limit)
                    #expect((first == nil) == (open[key] != nil))
                    if let group = open[key] { #expect(ticket.group == group) }
                    if let first {
                        #expect(machine.begin(first.group, as: first) == nil)
                        (open[key], current[first.group], limits[first]) = (first.group, first, limit)
                    }
                    calls.append(Call(key: key, limit: limit, ticket: ticket))
                case 4...5:
                    guard let call = calls.indices.randomElement(using: &random) else { continue }
                    let group = calls[call].ticket.group
                    let left = machine.leave(calls[call].ticket, at: now)
                    #expect((left?.waiter == call) == calls[call].isWaiting)
                    guard calls[call].isWaiting else { continue }
                    calls[call].isWaiting = false
                    let isDue = (limits[try #require(current[group])] ?? nil).map { $0 <= now } ?? false
                    let isLast = waiting(group).isEmpty && !isDue
                    #expect(left?.cancelled == (isLast ? group : nil))
                    if isLast { forget(group) }
                case 6:
                    guard let group, let id = current[group] else { continue }
                    let expected = waiting(group)
                    #expect(machine.finish(id) == expected)
                    for call in expected { calls[call].isWaiting = false }
                    forget(group)
                case 7:
                    guard let group, let id = current[group], let limit = limits[id] ?? nil else { continue }
                    now = max(now, limit)
                    let expected = waiting(group).filter { calls[$0].limit.map { $0 <= now } ?? false }
                    let expiry = machine.expire(id, at: now) { $0 }
                    #expect(expiry.over == expected && expiry.exchange == group)
                    for call in expected { calls[call].isWaiting = false }
                    let left = waiting(group)
                    #expect((expiry.heir == nil) == left.isEmpty)
                    guard let heir = expiry.heir, let next = expiry.next else {
                        forget(group)
                        continue
                    }
                    #expect(left.contains(heir))
                    #expect(left.allSatisfy { calls[$0].limit ?? .max <= calls[heir].limit ?? .max })
                    begun[heir, default: 0] += 1
                    #expect(machine.finish(id) == [])
                    #expect(machine.start(next) && machine.begin(group, as: next) == nil)
                    (current[group], limits[next]) = (next, calls[heir].limit)
                    open[calls[heir].key] = open[calls[heir].key] ?? group
                case 8: now += 1
                default:
                    machine.seal { $0 == key }
                    open[key] = nil
                }
                #expect(machine.waiterCount == calls.count { $0.isWaiting })
                #expect(machine.isEmpty == current.isEmpty)
            }
            #expect(begun.values.allSatisfy { $0 == 1 })
        }
    }
}
