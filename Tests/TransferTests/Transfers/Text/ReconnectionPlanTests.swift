import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync
@testable import PiuPiuValues

struct ReconnectionPlanTests {
    private struct Unknown: Error {}

    private static let lost = ReconnectionPlan.Outcome.failed(TransportError(.connectionLost))

    /// What follows on each of some outcomes.
    private static func steps(
        _ outcomes: [ReconnectionPlan.Outcome],
        _ options: ServerSentEventReconnection = .init(),
        retry: Duration? = nil,
        method: String = "GET"
    ) -> [ReconnectionPlan.Step] {
        var plan = ReconnectionPlan(options, method: method)
        return outcomes.map { plan.next(after: $0, reconnectionTime: retry) }
    }

    private static func seconds(_ delays: Double...) -> [ReconnectionPlan.Step] {
        delays.map { .reconnect(after: .seconds($0)) }
    }

    @Test func streamThatEndsIsOpenedAgain() {
        #expect(Self.steps([.ended, .ended, .ended]) == Self.seconds(3, 3, 3))
    }

    @Test func serverMayStopIt() {
        #expect(Self.steps([.stopped]) == [.finish])
    }

    @Test func delayDoublesUpToTheMost() {
        #expect(Self.steps(Array(repeating: Self.lost, count: 7)) == Self.seconds(3, 6, 12, 24, 48, 60, 60))
        #expect(Self.steps([Self.lost, Self.lost, Self.lost], retry: .seconds(1)) == Self.seconds(1, 2, 4))
    }

    @Test func eventStartsItOver() {
        var plan = ReconnectionPlan(.init(maximumAttempts: 3), method: "GET")
        #expect(plan.next(after: Self.lost, reconnectionTime: nil) == .reconnect(after: .seconds(3)))
        #expect(plan.next(after: Self.lost, reconnectionTime: nil) == .reconnect(after: .seconds(6)))
        plan.eventArrived()
        #expect(plan.next(after: Self.lost, reconnectionTime: nil) == .reconnect(after: .seconds(3)))
        #expect(plan.next(after: Self.lost, reconnectionTime: nil) == .reconnect(after: .seconds(6)))
        #expect(plan.next(after: Self.lost, reconnectionTime: nil) == .fail)
    }

    @Test func streamThatEndsInOrderStartsItOver() {
        let options = ServerSentEventReconnection(maximumAttempts: 3)
        let outcomes = [Self.lost, Self.lost, .ended, Self.lost, Self.lost, Self.lost]
        #expect(Self.steps(outcomes, options) == Self.seconds(3, 6, 3, 3, 6) + [.fail])
    }

    @Test func serversDelayReplacesTheFirst() {
        #expect(Self.steps([.ended], retry: .seconds(10)) == Self.seconds(10))
        #expect(Self.steps([.ended], retry: .milliseconds(250)) == Self.seconds(0.25))
        #expect(Self.steps([.ended, Self.lost, Self.lost], retry: .seconds(600)) == Self.seconds(600, 600, 600))
    }

