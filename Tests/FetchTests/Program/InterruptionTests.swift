#if os(Linux)
import Foundation
import PiuPiuTesting
import TestSupport
import Testing

@testable import Fetch

@Suite(.timeLimit(.generous), .enabled(if: (try? Command("setsid").run("--version")) != nil, "There is no setsid"))
struct InterruptionTests {
    private let server: LoopbackServer
    private let folder: DownloadFolder
    private let terminal: Pseudoterminal

    init() throws {
        server = try LoopbackServer()
        folder = try DownloadFolder()
        terminal = try Pseudoterminal()
        server.route("/json", .json("{}"))
        server.route("/echo", .echo)
    }

    private func url(_ path: String) -> String { server.url(path).absoluteString }

    @Test func aPasswordIsAskedForAndNotShown() async throws {
        async let run = terminal.run(["-u", "ada", url("/json")], in: folder)
        _ = try await terminal.wait(for: "Password of ada: ")
        #expect(!terminal.isEchoing)
        terminal.type("s3cret\n")
        #expect(try await run.status == 0 && terminal.isEchoing)
        #expect(server.requests(for: "/json").first?.header("Authorization") == "Basic YWRhOnMzY3JldA==")
    }

    /// The keys that send SIGINT and SIGQUIT, and signals from elsewhere.
    @Test(arguments: [("\u{3}", 130), ("\u{1C}", 131), ("", 143), ("", 129)] as [(String, Int32)])
    func anInterruptedQuestionLeavesTheTerminalAsItWas(key: String, status: Int32) async throws {
        let files = try DownloadFolder()
        async let run = terminal.run(["-u", "ada", url("/json")], in: folder, files: files)
        _ = try await terminal.wait(for: "Password of ada: ")
        #expect(!terminal.isEchoing)
        terminal.type("s3c" + key)
        if key.isEmpty { try signalFetch(status - 128) }
        let result = try await run
        // SIGTERM ends Fetch as Ctrl-C does.
        #expect(result.status == (status == 143 ? 130 : status), "\(result.errors)")
        #expect(terminal.isEchoing && server.requests(for: "/json").isEmpty)
    }

    @Test func aQuestionThatIsStoppedIsAskedAgain() async throws {
        async let run = terminal.run(["-u", "ada", url("/json")], in: folder, isJob: true)
        _ = try await terminal.wait(for: "Password of ada: ")
        terminal.type("s3\u{1A}")
        try await wait { try state() == "T" }
        #expect(terminal.isEchoing)
        // The shell continues it then.
        terminal.type("\n")
        _ = try await terminal.wait(for: "Password of ada: ")
        #expect(!terminal.isEchoing)
        terminal.type("s3cret\n")
        #expect(try await run.status == 0 && terminal.isEchoing)
        #expect(server.requests(for: "/json").first?.header("Authorization") == "Basic YWRhOnMzY3JldA==")
    }

    /// The system stops no program that nobody could continue.
    @Test func aQuestionWithoutAShellIsNotStopped() async throws {
        async let run = terminal.run(["-u", "ada", url("/json")], in: folder)
        _ = try await terminal.wait(for: "Password of ada: ")
        terminal.type("\u{1A}")
        _ = try await terminal.wait(for: "Password of ada: ")
        terminal.type("s3cret\n")
        #expect(try await run.status == 0 && terminal.isEchoing)
        #expect(server.requests(for: "/json").first?.header("Authorization") == "Basic YWRhOnMzY3JldA==")
    }

    /// Nothing may have to be typed, read or answered for the first Ctrl-C to end Fetch.
    @Test(arguments: [
        ["-d", "@-", "-d", "x"], ["-T", "-"], ["--json", "@-"], ["-m", "300"],
    ])
    func theFirstInterruptionEndsWhatWaits(words: [String]) async throws {
        server.route("/held", .hold("answer"))
        let waitsForServer = words == ["-m", "300"]
        async let run = terminal.run(words + [url(waitsForServer ? "/held" : "/echo")], in: folder)
        if waitsForServer {
            #expect(await server.waitUntilHeld("answer"))
        } else {
            terminal.type("x\n")
            // Then it has arrived, and what is not there any more was read.
            _ = try await terminal.wait(for: "x\r\n")
            try await wait { terminal.unreadCount == 0 }
        }
        terminal.type("\u{3}")
        let result = try await run
        #expect(result.status == 130 && !result.errors.contains("in time"), "\(result.errors)")
    }

    /// The numbers of the processes that this test has begun, by the terminal that they have.
    private func processes() -> [Int32] {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return all.filter { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/fd/0")) == terminal.path
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe"))?
                    .hasSuffix("/Fetch") == true
        }
    }

    private func signalFetch(_ signal: Int32) throws {
        let number = try #require(processes().first)
        kill(number, signal)
    }

    private func wait(until condition: () throws -> Bool) async throws {
        while !(try condition()) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The letter of the state that Fetch is in; `T` if it is stopped.
    private func state() throws -> Substring.SubSequence {
        let number = try #require(processes().first)
        let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("State:") })
        return line.dropFirst("State:\t".count).prefix(1)
    }
}
#endif
