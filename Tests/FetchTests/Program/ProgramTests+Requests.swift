#if os(Linux)
import Foundation
import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

@testable import Fetch

extension ProgramTests {
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

    @Test func aSessionIsKeptInAFile() async throws {
        let headers: HeaderList = ["Set-Cookie": "session=s3cret; Path=/; HttpOnly; Max-Age=999", "Location": "/echo"]
        server.route("/login", .response(status: 303, headers: headers))
        let run = try await fetch("-v", "-c", "jar.txt", "-d", "user=ada", url("/login"))
        #expect(run.status == 0 && !run.errors.contains("s3cret"))
        #expect(server.requests(for: "/echo").last?.header("Cookie") == "session=s3cret")
        let file = String(decoding: folder.data("jar.txt") ?? Data(), as: UTF8.self)
        #expect(file.contains("#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t"))
        let again = try await fetch("-b", "jar.txt", "-b", "a=1", "-b", "b=2", url("/echo"))
        #expect(again.status == 0)
        #expect(server.requests(for: "/echo").last?.header("Cookie") == "a=1; b=2; session=s3cret")
        // A file that is none is left as it is, and nothing is sent.
        try folder.write("bad.txt", Data("a\ns3cret\n".utf8))
        let count = server.requests(for: "/echo").count
        let bad = try await fetch("-b", "bad.txt", "-c", "bad.txt", url("/echo"))
        #expect(
            bad.status == ExitCode.notRead.rawValue && bad.errors.contains("Line 1") && !bad.errors.contains("s3cret")
        )
        #expect(server.requests(for: "/echo").count == count && folder.data("bad.txt") == Data("a\ns3cret\n".utf8))
        let both = try await fetch("-c", "x", "-o", "x", url("/echo"))
        #expect(both.status == ExitCode.usage.rawValue)
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
}
#endif
