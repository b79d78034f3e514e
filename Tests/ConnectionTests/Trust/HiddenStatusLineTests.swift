import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Field lines that look like the status line of another response.
    struct HiddenStatusLineTests {
        private func code(of script: String, _ delivery: Delivery) async throws -> TransportError.Code? {
            let server = try LoopbackServer()
            server.route("/", .send(script), .close)
            server.route("/stolen", .response(body: "stolen"))
            let dispatcher = URLRequestDispatcher.trusting(nil)
            let error = try await dispatcher.failureToReceive(server.url("/"), by: delivery)
            #expect(server.requests(for: "/stolen").isEmpty)
            return TransportError.Code.of(error)
        }

        @Test(
            "A field line that begins with HTTP/ does not take the place of the status",
            arguments: [
                "HTTP/1.1 500 Oops\r\nHTTP/1.1 200 OK: x\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 500 Oops\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 500 Oops\r\nX-A: b\r\nHTTP/1.1 200 OK: x\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 500 Oops\r\nContent-Length: 2\r\nHTTP/2 200\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nHTTP/1.1 500 Oops: x\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 500 Oops\r\nHTTP/1.1 200 OK: x\r\nContent-Length: 2\r\n\r\nok",
            ],
            Delivery.allCases
        )
        func status(_ script: String, _ delivery: Delivery) async throws {
            #expect(try await code(of: script, delivery) == .malformedHead)
        }

        @Test("A redirect that is hidden in a field line is not followed", arguments: Delivery.allCases)
        func redirect(_ delivery: Delivery) async throws {
            let script = "HTTP/1.1 200 OK\r\nHTTP/1.1 302 Found: x\r\nLocation: /stolen\r\nContent-Length: 2\r\n\r\nok"
            #expect(try await code(of: script, delivery) == .malformedHead)
        }

        @Test(
            "A hidden status line does not get a short body past the check of its length",
            arguments: Delivery.allCases
        )
        func length(_ delivery: Delivery) async throws {
            let script = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nHTTP/1.1 200 OK: x\r\n\r\nshort"
            let code = try await code(of: script, delivery)
            #expect(code == .malformedHead || code == .truncatedBody)
        }

        @Test("A hidden status line does not get two lengths past the check", arguments: Delivery.allCases)
        func lengths(_ delivery: Delivery) async throws {
            let script =
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nHTTP/1.1 200 OK: x\r\nContent-Length: 5\r\n\r\nshort"
            #expect(try await code(of: script, delivery) == .malformedHead)
        }

        @Test("Trailers that look like a status line do not change the response", arguments: Delivery.allCases)
        func trailers(_ delivery: Delivery) async throws {
            let server = try LoopbackServer()
            let chunked = "HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
            server.route("/", .send(chunked + "HTTP/1.1 200 OK: x\r\n\r\n"))
            let dispatcher = URLRequestDispatcher.trusting(nil)
            do {
                let received = try await dispatcher.receive(URLRequest(url: server.url("/")), by: delivery)
                #expect(received == Received(500, "ok"))
            } catch {
                let code = TransportError.Code.of(error)
                #expect(code == .malformedHead || code == .malformedBody, "\(error)")
            }
        }
    }
}
