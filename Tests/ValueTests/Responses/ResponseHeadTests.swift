import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct ResponseHeadTests {
    private func rawHead(_ text: String, metrics: ExchangeMetrics? = nil) -> ResponseHead {
        let raw = RawHead(bytes: Array(text.utf8))
        return ResponseHead(record: ResponseRecord(.raw(raw), to: Fixture.request, metrics: metrics))
    }

    @Test func bytesAreReadOnDemand() {
        let metrics = ExchangeMetrics(total: .milliseconds(5))
        let head = rawHead("HTTP/2 404 \r\nServer: test\r\nA: 1\r\nA: 2\r\n", metrics: metrics)
        #expect(head.statusCode == .notFound)
        #expect(head.httpVersion == "HTTP/2")
        #expect(head.headers == ["Server": "test", "A": "1", "A": "2"])
        #expect(head.firstValue(of: "a") == "1")
        #expect(head.metrics == metrics)
        #expect(head.url == Fixture.url)
    }

    @Test func theURLResponseIsBuiltOnce() {
        let head = rawHead("HTTP/1.1 200 OK\r\nServer: test\r\n")
        let copy = head
        #expect(head.urlResponse === copy.urlResponse)
    }

    @Test func threadsThatAskAtTheSameTimeGetTheSameURLResponse() async {
        let head = rawHead("HTTP/1.1 200 OK\r\nServer: test\r\n")
        let identifiers = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<64 { group.addTask { @concurrent in ObjectIdentifier(head.urlResponse) } }
            return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(identifiers == [ObjectIdentifier(head.urlResponse)])
    }

    @Test func linesOfOneNameAreJoinedInTheURLResponse() {
        let head = rawHead("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n")
        let response = head.urlResponse
        #expect(response.statusCode == 200)
        #expect(response.url == Fixture.url)
        #expect(response.value(forHTTPHeaderField: "X-A") == "1, 2")
        #expect(response.value(forHTTPHeaderField: "Set-Cookie") == "a=1, b=2")
    }

    @Test func partsGiveTheSameHeadAsBytes() {
        let head = ResponseHead(url: Fixture.url, statusCode: .created, headers: ["Location": "/a", "location": "/b"])
        #expect(head.statusCode == .created)
        #expect(head.httpVersion == "HTTP/1.1")
        #expect(head.firstValue(of: "LOCATION") == "/a")
        #expect(head.urlResponse.statusCode == 201)
        #expect(head.urlResponse.value(forHTTPHeaderField: "location") == "/a, /b")
    }

    @Test func aFoundationResponseIsKept() throws {
        let response = try #require(
            HTTPURLResponse(
                url: Fixture.url,
                statusCode: 418,
                httpVersion: "HTTP/1.1",
                headerFields: ["X-B": "2", "X-A": "1"]
            )
        )
        let head = try #require(ResponseHead(response))
        #expect(head.urlResponse === response)
        #expect(head.statusCode == .other(418))
        #expect(head.headers == ["X-A": "1", "X-B": "2"])
        #expect(head.firstValue(of: "x-b") == "2")
    }

    @Test(arguments: [
        "Content-Length: 99999999999999999999999", "Content-Length: -1", "Content-Length: NaN", "Content-Type: ;;;=",
        "Content-Type: \"", "Content-Type: text/html; charset=\"\\", "Content-Type: /", "Content-Type:",
        "Content-Disposition: attachment; filename=\"",
        "Content-Disposition: attachment; filename=\"../../etc/passwd\"",
        "Content-Disposition: ;;;", "Content-Disposition: attachment; filename*=UTF-8''%ZZ", "Content-Disposition: \\",
    ])
    func hostileFieldsDoNotTrapTheURLResponse(_ line: String) {
        #expect(rawHead("HTTP/1.1 200 OK\r\n\(line)\r\n").urlResponse.statusCode == 200)
    }

    @Test(.timeLimit(.generous), arguments: [true, false])
    func timeGrowsWithTheNumberOfLines(distinct: Bool) {
        func time(_ count: Int) -> Duration {
            var text = "HTTP/1.1 200 OK\r\n"
            for index in 0..<count { text += distinct ? "a\(index): 1\r\n" : "a: 1\r\n" }
            let head = rawHead(text)
            return processorTime { #expect(head.urlResponse.statusCode == 200) }
        }
        // Twenty times the lines take about twenty times as long, and 400 times if the time grows with the square.
        // The best of some, because other tests share the processor's caches.
        var (short, long) = (Duration.seconds(60), Duration.seconds(60))
        for _ in 0..<20 {
            short = min(short, time(500))
            long = min(long, time(10_000))
            if long < short * 100 { return }
        }
        Issue.record("\(short) for 500, \(long) for 10,000")
    }

    /// How long this thread works, whatever else the machine does meanwhile.
    private func processorTime(of work: () -> Void) -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        }
        let start = now()
        work()
        return now() - start
    }
}
