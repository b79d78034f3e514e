#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

extension TrustNetworkTests {
    /// Responses whose head cannot be read, whatever the exchange was doing when they came.
    struct MalformedHeadTests {
        @Test(
            "The version is one digit, or two with a point between them (RFC 9112 §2.3)",
            arguments: [
                "HTTP/2148. 401", "HTTP/1. 200 OK", "HTTP/.1 200 OK", "HTTP/ 200 OK", "HTTP/1.15 200 OK",
                "HTTP/11 200 OK", "HTTP/1,1 200 OK", "HTTP/1.1.1 200 OK", "HTTP/a.1 200 OK",
                "HTTP/2147f483648.1 401 No",
                // A space follows the status code (RFC 9112 §4).
                "HTTP/1.1 200OK", "HTTP/1.1 200.", "HTTP/1.1 200\u{B}OK", "HTTP/1.0 404Not Found",
            ],
            Delivery.allCases
        )
        func version(_ statusLine: String, _ delivery: Delivery) async throws {
            let server = try LoopbackServer()
            server.route("/", .send("\(statusLine)\r\nContent-Length: 2\r\n\r\nok"), .close)
            let dispatcher = URLRequestDispatcher.forTests()
            let error = try await dispatcher.failureToReceive(server.url("/"), by: delivery)
            try expectMalformedHead(error)
        }

        @Test(
            "A status line with an invalid version has no status code",
            arguments: ["HTTP/2148. 401", "HTTP/1.15 200", "HTTP/"]
        )
        func statusCode(_ statusLine: String) {
            #expect(RawHead(bytes: Array("\(statusLine)\r\n\r\n".utf8)).statusCode == nil)
        }

        @Test(
            "A status line with a valid version has a status code",
            arguments: ["HTTP/1.1 200 OK", "HTTP/1.0 200", "HTTP/2 200 ", "HTTP/3 200", "HTTP/1.1 200\tOK"]
        )
        func legalVersion(_ statusLine: String) {
            #expect(RawHead(bytes: Array("\(statusLine)\r\n\r\n".utf8)).statusCode == 200)
        }

        @Test(
            "What comes before the whole request was sent is no fault of its URL",
            arguments: [
                "SSH-2.0-OpenSSH_9.2\r\n\r\n", "hello, I speak no HTTP\r\n", "HTTP/2148. 401 No\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nnoise\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            ]
        )
        func beforeTheEndOfTheRequest(_ script: String) async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .ignoreBody, .send(script), .hold("never"))
            let (chunks, more) = AsyncStream.makeStream(of: Data.self)
            more.yield(Data("some".utf8))
            let dispatcher = URLRequestDispatcher.forTests()
            let error = try await failure {
                try await dispatcher.upload(for: URLRequest("POST", server.url("/")), from: .stream(chunks)).response()
            }
            try expectMalformedHead(error)
            more.finish()
            server.release("never")
        }

        private func expectMalformedHead(_ error: any Error) throws {
            let error = try #require(error as? TransportError)
            #expect(error.code == .malformedHead && !error.isSafeToRetry, "\(error)")
        }
    }
}
#endif
