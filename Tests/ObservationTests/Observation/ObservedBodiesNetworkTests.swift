#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

/// What observers see of the bodies that pass the transport of Linux.
@Suite(.timeLimit(.generous)) struct ObservedBodiesNetworkTests {
    private let recorder = EventRecorder(bodyLimit: 10)
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/echo", .echo)
    }

    private func dispatcher(
        interceptors: [any Interceptor] = [],
        _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        URLRequestDispatcher.forTests(interceptors: interceptors) { configuration in
            configuration.observers = [recorder]
            configure(&configuration)
        }
    }

    private func request(_ path: String, _ method: HTTPMethod = .post, body: String? = nil) -> URLRequest {
        var request = URLRequest(url: server.url(path), method: method)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private var ended: [ExchangeSummary] { recorder.state.ended.map(\.summary) }

    private func text(_ body: ObservedBody?) -> String? { body.map { String(decoding: $0.beginning, as: UTF8.self) } }

    private static func stream(_ data: Data) -> AsyncStream<Data> {
        AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: data.count, by: 7000) { continuation.yield(data[start...].prefix(7000)) }
            continuation.finish()
        }
    }

    enum Source: CaseIterable { case memory, file, stream, streamOfKnownLength, streamedResponse }

    // Short bodies in memory are sent with the head, and long ones are read.
    @Test(arguments: Source.allCases, [1, 9, 10, 11, 300_000])
    func bothBodiesAreSeen(_ source: Source, _ size: Int) async throws {
        let data = Data("0123456789abcdef".utf8 + [UInt8](repeating: 0x78, count: 300_000)).prefix(size)
        let file = FileManager.default.temporaryDirectory.appending(path: "observed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let dispatcher = dispatcher()
        let body: RequestBody
        switch source {
        case .memory, .streamedResponse: body = .data(Data(data))
        case .file:
            try data.write(to: file)
            body = .file(file)
        case .stream: body = .stream(Self.stream(Data(data)))
        case .streamOfKnownLength: body = .stream(Self.stream(Data(data)), length: Int64(size))
        }
        if source == .streamedResponse {
            var request = request("/echo")
            request.httpBody = Data(data)
            #expect(try await dispatcher.stream(for: request).data.collect(upTo: 1_000_000) == data)
        } else {
            #expect(try await dispatcher.upload(for: request("/echo"), from: body).response().data == data)
        }
        _ = await recorder.outline(of: 1)
        let expected = ObservedBody(beginning: Data(data.prefix(10)), size: size, contentType: "text/plain")
        #expect(ended.count == 1)
        #expect(ended.first?.requestBody == expected)
        #expect(ended.first?.responseBody == expected)
        #expect(recorder.state.order.violations == [])
    }

    @Test func bodiesWithoutContentAreNone() async throws {
        server.route("/empty", .response(status: 204))
        _ = try await dispatcher().data(for: request("/empty", .get))
        #expect(ended.first.map { $0.requestBody == nil && $0.responseBody == nil } == true)
    }

    @Test(arguments: [false, true]) func aCompressedResponseIsSeenAsTheCallerGetsIt(_ isDecoded: Bool) async throws {
        let plain = Data(String(repeating: "hello ", count: 5_000).utf8)
        let compressed = try #require(try await GzipEncoder.compressed([plain]))
        let fields: HeaderList = ["Content-Type": "text/plain", "Content-Encoding": "gzip"]
        server.route("/gzip", .response(headers: fields, body: compressed))
        var request = request("/gzip", .get)
        if !isDecoded { request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding") }
        let response = try await dispatcher().data(for: request)
        let data = isDecoded ? plain : compressed
        #expect(response.data == data)
        let seen = try #require(ended.first?.responseBody)
        #expect(seen.beginning == data.prefix(10) && seen.size == data.count && seen.isComplete)
        #expect(seen.contentEncoding == (isDecoded ? nil : "gzip"))
    }

    @Test func aCompressedRequestIsSeenAsItIsSent() async throws {
        let body = RequestBody.stream(Self.stream(Data(repeating: 7, count: 50_000))).gzipped()
        let dispatcher = dispatcher()
        _ = try await dispatcher.upload(for: request("/echo"), from: body).response()
        let seen = try #require(ended.first?.requestBody)
        #expect(seen.beginning.starts(with: [0x1F, 0x8B]) && seen.isComplete && seen.contentEncoding == "gzip")
        #expect(server.requests.first?.body.count == seen.size)
    }

    @Test func aBodyThatIsCutOffIsIncomplete() async throws {
        server.route("/cut", .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .close)
        await expect(.truncatedBody) { try await dispatcher().data(for: request("/cut", .get)) }
        #expect(ended.map(\.responseBody) == [ObservedBody(beginning: Data("abc".utf8), isComplete: false)])
    }

    @Test func aStreamThatIsLeftIsIncomplete() async throws {
        server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
        let dispatcher = dispatcher()
        for try await _ in try await dispatcher.stream(for: request("/endless", .get)).data { break }
        _ = await recorder.outline(of: 1)
        let seen = try #require(ended.first?.responseBody)
        #expect(seen.beginning == Data(repeating: 0x78, count: 10) && seen.size >= 10 && !seen.isComplete)
    }

    @Test func anUploadThatIsCancelledShowsWhatWasSent() async throws {
        server.route("/held", .hold("never"))
        let (pieces, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("abc".utf8))
        let dispatcher = dispatcher()
        let call = Task { try await dispatcher.upload(for: request("/held"), from: .stream(pieces)).response() }
        _ = await recorder.observed.wait { $0.texts.contains("1 body sent 3") }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        _ = await recorder.outline(of: 1)
        #expect(ended.first?.requestBody?.beginning == Data("abc".utf8))
        #expect(ended.first?.requestBody?.isComplete == false)
        #expect(ended.first?.responseBody == nil)
    }

    @Test func aBodyThatIsSentAgainBeginsAnew() async throws {
        // Every second request finds the connection closed, before or after it was sent.
        server.sequence("/once", (0..<20).map { $0.isMultiple(of: 2) ? [.echo, .close] : [.echo] })
        let file = FileManager.default.temporaryDirectory.appending(path: "observed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let data = Data("0123456789abcdef".utf8)
        try data.write(to: file)
        let dispatcher = dispatcher { $0.transport.eventLoops = 1 }
        for _ in 0..<20 {
            _ = try await dispatcher.upload(for: request("/once", .put), from: .file(file)).response()
        }
        let expected = ObservedBody(beginning: data.prefix(10), size: 16, contentType: "text/plain")
        #expect(ended.map(\.requestBody) == Array(repeating: expected, count: 20))
        #expect(ended.map(\.responseBody) == Array(repeating: expected, count: 20))
        #expect(recorder.state.order.violations == [])
    }

    @Test func aRefusedExpectationBeginsAnew() async throws {
        let server = try RawServer { connection in
            var input = ""
            while !input.contains("\r\n\r\n") { input += String(decoding: try connection.read(), as: UTF8.self) }
            let isRefused = input.lowercased().contains("expect:")
            while !isRefused, !input.hasSuffix("0\r\n\r\n") {
                input += String(decoding: try connection.read(), as: UTF8.self)
            }
            let status = isRefused ? "417 Expectation Failed" : "200 OK"
            let body = isRefused ? "no" : "yes"
            let head = "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            connection.write(Array((head + body).utf8))
        }
        var options = RequestOptions()
        options.expectContinue = .always.waiting(.generous)
        let body = RequestBody.stream(Self.stream(Data("0123456789abcdef".utf8)))
        let dispatcher = dispatcher()
        let request = URLRequest(url: Fixture.url("http://127.0.0.1:\(server.port)/"), method: .post)
        let response = try await dispatcher.upload(for: request, from: body, options: options).response()
        #expect(response.statusCode == .ok)
        #expect(recorder.state.texts.contains("1 restarted"))
        #expect(ended.map { text($0.requestBody) } == ["0123456789"])
        #expect(ended.map { text($0.responseBody) } == ["yes"])
        #expect(ended.first?.requestBody?.isComplete == true)
    }

    @Test func redirectsHaveTheirOwnBodies() async throws {
        server.route("/307", .response(status: 307, headers: ["Location": "/302"], body: "first"))
        server.route("/302", .response(status: 302, headers: ["Location": "/echo"], body: "second"))
        _ = try await dispatcher().data(for: request("/307", body: "abc"))
        #expect(ended.map { text($0.requestBody) } == ["abc", "abc", nil])
        #expect(ended.map { text($0.responseBody) } == ["first", "second", nil])
    }

    @Test func aStormMixesNothingUp() async throws {
        server.route("/held", .drainBody, .hold("never"))
        let dispatcher = dispatcher { $0.connections = ConnectionLimits(perHost: 8, total: 16) }
        let count = 240
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 32 { await group.next() }
                group.addTask {
                    let id = String(1_000_000_000 + number)
                    let text = id + String(repeating: "x", count: (number % 5) * 30_000)
                    var request = request(number.isMultiple(of: 4) ? "/held" : "/echo")
                    request.setValue(id, forHTTPHeaderField: "X-ID")
                    let body: RequestBody =
                        number.isMultiple(of: 3) ? .stream(Self.stream(Data(text.utf8))) : .data(Data(text.utf8))
                    let call = Task { [request] in
                        try await dispatcher.upload(for: request, from: body).response()
                    }
                    if number.isMultiple(of: 4) {
                        if number.isMultiple(of: 8) { _ = await recorder.observed.wait { $0.events.count > number } }
                        call.cancel()
                        await #expect(throws: CancellationError.self) { try await call.value }
                    } else {
                        let data = try? await call.value.data
                        #expect(data == Data(text.utf8))
                    }
                }
            }
        }
        _ = await recorder.observed.wait { $0.order.openCallCount == 0 && $0.order.openExchangeCount == 0 }
        #expect(recorder.state.order.violations == [])
        for (exchange, summary) in recorder.state.ended {
            let id = exchange.urlRequest.value(forHTTPHeaderField: "X-ID") ?? ""
            let sent = summary.requestBody.map { String(decoding: $0.beginning, as: UTF8.self) } ?? ""
            if case .response = summary.outcome {
                #expect(sent == id && summary.requestBody?.isComplete == true)
                #expect(text(summary.responseBody) == id && summary.responseBody?.isComplete == true)
                #expect(summary.requestBody?.size == summary.responseBody?.size)
            } else {
                #expect(id.hasPrefix(sent))
            }
        }
        await dispatcher.shutdown()
    }
}
#endif
