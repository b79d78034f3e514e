#if os(Linux)
import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// What opens connections is in no recording and in no command for curl, whether an exchange succeeds or fails.
@Suite(.timeLimit(.generous), .enabled(if: TLSReporter.shared != nil, "nginx and openssl are needed"))
struct HARConnectionSecretsTests {
    private static let user = "pr0xy-us3r"
    private static let password = "pr0xy/P%ss+wörd"
    private static let tunnelToken = "tunn3l/T0ken+x"
    private static let credentials = "eve:0wn/Cr3dential+y"
    private static let userInformation = "us3r-Inf0rmation"
    private static let pin = Data((0..<SPKIPin.length).map { UInt8(200 + $0) })
    private static let passphrase = SecretSearch.secret

    private let server: TLSReporter
    private let clients: ClientCertificates
    private let folder: DownloadFolder
    private let recorder: HARRecorder
    private let commands = CommandNotes()
    private let secrets: [String: Data]

    init() throws {
        server = try #require(TLSReporter.shared)
        clients = try ClientCertificates.shared.get()
        folder = try DownloadFolder()
        recorder = HARRecorder(savingTo: folder["each.har"])
        let texts = [
            Self.user, Self.password, Self.tunnelToken, Self.credentials, Self.userInformation, Self.passphrase,
        ]
        var secrets = Dictionary(uniqueKeysWithValues: texts.map { ($0, Data($0.utf8)) })
        secrets["pin"] = Self.pin
        // Any part of a container or of a key tells as much as the whole.
        secrets["PKCS#12"] = try clients.data("a.p12").dropFirst(200).prefix(30)
        secrets["key"] = try clients.data("a-encrypted.key").dropFirst(120).prefix(30)
        self.secrets = secrets
    }

    private func proxy(_ kind: ProxyServer.Kind, _ port: Int) throws -> ProxyServer {
        let isHTTP = kind == .http || kind == .https
        return try ProxyServer(
            kind,
            host: "127.0.0.1",
            port: port,
            user: Self.user,
            password: Self.password,
            connectHeaders: isHTTP ? ["X-Tunnel": Self.tunnelToken] : [:]
        )
    }

