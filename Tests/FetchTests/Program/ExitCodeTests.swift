#if os(Linux)
import Foundation
import PiuPiuTesting
import TestSupport
import Testing

@testable import Fetch

/// Failures, and the exit status that Fetch and curl have for them.
struct Scenario: Sendable, CustomTestStringConvertible {
    /// The servers that all scenarios share.
    struct Place: Sendable {
        let server: LoopbackServer
        /// Says something as soon as it is connected to, which is no TLS.
        let greeter: LoopbackServer
        let closed: RefusingPort
        let folder: DownloadFolder
        let relay: TLSRelay?

        init() throws {
            server = try LoopbackServer()
            greeter = try LoopbackServer(onConnect: [.send("220 hello\r\n"), .close])
            closed = try RefusingPort()
            folder = try DownloadFolder()
            relay = TLSRelay.isAvailable ? try TLSRelay(to: server.port) : nil
            server.route("/ok", .json("{}"))
            server.route("/404", .response(status: 404, body: "none"))
            server.route("/partial", .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), .close)
            server.route("/chunks", .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"), .close)
            server.route("/empty", .close)
            server.route("/reset", .reset)
            server.route("/gzip", .response(headers: ["Content-Encoding": "gzip"], body: "no gzip at all"))
            server.route("/stranger", .send("hello there\r\n\r\n"), .close)
            server.route("/garbage", .send("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), .close)
            server.route("/stall", .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhe"), .stall)
            server.route("/loop") { _ in [.redirect(to: "/loop?\(UUID().uuidString)")] }
            try folder.write("there", Data("old".utf8))
            try folder.write("empty", Data())
            try folder.write("broken", Data("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n".utf8))
        }

        func url(_ path: String) -> String { server.url(path).absoluteString }
    }

    let name: String
    let code: ExitCode
    /// curl's own code, if it has another one.
    var curl: Int32?
    let needsTLS: Bool
    /// The options, which both understand.
    let words: @Sendable (Place) -> [String]
    /// What the message says, or a part of it.
    let message: String

    init(
        _ name: String,
        _ code: ExitCode,
        curl: Int32? = nil,
        says message: String = "",
        needsTLS: Bool = false,
        _ words: @escaping @Sendable (Place) -> [String]
    ) {
        (self.name, self.code, self.curl, self.message) = (name, code, curl, message)
        (self.needsTLS, self.words) = (needsTLS, words)
    }

    var testDescription: String { name }

    private static let noHost = "http://" + String(repeating: "x", count: 64) + ".invalid"

    static let all: [Scenario] = [
        Scenario("success", .success) { [$0.url("/ok")] },
        Scenario("404 without --fail", .success) { [$0.url("/404")] },
        Scenario("no scheme that is spoken", .unsupportedProtocol, says: "http://") { _ in ["nonsense://x/"] },
        Scenario("no such option", .usage, says: "--help") { ["--frobnicate", $0.url("/ok")] },
        Scenario("no URL", .usage, says: "URL") { _ in ["-s"] },
        Scenario("no host", .badURL, says: "URL") { _ in ["http://"] },
        Scenario("no such proxy", .proxyNotResolved, says: "proxy") { ["-x", noHost, $0.url("/ok")] },
        Scenario("no such host", .notResolved, says: "name") { _ in [noHost] },
        Scenario("refused", .notConnected, says: "port") { [$0.closed.url.absoluteString] },
        Scenario("proxy refused", .notConnected) { ["-x", $0.closed.url.absoluteString, $0.url("/ok")] },
        Scenario("cut off", .partial, says: "--resume") { [$0.url("/partial")] },
        Scenario("404", .status, says: "404 Not Found") { ["-f", $0.url("/404")] },
        Scenario("404 to a file", .status, says: "404") { ["-f", "-o", "new", $0.url("/404")] },
        Scenario("a folder as the file", .notWritten, says: "-o") { ["-o", "/", $0.url("/ok")] },
        Scenario("no file to send", .notRead, says: "file") { ["-T", "/nowhere/at/all", $0.url("/ok")] },
        Scenario("too slow", .timeout, says: "--max-time") { ["-m", "0.5", $0.url("/stall")] },
        Scenario("no TLS", .tls) { ["https://127.0.0.1:\($0.greeter.port)/ok"] },
        Scenario("too many redirects", .tooManyRedirects, says: "--max-redirs") {
            ["-L", "--max-redirs", "2", $0.url("/loop")]
        },
        Scenario("no answer", .noAnswer, says: "--retry") { [$0.url("/empty")] },
        Scenario("reset", .connectionLost) { [$0.url("/reset")] },
        Scenario("broken chunks", .connectionLost) { [$0.url("/chunks")] },
        Scenario("a negative length", .malformed) { [$0.url("/garbage")] },
        Scenario("broken compression", .decompression) { ["--compressed", $0.url("/gzip")] },
        Scenario("no HTTP", .malformed, curl: 1) { [$0.url("/stranger")] },
        Scenario("no certificate of the client's", .clientCertificate) {
            ["--cert", "/nowhere/at/all", "https://localhost:\($0.server.port)/ok"]
        },
        Scenario("no authorities", .authorities, needsTLS: true) {
            ["--cacert", "/nowhere/at/all", $0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("authorities without a certificate", .authorities, says: "no certificate", needsTLS: true) {
            ["--cacert", "there", $0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("an empty file of authorities", .authorities, says: "no certificate", needsTLS: true) {
            ["--cacert", "empty", $0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("broken authorities", .authorities, says: "malformed certificate", needsTLS: true) {
            ["--cacert", "broken", $0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("a folder of authorities", .authorities, needsTLS: true) {
            ["--cacert", "/", $0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("a client's certificate that is none", .clientCertificate, says: "no certificate", needsTLS: true) {
            ["--cert", "there", $0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("a client's certificate without its key", .clientCertificate, says: "no private key", needsTLS: true) {
            ["--cert", $0.relay?.authority.path ?? "", $0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("untrusted", .certificate, says: "--cacert", needsTLS: true) {
            [$0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("trusted", .success, needsTLS: true) {
            ["--cacert", $0.relay?.authority.path ?? "", $0.relay?.url("/ok").absoluteString ?? ""]
        },
        Scenario("not verified", .success, says: "Warning", needsTLS: true) {
            ["-k", $0.relay?.url("/ok").absoluteString ?? ""]
        },
    ]
}

struct ExitCodeTests {
    @Test(arguments: Scenario.all)
    func theExitStatusIsCurls(_ scenario: Scenario) async throws {
        guard !scenario.needsTLS || TLSRelay.isAvailable else { return }
        let place = try Scenario.Place()
        let words = scenario.words(place)
        let run = try await Program.fetch.run(words, in: place.folder)
        #expect(run.status == scenario.code.rawValue, "\(run.errors)")
        #expect(scenario.message.isEmpty || run.errors.contains(scenario.message), "\(run.errors)")
        #expect(scenario.code == .success || run.errors.hasPrefix("Fetch: ") || run.errors.contains("\nFetch: "))
        guard let curl = Program.curl else { return }
        let other = try await curl.run(["-q", "-sS", "-m", "300"] + words, in: place.folder)
        #expect(other.status == scenario.curl ?? scenario.code.rawValue, "curl: \(other.errors)")
    }
}
#endif
