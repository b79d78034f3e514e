import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// The texts of a snapshot: for people and for Prometheus.
struct StatisticsTextTests {
    private typealias Table = StatisticsTable<Int>

    private static func snapshot(_ origins: [String]) -> Statistics.Snapshot {
        var table = Table(maximumOrigins: 10)
        table.callStarted(1)
        table.callStarted(2)
        for (index, origin) in origins.enumerated() {
            let id = index * 10
            table.exchangeStarted(id, of: 1, to: origin)
            table.connectionTaken(id, isReused: false)
            for kind in [ConnectionEvent.Kind.opened, .opened, .becameIdle] {
                table.connectionChanged(kind, of: origin)
            }
            table.retryPlanned(1)
            table.exchangeEnded(
                id,
                Table.End(
                    result: .response(.success),
                    duration: .milliseconds(1500),
                    firstByte: .milliseconds(7),
                    queued: .zero,
                    bytesSent: 180,
                    bytesReceived: 1234
                )
            )
            table.exchangeStarted(id + 1, of: 1, to: origin)
            table.connectionTaken(id + 1, isReused: true)
            table.exchangeEnded(id + 1, Table.End(result: .failure("timeout(idle)"), duration: .seconds(30)))
            table.exchangeStarted(id + 2, of: 1, to: origin)
            table.queued(id + 2)
        }
        table.callEnded(1, .failure)
        let named = Dictionary(uniqueKeysWithValues: zip(table.names, table.counts.dropFirst()))
        return Statistics.Snapshot(calls: table.calls, origins: named, other: table.counts[0])
    }

    @Test func theTextForPeople() {
        #expect(
            Self.snapshot(["http://b.example:80", "http://a.example:80"]).description == """
                calls: 2 started, 1 in progress, 0 answered, 1 failed, 0 cancelled
                http://a.example:80: 3 exchanges, 1 in flight, 1 waiting
                  responses: 2xx 1
                  failures: timeout(idle) 1; cancelled: 0
                  retries: 1; redirects: 0
                  connections: 2 open, 1 of them idle; 1 opened, 1 reused
                  bytes: 180 sent, 1234 received
                  duration: mean 15750.000 ms, 50 % within 2500.000 ms, 95 % within 10000.000 ms
                  first byte: mean 7.000 ms, 50 % within 7.500 ms, 95 % within 9.750 ms
                  queued: mean 0.000 ms, 50 % within 2.500 ms, 95 % within 4.750 ms
                http://b.example:80: 3 exchanges, 1 in flight, 1 waiting
                  responses: 2xx 1
                  failures: timeout(idle) 1; cancelled: 0
                  retries: 1; redirects: 0
                  connections: 2 open, 1 of them idle; 1 opened, 1 reused
                  bytes: 180 sent, 1234 received
                  duration: mean 15750.000 ms, 50 % within 2500.000 ms, 95 % within 10000.000 ms
                  first byte: mean 7.000 ms, 50 % within 7.500 ms, 95 % within 9.750 ms
                  queued: mean 0.000 ms, 50 % within 2.500 ms, 95 % within 4.750 ms
                """
        )
    }

    @Test func theTextOfNothing() {
        let empty = Statistics.Snapshot()
        #expect(empty.description == "calls: 0 started, 0 in progress, 0 answered, 0 failed, 0 cancelled")
        let lines = empty.prometheusText.split(separator: "\n")
        #expect(
            lines.filter { !$0.hasPrefix("#") }.map { String($0) } == [
                "piupiu_calls_started_total 0", #"piupiu_calls_ended_total{outcome="response"} 0"#,
                #"piupiu_calls_ended_total{outcome="failure"} 0"#, #"piupiu_calls_ended_total{outcome="cancelled"} 0"#,
                "piupiu_calls_in_progress 0",
            ]
        )
        #expect(lines.count { $0.hasPrefix("# TYPE") } == 24)
    }

    @Test func theTextForPrometheus() {
        #expect(Self.snapshot(["a\"b\\c\nd\r\n"]).prometheusText == Self.expected)
    }

    @Test func otherOriginsComeLast() {
        var snapshot = Self.snapshot(["http://z.example:80"])
        snapshot.other.started = 3
        let lines = snapshot.prometheusText.split(separator: "\n")
        let started = lines.filter { $0.hasPrefix("piupiu_exchanges_started_total") }.map { String($0) }
        #expect(
            started == [
                #"piupiu_exchanges_started_total{origin="http://z.example:80"} 3"#,
                #"piupiu_exchanges_started_total{origin="other"} 3"#,
            ]
        )
        #expect(snapshot.total.started == 6)
        #expect(snapshot.total.failures == ["timeout(idle)": 1])
    }
}
