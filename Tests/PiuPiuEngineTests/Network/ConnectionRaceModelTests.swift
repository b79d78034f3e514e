#if os(Linux)
import Testing

@testable import PiuPiuEngine

/// Races with a scripted clock, against a model that looks at every moment.
struct ConnectionRaceModelTests {
    /// What an address does: after how many ticks it answers, and how; `nil` for never.
    struct Answer: Hashable {
        var after: Int
        var succeeds: Bool
    }

    typealias Script = [Answer?]

    struct Result: Equatable {
        /// When each address was tried; `nil` for never.
        var starts: [Int?]
        var winner: Int?
        /// When it was decided; `nil` if it was not.
        var end: Int?
    }

    private static let horizon = 200

    /// Goes through all ticks, and in each of them through everything that can happen.
    static func model(_ script: Script, delay: Int) -> Result {
        var result = Result(starts: script.map { _ in nil })
        var failed = Set<Int>()
        var lastStart = 0
        for now in 0...horizon {
            func startNext() -> Bool {
                guard let next = result.starts.firstIndex(of: nil) else { return false }
                result.starts[next] = now
                lastStart = now
                return true
            }
            if now == 0 {
                guard startNext() else {
                    result.end = 0
                    return result
                }
            }
            for index in script.indices {
                guard let start = result.starts[index], let answer = script[index], !failed.contains(index),
                    start + answer.after == now
                else { continue }
                if answer.succeeds {
                    result.winner = index
                    result.end = now
                    return result
                }
                failed.insert(index)
                _ = startNext()
            }
            if failed.count == script.count {
                result.end = now
                return result
            }
            if now - lastStart >= delay { _ = startNext() }
        }
        return result
    }

    /// Carries out what a race says, tick by tick, and checks that no attempt is lost or forgotten.
    static func run(_ script: Script, delay: Int) -> (Result, isSound: Bool) {
        let addresses = script.indices.map { SocketAddress(.v4(UInt32($0 + 1), port: 80)) }
        var race = ConnectionRace(addresses: addresses, delay: Int64(delay))
        var result = Result(starts: script.map { _ in nil })
        var (open, isSound, wake) = (Set<Int>(), true, Int?.none)
        func carryOut(_ actions: [ConnectionRace.Action], _ now: Int) {
            for action in actions {
                switch action {
                case .open(let attempt, let address):
                    isSound = isSound && address == addresses[attempt] && result.starts[attempt] == nil
                    result.starts[attempt] = now
                    open.insert(attempt)
                case .close(let attempt): isSound = open.remove(attempt) != nil && isSound
                case .wake(let time): wake = Int(time)
                case .won(let attempt):
                    isSound = open == [attempt] && result.end == nil && isSound
                    result.winner = attempt
                    result.end = now
                case .lost:
                    isSound = open.isEmpty && result.end == nil && isSound
                    result.end = now
                }
            }
        }
        for now in 0...horizon {
            if now == 0 { carryOut(race.start(now: 0), 0) }
            for index in script.indices where open.contains(index) {
                guard let start = result.starts[index], let answer = script[index], start + answer.after == now else {
                    continue
                }
                if answer.succeeds {
                    carryOut(race.connected(index), now)
                } else {
                    open.remove(index)
                    carryOut(race.failed(index, OpenFailure(code: 111, what: "it"), now: Int64(now)), now)
                }
                if race.isOver { return (result, isSound) }
            }
            if wake == now {
                wake = nil
                carryOut(race.timer(now: Int64(now)), now)
            }
            if race.isOver { return (result, isSound) }
        }
        carryOut(race.cancel(), horizon)
        return (result, isSound && open.isEmpty)
    }

    private static let answers: [Answer?] =
        [1, 10, 15, 40].flatMap { after in [true, false].map { Answer(after: after, succeeds: $0) } } + [nil]

    @Test(arguments: 0...4) func everyOrderOfAnswers(_ count: Int) {
        check(count, Self.answers, delays: [1, 10, 30])
    }

    @Test func everyOrderOfAnswersOfFiveAddresses() {
        // Every order of five answers, each of them a success or a failure, and addresses that never answer.
        check(
            5,
            [1, 12, 40].flatMap { after in
                [Answer(after: after, succeeds: true), Answer(after: after, succeeds: false)]
            } + [nil],
            delays: [10]
        )
    }

    private func check(_ count: Int, _ answers: [Answer?], delays: [Int]) {
        var wrong: [(Script, Int)] = []
        var number = 0
        let scripts = (0..<count).reduce(1) { product, _ in product * answers.count }
        for code in 0..<scripts {
            var rest = code
            let script = (0..<count).map { _ in
                defer { rest /= answers.count }
                return answers[rest % answers.count]
            }
            for delay in delays {
                let (result, isSound) = Self.run(script, delay: delay)
                number += 1
                if !isSound || result != Self.model(script, delay: delay) { wrong.append((script, delay)) }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(number), such as \(wrong.first.map { "\($0)" } ?? "")")
    }
}
#endif
