#if os(Linux)
import Foundation
import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

@testable import Fetch

@Suite struct ProgramTests {
    private let server: LoopbackServer
    private let folder: DownloadFolder

    init() throws {
        server = try LoopbackServer()
        folder = try DownloadFolder()
        server.route("/echo", .echo)
        server.route("/json", .json(#"{"a":[1,"x"]}"#))
        server.route("/head", .send("HTTP/1.1 200 OK\r\nX-A: a\u{9B}2Jb\r\nContent-Length: 2\r\n\r\nok"))
        server.route(
            "/big.bin",
            .response(status: 200, headers: ["ETag": "\"1\""], body: String(repeating: "x", count: 200_000))
        )
    }

    private func url(_ path: String) -> String { server.url(path).absoluteString }

    private func fetch(
        _ words: String...,
        input: String = "",
        environment: [String: String] = [:]
    ) async throws -> Program.Run {
        try await Program.fetch.run(words, in: folder, input: input, environment: environment)
    }

    // MARK: Output

    @Test func aBodyGoesToStandardOutputAsItIs() async throws {
        let run = try await fetch(url("/json"))
        #expect(run.text == #"{"a":[1,"x"]}"#)
        #expect(run.errors == "" && run.status == 0)
    }

    @Test func jsonIsIndentedAndColouredOnlyIfAskedFor() async throws {
        let plain = try await fetch("--pretty", "always", url("/json"))
        #expect(plain.text == "{\n  \"a\": [\n    1,\n    \"x\"\n  ]\n}\n")
        let coloured = try await fetch("--pretty=always", "--color=always", url("/json"))
        #expect(coloured.text.contains("\u{1B}[34;1m\"a\"\u{1B}[0m"))
    }

    @Test func headsAreShownWithoutWhatATerminalObeys() async throws {
        let run = try await fetch("-i", url("/head"))
        #expect(run.text.hasPrefix("HTTP/1.1 200 OK\nX-A: a\u{FFFD}2Jb\n"))
        #expect(run.text.hasSuffix("\n\nok"))
        let head = try await fetch("-I", url("/json"))
        #expect(head.text.contains("Content-Length:") && head.text.hasSuffix("\n\n"))
        #expect(server.requests(for: "/json").map(\.method) == ["HEAD"])
    }

    @Test func severalFilesAreSavedAtOnce() async throws {
        let run = try await fetch("--output-dir", "d", url("/json"), url("/big.bin"), url("/missing"))
        #expect(run.status == 22)
        #expect(folder.listing == ["d", "d/big.bin", "d/json"])
        #expect(run.errors.contains("2 of 3 files saved"))
        #expect(run.errors.contains("404 Not Found: \(url("/missing"))"))
    }

    @Test func noFileIsReplacedUnlessItIsNamedOrForced() async throws {
        try folder.write("json", Data("mine".utf8))
        let refused = try await fetch("-O", url("/json"))
        #expect(refused.status == 23 && refused.errors.contains("--force"))
        #expect(folder.data("json") == Data("mine".utf8))
        #expect(server.requests(for: "/json").isEmpty)
        #expect(try await fetch("-O", "--force", url("/json")).status == 0)
        #expect(folder.data("json") == Data(#"{"a":[1,"x"]}"#.utf8))
        #expect(try await fetch("-o", "json", url("/big.bin")).status == 0)
        #expect(folder.data("json")?.count == 200_000)
    }

    @Test func aProposedNameStaysInTheFolder() async throws {
        server.route(
            "/x",
            .response(status: 200, headers: ["Content-Disposition": #"a; filename="../../up.txt""#], body: "1")
        )
        #expect(try await fetch("-J", "--output-dir", "d", url("/x")).status == 0)
        #expect(folder.listing == ["d", "d/up.txt"])
        let again = try await fetch("-J", "--output-dir", "d", url("/x"))
        #expect(again.status == 23 && again.errors.contains("up.txt exists"))
    }

    @Test func timingsAreShown() async throws {
        let run = try await fetch("--timings", "-o", "x", url("/json"))
        for word in ["connect", "first byte", "total", "received", "attempts           1", "HTTP/1.1"] {
            #expect(run.errors.contains(word))
        }
    }

    @Test func aClosedPipeIsAFailureToWrite() async throws {
        server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(String(repeating: "x", count: 65_536)))
        let script = #"{ "$0" "$1"; echo $? >status; } | head -c 10 >/dev/null"#
        let shell = Program(path: "sh")
        let run = try await shell.run(["-c", script, Program.fetch.path, url("/endless")], in: folder)
        #expect(run.status == 0 && folder.data("status") == Data("23\n".utf8))
    }

    // MARK: Requests

    @Test(
        arguments: [
            (["-d", "a=b", "-d", "@part"], "", "a=b&<part>", "application/x-www-form-urlencoded"),
            (["-d", "@-"], "input", "input", "application/x-www-form-urlencoded"),
            (["--json", #"{"a":1}"#], "", #"{"a":1}"#, "application/json"),
            (["-T", "part", "-X", "POST"], "", "<part>", nil), (["-T", "-", "-X", "POST"], "piped", "piped", nil),
        ] as [([String], String, String, String?)]
    )
    func aBodyIsSentAsItIs(words: [String], input: String, body: String, type: String?) async throws {
        try folder.write("part", Data("<part>".utf8))
        let run = try await Program.fetch.run(words + [url("/echo")], in: folder, input: input)
        #expect(run.text == body && run.status == 0)
        let request = try #require(server.requests(for: "/echo").first)
        #expect(request.method == "POST" && request.header("Content-Type") == type)
    }

    @Test func aFormHasItsParts() async throws {
        try folder.write("a.png", Data("pixels".utf8))
        let run = try await fetch("-F", "name=Ada;type=x", "-F", "f=@a.png;type=image/png;filename=b.png", url("/echo"))
        #expect(run.text.contains("name=\"name\"\r\n\r\nAda;type=x\r\n"))
        #expect(run.text.contains("name=\"f\"; filename=\"b.png\"\r\nContent-Type: image/png\r\n\r\npixels\r\n"))
    }

    @Test func credentialsStayWithTheirServerAndOutOfSight() async throws {
        let other = try LoopbackServer()
        other.route("/", .json("{}"))
        server.route("/away", .redirect(to: other.url("/").absoluteString))
        for (words, value) in [
            (["-u", "ada:s3cret"], "Basic YWRhOnMzY3JldA=="), (["--bearer", "TOKEN"], "Bearer s3cret"),
            (["--bearer", "@token"], "Bearer s3cret"),
        ] {
            try folder.write("token", Data("s3cret\n".utf8))
            let run = try await Program.fetch.run(
                words + ["-v", "--har", "log.har", url("/away?key=s3cret")],
                in: folder,
                environment: ["TOKEN": "s3cret"]
            )
            #expect(run.status == 0)
            #expect(server.requests(for: "/away").last?.header("Authorization") == value)
            #expect(other.requests(for: "/").last?.header("Authorization") == nil)
            #expect(run.errors.contains("> Authorization: <redacted>"))
            let har = String(decoding: folder.data("log.har") ?? Data(), as: UTF8.self)
            for secret in ["s3cret", "YWRhOnMzY3JldA"] {
                #expect(!run.errors.contains(secret) && !har.contains(secret))
            }
        }
    }

    @Test func aCurlCommandIsPrintedAndNothingSent() async throws {
        let run = try await fetch("--curl", "-u", "a:s3cret", "--json", "{}", url("/json"))
        #expect(run.status == 0 && run.text.hasPrefix("curl ") && !run.text.contains("s3cret"))
        let whole = try await fetch("--curl", "--show-secrets", "-u", "a:s3cret", url("/json"))
        #expect(whole.text.contains("Basic YTpzM2NyZXQ="))
        #expect(server.requests(for: "/json").isEmpty)
    }

    @Test func aUnixSocketIsUsed() async throws {
        let relay = try UnixRelay(to: server.port)
        guard case .path(let path) = relay.place else { return }
        let run = try await fetch("--unix-socket", path, "http://anything/json")
        #expect(run.text == #"{"a":[1,"x"]}"#)
    }

    // MARK: Transfers

    @Test func aRequestIsSentAgain() async throws {
        server.sequence("/flaky", [[.response(status: 503, headers: ["Retry-After": "0"])], [.json("1")]])
        let run = try await fetch("--retry", "2", "--timings", url("/flaky"))
        #expect(run.text == "1")
        #expect(run.errors.contains("Attempt 1 failed (503 Service Unavailable). Again in"))
        #expect(run.errors.contains("attempts           2"))
    }

    @Test func aBrokenDownloadContinuesByItself() async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 6\r\n\r\n"
        let rest =
            "HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nContent-Range: bytes 3-5/6\r\nContent-Length: 3\r\n\r\n"
        server.sequence("/broken", [[.send(head + "abc"), .close], [.send(rest + "def")]])
        let run = try await fetch("--resume", "--retry", "1", url("/broken"))
        #expect(run.status == 0 && folder.data("broken") == Data("abcdef".utf8))
        #expect(run.errors.contains("Saved broken: 6 B, of which 3 B were there"))
        #expect(server.requests(for: "/broken").map { $0.header("Range") } == [nil, "bytes=3-"])
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func anInterruptionKeepsWhatCanBeResumed(signal: Int32) async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n"
        server.route("/held", .send(head + String(repeating: "x", count: 200_000)), .hold("rest"))
        let files = try DownloadFolder()
        async let run = Program.fetch.run(["--resume", url("/held")], in: folder, files: files)
        #expect(await server.waitUntilHeld("rest"))
        let part = DownloadOptions.partialFile(for: folder["held"])
        // The file grows when the bytes have arrived.
        while (try? Data(contentsOf: part).isEmpty) ?? true { await Task.yield() }
        let number = try #require(files.data("pid").flatMap { Int32(String(decoding: $0.dropLast(), as: UTF8.self)) })
        kill(number, signal)
        let result = try await run
        #expect(result.status == 130)
        #expect(result.errors.contains("are kept. The same command, with --resume, continues there."))
        #expect(FileManager.default.fileExists(atPath: part.path) && !folder.listing.contains("held"))
    }

    @Test func aRateIsAPause() async throws {
        let start = ContinuousClock.now
        #expect(try await fetch("-s", "-o", "x", "--limit-rate", "400k", url("/big.bin")).status == 0)
        // All but the last piece was waited for; pieces have at most 64 KiB.
        #expect(start.duration(to: .now) > .milliseconds(300))
        #expect(folder.data("x")?.count == 200_000)
    }

    // MARK: Terminals

    @Test(.enabled(if: (try? Command("script")) != nil, "util-linux is not installed"))
    func barsAreRedrawnInPlaceAndJSONIsColoured() async throws {
        server.route("/esc", .response(status: 200, headers: ["Content-Type": "text/plain"], body: "a\u{1B}[2Jb"))
        let environment = ["NO_COLOR": "", "TERM": "xterm"]
        func terminal(_ words: String...) async throws -> String {
            let command = ([Program.fetch.path] + words).map { "'\($0)'" }.joined(separator: " ")
            let shell = Program(path: "script")
            return try await shell.run(["-qec", command, "/dev/null"], in: folder, environment: environment).text
        }
        let bars = try await terminal("--limit-rate", "400k", url("/big.bin"), url("/json"))
        #expect(bars.contains("\u{1B}[K") && bars.contains("\u{1B}[2A") && bars.contains("of 2 files"))
        #expect(try await terminal(url("/json")).contains("\u{1B}[34;1m\"a\"\u{1B}[0m"))
        let filtered = try await terminal(url("/esc"))
        #expect(filtered.contains("a\u{FFFD}[2Jb") && !filtered.contains("\u{1B}[2J"))
        #expect(try await terminal("--raw", url("/esc")).contains("a\u{1B}[2Jb"))
    }

    @Test func theDemonstrationSucceeds() async throws {
        let run = try await fetch()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.contains("All 4 steps were as they must be."))
    }

    @Test func helpAndVersionGoToStandardOutput() async throws {
        #expect(try await fetch("--help").text == Help.text + "\n")
        let version = try await fetch("--version")
        #expect(version.text.hasPrefix("Fetch 2.0") && version.status == 0 && version.errors == "")
    }
}
#endif
