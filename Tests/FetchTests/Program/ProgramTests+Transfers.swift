#if os(Linux)
import Foundation
import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

@testable import Fetch

extension ProgramTests {
    @Test func aRequestIsSentAgain() async throws {
        server.sequence("/flaky", [[.response(status: 503, headers: ["Retry-After": "0"])], [.json("1")]])
        let run = try await fetch("--retry", "2", "--timings", url("/flaky"))
        #expect(run.text == "1")
        #expect(run.errors.contains("Attempt 1 failed (503 Service Unavailable). Again in"))
        #expect(run.errors.contains("attempts            2"))
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

    @Test(.timeLimit(.generous)) func soManyDownloadsRunAtOnce() async throws {
        for name in ["/1", "/2", "/3"] { server.route(name, .hold("all"), .response(body: name)) }
        let words = ["-m", "300", "--parallel", "2"] + ["/1", "/2", "/3"].map(url)
        async let run = Program.fetch.run(words, in: folder)
        #expect(await server.waitUntilHeld("all", count: 2))
        #expect(server.requests(for: "/3").isEmpty)
        server.release("all")
        #expect(try await run.status == 0)
        #expect(folder.listing == ["1", "2", "3"])
    }

    @Test func theFirstFailureOfTheListDecides() async throws {
        server.route("/cut", .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), .close)
        #expect(try await fetch(url("/json"), url("/missing"), url("/cut")).status == 22)
        #expect(try await fetch("--force", url("/cut"), url("/missing"), url("/json")).status == 18)
    }

    @Test(.timeLimit(.generous), arguments: [SIGINT, SIGTERM])
    func anInterruptionKeepsWhatCanBeResumed(signal: Int32) async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n"
        server.route("/held", .send(head + String(repeating: "x", count: 200_000)), .hold("rest"))
        let files = try DownloadFolder()
        async let run = Program.fetch.run(["--resume", "-m", "300", url("/held")], in: folder, files: files)
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
}
#endif
