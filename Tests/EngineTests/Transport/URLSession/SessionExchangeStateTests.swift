import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuURLSession
@testable import PiuPiuValues

struct SessionExchangeStateTests {
    static let second: Int64 = 1_000_000_000

    static func prepared(
        _ method: String = "GET",
        body: String? = nil,
        headers: [String: String] = [:],
        delivery: BodyDelivery = .buffered,
        _ configure: (inout RequestOptions) -> Void = { _ in }
    ) throws -> PreparedRequest {
        var request = TransportRequest(URLRequest(method, Fixture.url, body: body, headers: headers))
        request.delivery = delivery
        configure(&request.options)
        return try PreparedRequest(request, userAgent: nil)
    }

    static func response(_ status: Int = 200, _ headers: [String: String] = [:]) throws -> HTTPURLResponse {
        try #require(HTTPURLResponse(url: Fixture.url, statusCode: status, httpVersion: nil, headerFields: headers))
    }

    /// An exchange whose task is at work.
    static func started(_ request: PreparedRequest, now: Int64 = 0) -> SessionExchangeState {
        var state = SessionExchangeState(request, now: now)
        let length = request.kind.length ?? 0
        let wantsTurn = state.enqueue(length: length, now: now)
        #expect(wantsTurn)
        #expect(name(state.start(now: now)) == "start")
        return state
    }

    /// A step in words.
    static func name(_ step: SessionExchangeState.Step) -> String {
        switch step {
        case .none: "none"
        case .start: "start"
        case .restart: "restart"
        case .head(let outcome): "head \(name(outcome))"
        case .body(let data): "body \(data.count)"
        case .end(let outcome, let cancels): "end \(name(outcome))\(cancels ? " cancel" : "")"
        }
    }

    private static func name(_ outcome: SessionExchangeState.Outcome) -> String {
        switch outcome {
        case .head(let head, let length): "\(head.statusCode) \(length.map(String.init) ?? "?")"
        case .response(let head, let body):
            "\(head.statusCode) \(body.map { String(decoding: $0, as: UTF8.self) } ?? "-")"
        case .failure(let failure): failure.code.description
        case .cancelled: "cancelled"
        case .complete: "complete"
        }
    }

    // MARK: The way to a response

    @Test func aCollectedResponseIsToldAtTheEnd() throws {
        var state = Self.started(try Self.prepared())
        #expect(Self.name(state.response(try Self.response(), now: 1)) == "none")
        #expect(state.phase == .receiving)
        #expect(Self.name(state.receive(Data("ab".utf8), now: 2)) == "none")
        #expect(Self.name(state.receive(Data("c".utf8), now: 3)) == "none")
        #expect(Self.name(state.complete(nil, now: 4)) == "end 200 abc")
        #expect(state.phase == .over)
        #expect(state.bytesReceived == 3)
    }

    @Test func aStreamedResponseIsToldAtItsHead() throws {
        var state = Self.started(try Self.prepared(delivery: .streamed))
        let step = state.response(try Self.response(200, ["Content-Length": "3"]), now: 1)
        #expect(Self.name(step) == "head 200 3")
        #expect(Self.name(state.receive(Data("abc".utf8), now: 2)) == "body 3")
        #expect(Self.name(state.complete(nil, now: 3)) == "end complete")
    }

    @Test func informationalHeadsAreStepsOnTheWay() throws {
        var state = Self.started(try Self.prepared())
        for status in [100, 102, 103] {
            #expect(Self.name(state.response(try Self.response(status), now: 1)) == "none")
            #expect(state.phase == .started)
        }
        #expect(Self.name(state.response(try Self.response(101), now: 1)) == "end malformedHead cancel")
    }

    @Test func aBodyThatIsShorterOrLongerThanAnnouncedIsNotComplete() throws {
        for (length, status, expectation) in [
            ("3", 200, "end 200 abc"), ("4", 200, "end truncatedBody cancel"), ("2", 200, "end truncatedBody cancel"),
            ("3, 3", 200, "end 200 abc"),
        ] {
            var state = Self.started(try Self.prepared())
            _ = state.response(try Self.response(status, ["Content-Length": length]), now: 1)
            _ = state.receive(Data("abc".utf8), now: 2)
            #expect(Self.name(state.complete(nil, now: 3)) == expectation, "\(length)")
        }
    }

