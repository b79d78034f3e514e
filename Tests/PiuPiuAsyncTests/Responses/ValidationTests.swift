import TestSupport
import Testing

@testable import PiuPiuAsync

@Suite struct ValidationTests {
    private func error(_ validation: Validation, _ statusCode: StatusCode, _ headers: HTTPHeaderFields = [:]) -> (
        any Error
    )? {
        do {
            try validation.validate(Fixture.head(statusCode, headers: headers))
            return nil
        } catch {
            return error
        }
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
        #expect(error(.default, pair.0) as? HTTPError == pair.1)
    }

    @Test func otherCodesCanBeAcceptable() {
        #expect(error(.success, .ok) == nil)
        #expect(error(.success, .notModified) as? HTTPError == .invalidStatusCode(.notModified))
        #expect(error(.statusCodes([.ok, .notFound]), .notFound) == nil)
        #expect(error(.statusCodes([.ok, .notFound]), .created) as? HTTPError == .invalidStatusCode(.created))
        #expect(error(.statusCodes([.ok]), .notFound) as? HTTPError == .clientError(.notFound))
        #expect(error(.statusCodes([]), .ok) as? HTTPError == .invalidStatusCode(.ok))
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
        #expect(error(.json, .ok, ["Content-Type": type]) as? ResponseError == .unacceptableContentType(type))
    }

    @Test func contentWithoutATypeIsNotAcceptable() {
        #expect(error(.json, .ok) as? ResponseError == .unacceptableContentType(nil))
        #expect(error(.mediaTypes(["*/*"]), .ok) as? ResponseError == .unacceptableContentType(nil))
    }

    @Test(arguments: [StatusCode.noContent, .resetContent, .notModified, .continue])
    func whatHasNoContentNeedsNoType(_ code: StatusCode) {
        #expect(error(.json, code) == nil)
        #expect(error(.json, .ok, ["Content-Length": "0"]) == nil)
    }

    @Test func theStatusIsCheckedFirst() {
        #expect(error(.json, .notFound, ["Content-Type": "text/html"]) as? HTTPError == .clientError(.notFound))
        let both = Validation.statusCodes(200..<500).mediaTypes(["image/*"])
        #expect(error(both, .notFound, ["Content-Type": "image/png"]) == nil)
        #expect(error(both, .notFound, ["Content-Type": "text/html"]) is ResponseError)
    }

    @Test func aResponseIsValidatedInPlace() throws {
        let response = Fixture.response("{}", headers: ["Content-Type": "application/json"])
        #expect(try response.validated().validated(.json).unwrapData() == response.data)
        #expect(try response.makeHTTPResponse().validated(.json).statusCode == .ok)
        let missing = Fixture.response(nil, .notFound)
        #expect(throws: HTTPError.clientError(.notFound)) { try missing.validated() }
        #expect(throws: HTTPError.clientError(.notFound)) { try missing.makeHTTPResponse().validated() }
    }
}
