#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import Fetch

@Suite(.timeLimit(.generous), .enabled(if: WebSocketServer.shared != nil, "There is no python3"))
struct WebSocketProgramTests {
    private let server: WebSocketServer
    private let folder: DownloadFolder

    init() throws {
        server = try #require(WebSocketServer.shared)
        folder = try DownloadFolder()
    }

    private func fetch(_ path: String, _ words: String..., input: String = "") async throws -> Program.Run {
        try await Program.fetch.run(words + [server.url(path).absoluteString], in: folder, input: input)
    }

    @Test func linesAreSentAndMessagesWritten() async throws {
        let run = try await fetch("/echo", input: "one\n\nzwei ü\nlast")
        #expect(run.text == "one\n\nzwei ü\nlast\n")
        #expect(run.status == 0 && run.errors == "")
    }

    @Test func manyLinesComeBack() async throws {
        let input = (0..<20_000).map { "line \($0)\n" }.joined()
        let run = try await fetch("/echo", "--http1.1", "--ping", "30", input: input)
        #expect(run.text == input && run.status == 0)
    }

    @Test func bytesAreWrittenAsTheyAre() async throws {
        let run = try await fetchWithOpenInput("/binary")
        #expect(run.output == Data("one\n".utf8) + [0, 1, 2] + Data("two\n".utf8))
        #expect(run.status == 0)
    }

    /// Runs Fetch with a standard input that does not end.
    private func fetchWithOpenInput(_ path: String, _ words: [String] = []) async throws -> Program.Run {
        let script = #"mkfifo input-pipe && exec 3<>input-pipe && exec "$@" <&3"#
        let start = ["-c", script, "sh", Program.fetch.path]
        return try await Program(path: "sh").run(start + words + [server.url(path).absoluteString], in: folder)
    }

    @Test func theHeadAndTheSubprotocolAreShown() async throws {
        let run = try await fetchWithOpenInput("/name", ["-i", "-v", "--subprotocol", "chat"])
        #expect(run.text.hasPrefix("HTTP/1.1 101 ") && run.text.contains("Sec-WebSocket-Protocol: chat\n"))
        #expect(run.text.hasSuffix("\n\nchat\n") && run.status == 0)
        #expect(run.errors.contains("> Sec-Websocket-Protocol: chat\n"))
        #expect(run.errors.contains("Closed: 1000 (normal closure)"))
    }

    @Test(
        arguments: [
            ("/none", [], .status, "404 Not Found"),
            ("/full", [], .connectionLost, "1011 (internal error): too many"),
            ("/lost", [], .connectionLost, "without a close frame"),
            ("/silent", ["--ping", "0.2"], .timeout, "--ping"),
            ("/silent", ["-m", "0.3"], .timeout, "--max-time"),
        ] as [(String, [String], ExitCode, String)]
    )
    func failuresHaveAnExitStatus(path: String, words: [String], code: ExitCode, message: String) async throws {
        let run = try await fetchWithOpenInput(path, words)
        #expect(run.status == code.rawValue && run.errors.contains(message), "\(run.errors)")
        if path == "/lost" { #expect(run.text == "one\n") }
    }

    @Test func aPersonTalksToIt() async throws {
        let terminal = try Pseudoterminal()
        async let run = terminal.run([server.url("/echo").absoluteString], in: folder)
        // The terminal keeps what is typed until the program reads it.
        terminal.type("hello\n")
        terminal.type("\u{4}")
        let result = try await run
        #expect(result.status == 0)
    }

    @Test(
        arguments: [
            ["-d", "x", "ws://localhost/"], ["ws://localhost/", "http://localhost/"],
            ["-o", "file", "ws://localhost/"], ["-I", "ws://localhost/"], ["--ping", "1", "http://localhost/"],
            ["--limit-rate", "1k", "wss://localhost/"], ["--subprotocol", "chat", "http://localhost/"],
        ]
    )
    func whatMakesNoSenseIsRefused(words: [String]) {
        #expect(throws: Arguments.Mistake.self) { try Arguments(words) }
    }

    @Test func theURLIsThatOfTheHandshake() throws {
        let arguments = try Arguments(["--ping", "2.5", "WSS://example.org:1234/chat?a=b"])
        #expect(arguments.isWebSocket && arguments.pingInterval == .seconds(2.5))
        #expect(arguments.urls.map(\.absoluteString) == ["https://example.org:1234/chat?a=b"])
    }
}
#endif
