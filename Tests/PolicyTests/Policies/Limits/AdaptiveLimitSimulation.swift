import PiuPiuAsync
import TestSupport

@testable import PiuPiuPolicies

/// A server and its callers in virtual time, to compare limits with each other.
///
/// The server works on so many requests at once, each for 50 ms on average; others wait in its queue, and it works on a
/// request even if the caller has given up. Callers come at random, and give up after a second.
struct AdaptiveLimitSimulation {
    struct Result: CustomStringConvertible {
        /// The callers that had a response within a second, of each second.
        var goodput = 0.0
        /// The time to the response at the 99th percentile, in milliseconds, of those that had one.
        var p99 = 0.0
        var limit = 0

        var description: String { "\(Int(goodput))/s, p99 \(Int(p99)) ms, limit \(limit)" }
    }

    private enum Event {
        case arrival
        /// The server is done with a request.
        case completion(Int)
        /// The caller gives up.
        case timeout(Int)
    }

    private struct Call {
        let arrivedAt: Double
        var startedAt: Double?
        var ticket: Int?
        var isOver = false
    }

    /// How many requests the server works on at once, by the time in seconds.
    let workers: (Double) -> Int
    let perSecond: Double
    let seconds: Double

    func run(_ start: ConcurrencyLimitMachine<Int>, seed: UInt64 = 1) -> Result {
        var machine = start
        var random = SeededRandom(seed: seed)
        func uniform(_ random: inout SeededRandom) -> Double { Double(random.next() >> 11) / Double(1 << 53) }
        let epoch = ContinuousClock.now
        var events: [(time: Double, order: Int, event: Event)] = []
        var order = 0
        // A binary heap by time.
        func push(_ time: Double, _ event: Event) {
            order += 1
            events.append((time, order, event))
            var index = events.count - 1
            while index > 0,
                (events[index].time, events[index].order) < (
                    events[(index - 1) / 2].time, events[(index - 1) / 2].order
                )
            {
                events.swapAt(index, (index - 1) / 2)
                index = (index - 1) / 2
            }
        }
        func pop() -> (time: Double, order: Int, event: Event)? {
            guard let first = events.first, let last = events.popLast() else { return nil }
            guard !events.isEmpty else { return first }
            events[0] = last
            var index = 0
            while true {
                var least = index
                for child in [2 * index + 1, 2 * index + 2]
                where child < events.count
                    && (events[child].time, events[child].order) < (events[least].time, events[least].order)
                {
                    least = child
                }
                guard least != index else { return first }
                events.swapAt(index, least)
                index = least
            }
        }
        var calls: [Call] = []
        var queue: [Int] = []
        var head = 0
        var working = 0
        var times: [Double] = []

        func serve(_ now: Double) {
            while working < workers(now), head < queue.count {
                let id = queue[head]
                head += 1
                working += 1
                // From a half to one and a half of the mean.
                push(now + 0.05 * (0.5 + uniform(&random)), .completion(id))
            }
        }
        func send(_ id: Int, _ now: Double) {
            calls[id].startedAt = now
            queue.append(id)
            serve(now)
        }
        func instant(_ now: Double) -> ContinuousClock.Instant { epoch + .seconds(now) }

        push(0, .arrival)
        while let (now, _, event) = pop(), now < seconds {
            var admitted: [Int] = []
            switch event {
            case .arrival:
                push(now - log(1 - uniform(&random)) / perSecond, .arrival)
                let id = calls.count
                calls.append(Call(arrivedAt: now))
                switch machine.acquire("", priority: 0, at: instant(now), waiter: id) {
                case .proceed: admitted = [id]
                case .wait(let ticket, _): calls[id].ticket = ticket
                case .refuse:
                    calls[id].isOver = true
                    continue
                }
                push(now + 1, .timeout(id))
            case .completion(let id):
                working -= 1
                if !calls[id].isOver, let startedAt = calls[id].startedAt {
                    calls[id].isOver = true
                    times.append(now - calls[id].arrivedAt)
                    admitted += machine.record("", latency: .seconds(now - startedAt), isOverloaded: false)
                    admitted += machine.release("")
                }
            case .timeout(let id):
                guard !calls[id].isOver else { continue }
                calls[id].isOver = true
                if let startedAt = calls[id].startedAt {
                    admitted += machine.record("", latency: .seconds(now - startedAt), isOverloaded: true)
                    admitted += machine.release("")
                } else if let ticket = calls[id].ticket {
                    _ = machine.cancel(ticket)
                }
            }
            for id in admitted { send(id, now) }
            serve(now)
        }
        times.sort()
        return Result(
            goodput: Double(times.count) / seconds,
            p99: times.isEmpty ? 0 : times[min(times.count - 1, times.count * 99 / 100)] * 1000,
            limit: machine.usage(of: "").limit
        )
    }
}