    @Test func aLengthThatIsNotAboutTheBytesThatComeIsNotCompared() throws {
        for headers in [["Content-Encoding": "gzip"], ["Transfer-Encoding": "chunked"]] {
            var state = Self.started(try Self.prepared())
            let all = headers.merging(["Content-Length": "9"]) { $1 }
            _ = state.response(try Self.response(200, all), now: 1)
            #expect(state.expectedLength == nil)
            _ = state.receive(Data("abc".utf8), now: 2)
            #expect(Self.name(state.complete(nil, now: 3)) == "end 200 abc")
        }
        for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304)] {
            var state = Self.started(try Self.prepared(method))
            _ = state.response(try Self.response(status, ["Content-Length": "9"]), now: 1)
            #expect(state.expectedLength == 0)
            #expect(Self.name(state.complete(nil, now: 3)) == "end \(status) -")
        }
    }

    @Test func lengthsThatContradictEachOtherAreMalformed() throws {
        var state = Self.started(try Self.prepared())
        let step = state.response(try Self.response(200, ["Content-Length": "3, 4"]), now: 1)
        #expect(Self.name(step) == "end malformedHead cancel")
    }

    @Test func aChallengeEndsACompleteResponse() throws {
        var state = Self.started(try Self.prepared())
        _ = state.response(try Self.response(401, ["Content-Length": "2"]), now: 1)
        _ = state.receive(Data("no".utf8), now: 2)
        #expect(Self.name(state.complete(nil, cancelsTask: true, now: 3)) == "end 401 no cancel")
        #expect(Self.name(state.complete(URLError(.cancelled))) == "none")

        var early = Self.started(try Self.prepared())
        #expect(Self.name(early.complete(nil, cancelsTask: true, now: 3)) == "end malformedHead cancel")
    }

    @Test func aResponseThatTheDelegateWasNotToldIsTakenFromTheTask() throws {
        var state = Self.started(try Self.prepared(delivery: .streamed))
        let empty = try Self.response(302, ["Content-Length": "0"])
        #expect(Self.name(state.complete(empty, now: 1)) == "end 302 -")
        // The body of this one is lost.
        for headers in [["Content-Length": "4"], [:]] {
            var state = Self.started(try Self.prepared())
            #expect(Self.name(state.complete(try Self.response(302, headers), now: 1)) == "end unsupported cancel")
            #expect(state.head?.statusCode == 302)
        }
        var head = Self.started(try Self.prepared("HEAD"))
        #expect(Self.name(head.complete(try Self.response(302, ["Content-Length": "4"]), now: 1)) == "end 302 -")
    }

    // MARK: Limits

    @Test func moreThanTheLimitIsNotCollected() throws {
        var state = Self.started(try Self.prepared { $0.maximumBufferedBody = 5 })
        _ = state.response(try Self.response(), now: 1)
        #expect(Self.name(state.receive(Data("abcde".utf8), now: 2)) == "none")
        #expect(Self.name(state.receive(Data("f".utf8), now: 2)) == "end bodyTooLarge cancel")
        #expect(state.bytesReceived == 5)

        var streamed = Self.started(try Self.prepared(delivery: .streamed) { $0.maximumBufferedBody = 5 })
        _ = streamed.response(try Self.response(), now: 1)
        #expect(Self.name(streamed.receive(Data("abcdefgh".utf8), now: 2)) == "body 8")
    }

    @Test func aHeadThatIsTooLargeIsRefused() throws {
        let big = try Self.response(200, ["X-Field": String(repeating: "x", count: 1000)])
        var state = Self.started(try Self.prepared { $0.maximumHead = 1000 })
        #expect(Self.name(state.response(big, now: 1)) == "end headTooLarge cancel")
        var other = Self.started(try Self.prepared { $0.maximumHead = 1100 })
        #expect(Self.name(other.response(big, now: 1)) == "none")
    }

    @Test func aCompressedBodyThatWasAskedForAsItIsCannotBeHad() throws {
        for (own, coding, expectation) in [
            ("gzip", "gzip", "end unsupported cancel"), ("gzip", "identity", "none"), (nil, "gzip", "none"),
        ] {
            let headers = own.map { ["Accept-Encoding": $0] } ?? [:]
            var state = Self.started(try Self.prepared(headers: headers))
            let step = state.response(try Self.response(200, ["Content-Encoding": coding]), now: 1)
            #expect(Self.name(step) == expectation)
        }
    }

    @Test func eachPhaseHasItsLimit() throws {
        let request = try Self.prepared("POST", body: "ab") {
            $0.timeouts = Timeouts(
                queue: .seconds(5),
                connect: .seconds(1),
                head: .seconds(7),
                idle: .seconds(9),
                total: .seconds(40)
            )
        }
        var state = SessionExchangeState(request, now: 0)
        let head = try Self.response()
        let steps: [(Int64, TimeoutPhase, (inout SessionExchangeState) -> Void)] = [
            // Only the total limit applies while the body is produced.
            (40, .total, { _ in }), (8, .queue, { _ = $0.enqueue(length: 2, now: 3 * Self.second) }),
            (13, .idle, { _ = $0.start(now: 4 * Self.second) }), (14, .idle, { $0.sent(1, now: 5 * Self.second) }),
            (13, .head, { $0.sent(1, now: 6 * Self.second) }),
            (19, .idle, { _ = $0.response(head, now: 10 * Self.second) }),
            (20, .idle, { _ = $0.receive(Data("a".utf8), now: 11 * Self.second) }),
            (40, .total, { $0.setPaused(true, now: 12 * Self.second) }),
            (22, .idle, { $0.setPaused(false, now: 13 * Self.second) }),
        ]
        for (number, (seconds, phase, step)) in steps.enumerated() {
            step(&state)
            #expect(state.deadline?.at == seconds * Self.second, "step \(number)")
            #expect(state.deadline?.phase == phase, "step \(number)")
        }
        #expect(state.queuedTime == Self.second)
        #expect(Self.name(state.expire(now: 22 * Self.second - 1)) == "none")
        #expect(Self.name(state.expire(now: 22 * Self.second)) == "end timeout(idle) cancel")
        #expect(state.deadline == nil)
    }

    // MARK: Sending again

    @Test func whatMayBeSentAgainIsOnAConnectionThatDied() throws {
        var state = Self.started(try Self.prepared("PUT", body: "abc"))
        state.sent(3, now: 1)
        #expect(Self.name(state.needsBodyAgain(now: 2)) == "restart")
        #expect(state.bytesSent == 0)
        #expect(Self.name(state.needsBodyAgain(now: 3)) == "restart")
        #expect(Self.name(state.needsBodyAgain(now: 4)) == "end connectionLost cancel")

        var post = Self.started(try Self.prepared("POST", body: "abc"))
        #expect(Self.name(post.needsBodyAgain(now: 2)) == "end connectionLost cancel")
        var keyed = Self.started(try Self.prepared("POST", body: "abc", headers: ["Idempotency-Key": "k"]))
        #expect(Self.name(keyed.needsBodyAgain(now: 2)) == "restart")

        var answered = Self.started(try Self.prepared("PUT", body: "abc"))
        _ = answered.response(try Self.response(), now: 1)
        #expect(Self.name(answered.needsBodyAgain(now: 2)) == "none")
    }

    @Test func bytesAreCountedOnceAndNotBeyondTheBody() throws {
        var state = Self.started(try Self.prepared("POST", body: "abcdef"))
        state.sent(4, now: 1)
        #expect(state.bytesSent == 4)
        state.sent(-3, now: 1)
        #expect(state.bytesSent == 4)
        state.sent(4, now: 1)
        #expect(state.bytesSent == 6)
    }

    // MARK: The end

    @Test func aRedirectIsAnsweredAsLongAsSomebodyWaits() throws {
        var state = Self.started(try Self.prepared())
        let before = state.redirect(now: 1)
        _ = state.cancel()
        let after = state.redirect(now: 2)
        #expect(before)
        #expect(!after)
    }

    @Test func whatIsCancelledBeforeItsTurnNeverStarts() throws {
        var collecting = SessionExchangeState(try Self.prepared(), now: 0)
        #expect(Self.name(collecting.cancel()) == "end cancelled cancel")
        let lateTurn = collecting.enqueue(length: 0, now: 1)
        #expect(!lateTurn)
        #expect(Self.name(collecting.start(now: 1)) == "none")

        var waiting = SessionExchangeState(try Self.prepared(), now: 0)
        let firstTurn = waiting.enqueue(length: 0, now: 0)
        let secondTurn = waiting.enqueue(length: 0, now: 0)
        #expect(firstTurn)
        #expect(!secondTurn)
        #expect(Self.name(waiting.cancel()) == "end cancelled cancel")
        #expect(Self.name(waiting.start(now: 1)) == "none")
    }

    @Test func aFailureCarriesWhatIsKnown() throws {
        var state = Self.started(try Self.prepared())
        _ = state.response(try Self.response(206), now: 1)
        _ = state.receive(Data("abc".utf8), now: 2)
        guard case .end(.failure(let failure), true) = state.complete(URLError(.networkConnectionLost)) else {
            Issue.record("It has to fail")
            return
        }
        #expect(failure.code == .truncatedBody)
        #expect(failure.head?.statusCode == 206)
        #expect(failure.bytesReceived == 3)
    }

    @Test func aTaskThatIsCancelledByTheSystemIsCancelled() throws {
        var state = Self.started(try Self.prepared())
        #expect(Self.name(state.complete(URLError(.cancelled))) == "end cancelled cancel")
    }

    /// Whatever comes, in whatever order: it ends once at most, and nothing follows the end.
    @Test(arguments: 0..<200)
    func anyOrderOfEventsEndsOnce(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let request = try Self.prepared(
            Bool.random(using: &random) ? "PUT" : "POST",
            body: "abc",
            delivery: Bool.random(using: &random) ? .streamed : .buffered
        ) { $0.timeouts.total = .seconds(50) }
        let head = try Self.response(200, Bool.random(using: &random) ? ["Content-Length": "2"] : [:])
        var state = SessionExchangeState(request, now: 0)
        var ends = 0
        var heads = 0
        for now in 0..<Int64(60) {
            let time = now * Self.second
            let step: SessionExchangeState.Step
            switch Int.random(in: 0..<24, using: &random) {
            case 0: step = state.cancel()
            case 1: step = state.fail(ExchangeFailure(.connectionLost))
            case 2: step = state.complete(nil, now: time)
            case 3: step = state.complete(URLError(.unknown))
            case 4: step = state.expire(now: time)
            case 5, 6: step = state.response(head, now: time)
            case 7, 8, 9: step = state.receive(Data("a".utf8), now: time)
            case 10: step = state.needsBodyAgain(now: time)
            case 11:
                let wasOver = state.phase == .over
                let isAnswered = state.redirect(now: time)
                #expect(isAnswered == !wasOver)
                continue
            case 12, 13:
                _ = state.enqueue(length: 3, now: time)
                continue
            case 14, 15, 16: step = state.start(now: time)
            default:
                state.sent(1, now: time)
                continue
            }
            if ends > 0 { #expect(Self.name(step) == "none") }
            if case .head = step { heads += 1 }
            if case .end(let outcome, _) = step {
                ends += 1
                if case .complete = outcome { #expect(heads == 1) }
                if case .response = outcome { #expect(heads == 0) }
            }
            #expect((state.phase == .over) == (ends > 0))
        }
        #expect(ends <= 1)
        #expect(heads <= 1)
    }
}
