#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// A server that refuses a body answers before it has read it, and closes the connection with the rest unread.
    struct UploadRefusalTests {
        private static let refusal = "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 9\r\n\r\ntoo large"

        /// How the body is given.
        enum Source: String, CaseIterable, Sendable { case memory, stream }

        @Test(arguments: Source.allCases)
        func theAnswerArrives(_ source: Source) async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .send(Self.refusal), .close)
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.eventLoops = 1 }
            let piece = Data(repeating: 7, count: 100_000)
            var answers = 0
            let count = rounds(600)
            for _ in 0..<count {
                let pieces = AsyncStream<Data> { continuation in
                    for _ in 0..<40 { continuation.yield(piece) }
                    continuation.finish()
                }
                let whole = Data(repeating: 7, count: 40 * piece.count)
                let body: RequestBody = source == .memory ? .data(whole) : .stream(pieces, length: nil)
                do {
                    let upload = dispatcher.upload(for: URLRequest("POST", server.url("/")), from: body)
                    let response = try await upload.response()
                    #expect(response.statusCode?.rawValue == 413)
                    #expect(response.data == Data("too large".utf8))
                    answers += 1
                } catch let error as TransportError {
                    // The system may have reset the connection before it delivered the answer.
                    #expect(error.code == .connectionLost)
                }
            }
            #expect(answers * 10 >= count * 8, "\(answers) of \(count)")
        }
    }
}
#endif
