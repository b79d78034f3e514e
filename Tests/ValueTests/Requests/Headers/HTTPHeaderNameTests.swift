import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct HTTPHeaderNameTests {
    @Test func namesAreComparedWithoutCase() {
        #expect(HTTPHeaderName.contentType == "content-TYPE")
        #expect(HTTPHeaderName.contentType != "Content-Typ")
        #expect(Set<HTTPHeaderName>([.eTag, "etag", "ETAG", "ETag "]).count == 2)
        #expect("\(HTTPHeaderName.wwwAuthenticate)" == "WWW-Authenticate")
        #expect(HTTPHeaderName(rawValue: "x").rawValue == "x")
    }

    @Test func fieldsTakeNamesAndStrings() {
        let suffix = "ID"
        var fields: HTTPHeaderFields = [
            .accept: "text/csv", "X-Request-\(suffix)": "17", .setCookie: "a", .setCookie: "b",
        ]
        #expect(fields[.accept] == "text/csv")
        #expect(fields["accept"] == "text/csv")
        #expect(fields["x-request-id" as HTTPHeaderName] == "17")
        #expect(fields.values(for: .setCookie) == ["a", "b"])
        #expect(fields.contains(.accept) && !fields.contains(.age))
        fields[.accept] = nil
        fields.append(name: .age, value: "1")
        fields["Age"] = "2"
        #expect(fields.map(\.name) == ["X-Request-ID", "Set-Cookie", "Set-Cookie", "Age"])
        #expect(HTTPHeaderField(name: .age, value: "2") == fields.last)
        let name = "X-Variable"
        #expect(([HTTPHeaderName(name): "1"] as HTTPHeaderFields)[name] == "1")
    }

    @Test func requestsAreReadAndWrittenByName() {
        var request = Fixture.request
        request[.authorization] = "Bearer t"
        request["x-request-id"] = "17"
        #expect(request.value(forHTTPHeaderField: "authorization") == "Bearer t")
        #expect(request["AUTHORIZATION"] == "Bearer t")
        request[.authorization] = nil
        #expect(request.allHTTPHeaderFields?.count == 1)
    }

    @Test func requestWithoutURLIsNotChanged() {
        var request = Fixture.request
        request.url = nil
        request[.accept] = "a"
        #expect(request[.accept] == nil)
    }
}
