import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// A body is sent while the body of the response is read.
    struct StreamedUploadTests {
        private struct Failure: Error, Equatable {
            let number: Int
        }

        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
            server.route("PUT", "/echo", .echo)
            server.route(
                "PUT",
                "/early",
                .drainBody,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
                .hold("rest"),
                .send("3\r\ndef\r\n0\r\n\r\n")
            )
        }

        private func put(_ path: String) -> URLRequest { URLRequest("PUT", server.url(path)) }

        @Test func anyBodyArrives() async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try Data("of a file".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let bodies: [(RequestBody, String)] = [
                (.data(Data("of data".utf8)), "of data"),
                (.file(file), "of a file"),
                (.stream(Producer.of([Data("of a ".utf8), Data("stream".utf8)])), "of a stream"),
                (.data(Data()), ""),
            ]
            for (body, text) in bodies {
                let response = try await dispatcher.stream(for: put("/echo"), from: body)
                #expect(try await response.data.collect(upTo: 100) == Data(text.utf8))
            }
        }

        @Test func theResponseIsReadWhileTheBodyIsSent() async throws {
            let more = Gate()
            let producer = Producer.of([Data("one".utf8)], then: more, rest: [Data("two".utf8)])
            let response = try await dispatcher.stream(for: put("/early"), from: .stream(producer))
            var body = response.data.makeAsyncIterator()
            #expect(try await body.next() == Data("abc".utf8))
            await more.arrival()
            more.open()
            try await producer.waitUntilEnded()
            #expect(producer.record.given == 6)
            server.release("rest")
            #expect(try await body.next() == Data("def".utf8))
            #expect(try await body.next() == nil)
            #expect(!producer.record.wasCancelled)
        }

        @Test func anErrorOfTheProducerIsThrownByTheBodyOfTheResponse() async throws {
            let more = Gate()
            let producer = Producer { index in
                if index == 0 { return Data("one".utf8) }
                try await more.wait()
                throw Failure(number: 7)
            }
            let response = try await dispatcher.stream(for: put("/early"), from: .stream(producer))
            var body = response.data.makeAsyncIterator()
            #expect(try await body.next() == Data("abc".utf8))
            more.open()
            let error = try await failure { try await body.next() }
            #expect(error as? Failure == Failure(number: 7))
            server.release("rest")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func droppingTheResponseCancelsTheProducer() async throws {
            let never = Gate()
            let producer = Producer.of([Data("one".utf8)], then: never)
            do {
                let response = try await dispatcher.stream(for: put("/early"), from: .stream(producer))
                #expect(response.statusCode == .ok)
                await never.arrival()
            }
            try await producer.waitUntilEnded()
            #expect(producer.record.wasCancelled)
            server.release("rest")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func aRequestWithABodyOfItsOwnIsRefused() async throws {
            let request = URLRequest("PUT", server.url("/echo"), body: "its own")
            let error = try await failure {
                try await dispatcher.stream(for: request, from: .data(Data("another".utf8)))
            }
            #expect(TransportError.Code.invalidRequest ~= error)
            #expect(server.requests.isEmpty)
        }

        @Test func theOptionsOfTheCallApply() async throws {
            let options = RequestOptions(timeouts: Timeouts(total: .milliseconds(200)))
            let never = Gate()
            let error = try await failure {
                try await dispatcher.stream(
                    for: put("/echo"),
                    from: .stream(Producer.of([], then: never)),
                    options: options
                )
            }
            #expect(TransportError.Code.timeout(.total) ~= error)
        }
    }
}
