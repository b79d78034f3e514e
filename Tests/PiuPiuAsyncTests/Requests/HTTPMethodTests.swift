import PiuPiuAsync
import TestSupport
import Testing

@Suite struct HTTPMethodTests {
    @Test func thereAreNineMethodsInCapitals() {
        #expect(HTTPMethod.allCases.count == 9)
        for method in HTTPMethod.allCases {
            #expect(method.rawValue == method.rawValue.uppercased())
            #expect("\(method)" == method.rawValue)
        }
        #expect(HTTPMethod(rawValue: "PATCH") == .patch)
        #expect(HTTPMethod(rawValue: "get") == nil)
    }

    @Test func safeAndIdempotentMethodsAreThoseOfRFC9110() {
        #expect(Set(HTTPMethod.allCases.filter(\.isSafe)) == [.get, .head, .options, .trace])
        #expect(Set(HTTPMethod.allCases.filter(\.isIdempotent)) == [.get, .head, .options, .trace, .put, .delete])
    }

    @Test(arguments: HTTPMethod.allCases)
    func aRequestIsMadeWithAMethod(_ method: HTTPMethod) {
        let request = URLRequest(url: Fixture.url, method: method)
        #expect(request.httpMethod == method.rawValue)
        #expect(request.url == Fixture.url)
    }
}
