import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// A server that answers before it has the whole body.
    struct UploadEarlyResponseTests {
        /// What the client is doing when the answer comes.
        enum Client: String, CaseIterable, Sendable {
            /// It sends as fast as the server reads.
            case sends
            /// It waits for its producer.
            case waitsForBytes
        }

        /// How the end of the answer is known.
        enum Framing: String, CaseIterable, Sendable {
            case length, chunks, lengthAndClose, chunksAndClose, close

            func answer(_ status: Int) -> String {
                let head = "HTTP/1.1 \(status) Early\r\nLocation: /elsewhere\r\n"
                let close = "Connection: close\r\n"
                return switch self {
                case .length: head + "Content-Length: 5\r\n\r\nearly"
                case .lengthAndClose: head + close + "Content-Length: 5\r\n\r\nearly"
                case .chunks: head + "Transfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n"
                case .chunksAndClose: head + close + "Transfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n"
                case .close: head + close + "\r\nearly"
                }
            }

            /// What comes after the last byte of the content.
            var end: [Step] {
                switch self {
                case .length, .lengthAndClose: []
                case .chunks, .chunksAndClose: [.send("0\r\n\r\n")]
                case .close: [.closeWrite]
                }
            }
        }

        private let server: LoopbackServer
        private let dispatcher: URLRequestDispatcher

        init() throws {
            server = try LoopbackServer()
            server.route("/after", .response(body: "after"))
            dispatcher = .forTests {
                $0.redirects = nil
                $0.timeouts.afterResponse = nil
            }
        }

        @Test(
            "A whole response does not wait for ever for a producer that gives nothing",
            arguments: Framing.allCases.filter { $0 != .close },
            [true, false]
        )
        func aProducerThatHangs(_ framing: Framing, _ isStreamed: Bool) async throws {
            let steps: [Step] = [.drainBody, .hold("answer"), .send(framing.answer(200))]
            server.route("POST", "/early", steps + framing.end)
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.afterResponse = .milliseconds(100) }
            let producer = producer(.waitsForBytes)
            let request = URLRequest("POST", server.url("/early"))
            let upload = Task { () -> Data? in
                guard isStreamed else {
                    return try await dispatcher.upload(for: request, from: .stream(producer)).response().data
                }
                var streamed = request
                streamed.setValue("text/plain", forHTTPHeaderField: "Content-Type")
                return try await dispatcher.upload(for: streamed, from: .stream(producer, length: 9)).response().data
            }
            try await producer.waitUntilGiven(3)
            server.release("answer")
            #expect(try await upload.value == Data("early".utf8))
            try await producer.waitUntilEnded()
            #expect(try await dispatcher.exchangeCount() == 0)
            #expect(try await dispatcher.data(from: server.url("/after")).data == Data("after".utf8))
            #expect(server.requests(for: "/after").map(\.connection) == [2])
        }

        @Test("A whole response is not lost where the server stops reading a body in memory")
        func aServerThatReadsNoMore() async throws {
            server.route("POST", "/early", .ignoreBody, .send(Framing.length.answer(200)), .hold("never"))
            let request = URLRequest("POST", server.url("/early"), body: String(repeating: "x", count: 32 << 20))
            try await atSomeScale { scale in
                let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(200 * scale) }
                let response = try await dispatcher.data(for: request)
                #expect(response.data == Data("early".utf8))
            }
            server.release("never")
        }

        private func producer(_ client: Client) -> Producer {
            client == .sends ? .endless() : .of([Data("abc".utf8)], then: Gate())
        }

        /// Uploads what never ends, and expects the early answer.
        private func expectAnswer(
            _ status: Int,
            _ client: Client,
            length: Int64? = nil,
            atGate: Bool = false,
            isBlocked: Bool = false
        ) async throws {
            let producer = producer(client)
            let request = URLRequest("PUT", server.url("/early"))
            let sent = Gate()
            let upload = Task {
                let transfer = dispatcher.upload(for: request, from: .stream(producer, length: length))
                for try await event in transfer.progress(every: .zero) {
                    switch event {
                    case .progress(let progress): if progress.bytesSent >= 3 { sent.open() }
                    case .finished(let response): return response
                    }
                }
                throw CancellationError()
            }
            // What was counted as sent is on its way, and the transport waits for more.
            try await sent.wait()
            if isBlocked { try await producer.waitUntilHeldBack(by: dispatcher) }
            server.release("answer")
            if atGate {
                await server.waitUntilHeld("end")
                server.release("end")
            }
            let response = try await upload.value
            #expect(response.statusCode.rawValue == status)
            #expect(response.data == Data("early".utf8))
            try await producer.waitUntilEnded()
            // Nothing is left of it, and its connection is not used again.
            #expect(try await dispatcher.exchangeCount() == 0)
            let after = try await dispatcher.data(from: server.url("/after"))
            #expect(after.data == Data("after".utf8))
            #expect(server.requests(for: "/after").map(\.connection) == [2])
        }

        @Test(arguments: Client.allCases, Framing.allCases)
        func aRefusalEndsTheUploadWhileTheServerReadsOn(_ client: Client, _ framing: Framing) async throws {
            let steps: [Step] = [.drainBody, .hold("answer"), .send(framing.answer(413)), .hold("end")]
            server.route("/early", steps + framing.end)
            let isBeforeEnd = [.chunks, .chunksAndClose, .close].contains(framing)
            if !isBeforeEnd { server.release("end") }
            try await expectAnswer(413, client, atGate: isBeforeEnd)
        }

        @Test(arguments: Client.allCases, Framing.allCases)
        func aRefusalEndsTheUploadWhileTheServerDoesNotRead(_ client: Client, _ framing: Framing) async throws {
            server.route(
                "/early",
                [.ignoreBody, .hold("answer"), .send(framing.answer(413))] + framing.end + [.hold("never")]
            )
            try await expectAnswer(413, client)
            server.release("never")
        }

        @Test(arguments: Client.allCases, Framing.allCases)
        func aRefusalEndsTheUploadWhereTheServerEndsItsSide(_ client: Client, _ framing: Framing) async throws {
            server.route(
                "/early",
                [.ignoreBody, .hold("answer"), .send(framing.answer(413))] + framing.end + [.closeWrite]
            )
            try await expectAnswer(413, client, length: 1 << 30)
        }

        @Test(arguments: [401, 302, 307, 400, 404, 500, 503], Client.allCases)
        func everyAnswerThatIsNoSuccessEndsTheUpload(_ status: Int, _ client: Client) async throws {
            server.route("/early", .drainBody, .hold("answer"), .send(Framing.length.answer(status)))
            try await expectAnswer(status, client, length: 1 << 30)
        }

        @Test(arguments: Client.allCases, [Framing.lengthAndClose, .length])
        func aRefusalBeforeAResetIsTheResponse(_ client: Client, _ framing: Framing) async throws {
            server.route("/early", .ignoreBody, .hold("answer"), .send(framing.answer(413)), .reset)
            // The client cannot send at that moment, or has nothing to: it reads both in the order in which they came.
            // One that is just sending learns of the reset from that, and never sees the answer.
            try await expectAnswer(413, client, isBlocked: client == .sends)
        }

        @Test func aRefusalWithoutContentEndsTheUpload() async throws {
            server.route(
                "/early",
                .drainBody,
                .hold("answer"),
                .send("HTTP/1.1 304 Early\r\nConnection: close\r\n\r\n")
            )
            for client in Client.allCases {
                let producer = producer(client)
                let upload = dispatcher.upload(for: URLRequest("PUT", server.url("/early")), from: .stream(producer))
                server.release("answer")
                let response = try await upload.response()
                #expect(response.statusCode.rawValue == 304)
                try await producer.waitUntilEnded()
            }
        }

        @Test(arguments: [nil, 6] as [Int64?])
        func afterAnEarlySuccessTheBodyIsSentOn(_ length: Int64?) async throws {
            server.route("/early", .drainBody, .send(Framing.length.answer(200)))
            let rest = Gate()
            let answered = Gate()
            let producer = Producer.of([Data("abc".utf8)], then: rest, rest: [Data("def".utf8)])
            let request = URLRequest("PUT", server.url("/early"))
            let upload = Task {
                let upload = dispatcher.upload(for: request, from: .stream(producer, length: length))
                var response: Response<Data?>?
                for try await event in upload.progress(every: .zero) {
                    switch event {
                    case .progress(let progress): if progress.bytesReceived == 5 { answered.open() }
                    case .finished(let finished): response = finished
                    }
                }
                return response
            }
            try await answered.wait()
            #expect(try await dispatcher.exchangeCount() == 1)
            rest.open()
            let response = try await upload.value
            #expect(response?.statusCode == .ok)
            #expect(response?.data == Data("early".utf8))
            // The message is complete, so that the connection is as good as before.
            let after = try await dispatcher.data(from: server.url("/after"))
            #expect(after.data == Data("after".utf8))
            #expect(server.acceptedConnections == 1)
        }

        @Test(arguments: Client.allCases)
        func anEarlySuccessIsTheResponseWhereTheConnectionBreaksLater(_ client: Client) async throws {
            server.route(
                "/early",
                .drainBody,
                .hold("answer"),
                .send(Framing.length.answer(200)),
                .hold("end"),
                .reset
            )
            let rest = Gate()
            let more = [Data](repeating: Data(count: 1 << 20), count: 100)
            let producer = client == .sends ? Producer.endless() : .of([Data("abc".utf8)], then: rest, rest: more)
            let request = URLRequest("PUT", server.url("/early"))
            let answered = Gate()
            let upload = Task {
                var response: Response<Data?>?
                let upload = dispatcher.upload(for: request, from: .stream(producer))
                for try await event in upload.progress(every: .zero) {
                    switch event {
                    case .progress(let progress): if progress.bytesReceived == 5 { answered.open() }
                    case .finished(let finished): response = finished
                    }
                }
                return response
            }
            try await producer.waitUntilGiven(3)
            server.release("answer")
            try await answered.wait()
            await server.waitUntilHeld("end")
            server.release("end")
            #expect(await server.waitForOpenConnections(atMost: 0))
            rest.open()
            let response = try await upload.value
            #expect(response?.statusCode == .ok)
            #expect(response?.data == Data("early".utf8))
            try await producer.waitUntilEnded()
        }

        @Test func anIncompleteEarlyAnswerIsAnError() async throws {
            server.route(
                "/early",
                .ignoreBody,
                .send("HTTP/1.1 413 Early\r\nContent-Length: 9\r\n\r\nearly"),
                .hold("answer"),
                .reset
            )
            for client in Client.allCases {
                let producer = producer(client)
                let upload = dispatcher.upload(for: URLRequest("PUT", server.url("/early")), from: .stream(producer))
                server.release("answer")
                let error = try await failure { try await upload.response() }
                #expect((error as? TransportError)?.isSafeToRetry == false, "\(error)")
                try await producer.waitUntilEnded()
            }
        }

        @Test func aStreamedAnswerToAFileMayBeRead() async throws {
            server.route("/early", .ignoreBody, .send(Framing.length.answer(413)), .hold("never"))
            let folder = try FormFolder()
            let file = try folder.sparseFile("file", length: 64 << 20)
            let upload = dispatcher.upload(for: URLRequest("PUT", server.url("/early")), from: .file(file))
            let response = try await upload.response()
            #expect(response.statusCode.rawValue == 413)
            #expect(await eventually { openDescriptors(of: file) == 0 })
            server.release("never")
        }

        /// Nothing can come any more that would end an endless body.
        @Test(arguments: Client.allCases)
        func aServerThatClosesItsSideWithoutAnAnswerEndsTheUpload(_ client: Client) async throws {
            server.route("POST", "/silent", .ignoreBody, .hold("silent"), .closeWrite, .drainBody)
            let producer = producer(client)
            let upload = Task {
                try await dispatcher.upload(
                    for: URLRequest("POST", server.url("/silent")),
                    from: .stream(producer)
                ).response()
            }
            await server.waitUntilHeld("silent")
            try await producer.waitUntilGiven(3)
            server.release("silent")
            let error = try await failure(of: { try await upload.value })
            #expect(TransportError.Code.connectionLost ~= error, "\(error)")
            try await producer.waitUntilEnded()
            #expect(try await dispatcher.exchangeCount() == 0)
        }
    }
}
