import HTTPTypes
import PiuPiuAsync
import PiuPiuHTTPTypes
import PiuPiuTesting
import Testing

/// Bodies that are not in memory, both ways.
@Suite(.timeLimit(.minutes(5)))
struct StreamingTests {
    private struct Failure: Error, Equatable {}

    /// More than the buffers between a client and a server hold.
    private static let tooMuch = 48 << 20
    private static let chunk = Data(repeating: 0x65, count: 65_536)

    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()

    init() throws {
        server = try LoopbackServer()
        server.route("/ping", .response())
        server.route("PUT", "/echo", .echo)
    }

    // MARK: Uploads

    @Test(arguments: [nil, Int64(tooMuch)])
    func aServerThatDoesNotReadHoldsTheProducerBack(length: Int64?) async throws {
        server.route("PUT", "/held", .ignoreBody, .hold("here"), .drainBody, .response(body: "ok"))
        let producer = Producer { $0 < Self.tooMuch / Self.chunk.count ? Self.chunk : nil }
        let request = server.request(.put, "/held")
        let upload = Task { try await dispatcher.send(request, body: .stream(producer, length: length)) }
        #expect(await server.waitUntilHeld("here"))
        let given = try await server.standstill(of: dispatcher) { producer.given }
        #expect(given > 0 && given < Self.tooMuch / 2, "\(given)")
        server.release("here")
        let (response, body) = try await upload.value
        #expect(response.status == .ok)
        #expect(try await body.collect(upTo: 10) == Data("ok".utf8))
        if length == nil { #expect(server.requests(for: "/held").first?.header("Transfer-Encoding") == "chunked") }
    }

    @Test func aStreamArrives() async throws {
        for length in [nil, 300_000] as [Int64?] {
            let producer = Producer { $0 < 3 ? Data(repeating: UInt8($0), count: 100_000) : nil }
            let request = server.request(.put, "/echo")
            let (_, data) = try await dispatcher.data(for: request, body: .stream(producer, length: length))
            #expect(data == (0..<3).reduce(into: Data()) { $0 += Data(repeating: UInt8($1), count: 100_000) })
        }
    }

    @Test func aContentLengthMustBeThatOfTheBody() async throws {
        let request = server.request(.put, "/echo", [.contentLength: "3"])
        let body = RequestBody.stream(Producer { $0 < 1 ? Data("abc".utf8) : nil }, length: 3)
        #expect(try await dispatcher.data(for: request, body: body).1 == Data("abc".utf8))
        let unknown = RequestBody.stream(Producer { $0 < 1 ? Data("abc".utf8) : nil })
        #expect(try await refusal { try await dispatcher.send(request, body: unknown) }.code == .invalidRequest)
        let other = RequestBody.data(Data("abcd".utf8))
        #expect(try await refusal { try await dispatcher.send(request, body: other) }.code == .invalidRequest)
        #expect(server.requests.count == 1)
    }

    @Test func theResponseIsReadWhileTheBodyIsSent() async throws {
        server.route(
            "PUT",
            "/early",
            .drainBody,
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            .hold("rest"),
            .send("3\r\ndef\r\n0\r\n\r\n")
        )
        let (asked, more, ended) = (Signal(), Signal(), Signal())
        let producer = Producer { index in
            if index == 1 {
                asked.send()
                try await more.wait()
            }
            if index == 2 { ended.send() }
            return index < 2 ? Data("one".utf8) : nil
        }
        let (_, body) = try await dispatcher.send(server.request(.put, "/early"), body: .stream(producer))
        var chunks = body.makeAsyncIterator()
        #expect(try await chunks.next() == Data("abc".utf8))
        // The response may arrive before anything of the body is asked for.
        try await asked.wait()
        #expect(producer.given == 3)
        more.send()
        // A response that ends first would end the upload.
        try await ended.wait()
        server.release("rest")
        #expect(try await chunks.next() == Data("def".utf8))
        #expect(try await chunks.next() == nil)
        #expect(producer.given == 6)
    }

    @Test func anErrorOfTheProducerReachesTheCallerAndClosesTheExchange() async throws {
        let producer = Producer { index in
            guard index < 2 else { throw Failure() }
            return Data("one".utf8)
        }
        await #expect(throws: Failure.self) {
            _ = try await dispatcher.send(server.request(.put, "/echo"), body: .stream(producer))
        }
        #expect(await server.waitForOpenConnections(atMost: 0))
        #expect(server.requests.allSatisfy { !$0.isBodyComplete })
    }

    // MARK: Downloads

