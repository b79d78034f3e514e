import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// What compressed bodies may take, and what users say about it.
    struct DecompressionTests {
        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer()
            for coding in Zeros.allCases {
                let data = coding.data
                server.route("/\(coding)", .head(data.count, "Content-Encoding: \(coding)"), .send(data))
            }
            for compressed in Compressed.allCases {
                let data = compressed.data
                server.route("/text/\(compressed)", .head(data.count, "Content-Encoding: \(compressed)"), .send(data))
            }
            server.route("/ping", .response())
        }

        private func request(_ path: String) -> URLRequest { URLRequest(url: server.url(path)) }

        // MARK: Memory

        #if os(Linux)
        @Test(.enabled(if: !isSanitized, "a sanitizer keeps memory of its own"), arguments: Zeros.allCases)
        func fortyStreamsThatAreNotReadTakeLittle(_ coding: Zeros) async throws {
            // In a process of its own, where no other test takes memory.
            await #expect(processExitsWith: .success) { [coding] in
                let tests = try DecompressionTests()
                let dispatcher = URLRequestDispatcher.forTests { $0.transport.eventLoops = 1 }
                var held: [ResponseBody] = []
                func hold(_ count: Int) async throws {
                    for _ in 0..<count {
                        held.append(try await dispatcher.stream(for: tests.request("/\(coding)")).data)
                    }
                    // Each takes the loop through its turns, in which it would decode more.
                    for _ in 0..<100 { _ = try await dispatcher.data(for: tests.request("/ping")) }
                }
                try await hold(1)
                let memory = try ResidentMemory()
                try await hold(40)
                let growth = try memory.growth()
                // 256 KiB of each wait. All windows together have 128 MiB.
                #expect(growth < (coding == .br ? 160 : 64) << 20, "\(growth >> 10) KiB")
                #expect(held.count == 41)
                // A stream that gets no window fails with an error.
                var failures: [TransportError.Code] = []
                for body in held {
                    var iterator = body.makeAsyncIterator()
                    do {
                        _ = try await iterator.next()
                    } catch let error as TransportError {
                        failures.append(error.code)
                    }
                }
                let windows = coding == .br ? 8 : coding == .zstd ? 16 : 41
                #expect(failures == Array(repeating: .outOfResources, count: 41 - windows))
            }
        }

        @Test func streamsAskForCodingsThatTakeLittle() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            for try await _ in try await dispatcher.stream(for: request("/text/gzip")).data {}
            #expect(server.requests.last?.header("Accept-Encoding") == "gzip, deflate")
            _ = try await dispatcher.data(for: request("/text/gzip"))
            #expect(server.requests.last?.header("Accept-Encoding") == "gzip, deflate, br, zstd")
        }
        #endif

        @Test(
            "A gibibyte that arrives as a few bytes is read to its end",
            .enabled(if: isThorough, "PIUPIU_THOROUGH is not set"),
            arguments: Zeros.allCases
        )
        func gibibyte(_ coding: Zeros) async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let body = try await dispatcher.stream(for: request("/\(coding)")).data
            var count = 0
            for try await chunk in body { count += chunk.count }
            #expect(count == Zeros.count)
        }

        // MARK: Nothing

        /// What can follow each other for ever, and gives not one byte.
        static let empty: [(coding: String, before: [UInt8], piece: [UInt8])] = [
            ("gzip", [], member),
            // Blocks that are empty, within a member.
            ("gzip", Array(member.prefix(10)), [0, 0, 0, 0xFF, 0xFF]),
            ("gzip", member, [UInt8](repeating: 0, count: 20)),
            ("zstd", [], [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]),
        ]
        private static let member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3] + [UInt8](repeating: 0, count: 9)

        #if os(Linux)
        @Test("A body that has no content, and no end, ends with an error", arguments: empty)
        func nothing(_ row: (coding: String, before: [UInt8], piece: [UInt8])) async throws {
            let piece = Data(repeatElement(row.piece, count: 10_000).joined())
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(row.coding)\r\n\r\n"
            let pieces = Array(repeating: Step.send(piece), count: (16 << 20) / piece.count)
            server.route("/nothing", [.send(head), .send(Data(row.before))] + pieces + [.hold("never")])
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = .seconds(50) }
            let error = try await failure { try await dispatcher.data(for: request("/nothing")) }
            #expect((error as? TransportError)?.code == .malformedBody, "\(error)")
        }
        #endif

        // MARK: Wishes

        @Test("A body that grows more than the ratio ends with an error", arguments: Zeros.allCases, [false, true])
        func ratio(_ coding: Zeros, isStreamed: Bool) async throws {
            let dispatcher = URLRequestDispatcher.forTests {
                $0.options.decompression = .automatic(maximumRatio: 200)
                $0.maximumBufferedBody = 256 << 20
            }
            var count = 0
            let error = await #expect(throws: TransportError.self) {
                if isStreamed {
                    for try await chunk in try await dispatcher.stream(for: request("/\(coding)")).data {
                        count += chunk.count
                    }
                } else {
                    _ = try await dispatcher.data(for: request("/\(coding)"))
                }
            }
            #expect(error?.code == .decompressionLimit)
            #expect(count <= max(1 << 20, 200 * coding.data.count))
        }

        @Test("A body that grows less is not touched", arguments: Compressed.allCases)
        func belowTheRatio(_ compressed: Compressed) async throws {
            let dispatcher = URLRequestDispatcher.forTests { $0.options.decompression = .automatic(maximumRatio: 1) }
            let response = try await dispatcher.data(for: request("/text/\(compressed)"))
            #expect(response.data == Data(Compressed.text.utf8))
        }

        @Test("What is not to be decompressed is neither asked for nor touched", arguments: Compressed.allCases)
        func off(_ compressed: Compressed) async throws {
            let dispatcher = URLRequestDispatcher.forTests { $0.options.decompression = .off }
            let response = try await dispatcher.data(for: request("/text/\(compressed)"))
            #expect(response.data == compressed.data)
            #expect(response.headers["Content-Encoding"] == compressed.rawValue)
            #expect(server.requests.last?.header("Accept-Encoding") == nil)
            // For one request alone, too.
            let one = URLRequestDispatcher.forTests()
            var options = one.configuration.options
            options.decompression = .off
            #expect(try await one.data(for: request("/text/\(compressed)"), options: options).data == compressed.data)
        }
    }
}
