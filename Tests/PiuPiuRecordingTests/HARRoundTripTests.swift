import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

/// Random exchanges come out of a file as they went in, and random damage to a file is an error and nothing worse.
@Suite(.timeLimit(.generous)) struct HARRoundTripTests {
    /// An exchange as a server might have had it.
    private struct Exchange: Sendable {
        let request: URLRequest
        let status: Int
        let headers: HTTPHeaderFields
        let body: Data?

        init(_ index: Int, _ random: inout SeededRandom) {
            var request = HARFixture.request(
                ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"].randomElement(using: &random) ?? "GET",
                "https://h\(Int.random(in: 0..<3, using: &random)).example.com/\(index)?q=\(Self.query(&random))"
            )
            let types = [
                "text/plain", "application/json", "text/html; charset=utf-8", "text/html; charset=iso-8859-1",
                "image/png",
                "text/plain; charset=UTF-16", "application/x-www-form-urlencoded", "multipart/form-data; boundary=zz",
                "",
            ]
            if !["GET", "HEAD"].contains(request.httpMethod) {
                request.setValue(types.randomElement(using: &random), forHTTPHeaderField: "Content-Type")
                request.httpBody = Self.body(&random)
            }
            self.request = request
            status = [200, 201, 204, 206, 301, 304, 400, 404, 418, 500, 599].randomElement(using: &random) ?? 200
            var headers: HTTPHeaderFields = [:]
            headers.append(name: "X-Number", value: "\(index)")
            if let type = types.randomElement(using: &random), !type.isEmpty {
                headers.append(name: "Content-Type", value: type)
            }
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                headers.append(
                    name: "X-Many",
                    value: ["", "a, b", "ü", "\"quoted\""].randomElement(using: &random) ?? ""
                )
            }
            let hasBody = request.httpMethod != "HEAD" && status != 204 && status != 304
            let body = hasBody ? Self.body(&random) : Data()
            if hasBody, Bool.random(using: &random) { headers.append(name: "Content-Length", value: "\(body.count)") }
            self.headers = headers
            self.body = body.isEmpty ? nil : body
        }

        private static func query(_ random: inout SeededRandom) -> String {
            ["1", "a%20b", "a+b", "%C3%A9", "%FF", "x%26y", ""].randomElement(using: &random) ?? ""
        }

        private static func body(_ random: inout SeededRandom) -> Data {
            let texts = [
                "", "plain", #"{"a":[1,2,{"b":null}]}"#, "Grüße\r\n\u{0}\u{1F}\u{7F}\u{2028}", "\u{FEFF}mark",
                "e\u{301}",
                #"{"broken": "#, "a=1&b=2", "--zz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--zz--\r\n",
            ]
            if Bool.random(using: &random) { return Data((texts.randomElement(using: &random) ?? "").utf8) }
            let count = Int.random(in: 0..<300, using: &random)
            return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func whatWasRecordedIsReplayed(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let exchanges = (0..<40).map { Exchange($0, &random) }
        let recorder = HARRecorder()
        let live = HARFixture.recording(with: recorder) { [exchanges] request in
            let index = Int(request.urlRequest.url?.lastPathComponent ?? "") ?? 0
            let exchange = exchanges[index]
            return TransportResponse(
                head: ResponseHead(
                    url: request.urlRequest.url ?? Fixture.url,
                    statusCode: StatusCode(rawValue: exchange.status),
                    headers: exchange.headers
                ),
                body: exchange.body,
                urlRequest: request.urlRequest
            )
        }
        for exchange in exchanges { _ = try await live.data(for: exchange.request) }
        let data = try recorder.har.data()
        let har = try HAR(data)
        #expect(har == recorder.har)
        #expect(try har.data() == data)
        let offline = HARFixture.offline(har)
        for exchange in exchanges.shuffled(using: &random) {
            let response = try await offline.data(for: exchange.request)
            #expect(response.data == exchange.body)
            #expect(response.statusCode == StatusCode(rawValue: exchange.status))
            #expect(response.headers == exchange.headers)
            #expect(response.urlRequest == exchange.request)
        }
    }

    // MARK: Damage

    private static let valid: Data = {
        var postData = HAR.PostData(Data("a=1&token=2".utf8), mimeType: "application/x-www-form-urlencoded")
        postData.params = [HTTPHeaderField(name: "a", value: "1")]
        let entries = [
            HARFixture.entry("https://ada:pw@example.com/%41?a=1#b", body: "text"),
            HARFixture.entry(
                "POST",
                "https://example.com/",
                headers: ["Content-Type": "text/plain"],
                postData: postData,
                status: 302,
                responseHeaders: ["Location": "/%41?a=1", "Content-Type": "text/html; charset=latin1"],
                body: #"{"token":["a",1],"x":"\u00e9"}"#
            ),
        ]
        return (try? HAR(entries: entries).data()) ?? Data()
    }()

    /// Everything that can be done with a file.
    private func use(_ data: Data) async throws -> Bool {
        let har: HAR
        do {
            har = try HAR(data)
        } catch let error as HARError {
            #expect(error.code == .malformed)
            return false
        }
        _ = try har.redacted().data()
        for matching in [HARMatching.strict, .lenient] {
            let dispatcher = HARFixture.offline(har, matching)
            var requests = [HARFixture.request("POST", "https://example.com/", body: "a=1&token=3")]
            requests += har.entries.prefix(3).compactMap { URL(string: $0.request.url).map { URLRequest(url: $0) } }
            for request in requests {
                do {
                    let response = try await dispatcher.data(for: request)
                    _ = (response.urlResponse, response.headers.description)
                } catch {
                    #expect(error is HARError || error is TransportError, "\(error)")
                }
            }
        }
        return true
    }

    @Test(arguments: 0..<UInt64(rounds(30)))
    func damagedFilesAreTypedErrors(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var readable = 0
        for _ in 0..<40 {
            var bytes = Array(Self.valid)
            for _ in 0..<Int.random(in: 1...2, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let interesting = Array("\"\\{}[]:,%@/?#&=\u{0}-0eE.\n <>".utf8) + [0xFF, 0xC3]
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes[place] = interesting.randomElement(using: &random) ?? 0
                case 2: bytes.insert(interesting.randomElement(using: &random) ?? 0, at: place)
                case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1..<20, using: &random)))
                case 4: bytes.removeLast(bytes.count - place)
                default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
                }
            }
            if try await use(Data(bytes)) { readable += 1 }
        }
        // Or it would not be looked behind the reader.
        #expect(readable > 0)
    }

    @Test(
        arguments: [
            ("", nil), ("[]", nil), ("{}", nil), ("null", nil), ("{\"log\":{}}", "log"), ("{\"log\":[]}", "log"),
            (#"{"log":{"entries":{}}}"#, "log.entries"), (#"{"log":{"entries":[3]}}"#, "log.entries[0]"),
            (#"{"log":{"entries":[{}]}}"#, "log.entries[0]"),
            (#"{"log":{"entries":[{"request":{"method":"GET"},"response":{}}]}}"#, "log.entries[0].request"),
            (
                #"{"log":{"entries":[{"request":{"method":1,"url":""},"response":{}}]}}"#,
                "log.entries[0].request.method"
            ),
            (
                #"{"log":{"entries":[{"request":{"method":"","url":""},"response":{"status":1e300}}]}}"#,
                "log.entries[0].response.status"
            ),
            (
                #"{"log":{"entries":[{"request":{"method":"","url":""},"response":{"content":{"text":5}}}]}}"#,
                "log.entries[0].response.content.text"
            ),
        ] as [(String, String?)]
    )
    func malformedFilesSayWhere(file: String, path: String?) throws {
        let error = try #require(throws: HARError.self) { try HAR(Data(file.utf8)) }
        #expect(error.code == .malformed)
        if let path { #expect(error.path == path) }
    }

    @Test(arguments: ["[", #"{"a":"#, #"{"log":"#])
    func filesThatNestForEverAreMalformed(opening: String) {
        let file = Data(String(repeating: opening, count: 100_000).utf8)
        #expect(#expect(throws: HARError.self) { try HAR(file) }?.code == .malformed)
    }

    @Test func statusesAndVersionsNoServerHasAreHarmless() async throws {
        for status in [-1, 0, 99, 100, 199, 200, 999, 1000, .max, .min] {
            var entry = HARFixture.entry("GET", "https://example.com/", status: status)
            entry.response.headers = ["a b": "1", "": "2", "X": "1\u{0}2"]
            entry.response.httpVersion = "HTTP/9\r\n"
            let har = HAR(entries: [entry])
            let result = try? await HARFixture.offline(har).data(for: HARFixture.request("GET", "https://example.com/"))
            #expect((result != nil) == (200...999).contains(status))
            #expect(result?.headers.isEmpty ?? true)
            _ = result?.urlResponse
        }
    }

    @Test func filesThatAreTooLargeAreRefused() throws {
        let folder = try DownloadFolder()
        let file = try folder.write("large.har", Self.valid)
        let reads: [(Int) throws -> HAR] = [
            { limit in try HAR(contentsOf: file, maximumSize: limit) },
            { limit in try HAR(Self.valid, maximumSize: limit) },
        ]
        for read in reads {
            let error = #expect(throws: HARError.self) { try read(Self.valid.count - 1) }
            #expect(error?.code == .tooLarge)
            #expect(try read(Self.valid.count).entries.count == 2)
        }
        #expect(throws: TransferError.self) { try HAR(contentsOf: folder["missing.har"]) }
        #expect(throws: TransferError.self) { try HAR(contentsOf: folder.url) }
    }

    @Test func aFormWithoutATextHasNoneLater() throws {
        for params in [[], [HTTPHeaderField(name: "a", value: "1")]] {
            let postData = HAR.PostData(mimeType: "application/x-www-form-urlencoded", text: nil, params: params)
            let data = try JSONEncoder().encode(postData)
            #expect(try JSONDecoder().decode(HAR.PostData.self, from: data) == postData)
            let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(object["text"] != nil || object["params"] != nil)
        }
    }
}