    @Test func aReaderThatDoesNotReadHoldsTheServerBack() async throws {
        let count = Self.tooMuch / Self.chunk.count
        server.route(
            "/large",
            .send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.tooMuch)\r\n\r\n"),
            .repeat(Self.chunk, count: count)
        )
        let (_, body) = try await dispatcher.send(server.request(.get, "/large"))
        #expect(body.expectedLength == Int64(Self.tooMuch))
        // The responses to other requests are counted as well: fewer than 100 bytes for each.
        var before = 0
        var sent = 0
        repeat {
            before = sent
            for _ in 0..<100 { _ = try await dispatcher.data(for: server.request(.get, "/ping")) }
            sent = server.bytesSent
        } while sent - before > 100 * 100
        #expect(sent > 0 && sent < Self.tooMuch / 2, "\(sent)")
        var received = 0
        for try await chunk in body { received += chunk.count }
        #expect(received == Self.tooMuch)
    }

    // MARK: Cancellation

    @Test func cancellingWhileTheHeadIsAwaitedClosesTheExchange() async throws {
        server.route("PUT", "/held", .drainBody, .hold("never"), .response())
        let begun = Signal()
        let cancelled = Signal()
        let producer = Producer { index in
            if index == 0 { return Data("one".utf8) }
            begun.send()
            await withTaskCancellationHandler {
                try? await cancelled.wait()
            } onCancel: {
                cancelled.send()
            }
            return nil
        }
        let request = server.request(.put, "/held")
        let upload = Task { try await dispatcher.send(request, body: .stream(producer)) }
        #expect(await server.waitUntilHeld("never"))
        try await begun.wait()
        upload.cancel()
        await #expect(throws: CancellationError.self) { _ = try await upload.value }
        try await cancelled.wait()
        server.release("never")
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func cancellingABufferedRequestClosesTheExchange() async throws {
        server.route("/held", .hold("never"), .response())
        for body in [nil, RequestBody.data(Data("a".utf8))] {
            let request = server.request(.post, "/held")
            let call = Task { try await dispatcher.data(for: request, body: body) }
            #expect(await server.waitUntilHeld("never"))
            call.cancel()
            await #expect(throws: CancellationError.self) { _ = try await call.value }
            #expect(await server.waitForOpenConnections(atMost: 0))
        }
    }

    @Test(arguments: [true, false])
    func leavingOrDroppingTheBodyClosesTheExchange(isRead: Bool) async throws {
        server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(Self.chunk))
        do {
            let (response, body) = try await dispatcher.send(server.request(.get, "/endless"))
            #expect(response.status == .ok)
            if isRead { for try await _ in body { break } }
        }
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func cancellingTheReaderClosesTheExchange() async throws {
        server.route("/begun", .send("HTTP/1.1 200 OK\r\n\r\nabc"), .hold("never"))
        let (_, body) = try await dispatcher.send(server.request(.get, "/begun"))
        let read = Signal()
        let reader = Task {
            for try await _ in body { read.send() }
        }
        try await read.wait()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func aResponseThatCannotBeConvertedClosesTheExchange() async throws {
        let lines = String(repeating: "a:\n", count: 70_000)
        server.route("/many", .send("HTTP/1.1 200 OK\r\n\(lines)\r\n"), .repeat(Self.chunk))
        let options = RequestOptions(maximumHead: 16 << 20)
        let error = try await refusal { try await dispatcher.send(server.request(.get, "/many"), options: options) }
        // Newer versions of libcurl refuse such a head themselves.
        #expect([.headTooLarge, .malformedHead].contains(error.code), "\(error)")
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    // MARK: Trailers

    @Test func trailersOfAResponseAreThereAfterItsBody() async throws {
        server.route(
            "/trailers",
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            .send("0\r\nX-Sum: 1\r\nx-sum: 2\r\nContent-Length: 17\r\n\r\n")
        )
        let (response, body) = try await dispatcher.send(server.request(.get, "/trailers"))
        #expect(try body.trailerFields == nil)
        #expect(try await body.collect(upTo: 10) == Data("abc".utf8))
        #expect(try body.trailerFields?[values: try name("X-Sum")] == ["1", "2"])
        #expect(try body.trailerFields?.count == 2)
        #expect(!response.headerFields.contains(try name("X-Sum")))

        server.route("/none", .response(body: "abc"))
        let none = try await dispatcher.send(server.request(.get, "/none")).1
        #expect(try await none.collect(upTo: 10).count == 3)
        #expect(try none.trailerFields == [:])
    }

    @Test func trailersOfARequestFollowItsBody() async throws {
        let listener = try RawListener()
        let sum = try name("X-Sum")
        let body = RequestBody.data(Data("abc".utf8)).withTrailerFields([sum, .eTag]) { [sum: "1", sum: "2"] }
        var request = server.request(.put, "/")
        request.authority = "127.0.0.1:\(listener.port)"
        let (response, _) = try await dispatcher.data(for: request, body: body)
        #expect(response.status == .ok)
        let text = listener.received
        #expect(text.contains("\r\nTrailer: X-Sum, ETag\r\n"))
        // Zeros may precede the size of a chunk (RFC 9112 §7.1).
        #expect(text.hasSuffix("3\r\nabc\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n"))
    }

    @Test func trailersThatMayNotBeSentAreRefused() async throws {
        let request = server.request(.put, "/echo")
        let forbidden = RequestBody.data(Data("a".utf8)).withTrailerFields([.contentLength]) { [:] }
        #expect(try await refusal { try await dispatcher.send(request, body: forbidden) }.code == .invalidRequest)
        #expect(server.acceptedConnections == 0)
        let surprise = RequestBody.data(Data("a".utf8)).withTrailerFields([.eTag]) { [.accept: "a"] }
        #expect(try await refusal { try await dispatcher.send(request, body: surprise) }.code == .invalidRequest)
        let latin1 = RequestBody.data(Data("a".utf8)).withTrailerFields([.eTag]) {
            HTTPFields([HTTPField(name: .eTag, value: [0x41, 0xE9] as [UInt8])])
        }
        #expect(try await refusal { try await dispatcher.send(request, body: latin1) }.code == .invalidRequest)
        let failing = RequestBody.data(Data("a".utf8)).withTrailerFields([.eTag]) { throw Failure() }
        await #expect(throws: Failure.self) { _ = try await dispatcher.send(request, body: failing) }
    }
}
