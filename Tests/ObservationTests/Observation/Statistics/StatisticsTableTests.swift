import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// The counting, without events and locks.
struct StatisticsTableTests {
    private typealias Table = StatisticsTable<Int>
    private static let a = "https://a.example:443"
    private static let b = "https://b.example:443"

    private static func end(_ result: Table.End.Result, _ time: Duration = .zero) -> Table.End {
        Table.End(result: result, duration: time)
    }

    /// Returns the numbers of an origin.
    private static func counts(_ table: Table, _ origin: String) throws -> Statistics.Exchanges {
        table.counts[try #require(table.names.firstIndex(of: origin)) + 1]
    }

    @Test func callsAreCountedByTheirEnds() {
        var table = Table(maximumOrigins: 10)
        for call in 1...6 { table.callStarted(call) }
        table.callEnded(1, .response)
        table.callEnded(2, .response)
        table.callEnded(3, .response)
        table.callEnded(4, .failure)
        table.callEnded(5, .cancelled)
        // A second end, and one without a start.
        table.callEnded(5, .cancelled)
        table.callEnded(7, .failure)
        let calls = table.calls
        #expect([calls.started, calls.responses, calls.failures, calls.cancelled] as [Int] == [6, 3, 1, 1])
        #expect(calls.inProgress == 1)
    }

    @Test func exchangesAreCountedByOriginAndEnd() throws {
        var table = Table(maximumOrigins: 10)
        for id in 1...5 { table.exchangeStarted(id, of: 1, to: id < 5 ? Self.a : Self.b) }
        #expect(try Self.counts(table, Self.a).inFlight == 4)
        table.exchangeEnded(1, Self.end(.response(.success)))
        table.exchangeEnded(2, Self.end(.response(.serverError)))
        table.exchangeEnded(3, Self.end(.failure("tls")))
        table.exchangeEnded(4, Self.end(.cancelled))
        table.exchangeEnded(4, Self.end(.cancelled))
        table.exchangeEnded(9, Self.end(.cancelled))
        let a = try Self.counts(table, Self.a)
        #expect(a.responses == [.success: 1, .serverError: 1])
        #expect(a.failures == ["tls": 1])
        #expect(a.cancelled == 1)
        #expect([a.started, a.ended, a.inFlight] as [Int] == [4, 4, 0])
        #expect(a.duration.count == 4)
        #expect(try Self.counts(table, Self.b).inFlight == 1)
        #expect(table.counts[0] == Statistics.Exchanges())
    }

    /// The steps of an exchange, and how many wait, opened and reused after them.
    @Test(arguments: [
        ("", [0, 0, 0]), ("q", [1, 0, 0]), ("qq", [1, 0, 0]), ("qo", [0, 1, 0]), ("qr", [0, 0, 1]), ("o", [0, 1, 0]),
        ("qro", [0, 1, 1]), ("qoe", [0, 1, 0]), ("qe", [0, 0, 0]), ("e", [0, 0, 0]), ("eq", [0, 0, 0]),
        ("eo", [0, 0, 0]),
    ])
    func theQueueEndsWithAConnectionOrTheExchange(_ steps: String, _ expected: [Int]) throws {
        var table = Table(maximumOrigins: 10)
        table.exchangeStarted(1, of: 1, to: Self.a)
        for step in steps {
            switch step {
            case "q": table.queued(1)
            case "o": table.connectionTaken(1, isReused: false)
            case "r": table.connectionTaken(1, isReused: true)
            default: table.exchangeEnded(1, Self.end(.cancelled, .seconds(3)))
            }
        }
        let counts = try Self.counts(table, Self.a)
        #expect([counts.waiting, counts.openedConnections, counts.reusedConnections] as [Int] == expected)
        // One that ends in the queue has spent its time there.
        #expect(counts.queued.sum == (steps == "qe" ? .seconds(3) : .zero))
        #expect(counts.queued.count == (steps == "qe" ? 1 : 0))
    }

    /// What happens to a connection, and how many are open and idle after it.
    @Test(arguments: [
        ("o", [1, 0]), ("oi", [1, 1]), ("oia", [1, 0]), ("oiac", [0, 0]), ("oiI", [0, 0]), ("oc", [0, 0]),
        ("ooi", [2, 1]), ("ooiI", [1, 0]),
    ])
    func connectionsAreOpenAndIdle(_ steps: String, _ expected: [Int]) throws {
        var table = Table(maximumOrigins: 10)
        for step in steps {
            switch step {
            case "o": table.connectionChanged(.opened, of: Self.a)
            case "i": table.connectionChanged(.becameIdle, of: Self.a)
            case "a": table.connectionChanged(.becameActive, of: Self.a)
            default: table.connectionChanged(.closed(wasIdle: step == "I"), of: Self.a)
            }
        }
        let counts = try Self.counts(table, Self.a)
        #expect([counts.openConnections, counts.idleConnections] == expected)
    }

    @Test func retriesAndRedirectsBelongToTheLastExchangeOfTheirCall() throws {
        var table = Table(maximumOrigins: 10)
        table.callStarted(1)
        table.callStarted(2)
        table.retryPlanned(1)
        table.exchangeStarted(1, of: 1, to: Self.a)
        table.exchangeStarted(2, of: 2, to: Self.b)
        table.redirected(1)
        table.exchangeStarted(3, of: 1, to: Self.b)
        table.retryPlanned(1)
        table.retryPlanned(2)
        table.callEnded(1, .failure)
        // An exchange that nobody waits for any more does not bring the call back.
        table.exchangeStarted(4, of: 1, to: Self.a)
        table.redirected(1)
        table.callEnded(1, .failure)
        #expect(table.counts[0].retries == 1)
        #expect(try Self.counts(table, Self.a).redirects == 1)
        #expect(try Self.counts(table, Self.a).retries == 0)
        #expect(try Self.counts(table, Self.b).retries == 2)
        #expect(table.calls.failures == 1)
    }

    @Test func originsBeyondTheLimitAreCountedTogether() {
        for limit in [0, 1, 100] {
            var table = Table(maximumOrigins: limit)
            for id in 0..<1000 {
                table.exchangeStarted(id, of: 0, to: "http://h\(id % 250):80")
                table.exchangeEnded(id, Self.end(.response(.success)))
            }
            table.exchangeStarted(1000, of: 0, to: nil)
            #expect(table.names.count == limit)
            #expect(table.counts.count == limit + 1)
            #expect(table.counts[0].started == (250 - limit) * 4 + 1)
            #expect(table.counts.reduce(0) { $0 + $1.started } == 1001)
        }
    }

    @Test func namesOfFailuresAreBounded() throws {
        var table = Table(maximumOrigins: 1)
        for id in 0..<1000 {
            table.exchangeStarted(id, of: 0, to: Self.a)
            table.exchangeEnded(id, Self.end(.failure("error \(id)")))
        }
        let failures = try Self.counts(table, Self.a).failures
        #expect(failures.count == Statistics.Exchanges.maximumFailures + 1)
        #expect(failures.values.reduce(0, +) == 1000)
        #expect(failures["other"] == 1000 - Statistics.Exchanges.maximumFailures)
    }

    @Test func bytesAndTimesNeverFallAndNeverOverflow() throws {
        var table = Table(maximumOrigins: 1)
        for (id, bytes) in [5, Int.min, -1, .max, .max, 7].enumerated() {
            table.exchangeStarted(id, of: 0, to: Self.a)
            var end = Self.end(.cancelled, .seconds(bytes))
            end.bytesSent = bytes
            end.bytesReceived = bytes
            end.queued = .seconds(bytes)
            end.firstByte = .seconds(bytes)
            table.exchangeEnded(id, end)
            if id == 2 {
                #expect(try Self.counts(table, Self.a).bytesSent == 5)
                #expect(try Self.counts(table, Self.a).duration.sum == .seconds(5))
            }
        }
        let counts = try Self.counts(table, Self.a)
        #expect(counts.bytesSent == .max)
        #expect(counts.bytesReceived == .max)
        #expect(counts.firstByte.sum == .nanoseconds(Int64.max))
        #expect(counts.queued.count == 6)
    }

    @Test func whatIsNotMeasuredIsNotCounted() {
        #expect(Table.End(ExchangeSummary(outcome: .cancelled, statusCode: .ok)).firstByte == nil)
        let metrics = ExchangeMetrics(queued: .seconds(1), firstByte: .seconds(2))
        let end = Table.End(ExchangeSummary(outcome: .failure(CancellationError()), metrics: metrics))
        #expect(end.firstByte == nil)
        #expect(end.queued == .seconds(1))
        guard case .failure("CancellationError") = end.result else { return #expect(Bool(false)) }
    }
}
