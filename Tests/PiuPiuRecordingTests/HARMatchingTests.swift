import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

struct HARMatchingTests {
    private let base = "https://example.com"

    private func error(
        _ entries: [HAR.Entry],
        _ request: URLRequest,
        _ matching: HARMatching = .strict
    ) async throws -> HARError {
        let dispatcher = HARFixture.offline(HAR(entries: entries), matching)
        return try #require(try await failure { try await dispatcher.data(for: request) } as? HARError)
    }

    private func text(
        _ entries: [HAR.Entry],
        _ request: URLRequest,
        _ matching: HARMatching = .strict
    ) async throws -> String {
        try await HARFixture.offline(HAR(entries: entries), matching).text(request)
    }

    @Test(arguments: [
        ("https://EXAMPLE.com:443/a%62c?x=1", "https://example.com/abc?x=1"),
        ("http://example.com:80", "http://example.com/"),
        ("https://ada:pw@example.com/", "https://example.com/#part"),
        ("https://example.com/?q=a+b", "https://example.com/?q=a%20b"),
        ("https://example.com/?u=https://ada:pw@h/", "https://example.com/?u=https://ada:pw@h/"),
    ])
    func urlsThatMeanTheSameMatch(recorded: String, asked: String) async throws {
        let entry = HARFixture.entry(recorded, body: "yes")
        #expect(try await text([entry], HARFixture.request(asked)) == "yes")
    }