    /// Sends a request that holds secrets itself.
    ///
    /// - Returns: The error; `nil` if there is a response.
    private func send(
        _ url: URL,
        _ configure: (inout TransportConfiguration) throws -> Void
    ) async throws -> (any Error)? {
        var transport = TransportConfiguration(certificateAuthorityFile: server.authority, proxy: .none)
        try configure(&transport)
        let dispatcher = URLRequestDispatcher.forTests(interceptors: [recorder, commands]) {
            $0.transport = transport
        }
        var components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        components.user = "user"
        components.password = Self.userInformation
        let value = "Basic " + Data(Self.credentials.utf8).base64EncodedString()
        let request = URLRequest("GET", try #require(components.url), headers: ["Proxy-Authorization": value])
        commands.add(try request.curlCommand())
        do {
            let response = try await dispatcher.data(for: request)
            #expect(response.statusCode == .ok)
            return nil
        } catch {
            for showing in SecretSearch.showings(of: error) { expectNoSecret(in: showing.text, showing.way) }
            for showing in SecretSearch.showings(of: dispatcher) { expectNoSecret(in: showing.text, showing.way) }
            return error
        }
    }

    private func expectNoSecret(in text: String, _ way: String, location: SourceLocation = #_sourceLocation) {
        let text = text.replacingOccurrences(of: "\\/", with: "/")
        for (name, secret) in secrets where SecretSearch.isFound(secret, in: text) {
            Issue.record("\(way) tells \(name): \(text)", sourceLocation: location)
        }
    }

    /// Expects exchanges to be recorded, with a status or an error each, and nothing to tell a secret.
    private func expectRecorded(_ results: [String], location: SourceLocation = #_sourceLocation) async throws {
        try await recorder.save(to: folder["saved.har"])
        for name in ["each.har", "saved.har"] {
            let file = try String(decoding: Data(contentsOf: folder[name]), as: UTF8.self)
            let entries = try HAR(contentsOf: folder[name]).entries
            let recorded = entries.map { $0.response.error ?? "\($0.response.status)" }
            #expect(recorded == results, sourceLocation: location)
            expectNoSecret(in: file, name, location: location)
        }
        for value in [recorder, recorder.har] as [Any] {
            for showing in SecretSearch.showings(of: value) {
                expectNoSecret(in: showing.text, showing.way, location: location)
            }
        }
        #expect(commands.lines.count == 2 * results.count, sourceLocation: location)
        for command in commands.lines {
            #expect(command.contains("curl -q"), sourceLocation: location)
            expectNoSecret(in: command, "curlCommand", location: location)
        }
    }

    @Test func aSearchFindsASecretInEveryForm() throws {
        for (name, secret) in secrets {
            for offset in 0..<3 {
                let encoded = (Data("abc".utf8.prefix(offset)) + secret + Data("z".utf8)).base64EncodedString()
                #expect(SecretSearch.isFound(secret, in: encoded), "\(name)")
            }
            let percent = secret.map { String(format: "%%%02X", $0) }.joined()
            #expect(SecretSearch.isFound(secret, in: percent) && SecretSearch.isFound(secret, in: "\(Array(secret))"))
            #expect(!SecretSearch.isFound(secret, in: "nothing"))
        }
        #expect(SecretSearch.isFound(Self.password.utf8, in: "http://u:pr0xy%2FP%25ss%2Bw%C3%B6rd@h"))
    }

    @Test func proxiesThatServeAndRefuse() async throws {
        let proxy = try LoopbackServer()
        proxy.route("/", .response(body: "ok"))
        proxy.route("/wants", .response(status: 407, headers: ["Proxy-Authenticate": "Basic realm=r"]))
        proxy.route("CONNECT", "a.example:443", .response(status: 407))
        let http = try self.proxy(.http, proxy.port)
        #expect(try await send(Fixture.url("http://a.example/")) { $0.proxy = .server(http) } == nil)
        #expect(try await send(Fixture.url("http://a.example/wants")) { $0.proxy = .server(http) } != nil)
        #expect(try await send(Fixture.url("https://a.example/")) { $0.proxy = .choosing { _ in http } } != nil)
        #expect(proxy.requests.allSatisfy { $0.header("Proxy-Authorization") != nil })
        #expect(proxy.requests.last?.header("X-Tunnel") == Self.tunnelToken)
        try await expectRecorded(["200", "proxy", "proxy"])
    }

    @Test func proxiesThatCannotBeUsed() async throws {
        let closed = try RefusingPort()
        let strict = try RawServer { connection in
            connection.write([5, 2] + [1, 1])
            _ = try connection.read()
            connection.finishSending()
            _ = try? connection.read()
        }
        for kind in [ProxyServer.Kind.http, .https, .socks5, .socks5h] {
            let proxy = try proxy(kind, closed.port)
            #expect(try await send(Fixture.url("https://127.0.0.1:1/")) { $0.proxy = .server(proxy) } != nil)
        }
        let socks = try proxy(.socks5h, strict.port)
        #expect(try await send(Fixture.url("http://a.example/")) { $0.proxy = .server(socks) } != nil)
        // A server for TLS that is no proxy.
        let mistaken = try proxy(.https, server.http2)
        #expect(try await send(Fixture.url("https://a.example/")) { $0.proxy = .server(mistaken) } != nil)
        try await expectRecorded(Array(repeating: "proxy", count: 6))
    }

    @Test func pins() async throws {
        let (pin, good) = (try SPKIPin(digest: Self.pin), try Certificates.shared.get().pin(of: "good"))
        #expect(try await send(server.url(server.http2)) { $0.tls.pins = ["localhost": [pin, good]] } == nil)
        #expect(try await send(server.url(server.http2)) { $0.tls.pins = ["localhost": [pin]] } != nil)
        try await expectRecorded(["200", "tls"])
    }

    @Test func identities() async throws {
        let container = try clients.data("a.p12")
        let (certificate, key) = (try clients.data("a.pem"), try clients.data("a-encrypted.key"))
        let works: [TLSIdentity] = [
            .pkcs12(container, passphrase: Self.passphrase),
            .pem(certificates: certificate, key: key, passphrase: Self.passphrase),
        ]
        for identity in works {
            #expect(try await send(server.url(server.strict)) { $0.tls.identity = identity } == nil)
        }
        let broken: [TLSIdentity] = [
            .pkcs12(container, passphrase: Self.passphrase + "x"),
            .pkcs12(container.dropLast(40), passphrase: Self.passphrase),
            .pkcs12(container.dropFirst(100), passphrase: Self.passphrase),
            .pem(certificates: certificate, key: key, passphrase: "x" + Self.passphrase),
            .pem(certificates: try clients.data("b.pem"), key: key, passphrase: Self.passphrase),
            .pem(certificates: key, key: container, passphrase: Self.passphrase),
        ]
        for identity in broken {
            #expect(try await send(server.url(server.strict)) { $0.tls.identity = identity } != nil)
        }
        try await recorder.save(to: folder["saved.har"])
        let failures = recorder.har.entries.dropFirst(works.count).map { $0.response.error ?? "none" }
        #expect(failures.count == broken.count && failures.allSatisfy { ["tls", "unsupported"].contains($0) })
        try await expectRecorded(Array(repeating: "200", count: works.count) + failures)
    }
}

/// Writes each request down as a command for curl, after all that was added to it.
private final class CommandNotes: Interceptor {
    private let state = Locked<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func add(_ line: String) { state.withLock { $0.append(line) } }

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        add(try await request.curlCommand())
        return try await next(request)
    }
}
#endif
