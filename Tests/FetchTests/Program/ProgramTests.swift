#if os(Linux)
import Foundation
import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

@testable import Fetch

struct ProgramTests {
    let server: LoopbackServer
    let folder: DownloadFolder

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

    func url(_ path: String) -> String { server.url(path).absoluteString }

    func fetch(
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
        for word in ["connect", "first byte", "total", "received", "attempts            1", "HTTP/1.1"] {
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
