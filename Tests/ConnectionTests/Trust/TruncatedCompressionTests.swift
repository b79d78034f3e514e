import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Compressed bodies that end before the compressed data does, although the framing is complete.
    struct TruncatedCompressionTests {
        /// How the end of a body is told.
        enum Framing: String, CaseIterable, Sendable {
            case length, chunks, close
        }

        private static let text = Data(Compressed.text.utf8)

        private func server(_ body: Data, _ encoding: String, _ framing: Framing) throws -> LoopbackServer {
            let server = try LoopbackServer()
            let field = "Content-Encoding: \(encoding)"
            switch framing {
            case .length: server.route("/", .head(body.count, field), .send(body))
            case .chunks:
                let chunks = body.isEmpty ? [Step.chunk(Data())] : [.chunk(body), .chunk(Data())]
                server.route("/", [.chunkedHead(field)] + chunks)
            case .close: server.route("/", .send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n"), .send(body), .close)
            }
            return server
        }

        @Test("A whole compressed body is decompressed", arguments: Compressed.allCases, Framing.allCases)
        func whole(_ compressed: Compressed, _ framing: Framing) async throws {
            let server = try server(compressed.data, compressed.rawValue, framing)
            let dispatcher = URLRequestDispatcher.trusting(nil)
            for delivery in Delivery.allCases {
                let received = try await dispatcher.receive(URLRequest(url: server.url("/")), by: delivery)
                #expect(received == Received(body: Self.text), "\(delivery)")
            }
        }

        @Test("A compressed body that is cut off is truncated", arguments: Compressed.allCases, Framing.allCases)
        func truncated(_ compressed: Compressed, _ framing: Framing) async throws {
            let whole = compressed.data
            let dispatcher = URLRequestDispatcher.trusting(nil)
            // In the head, in the middle, and before the last bytes, which are a checksum or the mark of the end.
            for length in [1, 12, whole.count / 2, whole.count - 9, whole.count - 4, whole.count - 1] {
                let server = try server(whole.prefix(length), compressed.rawValue, framing)
                for delivery in Delivery.allCases {
                    do {
                        let received = try await dispatcher.receive(URLRequest(url: server.url("/")), by: delivery)
                        Issue.record("\(delivery) of \(length) of \(whole.count) bytes succeeded: \(received)")
                    } catch {
                        #expect(TransportError.Code.of(error) == .truncatedBody, "\(delivery) of \(length): \(error)")
                        #if os(Linux)
                        #expect("\(error)".contains("ended before its compressed data was complete"), "\(error)")
                        #endif
                    }
                }
            }
        }

        #if os(Linux)
        @Test("A body that is coded too often, or needs too large a window, says so", arguments: Delivery.allCases)
        func limits(_ delivery: Delivery) async throws {
            let window = Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xF8] + [UInt8](repeating: 0, count: 20))
            for (coding, body, reason) in [
                ("zstd", window, "window of more than 8 MiB"),
                (Array(repeating: "gzip", count: 20).joined(separator: ","), window, "more than 5 content codings"),
            ] {
                let server = try server(body, coding, .length)
                let error = try await URLRequestDispatcher.trusting(nil).failureToReceive(server.url("/"), by: delivery)
                #expect(TransportError.Code.of(error) == .malformedBody, "\(error)")
                #expect("\(error)".contains(reason), "\(error)")
            }
        }
        #endif

        @Test("A body that was compressed twice and is cut off is truncated", arguments: Delivery.allCases)
        func twice(_ delivery: Delivery) async throws {
            // `hello ` two thousand times, as gzip that is stored in another gzip.
            let inner = Data.helloGzip.prefix(Data.helloGzip.count - 5)
            let server = try server(Data.stored(inner), "gzip, gzip", .length)
            let error = try await URLRequestDispatcher.trusting(nil).failureToReceive(server.url("/"), by: delivery)
            #expect(TransportError.Code.of(error) == .truncatedBody, "\(error)")
        }

        @Test(
            "A cut off body over HTTP/2 is truncated",
            .enabled(if: HTTP2Support.isAvailable),
            arguments: [
                Compressed.gzip, .br,
            ]
        )
        func overHTTP2(_ compressed: Compressed) async throws {
            let whole = compressed.data
            let server = try HTTP2Script { exchange in
                exchange.head(200, [HTTP2Field("content-encoding", compressed.rawValue)])
                exchange.data(
                    Array(exchange.request.path == "/whole" ? whole : whole.prefix(whole.count / 2)),
                    ends: true
                )
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            #expect(try await dispatcher.data(from: server.url("/whole")).data == Self.text)
            let error = try await dispatcher.failureToReceive(server.url("/half"))
            #expect(TransportError.Code.of(error) == .truncatedBody, "\(error)")
        }

        @Test("A body of several members of gzip is all of them", arguments: Framing.allCases)
        func members(_ framing: Framing) async throws {
            let dispatcher = URLRequestDispatcher.trusting(nil)
            let whole = Compressed.gzip.data
            let server = try server(whole + .helloGzip + whole, "gzip", framing)
            for delivery in Delivery.allCases {
                let received = try await dispatcher.receive(URLRequest(url: server.url("/")), by: delivery)
                #expect(received == Received(body: Self.text + .hello + Self.text), "\(delivery)")
            }
        }

        @Test("A body whose last member of gzip is cut off is truncated", arguments: Framing.allCases)
        func truncatedMember(_ framing: Framing) async throws {
            let dispatcher = URLRequestDispatcher.trusting(nil)
            let whole = Compressed.gzip.data
            for length in [3, 12, whole.count / 2, whole.count - 1] {
                let server = try server(whole + whole.prefix(length), "gzip", framing)
                for delivery in Delivery.allCases {
                    let error = try await dispatcher.failureToReceive(server.url("/"), by: delivery)
                    #expect(TransportError.Code.of(error) == .truncatedBody, "\(delivery) of \(length): \(error)")
                }
            }
        }
    }
}

extension Data {
    /// Bytes as a member of gzip that does not compress them.
    fileprivate static func stored(_ bytes: Data) -> Data {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
        }
        func little(_ value: UInt32, _ count: Int) -> Data {
            Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) })
        }
        let length = UInt32(bytes.count)
        let head = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1]) + little(length, 2) + little(~length, 2)
        return head + bytes + little(~crc, 4) + little(length, 4)
    }
}
