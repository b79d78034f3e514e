import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Bodies over HTTP/1.1 whose end did not come, although the connection or the length seems to say so.
    struct TruncatedBodyTests {
        /// What ends the connection.
        enum End: String, CaseIterable, Sendable {
            case close, reset

            var step: Step { self == .close ? .close : .reset }
        }

        @Test(
            "A chunked body without its last chunk is truncated, also where it has as many bytes as a length announced",
            arguments: Wire.available,
            End.allCases
        )
        func lengthAndChunks(_ wire: Wire, _ end: End) async throws {
            for fields in [
                ["Content-Length: 4", "Transfer-Encoding: chunked"],
                ["Transfer-Encoding: chunked", "Content-Length: 4"],
            ] {
                let server = try WiredServer(wire)
                let head = (["HTTP/1.1 200 OK"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
                server.script.route("/", .send(head + "4\r\nabcd\r\n"), end.step)
                for delivery in Delivery.allCases {
                    let error = try await server.dispatcher().failureToReceive(server.url("/"), by: delivery)
                    #expect(TransportError.Code.of(error) == .truncatedBody, "\(delivery): \(error)")
                }
            }
        }

        @Test("A chunked body is truncated if the reset comes after its bytes were read", arguments: End.allCases)
        func lengthAndChunksLater(_ end: End) async throws {
            let server = try LoopbackServer()
            server.route(
                "/",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n"),
                .hold("read"),
                end.step
            )
            let dispatcher = URLRequestDispatcher.trusting(nil)
            var body = try await dispatcher.stream(for: URLRequest(url: server.url("/"))).data.makeAsyncIterator()
            #expect(try await body.next() == Data("abcd".utf8))
            server.release("read")
            let error = try await failure { try await body.next() }
            #expect(TransportError.Code.of(error) == .truncatedBody, "\(error)")
        }

        @Test(
            "A body with a length is truncated if the connection ends before",
            arguments: Wire.available,
            End.allCases
        )
        func length(_ wire: Wire, _ end: End) async throws {
            let server = try WiredServer(wire)
            server.script.route("/", .head(10), .send("short"), end.step)
            for delivery in Delivery.allCases {
                let error = try await server.dispatcher().failureToReceive(server.url("/"), by: delivery)
                #expect(TransportError.Code.of(error) == .truncatedBody, "\(delivery): \(error)")
            }
        }

        @Test(
            "A body that ends with the connection is whole after close_notify, and truncated without it",
            .enabled(if: TLSRelay.isAvailable, "python3 and openssl are needed"),
            arguments: [Wire.tls12, .tls13],
            [TLSRelay.Settings.End.closeNotify, .abrupt]
        )
        func closeNotify(_ wire: Wire, _ end: TLSRelay.Settings.End) async throws {
            for (version, length) in [("1.1", 5), ("1.0", 5), ("1.1", 100_000)] {
                let server = try WiredServer(wire) { $0.end = end }
                let body = String(repeating: "b", count: length)
                server.script.route("/", .send("HTTP/\(version) 200 OK\r\n\r\n" + body), .close)
                for delivery in Delivery.allCases {
                    do {
                        let request = URLRequest(url: server.url("/"))
                        let received = try await server.dispatcher().receive(request, by: delivery)
                        #expect(received == Received(body))
                        #expect(end == .closeNotify, "HTTP/\(version), \(length) bytes, \(delivery)")
                    } catch {
                        #expect(end == .abrupt)
                        #expect(TransportError.Code.of(error) == .truncatedBody, "\(error)")
                    }
                }
            }
        }

        @Test(
            "A body that says its own end is whole without close_notify",
            .enabled(if: TLSRelay.isAvailable, "python3 and openssl are needed"),
            arguments: [Wire.tls12, .tls13]
        )
        func ownEnd(_ wire: Wire) async throws {
            let server = try WiredServer(wire) { $0.end = .abrupt }
            server.script.route("/length", .response(body: "body"), .close)
            server.script.route("/chunks", .chunkedHead(), .chunk(Data("body".utf8)), .chunk(Data()), .close)
            server.script.route("/none", .send("HTTP/1.1 204 No Content\r\n\r\n"), .close)
            for delivery in Delivery.allCases {
                for path in ["/length", "/chunks"] {
                    let request = URLRequest(url: server.url(path))
                    #expect(try await server.dispatcher().receive(request, by: delivery) == Received("body"))
                }
            }
            #expect(try await server.dispatcher().data(from: server.url("/none")).data == nil)
        }

        @Test("A body that ends with the connection is truncated by a reset", arguments: Wire.available)
        func reset(_ wire: Wire) async throws {
            let server = try WiredServer(wire)
            server.script.route("/", .send("HTTP/1.1 200 OK\r\n\r\nbody"), .hold("read"), .reset)
            let dispatcher = server.dispatcher()
            var body = try await dispatcher.stream(for: URLRequest(url: server.url("/"))).data.makeAsyncIterator()
            #expect(try await body.next() == Data("body".utf8))
            server.script.release("read")
            let error = try await failure { try await body.next() }
            #expect(TransportError.Code.of(error) == .truncatedBody, "\(error)")
        }
    }
}
