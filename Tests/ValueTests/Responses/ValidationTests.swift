import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore
@testable import PiuPiuValues

struct ValidationTests {
    /// The error of a validation; `nil` if the head is acceptable.
    private func error(
        _ validation: Validation,
        _ statusCode: StatusCode,
        _ headers: HTTPHeaderFields = [:]
    ) -> UnacceptableResponseError? {
        do {
            try validation.validate(Fixture.head(statusCode, headers: headers))
            return nil
        } catch let error as UnacceptableResponseError {
            #expect(error.statusCode == statusCode)
            return error
        } catch {
            Issue.record(error)
            return nil
        }
    }

    private func fault(
        _ validation: Validation,
        _ statusCode: StatusCode,
        _ headers: HTTPHeaderFields = [:]
    ) -> UnacceptableResponseError.Code? {
        error(validation, statusCode, headers)?.code
    }

    @Test(arguments: [StatusCode.continue, .ok, .noContent, .found, .notModified])
    func theDefaultAcceptsWhatIsNoError(_ code: StatusCode) {
        #expect(error(.default, code) == nil)
    }

    @Test(arguments: [
        (StatusCode.notFound, HTTPError.clientError(.notFound)), (.badGateway, .serverError(.badGateway)),
        (.other(999), .invalidStatusCode(.other(999))),
    ])
    func theDefaultThrowsTheErrorOfTheCode(_ pair: (StatusCode, HTTPError)) {
        #expect(fault(.default, pair.0) == .statusCode)
        #expect(error(.default, pair.0)?.httpError == pair.1)
    }

