import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct HTTPMethodTests {
    @Test func thereAreNineMethodsInCapitals() {
        #expect(HTTPMethod.allCases.count == 9)
        for method in HTTPMethod.allCases {
            #expect(method.rawValue == method.rawValue.uppercased())
            #expect("\(method)" == method.rawValue)
        }
        #expect(Set(HTTPMethod.allCases).count == 9)
        #expect(HTTPMethod(rawValue: "PATCH") == .patch)
    }

    @Test func safeAndIdempotentMethodsAreThoseOfRFC9110() {
        #expect(Set(HTTPMethod.allCases.filter(\.isSafe)) == [.get, .head, .options, .trace])
        #expect(Set(HTTPMethod.allCases.filter(\.isIdempotent)) == [.get, .head, .options, .trace, .put, .delete])
    }

    @Test func anyNameMakesAMethod() {
        let method = HTTPMethod("PROPFIND")
        #expect(method.rawValue == "PROPFIND")
        #expect("\(method)" == "PROPFIND")
        #expect(method == HTTPMethod(rawValue: "PROPFIND"))
        #expect(!method.isSafe && !method.isIdempotent)
        #expect(HTTPMethod("GET") == .get)
        #expect(HTTPMethod("get") != .get)
        #expect(!HTTPMethod("get").isSafe)
        #expect(HTTPMethod("").rawValue.isEmpty)
        func isRead(_ method: HTTPMethod) -> Bool {
            switch method {
            case .get, .head, HTTPMethod("PROPFIND"): true
            default: false
            }
        }
        #expect(isRead(method) && isRead(HTTPMethod("GET")) && !isRead(.put))
    }

    @Test(arguments: HTTPMethod.allCases + [HTTPMethod("PROPFIND"), HTTPMethod("M-SEARCH")])
    func aRequestIsMadeWithAMethod(_ method: HTTPMethod) {
        let request = URLRequest(url: Fixture.url, method: method)
        #expect(request.httpMethod == method.rawValue)
        #expect(request.url == Fixture.url)
    }
}
