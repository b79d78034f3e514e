import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// How a reader gives a stream up.
enum StreamEnding: CaseIterable, Sendable {
    case droppingTheBody, droppingTheIterator, breaking, throwing, cancellingBeforeNext, cancellingInsideNext
    case collectingTooMuch
}

extension TransferNetworkTests {
    /// How streams end, from either side.
    @Suite(.timeLimit(.generous))
    struct StreamEndTests {
        private struct Objection: Error {}

        private let server: LoopbackServer
        // No limit may end what a test leaves open.
        private let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = .seconds(3600) }

        init() throws {
            server = try LoopbackServer()
        }

        private func stream(_ path: String, _ method: String = "GET") async throws -> Response<ResponseBody> {
            try await dispatcher.stream(for: URLRequest(method, server.url(path)))
        }

        // MARK: The reader's side

        @Test(arguments: StreamEnding.allCases, ["/endless", "/silent"])
        func givingUpClosesTheExchange(_ ending: StreamEnding, _ path: String) async throws {
            server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
            server.route("/silent", .send("HTTP/1.1 200 OK\r\n\r\nx"), .hold("here"), .stall)
            switch ending {
            case .droppingTheBody: _ = try await stream(path)
            case .droppingTheIterator:
                var iterator = try await stream(path).data.makeAsyncIterator()
                #expect(try await iterator.next()?.first == UInt8(ascii: "x"))
            case .breaking: for try await _ in try await stream(path).data { break }
            case .throwing:
                let error = try await failure { for try await _ in try await stream(path).data { throw Objection() } }
                #expect(error is Objection)
            case .cancellingBeforeNext:
                let task = Task {
                    var iterator = try await stream(path).data.makeAsyncIterator()
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await iterator.next()
                }
                let error = try await failure { try await task.value }
                #expect(error is CancellationError, "\(error)")
            case .cancellingInsideNext:
                let task = Task {
                    var count = 0
                    for try await chunk in try await stream(path).data { count += chunk.count }
                    return count
                }
                if path == "/silent" { await server.waitUntilHeld("here") }
                await server.waitForRequests(1)
                task.cancel()
                let error = try await failure { try await task.value }
                #expect(error is CancellationError, "\(error)")
            case .collectingTooMuch:
                guard path == "/endless" else { return }
                let error = try await failure { try await stream(path).data.collect(upTo: 100_000) }
                #expect(TransportError.Code.bodyTooLarge ~= error, "\(error)")
            }
            server.release("here")
            #expect(await server.waitForOpenConnections(atMost: 0))
            #expect(try await dispatcher.exchangeCount() == 0)
            // Nothing counts as under way any more.
            await dispatcher.shutdown()
        }

        @Test func aBodyIsReadByOne() async throws {
            server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
            let body = try await stream("/endless").data
            var first = body.makeAsyncIterator()
            var second = body.makeAsyncIterator()
            _ = try await first.next()
            let error = try await failure { try await second.next() }
            #expect(TransferError.Code.bodyAlreadyRead ~= error, "\(error)")
            // Releasing the iterator that was refused does not end the exchange.
            second = body.makeAsyncIterator()
            #expect(try await first.next()?.isEmpty == false)
        }

        @Test func leavingTheLoopClosesTheExchangeAlsoWhereSomebodyHoldsTheBody() async throws {
            server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
            let body = try await stream("/endless").data
            for try await _ in body { break }
            #expect(await server.waitForOpenConnections(atMost: 0))
            let error = try await failure { for try await _ in body {} }
            #expect(TransferError.Code.bodyAlreadyRead ~= error, "\(error)")
        }

