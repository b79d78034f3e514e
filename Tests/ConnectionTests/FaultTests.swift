import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// The faults of a server, each of which has to end in finite time with one typed error or the right response.
    struct FaultTests {
        /// What has to come of a fault.
        enum Expectation: Sendable {
            case response(Int, String?)
            case error(TransportError.Code)
        }

        /// A fault, and what has to come of it.
        struct Fault: Sendable, CustomTestStringConvertible {
            let name: String
            let script: [Step]
            let expectation: Expectation
            var method = "GET"

            var testDescription: String { name }

            init(_ name: String, _ script: Step..., method: String = "GET", expect: Expectation) {
                self.name = name
                self.script = script
                self.method = method
                self.expectation = expect
            }
        }

        private func check(_ fault: Fault, on server: LoopbackServer) async throws {
            let dispatcher = URLRequestDispatcher.forTests {
                if case .error(let code) = fault.expectation, code == .timeout(.idle) {
                    $0.timeouts.idle = .milliseconds(400)
                }
                $0.options.maximumHead = 64 * 1024
                $0.maximumBufferedBody = 256 * 1024
            }
            let request = URLRequest(fault.method, server.url("/fault"))
            switch fault.expectation {
            case .response(let status, let body):
                let response = try await dispatcher.data(for: request)
                #expect(response.head?.statusCode.rawValue == status)
                #expect(response.data.map { String(decoding: $0, as: UTF8.self) } == body)
            case .error(let code):
                let error = try await failure { try await dispatcher.data(for: request) }
                #expect((error as? TransportError)?.code == code, "\(error)")
            }
            // The dispatcher is as good as before.
            let options = RequestOptions(timeouts: Timeouts(idle: .generous))
            let after = try await dispatcher.data(for: URLRequest(url: server.url("/good")), options: options)
            #expect(after.data == Data("good".utf8))
            await dispatcher.shutdown()
        }

        func server(_ script: [Step]) throws -> LoopbackServer {
            let server = try LoopbackServer()
            server.route("/fault", script)
            server.route("/good", .response(body: "good"))
            return server
        }

        @Test(arguments: [
            Fault("closed before the head", .close, expect: .error(.connectionLost)),
            Fault("reset before the head", .reset, expect: .error(.connectionLost)),
            Fault("half closed before the head", .closeWrite, .stall, expect: .error(.connectionLost)),
            Fault("silent", .stall, expect: .error(.timeout(.idle))),
            Fault("reset after the status line", .send("HTTP/1.1 200 OK\r\n"), .reset, expect: .error(.connectionLost)),
            Fault(
                "closed inside the head",
                .send("HTTP/1.1 200 OK\r\nX: y\r\n"),
                .close,
                expect: .error(.connectionLost)
            ),
            Fault(
                "closed inside a body with a length",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
                .close,
                expect: .error(.truncatedBody)
            ),
            Fault(
                "reset inside a body",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
                .reset,
                expect: .error(.truncatedBody)
            ),
            Fault(
                "stalled inside a body",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
                .stall,
                expect: .error(.timeout(.idle))
            ),
            Fault(
                "closed inside a chunk",
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nabc"),
                .close,
                expect: .error(.truncatedBody)
            ),
            Fault(
                "closed after the last chunk without its end",
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
                .close,
                expect: .error(.truncatedBody)
            ),
            Fault(
                "reset after the status line, then the head of another response",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 500 Oops\r\n\r\n"),
                expect: .response(200, "abc")
            ),
        ])
        func connectionFaults(_ fault: Fault) async throws {
            try await check(fault, on: server(fault.script))
        }

        @Test(arguments: [
            Fault(
                "equal lengths",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"),
                .close,
                expect: .response(200, "abc")
            ),
            Fault(
                "different lengths",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"),
                .close,
                expect: .error(.malformedHead)
            ),
            Fault(
                "negative length",
                .send("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc"),
                .close,
                expect: .error(.malformedHead)
            ),
            Fault(
                "length beyond 64 bits",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nabc"),
                .close,
                expect: .error(.malformedHead)
            ),
            Fault(
                "length of 19 digits",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nabc"),
                .close,
                expect: .error(.truncatedBody)
            ),
            Fault(
                "length of 19 digits beyond 63 bits",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\nabc"),
                .close,
                expect: .error(.truncatedBody)
            ),
            Fault(
                "length in words",
                .send("HTTP/1.1 200 OK\r\nContent-Length: three\r\n\r\nabc"),
                .close,
                expect: .error(.malformedHead)
            ),
            Fault(
                "length and chunks",
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"
                ),
                .close,
                expect: .response(200, "abcd")
            ),
            Fault(
                "chunk size that is no number",
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n0\r\n\r\n"),
                .close,
                expect: .error(.malformedBody)
            ),
            Fault(
                "chunk size beyond 64 bits",
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc\r\n"),
                .close,
                expect: .error(.malformedBody)
            ),
            Fault(
                "long chunk extension",
                .send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;\(String(repeating: "x", count: 9000))\r\n"
                ),
                .send("abc\r\n0\r\n\r\n"),
                expect: .response(200, "abc")
            ),
            Fault(
                "bytes after the body",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef"),
                expect: .response(200, "abc")
            ),
            Fault("HTTP/0.9", .send("hello"), .close, expect: .error(.malformedHead)),
            Fault("not HTTP", .send("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .close, expect: .error(.malformedHead)),
            Fault(
                "HTTP/1.0 without a length",
                .send("HTTP/1.0 200 OK\r\n\r\nabc"),
                .close,
                expect: .response(200, "abc")
            ),
            Fault(
                "204 with a length",
                .send("HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n"),
                expect: .response(204, nil)
            ),
            Fault(
                "304 with a length",
                .send("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n"),
                expect: .response(304, nil)
            ),
            Fault(
                "HEAD with a length",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"),
                method: "HEAD",
                expect: .response(200, nil)
            ),
            Fault(
                "status 000",
                .send("HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n"),
                .close,
                expect: .error(.malformedHead)
            ),
            Fault(
                "status 99",
                .send("HTTP/1.1 99 Low\r\nContent-Length: 0\r\n\r\n"),
                .close,
                expect: .error(.malformedHead)
            ),
            Fault("status 600", .send("HTTP/1.1 600 High\r\nContent-Length: 0\r\n\r\n"), expect: .response(600, nil)),
            Fault("status 999", .send("HTTP/1.1 999 Higher\r\nContent-Length: 0\r\n\r\n"), expect: .response(999, nil)),
            Fault("no reason", .send("HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc"), expect: .response(200, "abc")),
            Fault(
                "lower-case, duplicate, folded and tight fields",
                .send("HTTP/1.1 200 OK\r\ncontent-length:3\r\nx: a\r\nX: b\r\nfold: a\r\n b\r\nempty:\r\n\r\nabc"),
                expect: .response(200, "abc")
            ),
            Fault(
                "Latin-1 in a field",
                .send(Data("HTTP/1.1 200 OK\r\nX: ".utf8) + [0xE9] + Data("\r\nContent-Length: 3\r\n\r\nabc".utf8)),
                expect: .response(200, "abc")
            ),
            Fault(
                "NUL in a field",
                .send(Data("HTTP/1.1 200 OK\r\nX: a".utf8) + [0] + Data("b\r\nContent-Length: 3\r\n\r\nabc".utf8)),
                .close,
                expect: .error(.malformedHead)
            ),
            Fault(
                "interim responses",
                .send(
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                ),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
                expect: .response(200, "abc")
            ),
            Fault(
                "many interim responses",
                .repeat("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", count: 200),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
                expect: .response(200, "abc")
            ),
            Fault(
                "interim responses for ever",
                .repeat("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"),
                expect: .error(.headTooLarge)
            ),
            Fault(
                "101 that nobody asked for",
                .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc"),
                .close,
                expect: .error(.malformedHead)
            ),
            Fault(
                "trailers",
                .send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: v\r\nContent-Length: 9\r\n\r\n"
                ),
                expect: .response(200, "abc")
            ),
        ])
        func framingFaults(_ fault: Fault) async throws {
            try await check(fault, on: server(fault.script))
        }

        @Test(arguments: [
            Fault(
                "field lines for ever",
                .send("HTTP/1.1 200 OK\r\n"),
                .repeat("X-Filler: abcdefghijklmnop\r\n"),
                expect: .error(.headTooLarge)
            ),
            Fault(
                "a field line of a megabyte",
                .send("HTTP/1.1 200 OK\r\nX: "),
                .repeat(String(repeating: "x", count: 1024), count: 1024),
                .send("\r\n\r\n"),
                .close,
                expect: .error(.headTooLarge)
            ),
            Fault(
                "a body over the limit, announced",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"),
                .repeat("0123456789", count: 30000),
                expect: .error(.bodyTooLarge)
            ),
            Fault(
                "a body over the limit, in chunks",
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .repeat("a\r\n0123456789\r\n"),
                expect: .error(.bodyTooLarge)
            ),
            Fault(
                "a body without end",
                .send("HTTP/1.1 200 OK\r\n\r\n"),
                .repeat("0123456789"),
                expect: .error(.bodyTooLarge)
            ),
            Fault(
                "six encodings on each other",
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\nContent-Length: 3\r\n\r\nabc"
                ),
                .close,
                expect: .error(.malformedBody)
            ),
            Fault(
                "gzip that is none",
                .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"),
                .close,
                expect: .error(.malformedBody)
            ),
        ])
        func volumeFaults(_ fault: Fault) async throws {
            try await check(fault, on: server(fault.script))
        }
    }
}
