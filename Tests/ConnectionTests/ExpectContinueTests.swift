import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// Requests that wait for "100 Continue" because their options say so (RFC 9110 §10.1.1).
    struct ExpectContinueTests {
        /// What happened at a server, in order.
        private let events = Observed<[String]>([])
        private let body = Data(repeating: UInt8(ascii: "x"), count: 10)

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

        private static func options(_ expectContinue: ExpectContinue) -> RequestOptions {
            var options = RequestOptions()
            options.expectContinue = expectContinue
            return options
        }

        private static func request(_ server: RawServer, path: String = "/", _ body: Data) -> URLRequest {
            var request = URLRequest(url: Fixture.url("http://127.0.0.1:\(server.port)\(path)"))
            request.httpMethod = "POST"
            request.httpBody = body
            return request
        }

        /// A server that answers heads with a line, and reads the content if that is 100.
        private func server(_ answer: String, size: Int, fields: String = "Content-Length: 0") throws -> RawServer {
            try RawServer { [events] connection in
                var input: [UInt8] = []
                while true {
                    let head = try Self.head(from: connection, &input)
                    let isAsked = head.contains("\r\nexpect: 100-continue")
                    events.update { $0.append("head, \(isAsked ? "asking" : "not asking"), \(input.count)") }
                    if answer != "100", isAsked {
                        connection.write(Array("HTTP/1.1 \(answer) No\r\n\(fields)\r\n\r\n".utf8))
                        // What comes now is the content, or another request, or the end.
                        do {
                            if input.isEmpty { input += try connection.read() }
                        } catch {
                            events.update { $0.append("end") }
                            return
                        }
                        guard input.first == UInt8(ascii: "x") else { continue }
                        events.update { $0.append("content that nobody wants") }
                        return
                    }
                    if isAsked { connection.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
                    while input.count < size { input += try connection.read() }
                    input.removeFirst(size)
                    events.update { $0.append("content") }
                    connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
                }
            }
        }

        @Test("The content comes after the server agreed", arguments: [10, 200_000])
        func agreed(_ size: Int) async throws {
            let server = try server("100", size: size)
            let dispatcher = URLRequestDispatcher.forTests()
            let request = Self.request(server, Data(repeating: UInt8(ascii: "x"), count: size))
            let options = Self.options(.always.waiting(.generous))
            #expect(try await dispatcher.data(for: request, options: options).statusCode == .ok)
            #expect(events.value == ["head, asking, 0", "content"])
            // The answer is the transport's.
            #expect(try await dispatcher.data(for: request, options: options).informational.isEmpty)
        }

        @Test("A server that does not agree gets none of the content", arguments: ["401", "413"], [10, 5_000_000])
        func refused(_ status: String, size: Int) async throws {
            for fields in ["Content-Length: 0", "Content-Length: 0\r\nConnection: close"] {
                events.update { $0 = [] }
                let server = try server(status, size: size, fields: fields)
                let request = Self.request(server, Data(repeating: UInt8(ascii: "x"), count: size))
                let dispatcher = URLRequestDispatcher.forTests()
                let response = try await dispatcher.data(
                    for: request,
                    options: Self.options(.always.waiting(.generous))
                )
                #expect(response.statusCode.rawValue == Int(status))
                await dispatcher.shutdown()
                #expect(await events.wait { $0.count > 1 })
                #expect(events.value == ["head, asking, 0", "end"])
            }
        }

        @Test("A request whose expectation is not met is sent again without it", arguments: [10, 5_000_000])
        func notMet(_ size: Int) async throws {
            let server = try server("417", size: size)
            let request = Self.request(server, Data(repeating: UInt8(ascii: "x"), count: size))
            let options = Self.options(.always.waiting(.generous))
            #expect(try await URLRequestDispatcher.forTests().data(for: request, options: options).statusCode == .ok)
            let events = events.value.filter { $0 != "end" }
            #expect(events.count == 3 && events.last == "content")
            #expect(events[0] == "head, asking, 0" && events[1].hasPrefix("head, not asking"))
        }

        @Test("Content is held back for as long as the options say, and then sent to a server that says nothing")
        func patience() async throws {
            let events = events
            let patientConnection = Locked<RawConnection?>(nil)
            let server = try RawServer { connection in
                var input: [UInt8] = []
                let head = try Self.head(from: connection, &input)
                let isPatient = head.hasPrefix("post /patient")
                if isPatient { patientConnection.withLock { $0 = connection } }
                events.update { $0.append("\(isPatient ? "patient" : "hasty") head, \(input.count)") }
                while input.count < 10 { input += try connection.read() }
                events.update { $0.append("\(isPatient ? "patient" : "hasty") content") }
                // The other request started before this one, and still waits.
                if !isPatient {
                    patientConnection.withLock { $0 }?.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                }
                connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
            }
            let dispatcher = URLRequestDispatcher.forTests()
            async let patient = dispatcher.data(
                for: Self.request(server, path: "/patient", body),
                options: Self.options(.always.waiting(.generous))
            )
            #expect(await events.wait { $0.count == 1 })
            var hasty = Self.request(server, path: "/hasty", body)
            hasty.setValue("100-continue", forHTTPHeaderField: "Expect")
            // The time holds for a field of the caller's, too.
            let options = Self.options(.never.waiting(.milliseconds(1_500)))
            #expect(try await dispatcher.data(for: hasty, options: options).statusCode == .ok)
            #expect(try await patient.statusCode == .ok)
            #expect(events.value == ["patient head, 0", "hasty head, 0", "hasty content", "patient content"])
        }

        @Test("Only content above the limit waits, and content of unknown length")
        func limit() async throws {
            let server = try LoopbackServer()
            server.route("/", .response())
            let dispatcher = URLRequestDispatcher.forTests()
            let options = Self.options(.above(100).waiting(.milliseconds(1)))
            func isAsked(_ method: String, _ body: RequestBody?, _ options: RequestOptions) async throws -> Bool {
                var request = URLRequest(url: server.url("/"))
                request.httpMethod = method
                if let body {
                    _ = try await dispatcher.upload(for: request, from: body, options: options).response()
                } else {
                    _ = try await dispatcher.data(for: request, options: options)
                }
                return server.requests.last?.header("Expect") == "100-continue"
            }
            let stream = RequestBody.stream(
                AsyncStream {
                    $0.yield(Data("abc".utf8))
                    $0.finish()
                }
            )
            #expect(try await !isAsked("POST", .data(Data(count: 100)), options))
            #expect(try await isAsked("POST", .data(Data(count: 101)), options))
            #expect(try await isAsked("PUT", stream, options))
            for method in ["GET", "HEAD", "POST", "DELETE"] {
                let always = Self.options(.always.waiting(.milliseconds(1)))
                #expect(try await !isAsked(method, nil, always), "\(method)")
            }
            #expect(try await !isAsked("POST", .data(Data(count: 1_000)), RequestOptions()))
        }

        @Test("The time is at least a millisecond and at most a day")
        func range() {
            #expect(ExpectContinue.always.waiting(.zero).milliseconds == 1)
            #expect(ExpectContinue.always.waiting(.seconds(-1)).milliseconds == 1)
            #expect(ExpectContinue.always.waiting(.seconds(Int64.max)).milliseconds == 86_400_000)
            #expect(ExpectContinue.always.milliseconds == 1_000)
            #expect(ExpectContinue.above(-5) == .always)
        }

        @Test(
            "A server of HTTP/2 is asked too, whether it agrees or says nothing",
            .enabled(if: NodeServer.shared != nil && HTTP2Script.isAvailable, "node, python3 and openssl are needed")
        )
        func http2() async throws {
            let node = try #require(NodeServer.shared)
            let script = try HTTP2Script { $0.respond(200, body: $0.request["expect"] ?? "") }
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.certificateAuthorityFile = node.authority }
            for (url, patience) in [
                (node.url(node.http2, "/echo"), Duration.generous), (script.url("/"), .milliseconds(10)),
            ] {
                for size in [10, 200_000] {
                    var request = URLRequest(url: url)
                    request.httpMethod = "POST"
                    request.httpBody = Data(repeating: UInt8(ascii: "x"), count: size)
                    let response = try await dispatcher.data(
                        for: request,
                        options: Self.options(.always.waiting(patience))
                    )
                    #expect(response.statusCode == .ok && response.head?.httpVersion == "HTTP/2")
                    #expect(try response.decodeString() == (url.port == node.http2 ? "{}" : "100-continue"))
                }
            }
            #expect(script.requests.map(\.body.count) == [10, 200_000])
        }
    }
}
