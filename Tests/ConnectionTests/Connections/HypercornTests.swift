import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// HTTP/2 without TLS (RFC 9113 §3.3) with Hypercorn, whose HTTP/2 is the Python package h2.
    @Suite(
        .enabled(
            if: HTTP2Support.isDefault && HypercornServer.shared != nil,
            "nghttp2, and Hypercorn for python3 are needed"
        )
    )
    struct HypercornTests {
        private let server: HypercornServer

        init() throws {
            server = try #require(HypercornServer.shared)
        }

        private func dispatcher() -> URLRequestDispatcher {
            .forTests { $0.transport.cleartextHTTP2 = [server.url("/")] }
        }

        @Test func getAndPostAreSentAndAnswered() async throws {
            let dispatcher = dispatcher()
            for length in [0, 5, 60_000, 300_000] {
                let body = length == 0 ? nil : String(repeating: "x", count: length)
                let request = URLRequest(body == nil ? "GET" : "POST", server.url("/count"), body: body)
                let response = try await dispatcher.data(for: request)
                #expect(response.head?.httpVersion == "HTTP/2")
                #expect(try response.decodeString() == "\(length) HTTP/2")
            }
        }

        @Test(arguments: Delivery.allCases)
        func aBodyWithoutALengthIsWhole(_ delivery: Delivery) async throws {
            let dispatcher = dispatcher()
            for _ in 0..<3 {
                let received = try await dispatcher.receive(URLRequest(url: server.url("/mega")), by: delivery)
                #expect(received.body == Data(repeating: 0x78, count: 1 << 20))
            }
        }

        @Test func anUploadIsAnsweredWhileItIsSent() async throws {
            let dispatcher = dispatcher()
            let pieces = (0..<20).map { Data(repeating: UInt8(0x61 + $0), count: 50_000) }
            let post = URLRequest("POST", server.url("/echo"))
            let upload = try await dispatcher.upload(for: post, from: .stream(Producer.of(pieces))).response()
            #expect(upload.head?.httpVersion == "HTTP/2" && upload.data == pieces.reduce(Data(), +))
        }

        @Test(arguments: Delivery.allCases)
        func aBodyThatIsCutOffIsAnError(_ delivery: Delivery) async throws {
            let dispatcher = dispatcher()
            let error = try await dispatcher.failureToReceive(server.url("/half"), by: delivery)
            let code = TransportError.Code.of(error)
            #expect([.truncatedBody, .http2, .connectionLost].contains(code), "\(error)")
            let response = try await dispatcher.data(from: server.url("/count"))
            #expect(try response.decodeString() == "0 HTTP/2")
        }

        @Test func requestsInParallelAreNotMixedUp() async throws {
            let dispatcher = dispatcher()
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for length in 1...200 {
                    let request = URLRequest("POST", server.url("/count"), body: String(repeating: "x", count: length))
                    group.addTask { (length, try await dispatcher.data(for: request).decodeString()) }
                }
                for try await (length, text) in group { #expect(text == "\(length) HTTP/2") }
            }
        }

        @Test func anotherOriginSpeaksHTTP1() async throws {
            let response = try await URLRequestDispatcher.forTests().data(from: server.url("/count"))
            #expect(try response.decodeString() == "0 HTTP/1.1")
        }
    }
}
