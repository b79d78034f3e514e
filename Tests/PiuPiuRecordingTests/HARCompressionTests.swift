import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// What cannot be read is not recorded.
@Suite(.timeLimit(.generous)) struct HARCompressionTests {
    private let body = Data((#"{"password":"s3cr3t","text":""# + String(repeating: "text ", count: 500) + #""}"#).utf8)
    private let url = Fixture.url("https://example.com/a")

    private func expectNothing(of body: Data, in har: HAR, _ location: SourceLocation = #_sourceLocation) throws {
        let postData = try #require(har.entries.first?.request.postData, sourceLocation: location)
        #expect(postData.data?.isEmpty ?? true, sourceLocation: location)
        #expect(har.entries.first?.request.bodySize ?? 0 > 0, sourceLocation: location)
        let text = String(decoding: try har.data(), as: UTF8.self)
        #expect(!text.contains(body.prefix(24).base64EncodedString()), sourceLocation: location)
    }

    private func recording(
        _ recorder: HARRecorder,
        _ before: [any Interceptor],
        observes: Bool
    ) -> (URLRequestDispatcher, Locked<Data>) {
        let sent = Locked(Data())
        var configuration = URLRequestDispatcher.Configuration()
        if observes { configuration.observers = [recorder] }
        let transport = MockTransport { request in
            sent.withLock { $0 = request.body }
            return MockAnswer(.ok, body: "ok")
        }
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: before + [recorder],
            transport: transport
        )
        return (dispatcher, sent)
    }

    private var request: URLRequest {
        HARFixture.request("POST", "https://example.com/a", headers: ["Content-Type": "application/json"])
    }

    @Test(arguments: [false, true]) func insideOfRequestCompression(observes: Bool) async throws {
        let recorder = HARRecorder()
        let (dispatcher, sent) = recording(recorder, [RequestCompression()], observes: observes)
        var request = request
        request.httpBody = body
        _ = try await dispatcher.data(for: request)
        #expect(sent.withLock { $0.prefix(2) } == Data([0x1F, 0x8B]))
        try expectNothing(of: sent.withLock { $0 }, in: recorder.har)
        _ = try await dispatcher.upload(for: self.request, from: .data(body)).response()
        #expect(recorder.har.entries.count == 2)
        try expectNothing(of: sent.withLock { $0 }, in: HAR(entries: Array(recorder.har.entries.suffix(1))))
    }

    @Test(arguments: [false, true]) func bodiesThatTheCallerCompresses(observes: Bool) async throws {
        let recorder = HARRecorder()
        let (dispatcher, sent) = recording(recorder, [], observes: observes)
        _ = try await dispatcher.upload(for: request, from: .data(body).gzipped()).response()
        try expectNothing(of: sent.withLock { $0 }, in: recorder.har)
    }

    @Test(arguments: ["gzip", "br", "x-own", "identity, gzip", "GZIP"])
    func codingsThatTheCallerNames(coding: String) async throws {
        let recorder = HARRecorder()
        let (dispatcher, _) = recording(recorder, [], observes: false)
        var request = request
        request.setValue(coding, forHTTPHeaderField: "Content-Encoding")
        request.httpBody = body
        _ = try await dispatcher.data(for: request)
        try expectNothing(of: body, in: recorder.har)
        // A replay does not compare what it does not know.
        let offline = HARFixture.offline(recorder.har, .strict)
        #expect(try await offline.data(for: request).data == Data("ok".utf8))
    }

    @Test func textThatIsNone() async throws {
        let recorder = HARRecorder()
        let (dispatcher, _) = recording(recorder, [], observes: false)
        var request = request
        let gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + body
        request.httpBody = gzip
        _ = try await dispatcher.data(for: request)
        try expectNothing(of: gzip, in: recorder.har)
        request.httpBody = body
        request.setValue("identity", forHTTPHeaderField: "Content-Encoding")
        _ = try await dispatcher.data(for: request)
        #expect(recorder.har.entries.last?.request.postData?.text?.contains(#""password":"<redacted>""#) == true)
    }

    @Test func recordingsOfOtherTools() throws {
        let gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + body
        var entry = HARFixture.entry(
            "POST",
            url.absoluteString,
            headers: ["content-encoding": "br"],
            postData: HAR.PostData(body, mimeType: "text/plain")
        )
        entry.response.content = HAR.Content(gzip, mimeType: "application/json")
        let redacted = HAR(entries: [entry]).redacted()
        #expect(redacted.entries.first?.request.postData?.text == "<redacted>")
        #expect(redacted.entries.first?.response.content.text == "<redacted>")
        #expect(redacted.redacted() == redacted)
    }

    @Test func responsesInACodingThatIsNotKnown() async throws {
        let recorder = HARRecorder()
        let answer = body
        let dispatcher = HARFixture.recording(with: recorder) { request in
            .scripted(
                200,
                for: request,
                headers: ["Content-Encoding": "x-own"],
                body: String(decoding: answer, as: UTF8.self)
            )
        }
        _ = try await dispatcher.data(for: HARFixture.request("https://example.com/a"))
        let content = try #require(recorder.har.entries.first?.response.content)
        #expect(content.text == nil && content.isTruncated)
    }
}
