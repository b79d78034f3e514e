import PiuPiuAsync
import TestSupport
import Testing

@testable import PiuPiuCore

struct RestartsTests {
    private typealias Plan = Restarts.Plan
    private static let pause = Restarts.pauses.lowerBound

    /// What a call does after causes in a row; `nil` for the end of the attempt.
    private static let rows: [(causes: [Restarts.Cause], plans: [Restarts.Plan?])] = [
        ([.refused, .refused, .missed, .turnedAway, .missed], [alone, nil, alone, nil, nil]),
        ([.turnedAway, .refused, .turnedAway, .missed], [Plan(pause: pause), nil, nil, alone]),
        ([.missed, .missed, .missed, .refused], [Plan(), alone, nil, nil]),
        ([.missed, .refused, .refused], [Plan(), alone, nil]),
        ([.missed, .turnedAway, .missed], [Plan(), Plan(pause: pause), nil]),
    ]
    private static let alone = Plan(pause: pause, isAlone: true)

    @Test func aCallHasFewRestarts() {
        for row in Self.rows {
            var restarts = Restarts()
            #expect(row.causes.map { restarts.next(after: $0, fraction: 0) } == row.plans, "\(row.causes)")
        }
    }

    @Test(arguments: [(-1, 50), (0, 50), (0.5, 100), (1, 150), (2, 150)])
    func pausesAreRandomWithinLimits(_ row: (fraction: Double, milliseconds: Int64)) {
        var restarts = Restarts()
        let plan = restarts.next(after: .refused, fraction: row.fraction)
        #expect(plan?.pause == row.milliseconds * 1_000_000)
    }

    @Test func retriesAndForksShareTheRestartsOfTheirCall() {
        let request = TransportRequest(URLRequest(url: Fixture.url("https://a.test")))
        #expect(request.restart(after: .refused) != nil)
        request.beginAttempt(.hedge)
        #expect(request.restart(after: .refused) == nil)
        let fork = request.call.fork()
        #expect(fork.restart(after: .refused) == nil && fork.restart(after: .missed) != nil)
        #expect(fork.restart(after: .missed) == nil)
        request.call.add(attemptsOf: fork)
        #expect(request.restart(after: .missed) == nil)
        #expect(request.call.withNewAttempts().restart(after: .refused) != nil)
    }
}