    @Test func thereIsAlwaysALeastDelay() {
        #expect(
            Self.steps([.ended, Self.lost, Self.lost, Self.lost], retry: .zero) == Self.seconds(0.1, 0.1, 0.2, 0.4)
        )
        #expect(Self.steps([.ended], .init(initialDelay: .seconds(-1))) == Self.seconds(0.1))
        var plan = ReconnectionPlan(.init(), method: "GET")
        plan.eventArrived()
        #expect(plan.next(after: .ended, reconnectionTime: .zero) == .reconnect(after: ReconnectionPlan.leastDelay))
        plan.eventArrived()
        #expect(plan.next(after: Self.lost, reconnectionTime: .zero) == .reconnect(after: ReconnectionPlan.leastDelay))
        plan.eventArrived()
        #expect(plan.next(after: .ended, reconnectionTime: .milliseconds(1)) == .reconnect(after: .milliseconds(100)))
        #expect(plan.next(after: .ended, reconnectionTime: .zero) == .reconnect(after: ReconnectionPlan.leastDelay))
    }

    @Test(arguments: [Int.min, -1, 0, 1])
    func firstFailureMayBeTheLast(_ attempts: Int) {
        #expect(Self.steps([Self.lost], .init(maximumAttempts: attempts)) == [.fail])
        #expect(Self.steps([.ended], .init(maximumAttempts: attempts)) == Self.seconds(3))
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "QUERY", "OPTIONS", "get", "PURGE"])
    func otherMethodsAreSentOnce(_ method: String) {
        #expect(Self.steps([.ended], method: method) == [.finish])
        #expect(Self.steps([.stopped], method: method) == [.finish])
        #expect(Self.steps([Self.lost], method: method) == [.fail])
        let options = ServerSentEventReconnection(repeatsOtherMethods: true)
        #expect(Self.steps([Self.lost, Self.lost], options, method: method) == Self.seconds(3, 6))
        #expect(Self.steps([Self.lost, .ended], options, method: method) == Self.seconds(3) + [.finish])
        var plan = ReconnectionPlan(options, method: method)
        plan.eventArrived()
        #expect(plan.next(after: .ended, reconnectionTime: .zero) == .finish)
    }

    @Test(arguments: ["GET", "HEAD"])
    func methodsWithoutEffectAreSentAgain(_ method: String) {
        #expect(Self.steps([.ended, Self.lost], method: method) == Self.seconds(3, 3))
    }

    @Test func delaysAreBounded() {
        let huge = Duration(secondsComponent: .max, attosecondsComponent: 0)
        let options = ServerSentEventReconnection(initialDelay: huge, maximumDelay: huge)
        let longest = ReconnectionPlan.Step.reconnect(after: ReconnectionPlan.longestDelay)
        #expect(Self.steps([.ended, Self.lost, Self.lost], options) == [longest, longest, longest])
        let growing = ServerSentEventReconnection(maximumDelay: huge)
        #expect(Self.steps(Array(repeating: Self.lost, count: 200), growing).last == longest)
        #expect(Self.steps([Self.lost, Self.lost], .init(maximumDelay: .seconds(-5))) == Self.seconds(3, 3))
    }

    @Test(
        arguments: [
            .cannotResolveHost, .cannotConnect, .tls, .proxy, .timeout(.connect), .timeout(.idle), .timeout(.total),
            .connectionLost, .truncatedBody, .malformedHead, .http2, .outOfResources,
        ] as [TransportError.Code]
    )
    func networkErrorsPass(_ code: TransportError.Code) {
        #expect(Self.steps([.failed(TransportError(code))]) == Self.seconds(3))
    }

    /// No later request of the stream would be sent.
    @Test func theSharedDeadlineEndsIt() throws {
        var request = TransportRequest(Fixture.request)
        request.options.deadline = .now
        request.deadline = request.options.deadline
        var error = TransportError(.timeout(.total))
        error.complete(request, RequestOptions(), elapsed: .seconds(1))
        #expect(Self.steps([.failed(error)]) == [.fail])
    }

    @Test(
        arguments: [
            .invalidRequest, .invalidURL, .unsupportedScheme, .shutDown, .libraryUnavailable,
        ] as [TransportError.Code]
    )
    func requestsThatCannotBeSentEndIt(_ code: TransportError.Code) {
        #expect(Self.steps([.failed(TransportError(code))]) == [.fail])
    }

    @Test(
        arguments: [
            HTTPError.serverError(.serviceUnavailable),
            UnacceptableResponseError(.contentType, response: Fixture.head()),
            TransferError(.unacceptableStatus), TransferError(.eventTooLong), CancellationError(), Unknown(),
        ] as [any Error]
    )
    func otherErrorsEndIt(_ error: any Error) {
        #expect(Self.steps([.failed(error)]) == [.fail])
    }
}
