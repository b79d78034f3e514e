import HTTPTypes
import PiuPiuAsync
import PiuPiuHTTPTypes
import PiuPiuTesting
import Testing

/// Requests and responses between a dispatcher and a server.
@Suite(.timeLimit(.minutes(5)))
struct SendingTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
    }

    @Test(arguments: [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "patch", "M-SEARCH",
    ])
    func everyMethodIsSent(method: String) async throws {
        let request = server.request(try #require(HTTPRequest.Method(method)), "/")
        let (response, body) = try await dispatcher.send(request)
        #expect(response.status == .ok)
        #expect(try await body.collect(upTo: 10) == Data((method == "HEAD" ? "" : "hello").utf8))
        #expect(server.requests.map(\.method) == [method])
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])
    func bodiesAreSent(method: String) async throws {
        server.route(method, "/echo", .echo)
        let request = server.request(try #require(HTTPRequest.Method(method)), "/echo", [.contentType: "text/csv"])
        let (response, data) = try await dispatcher.data(for: request, body: .data(Data("a,b".utf8)))
        #expect(data == Data("a,b".utf8))
        #expect(response.headerFields[.contentType] == "text/csv")
        let (_, body) = try await dispatcher.send(request, body: .data(Data("c".utf8)))
        #expect(try await body.collect(upTo: 10) == Data("c".utf8))
        #expect(server.requests.map { $0.header("Content-Length") } == ["3", "1"])
    }

    @Test func aBodyOfAGETIsRefused() async throws {
        let request = server.request(.get, "/")
        let error = try await refusal { try await dispatcher.send(request, body: .data(Data("a".utf8))) }
        #expect(error.code == .invalidRequest)
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: ["//evil/x", "/a%20b", "?a=1", "/?q=a?b/c", "/a;b=c", "/%7Ba%7D"])
    func pathsArriveAsTheyAre(path: String) async throws {
        _ = try await dispatcher.send(server.request(.get, path))
        #expect(server.requests.map(\.target) == [path.hasPrefix("/") ? path : "/" + path])
        #expect(server.requests.first?.header("Host") == "127.0.0.1:\(server.port)")
    }

    @Test func nothingIsSentForARequestThatIsRefused() async throws {
        let good = server.request(.get, "/")
        var bad: [HTTPRequest] = []
        for path in ["*", "/a b", "@evil", "/\u{e9}", nil] as [String?] { bad.append(server.request(.get, path)) }
        for authority in ["user:secret@127.0.0.1:\(server.port)", "", "127.0.0.1:0", "127.0.0.1:99999", "a..[b"] {
            var request = good
            request.authority = authority
            bad.append(request)
        }
        for text in ["Transfer-Encoding", "TE", "Upgrade", "Content-Length"] {
            var request = good
            request.headerFields.append(HTTPField(name: try name(text), value: "17"))
            bad.append(request)
        }
        var control = good
        control.headerFields.append(HTTPField(name: try name("X-A"), lenientValue: [0x61, 0x01]))
        bad.append(control)
        bad.append(HTTPRequest(method: .connect, scheme: nil, authority: "127.0.0.1:\(server.port)", path: nil))
        for request in bad {
            let error = try await refusal { try await dispatcher.send(request) }
            #expect([.invalidURL, .invalidRequest].contains(error.code), "\(request)")
            #expect(!"\(error) \(error.debugDescription)".contains("secret"))
            #expect(try await refusal { try await dispatcher.data(for: request) }.code == error.code)
        }
        #expect(server.acceptedConnections == 0)
    }

    // MARK: Fields

    @Test func repeatedFieldsOfARequestArriveCombined() async throws {
        var request = server.request(.get, "/", [.accept: "a", .accept: "b"])
        request.headerFields[.cookie] = "a=1; b=2"
        request.headerFields.append(HTTPField(name: try name("x-CaSe"), value: ""))
        _ = try await dispatcher.send(request)
        let sent = try #require(server.requests.first?.headers)
        #expect(sent.all("Accept") == ["a, b"])
        #expect(sent.all("Cookie") == ["a=1; b=2"])
        #expect(sent.first { $0.name == "x-CaSe" }?.value == "")
    }

    @Test func repeatedFieldsOfAResponseStayApart() async throws {
        server.route(
            "/cookies",
            .response(headers: [
                "Set-Cookie": "a=1, 2", "vary": "A", "Set-Cookie": "b=2", "Vary": "B", "SET-COOKIE": "c",
            ])
        )
        let (response, _) = try await dispatcher.data(for: server.request(.get, "/cookies"))
        #expect(response.headerFields[values: .setCookie] == ["a=1, 2", "b=2", "c"])
        #expect(response.headerFields[values: .vary] == ["A", "B"])
        #expect(
            response.headerFields.prefix(5).map(\.name.rawName) == [
                "Set-Cookie", "vary", "Set-Cookie", "Vary", "SET-COOKIE",
            ]
        )
    }

    @Test func strangeFieldsOfAResponseAreTaken() async throws {
        let head = Data("HTTP/1.1 200 OK\r\nX-Empty:\r\nX-Bell: a\u{7}b\r\nNo token: x\r\nX-Latin: ".utf8)
        server.route("/strange", .send(head + [0x52, 0xE9] + Data("\r\nContent-Length: 0\r\n\r\n".utf8)))
        let (response, _) = try await dispatcher.data(for: server.request(.get, "/strange"))
        #expect(response.headerFields[try name("X-Empty")] == "")
        #expect(response.headerFields[try name("X-Bell")] == "a\u{7}b")
        #expect(response.headerFields[try name("X-Latin")] == "R\u{e9}")
    }

    // MARK: Statuses

    @Test(arguments: [
        ("200 OK", 200), ("204 ", 204), ("404 Gone, or \u{e9}", 404), ("599 x", 599), ("600 x", 600),
        ("999 \u{1}\u{7}", 999),
    ])
    func statusesOfThreeDigitsAreTakenWhateverTheReason(line: String, code: Int) async throws {
        server.route("/status", .send("HTTP/1.1 \(line)\r\nContent-Length: 0\r\n\r\n"))
        let (response, data) = try await dispatcher.data(for: server.request(.get, "/status"))
        #expect(response.status.code == code)
        #expect(response.status.reasonPhrase == "")
        #expect(data.isEmpty)
    }

    @Test(arguments: ["099 x", "1000 x", "20 x", "-12 x", "abc x", ""])
    func otherStatusesAreAnError(line: String) async throws {
        server.route("/status", .send("HTTP/1.1 \(line)\r\nContent-Length: 0\r\n\r\n"), .close)
        for _ in 0..<2 {
            let error = try await refusal { try await dispatcher.send(server.request(.get, "/status")) }
            #expect(
                error.code == .malformedHead || error.code == .malformedBody || error.code == .connectionLost,
                "\(error)"
            )
        }
    }

    @Test func aTransportMayGiveAnyStatusAndAnyField() async throws {
        let many = HTTPHeaderFields((0..<70_000).map { HTTPHeaderField(name: "X-\($0)", value: "") })
        for (code, fields, expected) in [
            (1000, [:], .malformedHead), (-5, [:], .malformedHead), (200, ["a b": "c"], .malformedHead),
            (200, many, .headTooLarge),
        ] as [(Int, HTTPHeaderFields, TransportError.Code)] {
            let dispatcher = URLRequestDispatcher(transport: Canned(statusCode: code, headers: fields))
            #expect(try await refusal { try await dispatcher.send(server.request(.get, "/")) }.code == expected)
            #expect(try await refusal { try await dispatcher.data(for: server.request(.get, "/")) }.code == expected)
        }
    }

    private struct Canned: HTTPTransport {
        let statusCode: Int
        let headers: HTTPHeaderFields

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let url = request.urlRequest.url ?? URL(filePath: "/")
            let head = ResponseHead(url: url, statusCode: .other(statusCode), headers: headers)
            return TransportResponse(head: head, body: nil, urlRequest: request.urlRequest)
        }

        func shutdown() async {}
        func invalidateAndCancel() {}
    }

    // MARK: Limits

    @Test func aBodyLargerThanTheLimitIsAnError() async throws {
        #expect(try await dispatcher.data(for: server.request(.get, "/"), upTo: 5).1.count == 5)
        for limit in [4, 0, -1, .min] {
            let error = try await refusal { try await dispatcher.data(for: server.request(.get, "/"), upTo: limit) }
            #expect(error.code == .bodyTooLarge)
        }
        let options = RequestOptions(maximumBufferedBody: 4)
        let error = try await refusal { try await dispatcher.data(for: server.request(.get, "/"), options: options) }
        #expect(error.code == .bodyTooLarge)
        #expect(try await dispatcher.data(for: server.request(.get, "/"), upTo: 5, options: options).1.count == 5)
    }

    @Test func theOptionsApplyToBothKindsOfBodies() async throws {
        server.route("/silent", .stall)
        let options = RequestOptions(timeouts: Timeouts(total: .milliseconds(100)))
        for body in [nil, RequestBody.data(Data("a".utf8))] {
            let request = server.request(.post, "/silent")
            let streamed = try await refusal { try await dispatcher.send(request, body: body, options: options) }
            #expect(streamed.code == .timeout(.total))
            let buffered = try await refusal { try await dispatcher.data(for: request, body: body, options: options) }
            #expect(buffered.code == .timeout(.total))
        }
    }

    // MARK: Secrets

    @Test func fieldsThatAreNotIndexedStayWithTheirOriginAndOutOfErrors() async throws {
        let other = try LoopbackServer()
        other.route("/", .response())
        server.route("/away", .redirect(to: "http://127.0.0.1:\(other.port)/"))
        server.route("/here", .redirect(to: "/"))
        server.route("/lost", .close)
        var request = server.request(.get, "/away", [.accept: "a"])
        for (text, strategy) in [("X-Never", .disallow), ("X-Avoided", .avoid), ("X-Plain", .automatic)]
            as [(String, HTTPField.DynamicTableIndexingStrategy)]
        {
            var field = HTTPField(name: try name(text), value: "value-of-\(text)")
            field.indexingStrategy = strategy
            request.headerFields.append(field)
        }
        #expect(try await dispatcher.send(request).0.status == .ok)
        let away = try #require(other.requests.first)
        #expect(away.header("X-Plain") == "value-of-X-Plain")
        #expect(away.header("X-Never") == nil)
        #expect(away.header("X-Avoided") == nil)

        request.path = "/here"
        #expect(try await dispatcher.data(for: request).0.status == .ok)
        #expect(server.requests(for: "/").first?.header("X-Never") == "value-of-X-Never")

        request.path = "/lost"
        let error = try await refusal { try await dispatcher.send(request) }
        #expect(error.request?.value(forHTTPHeaderField: "X-Plain") == "value-of-X-Plain")
        for text in ["X-Never", "X-Avoided"] {
            #expect(error.request?.value(forHTTPHeaderField: text) == "<redacted>")
            #expect(!"\(error) \(error.debugDescription)".contains("value-of-\(text)"))
        }
    }
}
