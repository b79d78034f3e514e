import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync
@testable import PiuPiuCore
@testable import PiuPiuPolicies
@testable import PiuPiuValues

/// Input and secrets from an attacker's point of view.
@Suite(.timeLimit(.generous)) struct HostileInputTests {
    private static let redirecting = MockTransport { request in
        request.url.host() == "api.example.com"
            ? MockAnswer(.found, headers: ["Location": "https://evil.example/"]) : MockAnswer(.ok, body: "[1]")
    }

    @Test func aRedirectTakesNoDefaultSecretAway() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = Fixture.url("https://api.example.com")
        configuration.additionalHeaders = [.authorization: "Bearer t", "X-Api-Key": "k", "X-Auth-Token": "k"]
        let dispatcher = MockURLRequestDispatcher(transport: Self.redirecting, configuration: configuration)
        try await dispatcher.get("/a")
        let last = try #require(dispatcher.requests.last)
        #expect(last.url.host() == "evil.example")
        for name in ["Authorization", "X-Api-Key", "X-Auth-Token"] { #expect(last[name] == nil, "\(name)") }
    }

    @Test func aForeignPageGetsNoUsualKey() async throws {
        let transport = MockTransport { request in
            request.url.host() == "api.example.com"
                ? MockAnswer(.ok, headers: ["Link": "<https://evil.example/>; rel=next"], body: "[1]")
                : MockAnswer(.ok, body: "[1]")
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        let request = URLRequest("GET", Fixture.url("https://api.example.com/"), headers: ["X-Api-Key": "k"])
        var options = PaginationOptions()
        options.allowsOtherOrigins = true
        for try await _ in dispatcher.pages(for: request, of: [Int].self, options: options) {}
        #expect(dispatcher.requests.count == 2)
        #expect(dispatcher.requests.last?["X-Api-Key"] == nil)
    }

    @Test func bothLinesOfADefaultFieldAreSent() async throws {
        var fields = HTTPHeaderFields()
        fields.append(name: "X-A", value: "1")
        fields.append(name: "X-A", value: "2")
        var configuration = URLRequestDispatcher.Configuration()
        configuration.additionalHeaders = fields
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { _ in .init(.ok) },
            configuration: configuration
        )
        _ = try await dispatcher.data(from: Fixture.url)
        #expect(dispatcher.requests.last?["X-A"] == "1,2" || dispatcher.requests.last?["X-A"] == "1, 2")
    }

    @Test(arguments: [
        "https://x.example/\u{41}?\u{301}k=pl4nted-S3cret", "/a/../../b#\u{20DD}pl4nted-S3cret",
        "//h/?\u{200D}pl4nted-S3cret",
    ])
    func aPathErrorHidesAQueryThatBeginsWithACombiningMark(_ text: String) throws {
        let error = try #require(throws: RequestPathError.self) {
            try RequestDefaults(baseURL: Fixture.url("https://api.example.com/v1")).url(text)
        }
        for showing in SecretSearch.showings(of: error) { #expect(!showing.tells, "\(showing.way)") }
    }

    @Test(arguments: [
        "https://h/?\u{301}pl4nted-S3cret", "https://\u{301}u:pl4nted-S3cret@h/", "https://h/#\u{20DD}pl4nted-S3cret",
    ])
    func aCombiningMarkShowsNoPartOfAURL(_ text: String) throws {
        let plain = Redaction.withoutUserInformation(text)
        #expect(!plain.contains("u:pl4nted"))
        guard let url = URL(dataRepresentation: Data(text.utf8), relativeTo: nil) else { return }
        #expect(!SecretSearch.isFound(in: Redaction.standard.location(of: url)))
        for value in [TransportError(.proxy, request: URLRequest(url: url)) as Any, RequestDefaults(baseURL: url)] {
            for showing in SecretSearch.showings(of: value) { #expect(!showing.tells, "\(showing.way)") }
        }
    }

    #if os(Linux)
    @Test(.enabled(if: !isSanitized, "a sanitizer keeps memory of its own"))
    func anEncoderThatCannotStartLeaksNothing() throws {
        for _ in 0..<1000 { _ = try? GzipEncoder(isAvailable: false) }
        let before = try ResidentMemory.bytes()
        for _ in 0..<20_000 { _ = try? GzipEncoder(isAvailable: false) }
        let growth = try ResidentMemory.bytes() - before
        // It was 640 MiB; other tests, which run at the same time, need some memory too.
        #expect(growth < 200 << 20, "\(growth)")
    }
    #endif

    @Test func aRelativeURLKeepsTheQueryOfItsBase() throws {
        let base = Fixture.url("https://h/p?token=1")
        let url = try #require(URL(string: "#f", relativeTo: base))
        #expect(url.absoluteString == "https://h/p?token=1#f")
        #expect(url.appending(query: ["a": 1]).absoluteString == "https://h/p?token=1&a=1#f")
        for text in ["x", "?q=1", "/y?z", "//o/p#g", "x:y"] {
            let url = try #require(URL(string: text, relativeTo: base))
            let plain = try #require(URL(string: url.absoluteString))
            #expect(url.appending(query: ["a": 1]).absoluteString == plain.appending(query: ["a": 1]).absoluteString)
        }
    }

    @Test(arguments: [
        ("/tmp/a/\u{301}x", "/tmp/a//\u{301}x"), ("/tmp/a/\u{301}x", "/tmp/a/./\u{301}x"),
        ("/tmp/a/\u{301}x", "/tmp/b/../a/\u{301}x"), ("/tmp/a", "/tmp/a/"), ("/tmp/a", "//tmp///a"),
        ("/tmp/a b", "/tmp/x/../a b"),
    ])
    func destinationsInDisguiseAreEqual(_ a: String, _ b: String) throws {
        let items = [a, b].map { DownloadItem(Fixture.request, to: URL(filePath: $0)) }
        let raw = [a, b].compactMap { text in
            URL(string: "file://" + (text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""))
                .map { DownloadItem(Fixture.request, to: $0) }
        }
        #expect(throws: TransferError.self) { try DownloadItem.checkDestinations(of: items) }
        #expect(throws: TransferError.self, "raw") { try DownloadItem.checkDestinations(of: raw) }
    }

    @Test func aFormForARequestWithoutAURLDoesNotTrap() async {
        await #expect(processExitsWith: .success) {
            var request = URLRequest(url: Fixture.url)
            request.url = nil
            request.setFormBody(["a": 1])
            try request.setFormBody(encodable: ["a": 1])
        }
    }

    @Test func aJSONForARequestWithoutAURLDoesNotTrap() async {
        await #expect(processExitsWith: .success) {
            var request = URLRequest(url: Fixture.url)
            request.url = nil
            try request.setJSONBody(["a": 1])
        }
    }

    struct Odd: Encodable {
        var half: Float16 = 1.5
        var c: CGFloat = 2.5
        var none: Int? = nil
        var when: Date? = Date(timeIntervalSince1970: .nan)
    }
    @Test func oddDatesFail() {
        #expect(throws: FormEncodingError.self) { try FormURLEncoder().items(of: Odd()) }
        #expect(throws: FormEncodingError.self) { try FormURLEncoder(dates: .secondsSince1970).items(of: Odd()) }
        #expect(throws: FormEncodingError.self) { try FormURLEncoder().items(of: ["a": Decimal.nan]) }
        #expect(throws: FormEncodingError.self) { try FormURLEncoder().items(of: ["a": Float16.infinity]) }
    }

    @Test func hostileNumbers() throws {
        let numbers = [
            "1e400", "-1e400", "\"1e400\"", "\"inf\"", "\"-inf\"", "\"NaN\"", "\"0x1p9999\"", "true", "{}", "[[]]",
            "null", String(repeating: "9", count: 60_000), "-0", "1e-400", "\"\"", "\" 5\"", "9223372036854775808",
            "0.5", "\"\(String(repeating: "9", count: 50_000))\"", "01", "+5",
        ]
        for number in numbers {
            for name in ["expires_in"] {
                let json = "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"\(name)\":\(number)}"
                let token = try? OAuth2AccessToken(statusCode: .ok, body: Data(json.utf8))
                if let lifetime = token?.lifetime {
                    #expect(lifetime > .zero && lifetime <= .seconds(1_000_000_000), "\(number)")
                }
            }
        }
        for json in [
            "{\"access_token\":\"a\",\"token_type\":[\"bearer\"]}", "{\"error\":{\"a\":1}}",
            "{\"access_token\":{},\"token_type\":\"bearer\"}",
            "\"a\"", "5", "\u{FEFF}{}", "{\"access_token\":\"a\",\"access_token\":\"b\",\"token_type\":\"bearer\"}",
        ] {
            _ = try? OAuth2AccessToken(statusCode: .ok, body: Data(json.utf8))
            _ = try? OAuth2AccessToken(statusCode: StatusCode(rawValue: -5), body: Data(json.utf8))
        }
    }

    @Test func hostileRetryAfter() {
        var random = SeededRandom(seed: 5)
        let pieces = [
            "Sun, ", "06 Nov 1994", " 08:49:37 GMT", "Sunday, ", "06-Nov-94", "Sun Nov  6 08:49:37 1994", "9", "-",
            "e400", "é",
            "\u{0}", " ", "99", "Feb 30", "\u{301}", ":", "0000", "9999", "Sun Nov 31 23:59:60 9999", "24:00:00",
        ]
        for _ in 0..<3000 {
            let text = (0..<random.below(5)).map { _ in random.element(of: pieces) }.joined()
            let date = (0..<random.below(4)).map { _ in random.element(of: pieces) }.joined()
            let head = Fixture.head(.serviceUnavailable, headers: ["Retry-After": text, "Date": date])
            for now in [
                Date(), .distantFuture, .distantPast, Date(timeIntervalSince1970: .nan),
                Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: -1e300),
            ] {
                if let delay = RetryAfter.delay(of: head, now: { now }) {
                    #expect(delay >= .zero && delay <= .seconds(1_000_000_000))
                }
            }
        }
        for text in [
            String(repeating: "9", count: 200_000), "nan", "inf", "1e400", "-1", "Sunday, 06-Nov-99 08:49:37 GMT",
        ] {
            _ = RetryAfter.delay(of: Fixture.head(headers: ["Retry-After": text]), now: { .now })
        }
    }

    @Test func longInputTakesLinearTime() throws {
        let links = [
            "<a>;", "<", "<>,", "<a>; rel=\"", "\\\"", ";", ",", "a,", "<a>; rel=next, ", "=", "<a>;x=y;",
            "<a>; rel=\"x x x x x x\", ",
        ].map { piece in
            (piece, String(repeating: piece, count: rounds(50_000) / piece.utf8.count))
        }
        for (piece, text) in links + [
            ("anchor", "<a>" + String(repeating: ";anchor=b", count: rounds(20_000))),
            ("rel", "<a>;rel=\"" + String(repeating: "x ", count: rounds(100_000)) + "\""),
        ] {
            let head = Fixture.head(headers: ["Link": text])
            // The machine may stand still during one of them.
            let times = (0..<3).lazy.map { _ in
                ContinuousClock().measure {
                    _ = head.links.count
                    _ = head.link("next")
                }
            }
            #expect(times.contains { $0 < .seconds(2) }, "\(piece)")
        }
        let big = String(repeating: "a b&+é", count: rounds(20_000))
        let time = ContinuousClock().measure {
            let items: QueryItems = ["a": big]
            let url = Fixture.url.appending(query: items)
            _ = url.appending(query: ["b": 1])
            _ = items.formEncoded
        }
        #expect(time < .seconds(60), "query: \(time)")
        let many = ContinuousClock().measure {
            let pairs: [(String, Int)] = (0..<rounds(20_000)).map { ("name\($0)", $0) }
            let items = QueryItems(pairs.map { ($0.0, $0.1 as (any QueryValue)?) })
            _ = items.overridden(by: items).percentEncoded
        }
        #expect(many < .seconds(60), "many: \(many)")
        let defaults = RequestDefaults(baseURL: Fixture.url("https://h/v1"), query: ["q": 1])
        for piece in [
            "a/", "%25", "a/../", "../", "./", "é", "?", "&", "%", "/", "..;/", "%2e", "a=b&", "@", "%2525252525/",
        ] {
            let text = String(repeating: piece, count: rounds(100_000) / piece.utf8.count)
            for prefix in ["/", "?", "x?"] {
                let time = ContinuousClock().measure {
                    _ = try? defaults.url(prefix + text, query: ["z": 1]).absoluteString
                }
                #expect(time < .seconds(60), "\(prefix)\(piece): \(time)")
            }
        }
    }

    @Test func aListedOriginIsTheOneThatIsConnectedTo() throws {
        let listed = [
            "https://api.example.com", "http://[::1]:8080", "https://xn--bcher-kva.example", "http://127.0.0.1:80",
        ]
        let lists = try listed.map { (try OriginList([Fixture.url($0)]), try RequestTarget(Fixture.url($0)).origin) }
        let pieces = [
            "https://", "http://", "HTTPS://", "//", "api.example.com", "API.EXAMPLE.COM", "[::1]", "[::1%25lo]", ":",
            "8080", "443", ":443", "80", ":080", "@", "\\", "/", "?", "#", "%2e", "%40", "evil.com", ".",
            "bücher.example", "xn--bcher-kva.example", "127.0.0.1", "user:pw@", "\t", "\n", " ", "\u{200D}", "．", "。",
            "%5C", "https:", "0", "65536", ";", ",", "'", "..", "é",
        ]
        let bases: [URL?] = [
            nil, Fixture.url("https://api.example.com/v1/x?q"), Fixture.url("https://evil.com/"),
            Fixture.url("http://[::1]:8080/"),
        ]
        var random = SeededRandom(seed: 42)
        var matches = 0
        for _ in 0..<rounds(20_000) {
            let text = (0..<(1 + random.below(6))).map { _ in random.element(of: pieces) }.joined()
            guard let url = URL(string: text, relativeTo: random.element(of: bases)) else { continue }
            for (list, origin) in lists {
                let target = try? RequestTarget(url)
                let isSame = target?.origin == origin && target?.userInformation == nil
                let contains = list.contains(url)
                if contains { matches += 1 }
                #expect(contains == isSame, "\(text.debugDescription) \(url.absoluteString)")
            }
        }
        #expect(matches > 50)
    }

    @Test(arguments: ["/tmp/..%2F%CC%81x", "/tmp/a%2F%CC%81x", "/tmp/%2F%E2%83%9D"])
    func aSlashBeforeACombiningMarkIsASlash(_ path: String) {
        #expect(throws: FileURLInterceptor.Refusal.self) { try FileURLInterceptor.file(Fixture.url("file://" + path)) }
    }

    @Test func manyLinesOfAFieldAreJoinedInLinearTime() throws {
        func time(_ count: Int) throws -> Duration {
            let fields = HTTPHeaderFields((0..<count).map { _ in HTTPHeaderField(name: "X", value: "abcd") })
            return ContinuousClock().measure { #expect(fields["x"]?.utf8.count == count * 6 - 2) }
        }
        // It takes a fifth of a second; it took twenty when each line was appended to a copy of the text.
        #expect(try time(320_000) < .seconds(15))
    }

    @Test func anEndlessNumberOfEmptyPagesEnds() async throws {
        let transport = MockTransport { request in
            let page = Int(request.url.query() ?? "") ?? 0
            return MockAnswer(.ok, headers: ["Link": "<?\(page + 1)>; rel=next"], body: "[]")
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        var options = PaginationOptions()
        options.maximumPages = 300
        let error = try await failure {
            for try await _ in dispatcher.pages(for: Fixture.request, of: [Int].self, options: options).items {}
        }
        #expect(PaginationError.Code.tooManyPages ~= error)
        #expect(dispatcher.requests.count == 300)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "\u{0}", "é\r\n"])
    func aFieldOfACallInjectsNothing(_ text: String) async throws {
        let dispatcher = URLRequestDispatcher.forTests()
        let server = try LoopbackServer()
        server.route("/", .response())
        let base = server.url("/").absoluteString
        for headers in [["X-A": text], [HTTPHeaderName(text): "1"]] as [HTTPHeaderFields] {
            let error = await #expect(throws: TransportError.self) { try await dispatcher.get(base, headers: headers) }
            #expect(error?.code == .invalidRequest)
        }
        let payload = RequestPayload.data(Data([1]), contentType: text)
        let error = await #expect(throws: TransportError.self) { try await dispatcher.post(base, body: payload) }
        #expect(error?.code == .invalidRequest)
        var configuration = URLRequestDispatcher.Configuration()
        configuration.additionalHeaders = ["X-A": text]
        let other = URLRequestDispatcher(configuration: configuration)
        let refusal = await #expect(throws: TransportError.self) { try await other.get(base) }
        #expect(refusal?.code == .invalidRequest)
        #expect(server.requests.isEmpty)
    }

    @Test func aFileThatChangesIsNotCompressedAsAWhole() async throws {
        let folder = try DownloadFolder()
        var random = SeededRandom(seed: 1)
        for count in [10, 599_999, 600_001] {
            let file = try folder.write("f", .compressible(600_000, &random))
            let body = try RequestBody.file(file).gzipped().resolved()
            let handle = try FileHandle(forUpdating: file)
            try handle.truncate(atOffset: UInt64(count))
            try handle.close()
            let error = try await failure { try await body.collect(upTo: .max) }
            #expect(TransferError.Code.fileChanged ~= error, "\(error)")
        }
        let file = try folder.write("f", .compressible(600_000, &random))
        var reading = SegmentPieces([.file(file, length: 600_000)])
        #expect(try reading.next()?.count == 262_144)
        try Data(count: 100_000).write(to: file)
        #expect(throws: TransferError.self) {
            while try reading.next() != nil {}
        }
    }
}
