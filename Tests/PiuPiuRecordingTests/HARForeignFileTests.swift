import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

/// Files in the shapes in which other tools write them, with what is odd about each.
struct HARForeignFileTests {
    private func replay(_ file: String, _ matching: HARMatching = .strict) throws -> URLRequestDispatcher {
        HARFixture.offline(try HAR(Data(file.utf8)), matching)
    }

    @Test func chromeDevTools() async throws {
        let dispatcher = try replay(ForeignHAR.chrome)
        let url = Fixture.url("https://shop.example.com/api/items?page=1&q=caf%C3%A9")
        let items = try await dispatcher.data(from: url)
        #expect(items.data == Data(#"[{"id":1,"name":"Café"}]"#.utf8))
        #expect(items.head?.httpVersion == "HTTP/2")
        #expect(items.headers["Content-Encoding"] == nil)
        #expect(items.headers["Content-Length"] == "25")
        #expect(items.headers.values(for: "Set-Cookie") == ["a=1; path=/", "b=2; path=/"])
        let image = try await dispatcher.data(from: Fixture.url("https://shop.example.com/dot.png"))
        #expect(image.data == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(image.head?.httpVersion == "HTTP/3")

        let form = HARFixture.request("POST", "https://shop.example.com/login", body: "user=ada&note=a+b%21")
        let welcome = try await dispatcher.data(for: form)
        #expect(welcome.data == Data("Hello".utf8))
        #expect(welcome.history.map(\.target.path) == ["/welcome"])
    }

    @Test func chromesBlockedAndEvictedExchangesAreErrors() async throws {
        let dispatcher = try replay(ForeignHAR.chrome, .lenient)
        for (url, code) in [
            ("https://ads.example.net/pixel", HARError.Code.noMatch),
            ("https://shop.example.com/evicted", .incompleteEntry),
        ] {
            let error = try await failure { try await dispatcher.data(from: Fixture.url(url)) }
            #expect((error as? HARError)?.code == code)
        }
    }

    @Test func firefox() async throws {
        let dispatcher = try replay("\u{FEFF}" + ForeignHAR.firefox)
        let page = try await dispatcher.data(from: Fixture.url("https://blog.example.org"))
        #expect(page.data == Data([0x47, 0x72, 0xFC, 0xDF, 0x65]))
        #expect(page.headers["X-Empty"] == "")
        #expect(page.headers["Content-Encoding"] == nil)
        // Keys in another order, and other blanks.
        let put = HARFixture.request("PUT", "https://blog.example.org/draft", body: #"{"b":[true],"a":1}"#)
        #expect(try await dispatcher.data(for: put).data == Data([0, 255, 16]))
    }

    @Test func safari() async throws {
        let other = Fixture.url("https://m.example.com:443/list?a=1&b=2#top")
        #expect(try await replay(ForeignHAR.safari, .lenient).data(from: other).data == Data("list".utf8))
        let error = try await failure { try await replay(ForeignHAR.safari).data(from: other) }
        #expect("\(error)".contains("the order of the query"))
    }

    @Test func charlesProxy() async throws {
        let request = HARFixture.request(
            "POST",
            "http://api.example.com/form",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "full%20name=Ada+L&pct=100%25"
        )
        let response = try await replay(ForeignHAR.charles).data(for: request)
        #expect(response.statusCode == .created)
        #expect(response.data == Data("ok".utf8))
        var other = request
        other.httpBody = Data("full%20name=Ada+L&pct=99%25".utf8)
        let error = try await failure { try await replay(ForeignHAR.charles).data(for: other) }
        #expect((error as? HARError)?.reason.hasSuffix("which differs in the body") == true)
    }

    @Test func mitmproxyAfterCurl() async throws {
        let response = try await replay(ForeignHAR.mitmproxy).data(from: Fixture.url("https://kana.example.jp/"))
        #expect(response.data == Data("かな".utf8))
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(try HAR(Data(ForeignHAR.mitmproxy.utf8)).entries.first?.comment == "first")
    }

    @Test func whatIsReadIsWrittenWithEverythingTheFormatWants() throws {
        let data = try HAR(Data(ForeignHAR.chrome.utf8)).data()
        let root = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let log = try #require(root["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        #expect((log["creator"] as? [String: Any])?.count == 2)
        for entry in try #require(log["entries"] as? [[String: Any]]) {
            let all: Set = ["startedDateTime", "time", "request", "response", "cache", "timings"]
            #expect(all.isSubset(of: entry.keys))
            let request = try #require(entry["request"] as? [String: Any])
            let response = try #require(entry["response"] as? [String: Any])
            let both: Set = ["httpVersion", "cookies", "headers", "headersSize", "bodySize"]
            #expect(both.union(["method", "url", "queryString"]).isSubset(of: request.keys))
            #expect(both.union(["status", "statusText", "content", "redirectURL"]).isSubset(of: response.keys))
            let timings = try #require(entry["timings"] as? [String: Double])
            #expect(["send", "wait", "receive"].allSatisfy { (timings[$0] ?? -1) >= 0 })
        }
        // Once more changes nothing.
        #expect(try HAR(data).data() == data)
    }
}
