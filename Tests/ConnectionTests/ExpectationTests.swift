#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// Requests that wait for "100 Continue" because their callers say so (RFC 9110 §10.1.1).
    struct ExpectationTests {
        /// What a server does that meets no expectation, after it has said so.
        enum Manners: String, CaseIterable, Sendable {
            case keeps, closes, closesAndSaysSo
        }

        /// Reads a head, and leaves in `input` what came behind it.
        private static func head(from connection: RawConnection, _ input: inout [UInt8]) throws -> String {
            let end = Array("\r\n\r\n".utf8)
            while true {
                if let found = input.firstRange(of: end) {
                    defer { input.removeSubrange(..<found.upperBound) }
                    return String(decoding: input[..<found.lowerBound], as: UTF8.self).lowercased()
                }
                input += try connection.read()
            }
        }

        /// A server that answers 417 to a client that waits, and 200 to every other.
        private static func server(_ manners: Manners, _ received: Locked<[Bool]>) throws -> RawServer {
            try RawServer { connection in
                var input: [UInt8] = []
                while true {
                    let head = try Self.head(from: connection, &input)
                    let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                        .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
                    received.withLock { $0.append(head.contains("expect:")) }
                    if head.contains("expect:") {
                        let field = manners == .closesAndSaysSo ? "Connection: close\r\n" : ""
                        connection.write(
                            Array("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\(field)\r\nno".utf8)
                        )
                        guard manners == .keeps else { return }
                        // A client that continues sends the body, and one that does not sends another request.
                        if input.isEmpty { input += try connection.read() }
                        guard input.first == UInt8(ascii: "x") else { continue }
                        while input.count < length ?? 0 { input += try connection.read() }
                        input.removeFirst(length ?? 0)
                        continue
                    }
                    while input.count < length ?? 0 { input += try connection.read() }
                    input.removeFirst(length ?? 0)
                    let text = "\(length ?? 0)"
                    connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8))
                }
            }
        }

        /// A server that takes the whole content, with or without a "100 Continue", and then answers 417.
        private static func lateServer(saysContinue: Bool, _ received: Locked<[Bool]>) throws -> RawServer {
            try RawServer { connection in
                var input: [UInt8] = []
                while true {
                    let head = try Self.head(from: connection, &input)
                    received.withLock { $0.append(head.contains("expect:")) }
                    if saysContinue { connection.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
                    let length = head.contains("content-length: 10") ? 10 : 0
                    while input.count < length { input += try connection.read() }
                    input.removeFirst(length)
                    connection.write(Array("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno".utf8))
                }
            }
        }

        @Test(
            "What the server may have processed is not sent again for its 417",
            arguments: [(true, 10), (false, 10), (true, 0), (false, 0)]
        )
        func answeredLate(_ saysContinue: Bool, size: Int) async throws {
            let received = Locked<[Bool]>([])
            let server = try Self.lateServer(saysContinue: saysContinue, received)
            var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
            request.httpMethod = "POST"
            request.setValue("100-continue", forHTTPHeaderField: "Expect")
            request.httpBody = Data(repeating: UInt8(ascii: "x"), count: size)
            let response = try await URLRequestDispatcher.forTests().data(for: request)
            #expect(response.statusCode == .expectationFailed && response.data == Data("no".utf8))
            #expect(received.withLock { $0 } == [true])
        }

        @Test(
            "A request whose expectation is not met is sent again without it",
            arguments: Manners.allCases,
            [10, 100_000, 5_000_000]
        )
        func notMet(_ manners: Manners, size: Int) async throws {
            let received = Locked<[Bool]>([])
            let server = try Self.server(manners, received)
            let dispatcher = URLRequestDispatcher.forTests()
            let body = Data(repeating: UInt8(ascii: "x"), count: size)
            for isStreamed in [false, true] {
                for method in [HTTPMethod.post, .put] {
                    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
                    request.httpMethod = method.rawValue
                    request.setValue("100-continue", forHTTPHeaderField: "Expect")
                    let response: Response<Data?>
                    if isStreamed {
                        let stream = AsyncStream { continuation in
                            for start in stride(from: 0, to: size, by: 10_000) {
                                continuation.yield(body[start..<min(size, start + 10_000)])
                            }
                            continuation.finish()
                        }
                        let upload = RequestBody.stream(stream, length: Int64(size))
                        response = try await dispatcher.upload(for: request, from: upload).response()
                    } else {
                        request.httpBody = body
                        response = try await dispatcher.data(for: request)
                    }
                    #expect(response.statusCode == .ok, "\(method.rawValue), \(isStreamed ? "a stream" : "in memory")")
                    #expect(response.data == Data("\(size)".utf8))
                }
            }
            // The first is not met, the second is the request that comes.
            #expect(received.withLock { $0 } == Array(repeating: [true, false], count: 4).flatMap(\.self))
        }
    }
}
#endif
