import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// Methods that have no name of their own here.
    struct CustomMethodTests {
        private static let names = ["PROPFIND", "M-SEARCH", "mkCol~1"]
        private static let invalidNames = ["", "G T", "GET / HTTP/1.1\r\nX: y", "A\u{7F}", "gét", "a,b"]

        private func expectArrival(of name: String, by dispatcher: URLRequestDispatcher) async throws {
            let server = try LoopbackServer()
            server.route(name, "/", .response(status: 207, body: "<multistatus/>"))
            var request = URLRequest(url: server.url("/"), method: HTTPMethod(name))
            request.httpBody = Data("<propfind/>".utf8)
            let response = try await dispatcher.data(for: request)
            #expect(response.statusCode == .multiStatus)
            #expect(server.requests.map(\.method) == [name])
            #expect(server.requests.first?.body == request.httpBody)
        }

        private func expectRefusal(of name: String, by dispatcher: URLRequestDispatcher) async throws {
            let server = try LoopbackServer()
            let request = URLRequest(url: server.url("/"), method: HTTPMethod(name))
            let error = await #expect(throws: TransportError.self) { try await dispatcher.data(for: request) }
            #expect(error?.code == .invalidRequest)
            #expect(server.requests.isEmpty)
        }

        @Test(arguments: names)
        func theNameArrivesAsWritten(_ name: String) async throws {
            try await expectArrival(of: name, by: .forTests())
        }

        // The tests of URLSession have its name, because they run apart under the address sanitizer.
        @Test(arguments: names)
        func theNameArrivesAsWrittenThroughURLSession(_ name: String) async throws {
            try await expectArrival(of: name, by: URLRequestDispatcher(transport: URLSessionTransport.forTests()))
        }

        @Test(arguments: invalidNames)
        func aNameThatIsNoTokenIsNotSent(_ name: String) async throws {
            try await expectRefusal(of: name, by: .forTests())
        }

        @Test(arguments: invalidNames)
        func aNameThatIsNoTokenIsNotSentThroughURLSession(_ name: String) async throws {
            try await expectRefusal(of: name, by: URLRequestDispatcher(transport: URLSessionTransport.forTests()))
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
