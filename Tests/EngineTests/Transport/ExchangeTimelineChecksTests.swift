#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Testing

/// Checks of exchanges by what the system and the handshake tell.
struct ExchangeTimelineChecksTests {
    private static let second: Int64 = 1_000_000_000

    /// A server, as the system's counters show it.
    struct Server: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How long the request has content for the system, in seconds; `nil` for no content.
        var sendsUntil: Double? = 0
        /// Until when the server acknowledges new bytes, in seconds.
        var readsUntil = 0.0
        /// Whether it acknowledges all, or leaves bytes in the system.
        var readsAll = false
        /// When a part of a line arrives, in seconds.
        var answersAt = -5.0
        /// Whether the connection is shared, so that the counters say nothing.
        var isShared = false
        /// Whether the whole response came at once.
        var isAnswered = false
        /// When the exchange ends, in seconds.
        let end: ClosedRange<Double>
    }

    /// With an `idle` of 30 seconds, and an `afterResponse` of 2.
    private static let servers = [
        Server(testDescription: "reads nothing", end: 30...31),
        Server(testDescription: "stops reading", readsUntil: 10, end: 40...41),
        Server(testDescription: "stops reading late", sendsUntil: 29, readsUntil: 29.9, end: 59.9...61),
        Server(testDescription: "takes content in for long", sendsUntil: 100, readsUntil: 100, end: 130...131),
        Server(testDescription: "takes the last byte late", readsUntil: 10, readsAll: true, end: 40...41),
        Server(testDescription: "reads at once, and is silent", readsAll: true, end: 30...31),
        Server(testDescription: "is silent after a GET", sendsUntil: nil, readsAll: true, end: 30...30),
        Server(testDescription: "does not take a GET", sendsUntil: nil, end: 30...30),
        Server(testDescription: "sends a part of a line", sendsUntil: nil, readsAll: true, answersAt: 20, end: 50...50),
        Server(testDescription: "shares the connection", readsUntil: 10, isShared: true, end: 30...30),
        Server(testDescription: "has answered", isAnswered: true, end: 2...2.2),
        Server(testDescription: "has answered, and reads on", readsUntil: 5, isAnswered: true, end: 7...7.2),
    ]

    @Test(arguments: servers) func aStalledExchangeEndsAfterItsLimit(_ server: Server) {
        func time(_ seconds: Double) -> Int64 { Int64(seconds * Double(Self.second)) }
        let timeouts = Timeouts(idle: .seconds(30), afterResponse: .seconds(2))
        var timeline = ExchangeTimeline(timeouts: .init(timeouts), now: 0, totalDeadline: nil)
        timeline.admit()
        _ = timeline.start(now: 0, mayRepeat: true)
        timeline.activity(now: 0)
        if server.isAnswered { timeline.answered(now: 0) }
        var sentAt = 0.0
        var now: Int64 = 0
        var looks = 0
        while true {
            if let until = server.sendsUntil, sentAt <= until, time(sentAt) <= now {
                timeline.contentMoved(now: time(sentAt))
                sentAt += 0.1
            }
            let verdict = timeline.check(now: now) {
                looks += 1
                guard !server.isShared else { return .nothing }
                return .traffic(
                    ConnectionTraffic(
                        lastReceivedAt: time(server.answersAt) > now ? time(-5) : time(server.answersAt),
                        // Each probe of a closed window, or of an idle connection, is acknowledged, too.
                        lastAcknowledgedAt: now,
                        acknowledged: 1000 + UInt64(min(now, time(server.readsUntil))),
                        hasUnsentBytes: !server.readsAll || now < time(server.readsUntil)
                    )
                )
            }
            switch verdict {
            case .wait(let time): now = min(time, now + Self.second / 10)
            case .unlimited: return #expect(Bool(false), "it never ends")
            case .end(let phase):
                let end = Double(now) / Double(Self.second)
                #expect(phase == .idle && server.end.contains(end), "\(end)")
                // A look is a call of the system, and thousands of exchanges may wait.
                #expect(looks <= 140)
                return
            }
        }
    }

    @Test(
        arguments: [
            (connect: nil, movedAt: 4, end: 34), (connect: nil, movedAt: nil, end: nil),
            (connect: 100, movedAt: 4, end: 100), (connect: 10, movedAt: nil, end: 10),
        ] as [(connect: Int64?, movedAt: Int64?, end: Int64?)]
    )
    func withoutALimitForConnectingTheIdleLimitHoldsInHandshakes(
        _ row: (connect: Int64?, movedAt: Int64?, end: Int64?)
    ) {
        let timeouts = Timeouts(connect: row.connect.map { .seconds($0) }, idle: .seconds(30))
        var timeline = ExchangeTimeline(timeouts: .init(timeouts), now: 0, totalDeadline: nil)
        timeline.admit()
        timeline.connect(now: 0)
        var now: Int64 = 0
        for _ in 0..<100 {
            switch timeline.check(now: now, { row.movedAt.map { .handshake(movedAt: $0 * Self.second) } ?? .nothing }) {
            case .wait(let time): now = time
            case .unlimited: return #expect(Bool(false), "no limit applies")
            case .end(let phase):
                #expect(now == row.end.map { $0 * Self.second } && phase == (row.connect == nil ? .idle : .connect))
                return
            }
        }
        #expect(row.end == nil)
    }
}
#endif
