import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync
@testable import PiuPiuValues

@Suite(.timeLimit(.generous)) struct ReconnectingServerSentEventsTests {
    /// A clock that does not wait, unless at a gate, and notes for how long it was asked to.
    private struct RecordingClock: Clock {
        struct Instant: InstantProtocol {
            var offset = Duration.zero
            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        let sleeps = Locked<[Duration]>([])
        var gate: Gate?

        var now: Instant { Instant() }
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            let count = sleeps.withLock { sleeps in
                sleeps.append(now.duration(to: deadline))
                return sleeps.count
            }
            // A fault must not loop forever.
            guard count < 100 else { throw CancellationError() }
            try await gate?.wait()
        }
    }

    /// What the server does with one attempt after another; 204 in the end.
    private struct Script: Sendable {
        enum Attempt: Sendable {
            case chunks(Chunks)
            case error(any Error)

            static func text(_ text: String, error: (any Error)? = nil) -> Attempt {
                .chunks(Chunks(text, error: error))
            }
        }

        let rest: Locked<[Attempt]>
        let identifiers = Locked<[String]>([])
        let clock: RecordingClock

        init(_ attempts: Attempt..., gate: Gate? = nil) {
            rest = Locked(attempts.reversed())
            clock = RecordingClock(gate: gate)
        }

        func events(
            _ options: ServerSentEventReconnection = .init(),
            limit: Int = 1024
        ) -> ReconnectingServerSentEvents {
            ReconnectingServerSentEvents(options, limit: limit, clock: clock) { identifier in
                identifiers.withLock { $0.append(identifier) }
                return switch rest.withLock({ $0.popLast() }) {
                case .chunks(let chunks): .events(.init(chunks))
                case .error(let error): throw error
                case nil: .stop
                }
            }
        }

        var sleeps: [Duration] { clock.sleeps.withLock { $0 } }
        var asked: [String] { identifiers.withLock { $0 } }
    }

    private static let lost = TransportError(.connectionLost)

    @Test func streamThatEndsIsOpenedAgainUntilTheServerStops() async {
        let script = Script(.text("data: a\n\n"), .text("data: b\n\ndata: lost"), .text("data: c\n\n"))
        let (events, error) = await collect(script.events())
        #expect(events.map(\.data) == ["a", "b", "c"])
        #expect(error == nil)
        #expect(script.sleeps == [.seconds(3), .seconds(3), .seconds(3)])
        #expect(script.asked == ["", "", "", ""])
    }

    @Test func lastIdentifierIsSent() async {
        let script = Script(
            .text("id: 1\ndata: a\n\nid: 2\ndata: incomplete\n"),
            .text("data: b\n\nid: 3\n\n", error: Self.lost),
            .error(Self.lost),
            .text("id\ndata: c\n\n")
        )
        let (events, error) = await collect(script.events())
        #expect(events.map(\.id) == ["1", "1", ""])
        #expect(error == nil)
        #expect(script.asked == ["", "1", "3", "3", ""])
    }

    @Test func serversDelayIsWaited() async {
        let script = Script(.text("retry: 500\n\ndata: a\n\n"), .text("data: b\n\n"), .text("retry: 20000\n"))
        let (events, _) = await collect(script.events())
        #expect(events.map(\.retry) == [nil, nil])
        #expect(script.sleeps == [.milliseconds(500), .milliseconds(500), .seconds(20)])
    }

    @Test func failuresAreRetriedWithGrowingDelays() async {
        let script = Script(
            .error(Self.lost),
            .error(TransportError(.cannotConnect)),
            .text("", error: TransportError(.timeout(.idle))),
            .text("data: a\n\n", error: Self.lost),
            .error(Self.lost)
        )
        let (events, error) = await collect(script.events())
        #expect(events.map(\.data) == ["a"])
        #expect(error == nil)
        #expect(script.sleeps == [3, 6, 12, 3, 6].map { .seconds($0) })
    }

    @Test func lastOfTooManyFailuresIsThrown() async throws {
        let script = Script(.error(Self.lost), .error(Self.lost), .error(TransportError(.cannotResolveHost)))
        var iterator = script.events(.init(maximumAttempts: 3)).makeAsyncIterator()
        let error = await #expect(throws: TransportError.self) { try await iterator.next() }
        #expect(error?.code == .cannotResolveHost)
        #expect(script.sleeps.count == 2)
        #expect(try await iterator.next() == nil)
        #expect(script.asked.count == 3)
    }

    @Test(
        arguments: [
            HTTPError.clientError(.notFound),
            UnacceptableResponseError(.contentType, response: Fixture.head()),
            TransferError(.unacceptableStatus),
            TransportError(.shutDown), CancellationError(),
        ] as [any Error]
    )
    func finalErrorsAreThrown(_ final: any Error) async throws {
        for attempt in [Script.Attempt.error(final), .text("data: lost\n", error: final)] {
            let script = Script(.text("data: a\n\n"), attempt, .text("data: b\n\n"))
            var iterator = script.events().makeAsyncIterator()
            #expect(try await iterator.next()?.data == "a")
            let error = await #expect(throws: (any Error).self) { try await iterator.next() }
            #expect(error.map { "\($0)" } == "\(final)")
            #expect(try await iterator.next() == nil)
            #expect(script.asked.count == 2)
        }
    }

    @Test func longEventsEndIt() async {
        let script = Script(.text("data: 1\n\ndata: 12\n\n"), .text("data: 3\n\n"))
        let (events, error) = await collect(script.events(limit: 7))
        #expect(events.map(\.data) == ["1"])
        #expect(error.map { TransferError.Code.eventTooLong ~= $0 } == true)
    }

    @Test func connectionsAreReleased() async throws {
        let first = Chunks("data: a\n\n")
        let second = Chunks("data: b\n\n", "data: c\n\n")
        let script = Script(.chunks(first), .chunks(second))
        for try await event in script.events() where event.data == "b" { break }
        #expect(first.record.withLock { $0.released } == 1)
        #expect(second.record.withLock { $0.released } == 1)
        #expect(second.record.withLock { $0.taken } == 1)
    }

    @Test func connectionIsReleasedBeforeTheDelay() async throws {
        let gate = Gate()
        let chunks = Chunks("data: a\n\n")
        let script = Script(.chunks(chunks), gate: gate)
        let task = Task { await collect(script.events()).elements.map(\.data) }
        await gate.arrival()
        #expect(chunks.record.withLock { $0.released } == 1)
        gate.open()
        #expect(await task.value == ["a"])
    }

    @Test func cancellingEndsTheDelay() async throws {
        let gate = Gate()
        let script = Script(.error(Self.lost), gate: gate)
        let task = Task { () async throws in
            var iterator = script.events().makeAsyncIterator()
            await #expect(throws: CancellationError.self) { try await iterator.next() }
            #expect(try await iterator.next() == nil)
        }
        await gate.arrival()
        task.cancel()
        try await task.value
        #expect(script.asked.count == 1)
    }

    @Test func cancelledTaskDoesNotConnectAgain() async throws {
        let script = Script(.text(""), .text("data: a\n\n"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await collect(script.events()).error
        }
        #expect(await task.value is CancellationError)
        #expect(script.asked.count == 1)
        #expect(script.sleeps == [])
    }

    @Test func eachIteratorHasItsOwnConnections() async throws {
        let script = Script(.text("id: 1\ndata: a\n\n"), .text("data: b\n\n"))
        let events = script.events()
        var (first, second) = (events.makeAsyncIterator(), events.makeAsyncIterator())
        #expect(script.asked == [])
        #expect(try await first.next()?.data == "a")
        #expect(try await second.next() == ServerSentEvent(data: "b"))
        #expect(script.asked == ["", ""])
    }

    @MainActor @Test func callersActorIsNotLeft() async throws {
        let chunks = Chunks("data: a\n\n", "data: b\n\n")
        for try await _ in Script(.chunks(chunks)).events() { MainActor.assertIsolated() }
        let isolations = chunks.record.withLock { $0.isolations }
        #expect(isolations == Array(repeating: ObjectIdentifier(MainActor.shared), count: 3))
    }
}
