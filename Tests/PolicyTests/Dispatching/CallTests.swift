import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

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
            described = TransportRequest(Fixture.request, of: Call(terms)).described
        }
        #expect(kept == nil && described?.reporter == nil)
    }
}
