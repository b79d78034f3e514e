import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// A program as a user writes it who has only the documentation comments.
private struct Tracker {
    struct Issue: Codable, Equatable, Sendable {
        var number: Int
        var title: String
        var createdAt: Date
    }

    enum State: String, QueryValue { case open, closed }

    let api: URLRequestDispatcher

    init(server: URL, token: String) {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = server
        configuration.defaultQuery = ["per_page": 50]
        configuration.additionalHeaders = [.authorization: "Bearer \(token)", .accept: "application/vnd.tracker+json"]
        configuration.requestDefaults.decoder.dateDecodingStrategy = .rfc3339
        configuration.requestDefaults.encoder.dateEncodingStrategy = .rfc3339
        api = URLRequestDispatcher(configuration: configuration)
    }

    func issues(_ state: State?, labels: [String], page: Int) async throws -> [Issue] {
        try await api.get("issues", query: ["state": state, "label": labels, "page": page])
    }

    func issue(named name: String) async throws -> Issue? {
        do {
            return try await api.get("/issues/\(segment: name)")
        } catch StatusCode.notFound {
            return nil
        }
    }

    func create(_ issue: Issue) async throws -> Issue {
        try await api.post("/issues", json: issue)
    }

    func rename(_ number: Int, _ title: String) async throws {
        try await api.patch("/issues/\(number)", body: .json(["title": title]))
    }

    func delete(_ number: Int) async throws { try await api.delete("/issues/\(number)", query: ["per_page": nil]) }

    func login(_ name: String, _ password: String) async throws -> String? {
        try await api.post("/login", form: ["name": name, "password": password]).head?.headers[.setCookie]
    }

    func export() async throws -> String {
        let request = try api.request(.get, "/export", headers: [.accept: "text/csv"])
        var text = ""
        for try await line in try await api.stream(for: request).validated().data.lines { text += line + ";" }
        return text
    }
}

@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct NewUserTests {
    @Test func programOfANewUserWorks() async throws {
        let server = try LoopbackServer()
        let json = #"{"number":1,"title":"A","createdAt":"1970-01-01T00:00:00Z"}"#
        server.route("GET", "/v1/issues", .json("[\(json)]"))
        server.route("GET", "/v1/issues/a%2Fb", .json(json))
        server.route("POST", "/v1/issues", .json(json))
        server.route("PATCH", "/v1/issues/1", .response(status: 204))
        server.route("DELETE", "/v1/issues/1", .response(status: 204))
        server.route("POST", "/v1/login", .response(headers: ["Set-Cookie": "a=b"], body: ""))
        server.route("GET", "/v1/export", .response(headers: ["Content-Type": "text/csv"], body: "1,A\n2,B\n"))
        let tracker = Tracker(server: server.url("/v1/"), token: "t")

        let issues = try await tracker.issues(.open, labels: ["c++", "bug"], page: 2)
        let issue = try #require(try await tracker.issue(named: "a/b"))
        #expect(issues == [issue])
        #expect(try await tracker.issue(named: "none") == nil)
        await #expect(throws: RequestPathError.self) { try await tracker.issue(named: "..") }
        #expect(try await tracker.create(issue) == issue)
        try await tracker.rename(1, "B")
        try await tracker.delete(1)
        #expect(try await tracker.login("Ada", "a+b c&") == "a=b")
        #expect(try await tracker.export() == "1,A;2,B;")

        let requests = server.requests
        #expect(
            requests.map { "\($0.method) \($0.target)" } == [
                "GET /v1/issues?per_page=50&state=open&label=c%2B%2B&label=bug&page=2",
                "GET /v1/issues/a%2Fb?per_page=50",
                "GET /v1/issues/none?per_page=50", "POST /v1/issues?per_page=50", "PATCH /v1/issues/1?per_page=50",
                "DELETE /v1/issues/1", "POST /v1/login?per_page=50", "GET /v1/export?per_page=50",
            ]
        )
        #expect(requests.allSatisfy { $0.header("Authorization") == "Bearer t" })
        #expect(Set(requests.dropLast().map { $0.header("Accept") }) == ["application/vnd.tracker+json"])
        #expect(requests[6].body == Data("name=Ada&password=a%2Bb+c%26".utf8))
        #expect(requests.last?.header("Accept") == "text/csv")
    }
}