    @Test(arguments: [
        ("GET", "https://example.com/a?x=1", "the path"),
        ("POST", "https://example.com/?x=1", "the method"),
        ("GET", "http://example.com/?x=1", "the scheme, host or port"),
        ("GET", "https://example.com:8443/?x=1", "the scheme, host or port"),
        ("GET", "https://example.com/?x=2", "the query item \"x\""),
        ("GET", "https://example.com/", "the query item \"x\""),
        ("GET", "https://example.com/?x=1&y=2", "the query item \"y\""),
        ("GET", "https://example.com/?x=1&x=1", "the query item \"x\""),
    ])
    func whatDiffersIsNamed(method: String, url: String, difference: String) async throws {
        let entry = HARFixture.entry(base + "/?x=1", body: "no")
        for matching in [HARMatching.strict, .lenient] {
            let error = try await error([entry], HARFixture.request(method, url), matching)
            #expect(error.code == .noMatch)
            #expect(
                error.reason.hasSuffix("The nearest is GET https://example.com/?x=1, which differs in \(difference)")
            )
        }
    }

    @Test func theNearestIsNamed() async throws {
        let entries = [
            HARFixture.entry("https://other.example/users?page=2"), HARFixture.entry(base + "/posts"),
            HARFixture.entry(base + "/users?page=1&size=10"), HARFixture.entry(base + "/users?page=1&size=9"),
            HARFixture.entry("POST", base + "/users?page=2&size=10"),
        ]
        #expect(try await error(entries, HARFixture.request(base + "/users?page=2&size=10")).entryIndex == 2)
        #expect(try await error(entries, HARFixture.request(base + "/posts/1")).entryIndex == 1)
        #expect(try await error(entries, HARFixture.request("PUT", base + "/posts")).path == "log.entries[1]")
        #expect(try await error([], HARFixture.request(base)).reason.hasSuffix("the recording has none"))
    }

    @Test func queriesInAnotherOrderAreForTheLenient() async throws {
        let entry = HARFixture.entry(base + "/?a=1&b=2&b=3", body: "yes")
        let request = HARFixture.request(base + "/?b=2&b=3&a=1")
        #expect(try await text([entry], request, .lenient) == "yes")
        #expect(try await error([entry], request).reason.hasSuffix("the order of the query"))
        // Several of one name have their order.
        let swapped = HARFixture.request(base + "/?b=3&b=2&a=1")
        #expect(try await error([entry], swapped, .lenient).code == .noMatch)
    }

    @Test func ignoredQueryItemsDoNotCount() async throws {
        var matching = HARMatching.strict
        matching.ignoredQueryItems = ["t"]
        let entry = HARFixture.entry(base + "/?a=1&t=17", body: "yes")
        for url in ["/?a=1&t=18", "/?a=1", "/?t=1&a=1&t=2"] {
            #expect(try await text([entry], HARFixture.request(base + url), matching) == "yes")
        }
        #expect(try await error([entry], HARFixture.request(base + "/?a=2&t=17"), matching).code == .noMatch)
    }

    @Test func chosenHeadersHaveToBeTheSame() async throws {
        var matching = HARMatching.strict
        matching.headers = ["Accept-Language", "Content-Type", "Authorization"]
        let fields: HTTPHeaderFields = [
            "accept-language": "de", "content-type": "multipart/form-data; boundary=1", "Authorization": "<redacted>",
        ]
        let entry = HARFixture.entry(base, headers: fields, body: "yes")
        var headers = [
            "Accept-Language": "de", "Content-Type": "multipart/form-data; boundary=2", "authorization": "Bearer 1",
            "X-Other": "1",
        ]
        #expect(try await text([entry], HARFixture.request(base, headers: headers), matching) == "yes")
        headers["Accept-Language"] = "en"
        let other = try await error([entry], HARFixture.request(base, headers: headers), matching)
        #expect(other.reason.hasSuffix("differs in the header field Accept-Language"))
        headers["Accept-Language"] = nil
        #expect(try await error([entry], HARFixture.request(base, headers: headers), matching).code == .noMatch)
        #expect(try await text([entry], HARFixture.request(base, headers: headers)) == "yes")
    }

    @Test(arguments: [
        ("text/plain", "a", "a", true), ("text/plain", "a", "b", false), ("text/plain", "", "a", false),
        ("application/json", #"{"a":1,"b":[1,2]}"#, #"{ "b": [1, 2.0], "a": 1 }"#, true),
        ("application/json", #"{"a":1}"#, #"{"a":true}"#, false),
        ("application/json", #"{"a":1}"#, #"{"a":1,"b":null}"#, false),
        ("application/json", #"[9007199254740993]"#, #"[9007199254740992]"#, false),
        (
            "application/json", #"{"password":"<redacted>","n":"x <redacted> y"}"#,
            #"{"password":{"p":1},"n":"x 1 y"}"#, true
        ),
        ("application/json", #"{"n":"x <redacted> y"}"#, #"{"n":"x 1 z"}"#, false),
        ("application/x-www-form-urlencoded", "a=1&token=%3Credacted%3E&b=2", "a=1&token=abc&b=2", true),
        ("application/x-www-form-urlencoded", "a=1&token=%3Credacted%3E&b=2", "a=1&token=abc&b=3", false),
    ])
    func bodiesAreComparedByWhatTheyMean(type: String, recorded: String, asked: String, matches: Bool) async throws {
        let postData = HAR.PostData(mimeType: type, text: recorded)
        let entry = HARFixture.entry("POST", base, postData: postData, body: "yes")
        let request = HARFixture.request("POST", base, headers: ["Content-Type": type], body: asked)
        if matches {
            #expect(try await text([entry], request) == "yes")
        } else {
            #expect(try await error([entry], request).reason.hasSuffix("which differs in the body"))
        }
        #expect(try await text([entry], request, .lenient) == "yes")
    }

    @Test func bodiesNobodyRecordedAreNotCompared() async throws {
        var entry = HARFixture.entry("POST", base, body: "yes")
        #expect(try await error([entry], HARFixture.request("POST", base, body: "a")).code == .noMatch)
        entry.request.bodySize = 100
        #expect(try await text([entry], HARFixture.request("POST", base, body: "a")) == "yes")
        entry.request.postData = HAR.PostData(Data("cut".utf8), mimeType: "", isTruncated: true)
        #expect(try await text([entry], HARFixture.request("POST", base, body: "a")) == "yes")
    }

    @Test func lenientRulesStillPreferTheSameBody() async throws {
        let entries = ["a", "b"].map {
            HARFixture.entry("POST", base, postData: HAR.PostData(mimeType: "", text: $0), body: "for " + $0)
        }
        let dispatcher = HARFixture.offline(HAR(entries: entries), .lenient)
        for body in ["b", "a", "b", "c", "c"] {
            let text = try await dispatcher.text(HARFixture.request("POST", base, body: body))
            #expect(text == "for " + (body == "c" ? "b" : body))
        }
    }

    @Test func repeatedRequestsAreAnsweredInTheRecordedOrder() async throws {
        let entries = (1...3).map { HARFixture.entry(base, body: "\($0)") }
        let replayer = HARReplayer(HAR(entries: entries + [HARFixture.entry(base + "/other")]))
        let strict = URLRequestDispatcher(interceptors: [replayer], transport: HARFixture.noNetwork())
        let lenient = HARFixture.offline(HAR(entries: entries), .lenient)
        for expected in 1...3 {
            #expect(try await strict.text(HARFixture.request(base)) == "\(expected)")
            #expect(try await lenient.text(HARFixture.request(base)) == "\(expected)")
        }
        #expect(try await lenient.text(HARFixture.request(base)) == "3")
        let error = try await failure { try await strict.data(for: HARFixture.request(base)) }
        #expect("\(error)" == "GET https://example.com was recorded 3 times, and asked for once more")
        #expect(replayer.unusedEntries.map(\.request.url) == [base + "/other"])
    }

    @Test func eachExchangeIsReplayedOnceHoweverManyAskAtOnce() async throws {
        let entries = (0..<50).map { HARFixture.entry(base, body: "\($0)") }
        let dispatcher = HARFixture.offline(HAR(entries: entries))
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await dispatcher.text(HARFixture.request(base)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(texts) == Set((0..<50).map(String.init)))
    }

    @Test func whatIsMissingIsRecorded() async throws {
        let har = HAR(entries: [HARFixture.entry(base + "/known", body: "old")])
        let recorder = HARRecorder(continuing: har)
        let transport = ScriptedTransport { .scripted(200, for: $0, body: "new") }
        let dispatcher = URLRequestDispatcher(
            interceptors: [HARReplayer(har, sendsWhatIsMissing: true), recorder],
            transport: transport
        )
        #expect(try await dispatcher.text(HARFixture.request(base + "/known")) == "old")
        #expect(try await dispatcher.text(HARFixture.request("POST", base + "/unknown", body: "x")) == "new")
        #expect(try await dispatcher.text(HARFixture.request(base + "/known")) == "new")
        #expect(transport.requests.count == 2)
        let recorded = recorder.har.entries
        #expect(recorded.map(\.response.content.text) == ["old", "new", "new"])
        let offline = HARFixture.offline(recorder.har)
        #expect(try await offline.text(HARFixture.request("POST", base + "/unknown", body: "x")) == "new")
    }

    @Test func limitsAndStreamsHoldForReplaysToo() async throws {
        let dispatcher = HARFixture.offline(HAR(entries: [HARFixture.entry(base, body: "0123456789")]), .lenient)
        var options = dispatcher.configuration.options
        options.maximumBufferedBody = 9
        let small = options
        let error = try await failure { try await dispatcher.data(for: HARFixture.request(base), options: small) }
        #expect((error as? TransportError)?.code == .bodyTooLarge)
        let stream = try await dispatcher.stream(for: HARFixture.request(base))
        #expect(try await stream.data.collect(upTo: 10) == Data("0123456789".utf8))
    }

    @Test func brokenEntriesAreErrorsOfTheirOwn() async throws {
        var entry = HARFixture.entry(base)
        entry.response.content = HAR.Content(size: 3, text: "YQ", encoding: "base64")
        #expect(try await error([entry], HARFixture.request(base)).code == .malformed)
        entry.response.content.encoding = "rot13"
        let unknown = try await error([entry], HARFixture.request(base))
        #expect(unknown.code == .malformed)
        #expect(unknown.path == "log.entries[0].response.content.text")
    }
}
