import PiuPiuAsync
import TestSupport
import Testing

@testable import PiuPiuRecording

/// The phases of a timeline, from what was measured.
struct HARPhasesTests {
    private func metrics(_ queued: Int, _ lookup: Int, _ connect: Int, _ secure: Int, _ firstByte: Int)
        -> ExchangeMetrics
    {
        ExchangeMetrics(
            queued: .milliseconds(queued),
            nameLookup: .milliseconds(lookup),
            connect: .milliseconds(connect),
            secureConnect: .milliseconds(secure),
            firstByte: .milliseconds(firstByte)
        )
    }

    @Test func aNewConnection() {
        var phases = HARPhases(end: .milliseconds(100))
        phases.connected = .milliseconds(45)
        phases.sent = .milliseconds(50)
        phases.head = .milliseconds(81)
        phases.metrics = metrics(10, 5, 15, 30, 65)
        // It had the connection 45 ms after the start, of which opening it took 30.
        let expected = HAR.Timings(blocked: 15, dns: 5, connect: 25, ssl: 15, send: 5, wait: 30, receive: 20)
        #expect(HAR.Timings(phases) == expected)
        #expect(expected.total == 100)
    }

    @Test func aConnectionThatWasOpen() {
        var phases = HARPhases(end: .milliseconds(20))
        (phases.connected, phases.isReused) = (.milliseconds(2), true)
        (phases.sent, phases.head) = (.milliseconds(3), .milliseconds(12))
        phases.metrics = ExchangeMetrics(
            queued: .milliseconds(1),
            firstByte: .milliseconds(9),
            isReusedConnection: true
        )
        #expect(HAR.Timings(phases) == HAR.Timings(blocked: 2, send: 1, wait: 8, receive: 9))
    }

    @Test func anAnswerBeforeTheRequestWasSent() {
        var phases = HARPhases(end: .milliseconds(20))
        (phases.connected, phases.isReused) = (.zero, true)
        (phases.sent, phases.head) = (.milliseconds(15), .milliseconds(10))
        #expect(HAR.Timings(phases) == HAR.Timings(blocked: 0, send: 10, wait: 0, receive: 10))
    }

    @Test func noConnection() {
        var phases = HARPhases(end: .milliseconds(20))
        phases.metrics = metrics(5, 0, 0, 0, 0)
        #expect(HAR.Timings(phases) == HAR.Timings(blocked: 20))
        phases.failedPhase = .init(TransportError(.cannotConnect))
        #expect(HAR.Timings(phases) == HAR.Timings(blocked: 5, connect: 15))
        phases.failedPhase = .init(TransportError(.cannotResolveHost))
        #expect(HAR.Timings(phases) == HAR.Timings(blocked: 5, dns: 15))
        phases.metrics = nil
        #expect(HAR.Timings(phases) == HAR.Timings(blocked: 0, dns: 20))
    }

    @Test func aConnectionWithoutAResponse() {
        var phases = HARPhases(end: .milliseconds(20))
        (phases.connected, phases.sent) = (.milliseconds(4), .milliseconds(5))
        phases.metrics = metrics(0, 1, 3, 0, 0)
        #expect(HAR.Timings(phases) == HAR.Timings(blocked: 1, dns: 1, connect: 2, send: 1, wait: 15))
    }

    @Test func aTransportThatReportsTheHeadOnly() {
        var phases = HARPhases(end: .milliseconds(20))
        phases.head = .milliseconds(15)
        #expect(HAR.Timings(phases) == HAR.Timings(blocked: 0, wait: 15, receive: 5))
    }

    @Test(arguments: 0..<200) func whateverWasMeasuredThePhasesAreThoseOfTheWhole(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        func moment() -> Duration { .microseconds(Int.random(in: -10...100, using: &random)) }
        for _ in 0..<100 {
            var phases = HARPhases(end: .microseconds(Int.random(in: 0...100, using: &random)))
            if Bool.random(using: &random) { phases.connected = moment() }
            if Bool.random(using: &random) { phases.sent = moment() }
            if Bool.random(using: &random) { phases.head = moment() }
            phases.isReused = Bool.random(using: &random)
            if Bool.random(using: &random) {
                phases.metrics = ExchangeMetrics(
                    queued: moment(),
                    nameLookup: moment(),
                    connect: moment(),
                    secureConnect: moment(),
                    firstByte: moment(),
                    total: moment()
                )
            }
            let timings = HAR.Timings(phases)
            #expect(abs(timings.total - phases.end / .milliseconds(1)) < 0.0001, "\(phases) \(timings)")
            for phase in [timings.blocked, timings.dns, timings.connect, timings.ssl] {
                #expect(phase == -1 || phase >= 0, "\(phases) \(timings)")
            }
            for phase in [timings.send, timings.wait, timings.receive] { #expect(phase >= 0, "\(phases) \(timings)") }
            #expect(timings.ssl <= timings.connect)
        }
    }
}
