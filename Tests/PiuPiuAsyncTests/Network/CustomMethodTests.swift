import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

extension NetworkTests {
    /// Methods that have no name of their own here.
    @Suite
    struct CustomMethodTests {
        enum Engine: String, CaseIterable, Sendable {
            case platform, urlSession
        }

        private func dispatcher(_ engine: Engine) -> URLRequestDispatcher {
            switch engine {
            case .platform: .forTests()
            case .urlSession: URLRequestDispatcher(transport: URLSessionTransport.forTests())
            }
        }

        @Test(arguments: Engine.allCases, [HTTPMethod("PROPFIND"), HTTPMethod("M-SEARCH"), HTTPMethod("mkCol~1")])
        func theNameArrivesAsWritten(_ engine: Engine, _ method: HTTPMethod) async throws {
            let server = try LoopbackServer()
            server.route(method.rawValue, "/", .response(status: 207, body: "<multistatus/>"))
            var request = URLRequest(url: server.url("/"), method: method)
            request.httpBody = Data("<propfind/>".utf8)
            let response = try await dispatcher(engine).data(for: request)
            #expect(response.statusCode == .multiStatus)
            #expect(server.requests.map(\.method) == [method.rawValue])
            #expect(server.requests.first?.body == request.httpBody)
        }

        @Test(arguments: Engine.allCases, ["", "G T", "GET / HTTP/1.1\r\nX: y", "A\u{7F}", "gét", "a,b"])
        func aNameThatIsNoTokenIsNotSent(_ engine: Engine, _ name: String) async throws {
            let server = try LoopbackServer()
            let request = URLRequest(url: server.url("/"), method: HTTPMethod(name))
            let dispatcher = dispatcher(engine)
            let error = await #expect(throws: TransportError.self) { try await dispatcher.data(for: request) }
            #expect(error?.code == .invalidRequest)
            #expect(server.requests.isEmpty)
        }

        @Test func aRedirectKeepsTheMethod() async throws {
            let server = try LoopbackServer()
            server.route("/old", .response(status: 302, headers: ["Location": "/new"]))
            server.route("/new", .response(body: "ok"))
            let request = URLRequest(url: server.url("/old"), method: HTTPMethod("PROPFIND"))
            _ = try await URLRequestDispatcher.forTests().data(for: request)
            #expect(server.requests.map(\.method) == ["PROPFIND", "PROPFIND"])
        }

        @Test func aStreamAndAnUploadHaveTheMethod() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests()
            let request = URLRequest(url: server.url("/"), method: HTTPMethod("REPORT"))
            let stream = try await dispatcher.stream(for: request)
            #expect(try await stream.data.collect(upTo: 10) == Data("ok".utf8))
            _ = try await dispatcher.upload(for: request, from: .data(Data("x".utf8))).response()
            #expect(server.requests.map(\.method) == ["REPORT", "REPORT"])
        }

        @Test func aMockTakesItToo() async throws {
            let mock = MockURLRequestDispatcher { request in
                try Response.makeMockResponse(with: request, data: Data("ok".utf8), statusCode: .multiStatus)
            }
            let request = URLRequest(url: Fixture.url, method: HTTPMethod("PROPFIND"))
            #expect(try await mock.data(for: request).urlRequest.httpMethod == "PROPFIND")
            let invalid = URLRequest(url: Fixture.url, method: HTTPMethod("PROP FIND"))
            let error = await #expect(throws: TransportError.self) { try await mock.data(for: invalid) }
            #expect(error?.code == .invalidRequest)
        }
    }
}