        @Test func afterAnErrorThereIsNothingMore() async throws {
            server.route("/cut", .head(6), .send("abc"), .close)
            var iterator = try await stream("/cut").data.makeAsyncIterator()
            #expect(try await iterator.next() == Data("abc".utf8))
            let error = try await failure { try await iterator.next() }
            #expect(TransportError.Code.truncatedBody ~= error, "\(error)")
            for _ in 0..<3 { #expect(try await iterator.next() == nil) }
        }

        // MARK: The dispatcher's side

        @Test(arguments: ["/endless", "/silent"])
        func releasingTheDispatcherEndsTheStream(_ path: String) async throws {
            server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
            server.route("/silent", .send("HTTP/1.1 200 OK\r\n\r\nx"), .stall)
            var dispatcher: URLRequestDispatcher? = .forTests { $0.timeouts.total = .seconds(3600) }
            let body = try await #require(dispatcher).stream(for: URLRequest(url: server.url(path))).data
            weak let released = dispatcher
            dispatcher = nil
            #expect(released == nil)
            for _ in 0..<2 {
                let error = try await failure { for try await _ in body {} }
                #expect(TransportError.Code.shutDown ~= error, "\(error)")
                #expect("\(error)".hasPrefix("The dispatcher was released"), "\(error)")
            }
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test(
            "A reader whose dispatcher is released gets the same error, unless it is cancelled",
            arguments: [
                false, true,
            ]
        )
        func releasedWhileReading(_ isCancelled: Bool) async throws {
            server.route("/silent", .send("HTTP/1.1 200 OK\r\n\r\nx"), .hold("here"), .stall)
            var dispatcher: URLRequestDispatcher? = .forTests()
            let body = try await #require(dispatcher).stream(for: URLRequest(url: server.url("/silent"))).data
            let reader = Task { for try await _ in body {} }
            await server.waitUntilHeld("here")
            if isCancelled { reader.cancel() }
            dispatcher = nil
            let error = try await failure { try await reader.value }
            #expect(isCancelled ? error is CancellationError : TransportError.Code.shutDown ~= error, "\(error)")
            server.release("here")
        }

        @Test func invalidatingTheDispatcherWakesAReader() async throws {
            server.route("/silent", .send("HTTP/1.1 200 OK\r\n\r\nx"), .hold("here"), .stall)
            let reader = Task { for try await _ in try await stream("/silent").data {} }
            await server.waitUntilHeld("here")
            dispatcher.invalidateAndCancel()
            let error = try await failure { try await reader.value }
            #expect(error is CancellationError, "\(error)")
            server.release("here")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func shuttingDownWaitsForTheStream() async throws {
            server.route("/file", .head(6), .send("abc"), .hold("middle"), .send("def"))
            var iterator = try await stream("/file").data.makeAsyncIterator()
            #expect(try await iterator.next() == Data("abc".utf8))
            let isDown = Locked(false)
            let shutdown = Task {
                await dispatcher.shutdown()
                isDown.withLock { $0 = true }
            }
            await dispatcher.waitUntilRefusing(server.url("/404"))
            #expect(!isDown.withLock { $0 })
            server.release("middle")
            #expect(try await iterator.next() == Data("def".utf8))
            #expect(!isDown.withLock { $0 })
            #expect(try await iterator.next() == nil)
            await shutdown.value
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func shuttingDownEndsWhenAStreamIsDropped() async throws {
            server.route("/silent", .send("HTTP/1.1 200 OK\r\n\r\nx"), .stall)
            var body: ResponseBody? = try await stream("/silent").data
            let shutdown = Task { await dispatcher.shutdown() }
            #expect(body != nil)
            body = nil
            await shutdown.value
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        // MARK: The server's side

        @Test(arguments: [Step.close, .reset])
        func whatArrivedComesBeforeTheError(_ ending: Step) async throws {
            server.route("/cut", .head(100), .send("abc"), .hold("first"), .send("def"), .hold("second"), ending)
            var iterator = try await stream("/cut").data.makeAsyncIterator()
            #expect(try await iterator.next() == Data("abc".utf8))
            server.release("first")
            #expect(try await iterator.next() == Data("def".utf8))
            server.release("second")
            let thrown = try await failure { try await iterator.next() }
            let error = try #require(thrown as? TransportError)
            #expect(error.code == .truncatedBody)
            #expect(error.bytesReceived == 6)
            #expect(error.response?.statusCode == .ok)
            #expect(error.request?.url == server.url("/cut"))
        }

        @Test func whatArrivedUnreadComesBeforeTheErrorToo() async throws {
            let content = Data.random(180_000, seed: 4)
            server.route("/cut", .head(180_001), .send(content), .close)
            let body = try await stream("/cut").data
            while try await dispatcher.exchangeCount() > 0 { try Task.checkCancellation() }
            var received = Data()
            let error = try await failure { for try await chunk in body { received += chunk } }
            #expect(TransportError.Code.truncatedBody ~= error, "\(error)")
            #expect(received == content)
        }

        /// What the reader is not ready for is kept, and not lost when sending fails.
        @Test(arguments: [200_000, 290_000, 380_000])
        func aBodyThatIsNotAllThereIsNeverWhole(_ length: Int) async throws {
            server.route(
                "POST",
                "/early",
                .ignoreBody,
                .head(length),
                .send(Data.random(length, seed: 9)),
                .hold("sent"),
                .reset
            )
            var request = URLRequest("POST", server.url("/early"))
            request.httpBody = Data(count: 32 << 20)
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
            let body = try await dispatcher.stream(for: request).data
            await server.waitUntilHeld("sent")
            server.release("sent")
            #expect(await server.waitForOpenConnections(0))
            var count = 0
            do {
                for try await chunk in body { count += chunk.count }
                #expect(count == length)
            } catch {
                #expect(error is TransportError)
                #expect(count <= length)
            }
        }

        @Test func invalidatingEndsBodiesThatNobodyReads() async throws {
            server.route("/small", .response(body: "small"))
            server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
            let bodies = [try await stream("/small").data, try await stream("/endless").data]
            let shutdown = Task { await dispatcher.shutdown() }
            dispatcher.invalidateAndCancel()
            await shutdown.value
            for body in bodies {
                await #expect(throws: CancellationError.self) { for try await _ in body {} }
            }
        }

        @Test func aBodyThatIsPassedOnEndsForEverybody() async throws {
            let ends = Tally()
            let body = ResponseBody(Data("ab".utf8))
            struct PassingOn: HTTPTransport {
                let body: ResponseBody
                func send(_ request: TransportRequest) async throws -> TransportResponse {
                    let url = request.urlRequest.url ?? URL(filePath: "/")
                    return TransportResponse(
                        head: ResponseHead(url: url, statusCode: .ok),
                        body: nil,
                        stream: body,
                        urlRequest: request.urlRequest
                    )
                }
                func shutdown() async {}
                func invalidateAndCancel() {}
            }
            let dispatchers = (0..<2).map { _ in URLRequestDispatcher(transport: PassingOn(body: body)) }
            var last: ResponseBody?
            for dispatcher in dispatchers {
                last = try await dispatcher.stream(for: URLRequest(url: server.url("/"))).data
            }
            #expect(try await last?.collect(upTo: 2) == Data("ab".utf8))
            for dispatcher in dispatchers {
                await dispatcher.shutdown()
                ends.add()
            }
            #expect(ends.count == 2)
        }

        @Test func malformedChunksAreToldApart() async throws {
            server.route("/bad", .chunkedHead(), .chunk(Data("abc".utf8)), .send("zz\r\n"), .stall)
            var received = Data()
            let error = try await failure { for try await chunk in try await stream("/bad").data { received += chunk } }
            #expect(TransportError.Code.malformedBody ~= error, "\(error)")
            #expect(received == Data("abc".utf8))
        }

        @Test func bodiesThatAreNotThereEndAtOnce() async throws {
            server.route("HEAD", "/head", .response(body: "not sent"))
            server.route("/204", .response(status: 204))
            server.route("/304", .response(status: 304, headers: ["Content-Length": "100"]))
            server.route("/empty", .response())
            for (path, method) in [("/head", "HEAD"), ("/204", "GET"), ("/304", "GET"), ("/empty", "GET")] {
                let body = try await stream(path, method).data
                #expect(body.expectedLength == 0, "\(path)")
                var iterator = body.makeAsyncIterator()
                #expect(try await iterator.next() == nil, "\(path)")
                #expect(try await iterator.next() == nil)
            }
            // The connection is as good as new.
            #expect(server.acceptedConnections == 1)
        }

        @Test func aFailureStatusIsAStreamLikeAnyOther() async throws {
            server.route("/500", .response(status: 500, body: "sorry"))
            let response = try await stream("/500")
            #expect(response.statusCode == .internalServerError)
            #expect(try await response.data.collect(upTo: 100) == Data("sorry".utf8))
        }

        @Test(arguments: [false, true])
        func redirectsAreFollowedOverTheirBodies(_ isEndless: Bool) async throws {
            let body = isEndless ? [Step.repeat("x")] : [.send(Data(count: 100_000)), .close]
            server.route("/first", [.send("HTTP/1.1 302 Found\r\nLocation: /second\r\n\r\n")] + body)
            server.route("/second", .response(body: "here"))
            let dispatcher = URLRequestDispatcher.forTests { $0.connections.perHost = 1 }
            let response = try await dispatcher.stream(for: URLRequest(url: server.url("/first")))
            #expect(response.history.count == 1)
            #expect(try await response.data.collect(upTo: 100) == Data("here".utf8))
            await dispatcher.shutdown()
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func aStreamIsDecompressed() async throws {
            server.route(
                "/gzip",
                .head(Data.helloGzip.count, "Content-Encoding: gzip"),
                .send(Data.helloGzip.prefix(30)),
                .hold("middle"),
                .send(Data.helloGzip.dropFirst(30))
            )
            let response = try await stream("/gzip")
            #expect(response.data.expectedLength == nil)
            server.release("middle")
            #expect(try await response.data.collect(upTo: 1 << 20) == .hello)
        }

        // MARK: Other transports

        @Test func aTransportMayCollectTheBody() async throws {
            let transport = ScriptedTransport { .scripted(200, for: $0, body: "collected") }
            let dispatcher = URLRequestDispatcher(transport: transport)
            let response = try await dispatcher.stream(for: URLRequest(url: server.url("/")))
            #expect(response.data.expectedLength == 9)
            var iterator = response.data.makeAsyncIterator()
            #expect(try await iterator.next() == Data("collected".utf8))
            #expect(try await iterator.next() == nil)
            #expect(transport.requests.map(\.delivery) == [.streamed])
            let empty = URLRequestDispatcher(transport: ScriptedTransport { .scripted(204, for: $0) })
            #expect(try await empty.stream(for: URLRequest(url: server.url("/"))).data.collect(upTo: 0) == Data())
            let folder = try DownloadFolder()
            try await dispatcher.save(server.url("/"), to: folder["file"]) { $0.resume = .ifPossible }
            #expect(folder.data("file") == Data("collected".utf8))
            await dispatcher.shutdown()
        }
    }
}
