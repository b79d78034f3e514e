import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

struct CallTests {
    private let request = TransportRequest(Fixture.request)

    @Test func allRequestsOfACallHaveItsAttempts() {
        var other = request
        other.urlRequest.httpMethod = "HEAD"
        #expect(request.attempts == [.first])
        other.beginAttempt(.credentials)
        #expect(request.attempts == [.first, Attempt(number: 2, cause: .credentials)])
        #expect(request.call.attempt.number == 2)
    }

    @Test func aRequestThatIsCreatedBeginsACall() {
        request.beginAttempt(.credentials)
        #expect(TransportRequest(request.urlRequest).attempts == [.first])
    }

    @Test func whatARequestChangesIsItsOwn() {
        var other = request
        other.options.sensitiveHeaders = ["X-Mine"]
        other.deadline = .now
        other.cookieJars.append(ObjectIdentifier(request.call))
        #expect(request.options.sensitiveHeaders.isEmpty && request.deadline == nil && request.cookieJars.isEmpty)
        #expect(other.options.sensitiveHeaders == ["X-Mine"] && other.deadline != nil && other.cookieJars.count == 1)
        other.deadline = nil
        #expect(other.deadline == nil && other.call === request.call)
    }

    @Test func aForkAddsWhatItMade() {
        request.beginAttempt(.credentials)
        let fork = request.call.fork()
        fork.begin(.hedge)
        request.beginAttempt(.otherFailure)
        request.call.add(attemptsOf: fork)
        #expect(request.attempts.map(\.cause) == [.call, .credentials, .otherFailure, .hedge])
        #expect(request.attempts.map(\.number) == [1, 2, 3, 4])
    }

    @Test func aForkOfOneAttemptAddsNothing() {
        request.call.add(attemptsOf: request.call.fork())
        #expect(request.call.severalAttempts == nil)
    }

    @Test func callsKnowTheWorkTheyArePartOf() {
        let (owner, other) = (Call.Work.Owner(), Call.Work.Owner())
        let exchange = Call.Work(owner: owner, number: 1, sharesExchanges: true)
        let refresh = Call.Work(owner: other, number: 2, sharesExchanges: false)
        let outside = request.call.context
        #expect(outside.mayShare(in: owner) && !outside.isPart(of: 1, of: owner))
        let shared = request.call.fork(for: exchange).context
        #expect(shared.isPart(of: 1, of: owner) && !shared.mayShare(in: owner) && shared.mayShare(in: other))
        let inner = Call.$current.withValue(shared.within(refresh)) { TransportRequest(Fixture.request).call.context }
        #expect(inner.isPart(of: 1, of: owner) && inner.isPart(of: 2, of: other))
        #expect(!inner.mayShare(in: Call.Work.Owner()))
        // The program named where a refresh leads, whatever request needs it.
        let foreign = Call.Context(isForeign: true)
        #expect(foreign.within(exchange).isForeign && !foreign.within(refresh).isForeign)
    }

    @Test func aRequestBeginsWithTheSharedDeadline() {
        let now = ContinuousClock.now
        let options = RequestOptions().with { $0.deadline = now }
        #expect(TransportRequest(Fixture.request, options: options).deadline == now)
        #expect(TransportRequest(Fixture.request, options: options, deadline: now + .seconds(1)).deadline == now)
        #expect(TransportRequest(Fixture.request, options: options, deadline: now - .seconds(1)).deadline != now)
    }

    @Test func aCallOfAnotherOriginsChoiceIsForeign() {
        var context = Call.current
        context.isForeign = true
        let foreign = Call.$current.withValue(context) { TransportRequest(Fixture.request) }
        #expect(foreign.isForeignRedirect && !request.isForeignRedirect)
    }

    @Test func aDescriptionKeepsNoBody() {
        final class Source: Sendable {}
        weak var kept: Source?
        var described: TransportRequest?
        do {
            let source = Source()
            kept = source
            let reporter = TransferReporter { _ in withExtendedLifetime(source) {} }
            let terms = Call.Terms(options: RequestOptions(), reporter: reporter)
            var request = TransportRequest(Fixture.request, of: Call(terms))
            // What a redirect drops of the request, its call still has.
            request.reporter = nil
            described = request.described
        }
        #expect(kept == nil && described?.reporter == nil)
    }

    @Test func anExchangeOfSeveralCallsHasTheReporterOfNone() {
        let terms = Call.Terms(options: RequestOptions(), reporter: TransferReporter { _ in })
        let work = Call.Work(owner: Call.Work.Owner(), number: 1, sharesExchanges: true)
        #expect(Call(terms).fork(for: work).terms.reporter == nil && Call(terms).fork().terms.reporter != nil)
    }

    @Test func anErrorThatAnotherDispatcherCompletedStaysAsItIs() async throws {
        let failing = URLRequestDispatcher(transport: ScriptedTransport { _ in throw TransportError(.cannotConnect) })
        let told = try #require(await failure { try await failing.data(for: Fixture.request) } as? TransportError)
        #expect(told.elapsed != nil)
        let outer = Intercepting { request, _ in
            request.beginAttempt(.credentials)
            throw told
        }
        let dispatcher = URLRequestDispatcher(interceptors: [outer], transport: ScriptedTransport { _ in throw told })
        let error = try #require(await failure { try await dispatcher.data(for: Fixture.request) } as? TransportError)
        #expect(error.elapsed == told.elapsed && error.attempts == [.first])
    }

    @Test func anErrorOfAStreamHasTheAttemptsBeforeIt() async throws {
        let transport = ScriptedTransport { request in
            let head = ResponseHead(url: Fixture.url("http://a.example/"), statusCode: .ok)
            let body = ResponseBody(expectedLength: nil, next: { throw TransportError(.truncatedBody) }, cancel: {})
            return TransportResponse(head: head, body: nil, stream: body, urlRequest: request.urlRequest)
        }
        let again = Intercepting { request, next in
            request.beginAttempt(.otherFailure)
            return try await next(request)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [again], transport: transport)
        var request = Fixture.request
        request.httpMethod = "POST"
        let body = RequestBody.file(Fixture.url("file:///nothing"))
        let response = try await dispatcher.core.stream(for: request, body: body)
        let error = try #require(await failure { for try await _ in response.data {} } as? TransportError)
        #expect(error.attempts.count == 2 && response.attempts.count == 2)
    }
}
