import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// The caller's own sequence: its pace, its errors, and when it ends.
    struct UploadStreamTests {
        private struct Failure: Error, Equatable {
            let number: Int
        }

        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer()
            server.route("PUT", "/echo", .echo)
            server.route("PUT", "/held", .ignoreBody, .hold("here"), .drainBody, .response(body: "ok"))
            // The same, but it answers no earlier than the test says: what is answered early ends the upload.
            server.route(
                "PUT",
                "/patient",
                .ignoreBody,
                .hold("here"),
                .drainBody,
                .hold("all"),
                .response(body: "ok")
            )
            // A server that begins to read, and tells that there was a head.
            server.route("PUT", "/read", .drainBody, .hold("here"), .response(body: "ok"))
        }

        private func put(_ path: String) -> URLRequest { URLRequest("PUT", server.url(path)) }

        @Test(arguments: [nil, 1 << 30] as [Int64?])
        func aServerThatDoesNotReadHoldsTheProducerBack(_ length: Int64?) async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let block = Data(repeating: 0x65, count: 50_000)
            let far = Gate()
            let producer = Producer { index in
                // Far enough on to see that it goes on once the server reads.
                if index < 600 { return block }
                // If a length is announced, the rest never comes.
                if length != nil { try await far.wait() }
                return nil
            }
            let body = RequestBody.stream(producer, length: length)
            let request = put("/patient")
            let upload = Task { try await dispatcher.upload(for: request, from: body).response() }
            await server.waitUntilHeld("here")
            try await producer.waitUntilHeldBack(by: dispatcher)
            #expect((1..<8 << 20).contains(producer.record.given))
            server.release("here")
            if length == nil {
                // A producer that waits is not cancelled, and continues when the server does.
                try await producer.waitUntilGiven(600 * 50_000)
                server.release("all")
                #expect(try await upload.value.data == Data("ok".utf8))
                #expect(producer.record.given == 600 * 50_000)
                #expect(!producer.record.wasCancelled)
            } else {
                await far.arrival()
                #expect(producer.record.given == 600 * 50_000)
                upload.cancel()
                #expect(try await failure { try await upload.value } is CancellationError)
            }
            try await producer.waitUntilEnded()
        }

        @Test(arguments: [nil, 1_000_000] as [Int64?])
        func anErrorOfTheProducerReachesTheCallerAndClosesTheConnection(_ length: Int64?) async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            for chunks in [0, 1, 5] {
                let producer = Producer { index in
                    guard index < chunks else { throw Failure(number: chunks) }
                    return Data(count: 100_000)
                }
                let upload = dispatcher.upload(for: put("/echo"), from: .stream(producer, length: length))
                let error = try await failure { try await upload.response() }
                #expect(error as? Failure == Failure(number: chunks))
                try await producer.waitUntilEnded()
                #expect(await server.waitForOpenConnections(atMost: 0))
            }
            #expect(server.requests.allSatisfy { !$0.isBodyComplete })
            #expect(try await dispatcher.exchangeCount() == 0)
        }

        @Test func anErrorOfTheProducerEndsAnUploadThatTheServerDoesNotRead() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let request = put("/held")
            // How much finds room on the way, what waits to be sent included.
            let endless = Producer.endless()
            let measured = Task { try await dispatcher.upload(for: request, from: .stream(endless)).response() }
            try await endless.waitUntilHeldBack(by: dispatcher)
            let room = Int(endless.record.given)
            measured.cancel()
            #expect(try await failure { try await measured.value } is CancellationError)
            try #require(room > 256 * 1024)

            // A little less, so that it cannot all be sent and the producer need not wait.
            for less in [64, 128, 192] {
                let held = Gate()
                let producer = Producer { index in
                    if index == 0 { return Data(count: room - 256 * 1024) }
                    if index == 1 { return Data(count: 256 * 1024 - less * 1024) }
                    try await held.wait()
                    throw Failure(number: less)
                }
                let upload = Task { try await dispatcher.upload(for: request, from: .stream(producer)).response() }
                try await producer.waitUntilHeldBack(by: dispatcher)
                guard held.arrivals == 1 else {
                    // There was less room this time.
                    upload.cancel()
                    continue
                }
                held.open()
                #expect(try await failure { try await upload.value } as? Failure == Failure(number: less))
                try await producer.waitUntilEnded()
            }
            server.release("here")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func aSlowProducerRunsIntoNoIdleLimit() async throws {
            try await atSomeScale { scale in
                let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(200 * scale) }
                let producer = Producer { index in
                    // The time is what this is about: three times the limit.
                    try await Task.sleep(for: .milliseconds(600 * scale))
                    return index < 2 ? Data("abc".utf8) : nil
                }
                let response = try await dispatcher.upload(for: put("/echo"), from: .stream(producer)).response()
                #expect(response.data == Data("abcabc".utf8))
            }
        }

        @Test(arguments: [nil, 1 << 40] as [Int64?])
        func aServerThatDoesNotReadRunsIntoTheIdleLimit(_ length: Int64?) async throws {
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(400) }
            let producer = Producer.endless()
            let upload = dispatcher.upload(for: put("/held"), from: .stream(producer, length: length))
            let error = try await failure { try await upload.response() }
            #expect((error as? TransportError)?.code == .timeout(.idle), "\(error)")
            try await producer.waitUntilEnded()
        }

        @Test(arguments: [false, true])
        func theTotalLimitEndsProducerAndUpload(_ producerIsSlow: Bool) async throws {
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = .milliseconds(300) }
            let producer = producerIsSlow ? Producer.of([Data("abc".utf8)], then: Gate()) : .endless()
            let upload = dispatcher.upload(for: put("/read"), from: .stream(producer))
            let error = try await failure { try await upload.response() }
            #expect((error as? TransportError)?.code == .timeout(.total), "\(error)")
            try await producer.waitUntilEnded()
            // On a busy machine, the limit ends the call before the producer comes to its second chunk.
            #expect(producer.record.wasCancelled || !producerIsSlow || producer.record.asked < 2)
            server.release("here")
        }

        @Test func theHeadLimitBeginsWithTheLastByte() async throws {
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.head = .milliseconds(200) }
            for length in [0, 3, nil] as [Int64?] {
                let producer = Producer { index in
                    // Twice the limit, before it begins.
                    try await Task.sleep(for: .milliseconds(400))
                    return index < 1 && length != 0 ? Data("abc".utf8) : nil
                }
                let upload = dispatcher.upload(for: put("/read"), from: .stream(producer, length: length))
                let error = try await failure { try await upload.response() }
                #expect((error as? TransportError)?.code == .timeout(.head), "\(error)")
                // The producer had come to its end, and was not interrupted.
                #expect(!producer.record.wasCancelled)
                #expect(producer.record.given == length ?? 3)
            }
            server.release("here")
        }

        @Test func cancellingAnUploadCancelsTheProducer() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let waiting = Gate()
            let producer = Producer.of([Data("abc".utf8)], then: waiting)
            let request = put("/read")
            let upload = Task { try await dispatcher.upload(for: request, from: .stream(producer)).response() }
            await waiting.arrival()
            upload.cancel()
            #expect(try await failure { try await upload.value } is CancellationError)
            try await producer.waitUntilEnded()
            #expect(producer.record.wasCancelled)
            server.release("here")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func cancellingAnUploadTerminatesAnAsyncStream() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let terminated = Gate()
            // Nothing else holds the stream, which ends with its last owner if nobody waits for its next element just then.
            func upload() -> Task<Void, any Error> {
                let (stream, continuation) = AsyncStream<Data>.makeStream()
                continuation.onTermination = { reason in
                    if case .cancelled = reason { terminated.open() }
                }
                continuation.yield(Data("abc".utf8))
                let request = put("/read")
                return Task { _ = try await dispatcher.upload(for: request, from: .stream(stream)).response() }
            }
            let task = upload()
            await server.waitUntilHeld("here")
            task.cancel()
            #expect(try await failure { try await task.value } is CancellationError)
            try await terminated.wait()
            server.release("here")
        }

        @Test func aProducerThatIgnoresItsCancellationKeepsNobodyWaiting() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let stubborn = Gate()
            let producer = Producer { _ in
                try await Task.detached { try await stubborn.wait() }.value
                return nil
            }
            let request = put("/read")
            let upload = Task { try await dispatcher.upload(for: request, from: .stream(producer)).response() }
            await stubborn.arrival()
            upload.cancel()
            #expect(try await failure { try await upload.value } is CancellationError)
            stubborn.open()
            try await producer.waitUntilEnded()
            server.release("here")
        }

        @Test(arguments: [[], [0], [1], [3, 3], [9], [10, 1], [10, 0, 1], [11], [3, 8], [3, 3, 3, 3], [200_000]])
        func aStreamOfAnotherLengthThanAnnouncedIsNoCompleteMessage(_ counts: [Int]) async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let producer = Producer.of(counts.map { Data(repeating: 0x61, count: $0) })
            let upload = dispatcher.upload(for: put("/echo"), from: .stream(producer, length: 10))
            let error = try await failure { try await upload.response() }
            #expect(TransferError.Code.lengthMismatch ~= error, "\(error)")
            let isMore = counts.reduce(0, +) > 10
            #expect("\(error)".contains(isMore ? "more" : "fewer"))
            try await producer.waitUntilEnded()
            #expect(await server.waitForOpenConnections(atMost: 0))
            #expect(server.requests.allSatisfy { !$0.isBodyComplete && $0.bodyLength < 10 })
        }

        @Test func theLastBytesWaitUntilTheStreamSaysThatTheyAreTheLast() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let end = Gate()
            let producer = Producer.of([Data("abc".utf8), Data("def".utf8)], then: end)
            let request = put("/echo")
            let upload = Task {
                try await dispatcher.upload(for: request, from: .stream(producer, length: 6)).response()
            }
            try await producer.waitUntilGiven(6)
            await end.arrival()
            // Whatever was sent would be there when later requests are answered.
            for _ in 0..<20 { _ = try await dispatcher.data(from: server.url("/other")) }
            #expect(server.requests(for: "/echo").isEmpty)
            end.open()
            #expect(try await upload.value.data == Data("abcdef".utf8))
        }

        @Test func anAnnouncedStreamIsSentOnlyOnce() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let producer = Producer.of([Data("abc".utf8)])
            let upload = dispatcher.upload(for: put("/echo"), from: .stream(producer))
            #expect(try await upload.response().data == Data("abc".utf8))
            let error = try await failure { try await upload.response() }
            #expect(TransferError.Code.bodyNotRepeatable ~= error)
            #expect(server.requests.count == 1)
            #expect(producer.record.iterations == 1)
        }

        @Test func aStreamIsNotTouchedWhereThereIsNoConnection() async throws {
            let refusing = try RefusingPort()
            let dispatcher = URLRequestDispatcher.forTests()
            let producer = Producer.of([Data("abc".utf8)])
            let body = RequestBody.stream(producer)
            let url = try #require(URL(string: "http://127.0.0.1:\(refusing.port)/"))
            let error = try await failure {
                try await dispatcher.upload(for: URLRequest("PUT", url), from: body).response()
            }
            #expect((error as? TransportError)?.code == .cannotConnect)
            #expect(producer.record.iterations == 0)
            // The stream was not touched, so that it can be sent elsewhere.
            let response = try await dispatcher.upload(for: put("/echo"), from: body).response()
            #expect(response.data == Data("abc".utf8))
        }
    }
}
