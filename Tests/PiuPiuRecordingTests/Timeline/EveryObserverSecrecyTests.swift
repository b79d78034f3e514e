#if os(Linux)
import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// One secret, planted wherever a request and a response may have one, while everything that can tell of them is on.
@Suite(.timeLimit(.generous)) struct EveryObserverSecrecyTests {
    private static let secret = SecretSearch.secret
    private static let form = "grant_type=password&username=ada&password=\(secret)&client_secret=\(secret)"
    private static let tokens = #"{"access_token":"\#(secret)","token_type":"Bearer","refresh_token":"\#(secret)"}"#

    private let server: LoopbackServer
    private let proxy: LoopbackServer
    private let port: RefusingPort
    private let folder: DownloadFolder
    private let log = Collected()
    private let events = Collected()
    private let commands = Collected()
    private let statistics = Statistics()
    private let both: HARRecorder
    private let observer = HARRecorder()
    private let interceptor = HARRecorder()

    init() throws {
        server = try LoopbackServer()
        proxy = try LoopbackServer()
        port = try RefusingPort()
        folder = try DownloadFolder()
        both = HARRecorder(savingTo: folder["each.har"])
        let fields: HeaderList = ["Content-Type": "application/json", "Set-Cookie": "id=\(Self.secret); Secure"]
        for server in [server, proxy] {
            server.route("/ok", .response(headers: fields, body: Self.tokens))
            server.route("/moved", .redirect(to: "/ok?access_token=\(Self.secret)#token=\(Self.secret)", status: 307))
            server.route("/unauthorized", .response(status: 401, headers: fields, body: Self.tokens))
            server.route("/held", .hold("gate"))
            server.route("/gone", .close)
            server.route("/odd", .send("HTTP/1.1 \(Self.secret)\r\n\r\n"), .close)
            server.route(
                "/cut",
                .send("HTTP/1.1 200 OK\r\nSet-Cookie: \(Self.secret)\r\nContent-Length: 99\r\n\r\n{"),
                .close
            )
        }
        server.route("/busy") { [server] _ in
            let isFirst = server.requests(for: "/busy").count % 2 == 1
            return [.response(status: isFirst ? 503 : 200, headers: fields, body: Self.tokens)]
        }
        server.route(
            "/elsewhere",
            .redirect(to: "http://user:\(Self.secret)@127.0.0.1:\(port.port)/?token=\(Self.secret)")
        )
    }

    private func dispatcher(throughProxy: Bool = false) throws -> URLRequestDispatcher {
        let credentials = try ProxyServer(
            .http,
            host: "127.0.0.1",
            port: proxy.port,
            user: "proxy-user",
            password: Self.secret,
            connectHeaders: ["X-Tunnel": Self.secret]
        )
        let retry = RetryPolicy(retries: 1, backoff: Backoff(base: .zero))
        return URLRequestDispatcher.forTests(interceptors: [both, interceptor, retry, Commands(commands)]) {
            $0.sensitiveHeaders = ["X-Mine"]
            $0.observers = [
                LoggingObserver { [log] level, line in log.add("\(level) \(line)") }, statistics, Dumping(events), both,
                observer,
            ]
            if throughProxy { $0.transport.proxy = .server(credentials) }
        }
    }

    private func request(_ url: URL, _ type: String = "application/x-www-form-urlencoded") throws -> URLRequest {
        var components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        (components.user, components.password, components.fragment) = ("user", Self.secret, Self.secret)
        components.queryItems = [
            URLQueryItem(name: "access_token", value: Self.secret), URLQueryItem(name: "page", value: "1"),
        ]
        var request = URLRequest(url: try #require(components.url), method: .put)
        let fields = [
            "Authorization": "Bearer \(Self.secret)", "Cookie": "id=\(Self.secret)", "X-Mine": Self.secret,
            "Proxy-Authorization": "Basic \(Data("a:\(Self.secret)".utf8).base64EncodedString())", "Content-Type": type,
            "X-Api-Key": Self.secret,
        ]
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = Data((type == "application/json" ? Self.tokens : Self.form).utf8)
        return request
    }

    @Test func theSecretIsNowhere() async throws {
        let direct = try dispatcher()
        for path in ["/ok", "/moved", "/unauthorized", "/busy", "/gone", "/odd", "/cut", "/elsewhere"] {
            for type in ["application/json", "application/x-www-form-urlencoded"] {
                _ = try? await direct.data(for: request(server.url(path), type))
                guard let body = try? await direct.stream(for: request(server.url(path), type)).data else { continue }
                _ = try? await body.collect(upTo: 1000)
            }
        }
        let refused = try request(port.url)
        await #expect(throws: TransportError.self) { try await direct.data(for: refused) }
        let held = try request(server.url("/held"))
        let task = Task { try await direct.data(for: held) }
        await server.waitUntilHeld("gate")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let proxied = try dispatcher(throughProxy: true)
        for path in ["/ok", "/moved", "/unauthorized", "/gone"] {
            _ = try? await proxied.data(for: request(Fixture.url("http://a.example\(path)")))
        }
        while [both, observer, interceptor].contains(where: { $0.underWayCount > 0 }) { await Task.yield() }

        // It was everywhere, so that it could be told.
        let sent = server.requests + proxy.requests
        #expect(sent.count > 30 && sent.allSatisfy { $0.header("X-Mine") == Self.secret })
        #expect(sent.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains(Self.secret) || $0.body.isEmpty })
        #expect(sent.contains { $0.target.contains(Self.secret) } && proxy.requests.count >= 4)
        #expect(log.texts.count > 30 && events.texts.count > 500 && commands.texts.count > 30)
        try await expectNoSecret()
    }

    private func expectNoSecret() async throws {
        for text in log.texts + events.texts + commands.texts {
            #expect(!SecretSearch.isFound(in: text), "\(text.prefix(500))")
        }
        let snapshot = statistics.snapshot()
        for value in [statistics, snapshot, snapshot.prometheusText, both, both.har, observer, interceptor] as [Any] {
            for showing in SecretSearch.showings(of: value) { #expect(!showing.tells, "\(showing.text.prefix(500))") }
        }
        var errors: Set<String> = []
        for (recorder, name) in [(both, "both.har"), (observer, "observer.har"), (interceptor, "interceptor.har")] {
            try await recorder.save(to: folder[name])
            let text = try String(decoding: Data(contentsOf: folder[name]), as: UTF8.self)
            #expect(!SecretSearch.isFound(in: text.replacingOccurrences(of: "\\/", with: "/")), "\(name)")
            #expect(text.contains("redacted"))
            let entries = recorder.har.entries
            #expect(entries.count > 30)
            errors.formUnion(entries.compactMap(\.response.error))
        }
        let each = try String(decoding: Data(contentsOf: folder["each.har"]), as: UTF8.self)
        #expect(!SecretSearch.isFound(in: each))
        #expect(errors.isSuperset(of: ["cannotConnect", "cancelled", "connectionLost", "truncatedBody"]), "\(errors)")
    }
}

/// Texts that were shown.
private final class Collected: Sendable {
    private let state = Locked<[String]>([])

    var texts: [String] { state.withLock { $0 } }

    func add(_ text: String) { state.withLock { $0.append(text) } }
}

/// Shows each event, and what it has, in every way that there is.
private struct Dumping: ExchangeObserver {
    let shown: Collected

    init(_ shown: Collected) {
        self.shown = shown
    }

    func observe(_ event: ExchangeEvent) {
        var values: [Any] = [event, event.kind, event.call, event.call.location]
        if let exchange = event.exchange { values += [exchange, exchange.location] }
        switch event.kind {
        case .exchangeEnded(let summary): values += [summary, summary.outcome]
        case .callEnded(let outcome): values.append(outcome)
        case .connectionTaken(let connection): values.append(connection)
        default: break
        }
        for value in values {
            for showing in SecretSearch.showings(of: value) { shown.add("\(showing.way): \(showing.text)") }
        }
    }
}

/// Writes each request down as a command for curl, after all that was added to it.
private struct Commands: Interceptor {
    let shown: Collected

    init(_ shown: Collected) {
        self.shown = shown
    }

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        shown.add(try await request.curlCommand())
        shown.add(try request.urlRequest.curlCommand(sensitiveHeaders: request.options.sensitiveHeaders))
        return try await next(request)
    }
}
#endif
