#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// How cases are run: known gaps, time limits, and what a failure says.
@Suite(.timeLimit(.generous))
struct ConformanceRunTests {
    private static func suite(
        gaps: [TransportConformance.Gap] = [],
        timeLimit: Duration = .seconds(300),
        _ change: @escaping Alteration.Send
    ) -> TransportConformance {
        TransportConformance(knownGaps: gaps, timeLimit: timeLimit) {
            Alteration(of: try SocketTransport(configuration: $0), send: change)
        }
    }

    private struct Refusal: Error {}

    @Test func namesAreUniqueAndSayTheFamily() {
        let cases = TransportConformance.cases
        // The README says so.
        #expect(cases.count > 100)
        #expect(Set(cases.map(\.name)).count == cases.count)
        #expect(cases.allSatisfy { $0.name.split(separator: ".").count == 2 && $0.id == $0.name })
        #expect(cases.allSatisfy { $0.summary.hasSuffix(".") && !$0.source.isEmpty })
        #expect(cases.contains { $0.kind == .wire } && cases.contains { $0.kind == .semantics })
    }

    @Test func aFailureSaysWhichCaseAndWhatWasSeen() async throws {
        let suite = Self.suite { _, _ in throw Refusal() }
        let example = try named("bodies.bytes")
        let failure = try #require(await #expect(throws: ConformanceFailure.self) { try await suite.run(example) })
        #expect(failure.name == "bodies.bytes")
        #expect(failure.summary == example.summary)
        #expect(failure.source == example.source)
        #expect(failure.seen.contains("Refusal"))
        #expect(failure.description.contains("bodies.bytes") && failure.description.contains(failure.seen))
    }

    @Test func aKnownGapHasToFail() async throws {
        let gaps = [TransportConformance.Gap("bodies.bytes", reason: "it is broken")]
        try await Self.suite(gaps: gaps) { _, _ in throw Refusal() }.run(named("bodies.bytes"))
        let closed = Self.suite(gaps: gaps) { try await $1.send($0) }
        await #expect(throws: ConformanceFailure.self) { try await closed.run(named("bodies.bytes")) }
        // Other cases have to pass as ever.
        try await closed.run(named("bodies.empty"))
    }

    @Test func aGapThatIsNotRunIsNotRun() async throws {
        let runs = Locked(0)
        let suite = Self.suite(gaps: [.init("bodies.bytes", reason: "it ends the process", isRun: false)]) {
            runs.withLock { $0 += 1 }
            return try await $1.send($0)
        }
        try await suite.run(named("bodies.bytes"))
        #expect(runs.withLock { $0 } == 0)
    }

    @Test func aGapThatNamesNoCaseIsAFailure() async throws {
        let suite = Self.suite(gaps: [.init("bodies.bites", reason: "a slip of the pen")]) { try await $1.send($0) }
        let failure = await #expect(throws: ConformanceFailure.self) { try await suite.run(named("bodies.empty")) }
        #expect(failure?.seen.contains("bodies.bites") == true)
    }

    @Test func whatNeverEndsEndsWithTheTimeLimit() async throws {
        let never = Gate()
        let begun = Tally()
        let ends = Tally()
        let suite = Self.suite(timeLimit: .milliseconds(300)) { _, _ in
            begun.add()
            // This does not end even when it is cancelled.
            try await Task.detached { try await never.wait() }.value
            ends.add()
            throw Refusal()
        }
        let failure = await #expect(throws: ConformanceFailure.self) { try await suite.run(named("bodies.bytes")) }
        #expect(failure?.name == "bodies.bytes")
        #expect(failure?.expected.contains("0.3 seconds") == true)
        // It goes on, and no task waits for it.
        #expect(ends.count == 0)
        never.open()
        if begun.count > 0 { await ends.reach(1) }
    }

    @Test func cancellingARunEndsIt() async throws {
        let isSending = AsyncStream<Void>.makeStream()
        let suite = Self.suite { request, base in
            isSending.continuation.finish()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return try await base.send(request)
        }
        let run = Task { try await suite.run(named("bodies.bytes")) }
        for await _ in isSending.stream {}
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}

/// Finds a case.
func named(_ name: String) throws -> TransportConformance.Case {
    try #require(TransportConformance.cases.first { $0.name == name }, "\(name)")
}
#endif
