import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// What becomes of method and body (RFC 9110 §15.4).
struct RedirectMethodTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var statusCode: Int
        var method: String
        var becomes: String
        var testDescription: String { "\(statusCode) \(method)" }
    }

    private static let matrix: [Row] = [301, 302, 303, 307, 308].flatMap { statusCode in
        ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"].map { method in
            let becomes =
                switch (statusCode, method) {
                case (303, "HEAD"): "HEAD"
                case (303, _), (301, "POST"), (302, "POST"): "GET"
                default: method
                }
            return Row(statusCode: statusCode, method: method, becomes: becomes)
        }
    }

    @Test(arguments: matrix)
    func methodAndBodyFollowTheStatus(_ row: Row) async throws {
        let web = RedirectFixture(["http://a.example/1": .init(statusCode: row.statusCode, location: "/2")])
        let hasBody = row.method != "GET" && row.method != "HEAD"
        let request = RedirectFixture.request(row.method, "http://a.example/1", body: hasBody ? "body" : nil)
        let response = try await web.send(request)
        #expect(web.sent.count == 2)
        let second = try #require(web.sent.last)
        #expect(second.httpMethod == row.becomes)
        #expect(second.url?.absoluteString == "http://a.example/2")
        let keepsBody = hasBody && row.method == row.becomes
        #expect(second.httpBody == (keepsBody ? Data("body".utf8) : nil))
        let expected = (["accept", "x-trace"] + RedirectFixture.bound + (keepsBody ? RedirectFixture.ofBody : []))
            .sorted()
        #expect(RedirectFixture.names(second) == expected)
        #expect(response.urlRequest == second)
        #expect(response.body == Data("end".utf8))
        // What is made of it can be sent.
        #expect(throws: Never.self) { try PreparedRequest(TransportRequest(second), userAgent: nil) }
    }

    @Test func fieldsOfAMissingBodyAreDroppedToo() async throws {
        let web = RedirectFixture(["http://a.example/1": .init(statusCode: 303, location: "/2")])
        var request = URLRequest(url: Fixture.url("http://a.example/1"), method: .get)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.setValue("x", forHTTPHeaderField: "Contents")
        _ = try await web.send(request)
        #expect(RedirectFixture.names(web.sent.last) == ["contents"])
    }

    @Test func aPostThatBecameGetStaysGet() async throws {
        let web = RedirectFixture([
            "http://a.example/1": .init(statusCode: 302, location: "/2"),
            "http://a.example/2": .init(statusCode: 307, location: "/3"),
        ])
        _ = try await web.send(RedirectFixture.request("POST", "http://a.example/1", body: "body"))
        #expect(web.sent.map(\.httpMethod) == ["POST", "GET", "GET"])
        #expect(web.sent.map { $0.httpBody?.count } == [4, nil, nil])
    }

    @Test(arguments: [200, 201, 204, 300, 304, 305, 306, 309, 399, 400, 401, 404, 500, 999])
    func otherStatusesAreNotFollowed(_ statusCode: Int) async throws {
        let web = RedirectFixture(["http://a.example/1": .init(statusCode: statusCode, location: "/2")])
        let response = try await web.send(RedirectFixture.request("GET", "http://a.example/1"))
        #expect(response.head.statusCode.rawValue == statusCode)
        #expect(response.history.isEmpty)
        #expect(web.sent.count == 1)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectWithoutLocationIsAResponse(_ statusCode: Int) async throws {
        let web = RedirectFixture([
            "http://a.example/1": .init(statusCode: statusCode, location: "/2"),
            "http://a.example/2": .init(statusCode: statusCode, location: nil),
        ])
        let response = try await web.send(RedirectFixture.request("GET", "http://a.example/1"))
        #expect(response.head.statusCode.rawValue == statusCode)
        #expect(response.history.count == 1)
        #expect(web.sent.count == 2)
        #expect(try await web.send(RedirectFixture.request("GET", "http://a.example/2")).history.isEmpty)
    }

    @Test func theHistoryTellsTheWay() async throws {
        let web = RedirectFixture([
            "http://a.example/1": .init(statusCode: 301, location: "/2"),
            "http://a.example/2": .init(statusCode: 308, location: "https://b.example/3"),
        ])
        let response = try await web.send(RedirectFixture.request("GET", "http://a.example/1"))
        #expect(
            response.history == [
                Redirect(
                    statusCode: .movedPermanently,
                    source: Fixture.url("http://a.example/1"),
                    target: Fixture.url("http://a.example/2")
                ),
                Redirect(
                    statusCode: StatusCode(rawValue: 308),
                    source: Fixture.url("http://a.example/2"),
                    target: Fixture.url("https://b.example/3")
                ),
            ]
        )
        #expect(response.urlRequest.url?.absoluteString == "https://b.example/3")
        #expect(response.head.statusCode == .ok)
    }

    @Test func deadlineAndOptionsSurviveEveryHop() async throws {
        let web = RedirectFixture(chain: (0..<5).map { "http://a.example/\($0)" })
        let options = RequestOptions(maximumBufferedBody: 5, maximumHead: 6, sensitiveHeaders: ["X"])
        let deadline = ContinuousClock.now.advanced(by: .seconds(100))
        _ = try await web.send(URLRequest(url: Fixture.url("http://a.example/0")), options: options, deadline: deadline)
        #expect(web.transport.requests.count == 5)
        #expect(web.transport.requests.allSatisfy { $0.options == options && $0.deadline == deadline })
    }

    @Test func timeoutsAndPolicyOfTheRequestSurviveEveryHop() async throws {
        let web = RedirectFixture(chain: ["http://a.example/1", "http://b.example/2"])
        var request = URLRequest(url: Fixture.url("http://a.example/1"), cachePolicy: .reloadIgnoringCacheData)
        request.timeoutInterval = 7
        _ = try await web.send(request)
        #expect(web.sent.last?.timeoutInterval == 7)
        #expect(web.sent.last?.cachePolicy == .reloadIgnoringCacheData)
    }

    @Test func anErrorOfAHopReachesTheCallerAsItIs() async throws {
        let transport = ScriptedTransport { request in
            guard request.urlRequest.url?.path() == "/1" else { throw TransportError(.cannotConnect) }
            return .scripted(302, for: request, headers: ["Location": "/2"])
        }
        let chain = InterceptorChain([RedirectPolicy()], transport: transport)
        let request = TransportRequest(URLRequest(url: Fixture.url("http://a.example/1")))
        let error = try await #require(throws: TransportError.self) { try await chain(request) }
        #expect(error.code == .cannotConnect)
    }

    // A GET stays a GET, so that the method does not tell that the body goes.
    @Test func aBodyOfAGETDoesNotFollowASeeOther() async throws {
        let folder = try DownloadFolder()
        let file = try folder.write("body", Data("secret".utf8))
        let transport = ScriptedTransport { request in
            let isFirst = request.urlRequest.url?.host() == "example.com"
            return .scripted(isFirst ? 303 : 200, for: request, headers: ["Location": "https://other.example/"])
        }
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: RequestOptions(allowsBodyInGET: true)),
            transport: transport
        )
        _ = try await dispatcher.upload(for: Fixture.request, from: .file(file)).response()
        #expect(transport.requests.map { $0.body != nil } == [true, false])
    }
}