    @Test func otherCodesCanBeAcceptable() {
        #expect(error(.success, .ok) == nil)
        #expect(fault(.success, .notModified) == .statusCode)
        #expect(error(.statusCodes([.ok, .notFound]), .notFound) == nil)
        #expect(fault(.statusCodes([.ok, .other(404)]), .notFound) == nil)
        #expect(fault(.statusCodes([.ok, .notFound]), .created) == .statusCode)
        #expect(error(.statusCodes([.ok, .notFound]), .created)?.httpError == nil)
        #expect(error(.statusCodes([.ok]), .notFound)?.httpError == .clientError(.notFound))
        #expect(fault(.statusCodes([]), .ok) == .statusCode)
        #expect(error(.statusCodes(0..<Int.max), .other(999)) == nil)
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "application/problem+json", "APPLICATION/JSON",
    ])
    func jsonIsAcceptedAsJSON(_ type: String) {
        #expect(error(.json, .ok, ["Content-Type": type]) == nil)
    }

    @Test(arguments: ["text/html", "json", "", "application/jsonp", "application/xml; type=application/json"])
    func anotherTypeIsNotJSON(_ type: String) {
        #expect(fault(.json, .ok, ["Content-Type": type]) == .contentType)
    }

    @Test func contentWithoutATypeIsNotAcceptable() {
        #expect(fault(.json, .ok) == .contentType)
        #expect(fault(.mediaTypes(["*/*"]), .ok) == .contentType)
    }

    @Test(arguments: [StatusCode.noContent, .resetContent, .notModified, .continue])
    func whatHasNoContentNeedsNoType(_ code: StatusCode) {
        #expect(error(.json, code) == nil)
        #expect(error(.json, .ok, ["Content-Length": "0"]) == nil)
    }

    @Test func theStatusIsCheckedFirst() {
        #expect(fault(.json, .notFound, ["Content-Type": "text/html"]) == .statusCode)
        let both = Validation.statusCodes(200..<500).mediaTypes(["image/*"])
        #expect(error(both, .notFound, ["Content-Type": "image/png"]) == nil)
        #expect(fault(both, .notFound, ["Content-Type": "text/html"]) == .contentType)
    }

    @Test func aResponseIsValidatedInPlace() throws {
        let response = Fixture.response("{}", headers: ["Content-Type": "application/json"])
        #expect(try response.validated().validated(.json).unwrapData() == response.data)
        #expect(try response.makeHTTPResponse().validated(.json).statusCode == .ok)
        let missing = Fixture.response("no such post", .notFound)
        for error in [
            #expect(throws: UnacceptableResponseError.self) { try missing.validated() },
            #expect(throws: UnacceptableResponseError.self) { try missing.makeHTTPResponse().validated() },
        ] {
            #expect(error?.statusCode == .notFound)
            #expect(error?.request?.url == Fixture.url)
            #expect(error?.body == missing.data)
            #expect(error?.isBodyComplete == true)
        }
    }

    @Test func aBodyThatIsNotDataIsLeftOut() throws {
        let decoded = Fixture.response("1", .notFound).map { _ in 1 }
        let error = #expect(throws: UnacceptableResponseError.self) { try decoded.validated() }
        #expect(error?.body == nil)
        #expect(error?.isBodyComplete == false)
        let data = Fixture.response("1", .notFound).map { $0 ?? Data() }
        #expect(#expect(throws: UnacceptableResponseError.self) { try data.validated() }?.body == Data("1".utf8))
        let empty = #expect(throws: UnacceptableResponseError.self) { try Fixture.response(nil, .gone).validated() }
        #expect(empty?.body == nil)
        #expect(empty?.isBodyComplete == true)
    }

    // MARK: Streams

    /// A body of chunks, and whether it was given up.
    private func stream(_ chunks: [Data], then ending: @escaping @Sendable () async throws -> Void = {}) -> (
        Response<ResponseBody>, isGivenUp: Locked<Bool>
    ) {
        let rest = Locked(chunks[...])
        let isGivenUp = Locked(false)
        let body = ResponseBody(
            next: {
                if let chunk = rest.withLock({ $0.popFirst() }) { return chunk }
                try await ending()
                return nil
            },
            cancel: { isGivenUp.withLock { $0 = true } }
        )
        let head = Fixture.head(.serviceUnavailable)
        return (Response(data: body, urlRequest: Fixture.request, head: head), isGivenUp)
    }

    @Test func theBeginningOfARefusedStreamIsRead() async throws {
        let (response, _) = stream([Data("over".utf8), Data("loaded".utf8)])
        let error = await #expect(throws: UnacceptableResponseError.self) { try await response.validated() }
        #expect(error?.body == Data("overloaded".utf8))
        #expect(error?.isBodyComplete == true)
    }

    @Test(arguments: [65_535, 65_536, 65_537, 200_000])
    func noMoreOfAStreamThanTheLimitIsKept(_ count: Int) async throws {
        let (response, isGivenUp) = stream(Array(repeating: Data([1]), count: 1) + [Data(count: count - 1)])
        let error = await #expect(throws: UnacceptableResponseError.self) { try await response.validated() }
        #expect(error?.body?.count == min(count, 65_536))
        #expect(error?.isBodyComplete == (count <= 65_536))
        #expect(isGivenUp.withLock { $0 } == (count > 65_536))
    }

    @Test func aStreamThatFailsGivesWhatItHad() async throws {
        let (response, _) = stream([Data("half".utf8)]) { throw TransportError(.truncatedBody) }
        let error = await #expect(throws: UnacceptableResponseError.self) { try await response.validated() }
        #expect(error?.body == Data("half".utf8))
        #expect(error?.isBodyComplete == false)
    }

    @Test func aStreamThatDoesNotEndIsGivenUp() async throws {
        let (response, isGivenUp) = stream([Data("a".utf8)]) { try await Task.sleep(for: .generous) }
        let beginning = try await response.data.beginning(within: .milliseconds(10))
        #expect(!beginning.isComplete)
        #expect(isGivenUp.withLock { $0 })
    }

    @Test func cancellingEndsTheReading() async throws {
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let (response, isGivenUp) = stream([]) {
            begins.yield()
            try await Task.sleep(for: .generous)
        }
        let task = Task { try await response.validated() }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(isGivenUp.withLock { $0 })
    }

    @Test func anAcceptableStreamIsLeftAlone() async throws {
        let (response, isGivenUp) = stream([Data("a".utf8)])
        let accepted = try await response.validated(.statusCodes([.serviceUnavailable]))
        #expect(try await accepted.data.collect(upTo: 10) == Data("a".utf8))
        #expect(!isGivenUp.withLock { $0 })
    }
}
