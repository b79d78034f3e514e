import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Field lines that begin with a space (RFC 9112 §5.2), which belong to a field that may not be there.
    ///
    /// Each response is either refused as malformed or understood; the process lives on in any case.
    struct FoldedHeadTests {
        /// A head whose fold comes before any field.
        private static let firstLine = "HTTP/1.1 200 OK\r\n X-F: 1\r\nContent-Length: 2\r\n\r\nok"

        /// Sends a request whose response begins with a folded line, and checks what comes of it.
        private func checkFold(_ dispatcher: URLRequestDispatcher, _ url: URL, by delivery: Delivery) async throws {
            do {
                let received = try await dispatcher.receive(URLRequest(url: url), by: delivery)
                #expect(received == Received("ok"))
            } catch {
                #expect(TransportError.Code.of(error) == .malformedHead, "\(error)")
            }
        }

        private func checkHealth(_ dispatcher: URLRequestDispatcher, _ server: WiredServer) async throws {
            for _ in 0..<3 {
                let response = try await dispatcher.data(from: server.url("/plain"))
                #expect(response.data == Data("plain".utf8))
                #expect(response.headers["X-Field"] == "value")
            }
        }

        private func server(_ wire: Wire) throws -> WiredServer {
            let server = try WiredServer(wire)
            server.script.route("/plain", .response(headers: ["X-Field": "value"], body: "plain"))
            server.script.route("/fold", .send(Self.firstLine))
            server.script.route("/to-fold", .redirect(to: server.url("/fold").absoluteString))
            return server
        }

        @Test(
            "A head that begins with a folded line does not crash, and leaves the dispatcher as good as before",
            arguments: Wire.available,
            Delivery.allCases
        )
        func firstLine(_ wire: Wire, _ delivery: Delivery) async throws {
            let server = try server(wire)
            let dispatcher = server.dispatcher()
            for _ in 0..<5 {
                try await checkFold(dispatcher, server.url("/fold"), by: delivery)
                try await checkHealth(dispatcher, server)
            }
        }

        @Test(
            "A head that begins with a folded line does not crash behind a redirect",
            arguments: Wire.available,
            Delivery.allCases
        )
        func redirect(_ wire: Wire, _ delivery: Delivery) async throws {
            let server = try server(wire)
            let dispatcher = server.dispatcher()
            for _ in 0..<5 { try await checkFold(dispatcher, server.url("/to-fold"), by: delivery) }
            try await checkHealth(dispatcher, server)
        }

        @Test("Folded heads one after the other and at once do not crash", arguments: Wire.available)
        func several(_ wire: Wire) async throws {
            let server = try server(wire)
            let dispatcher = server.dispatcher { $0.connections = ConnectionLimits(perHost: 4, total: 4) }
            try await checkHealth(dispatcher, server)
            for _ in 0..<20 { try await checkFold(dispatcher, server.url("/fold"), by: .data) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<60 {
                    let path = ["/fold", "/to-fold", "/plain"][index % 3]
                    group.addTask {
                        if path == "/plain" {
                            #expect(try await dispatcher.data(from: server.url(path)).data == Data("plain".utf8))
                        } else {
                            try await checkFold(dispatcher, server.url(path), by: Delivery.allCases[index % 2])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await checkHealth(dispatcher, server)
        }

        @Test("A folded line after interim responses does not crash", arguments: Delivery.allCases)
        func afterInterim(_ delivery: Delivery) async throws {
            let server = try server(.plain)
            let interim = "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"
            server.script.route("/after", .send(interim + Self.firstLine))
            server.script.route(
                "/inside",
                .send("HTTP/1.1 103 Early Hints\r\n Link: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            )
            server.script.route("/late", .send(interim), .hold("late"), .send(Self.firstLine))
            server.script.release("late")
            let dispatcher = server.dispatcher()
            try await checkHealth(dispatcher, server)
            for path in ["/after", "/inside", "/late", "/after"] {
                try await checkFold(dispatcher, server.url(path), by: delivery)
                try await checkHealth(dispatcher, server)
            }
        }

        @Test("A folded line that begins the trailers does not crash", arguments: Delivery.allCases)
        func trailers(_ delivery: Delivery) async throws {
            let server = try server(.plain)
            let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
            server.script.route("/first", .send(chunked + " X-T: 1\r\n\r\n"))
            server.script.route("/second", .send(chunked + "X-T: 1\r\n more\r\n\r\n"))
            let dispatcher = server.dispatcher()
            try await checkHealth(dispatcher, server)
            for path in ["/first", "/second", "/first"] {
                do {
                    let received = try await dispatcher.receive(URLRequest(url: server.url(path)), by: delivery)
                    #expect(received == Received("ok"))
                } catch {
                    let code = TransportError.Code.of(error)
                    #expect(code == .malformedHead || code == .malformedBody, "\(error)")
                }
                try await checkHealth(dispatcher, server)
            }
        }

        @Test("A field that is folded later in the head is one field", arguments: Delivery.allCases)
        func laterLines(_ delivery: Delivery) async throws {
            let server = try server(.plain)
            server.script.route(
                "/later",
                .send("HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\n\tthree\r\nContent-Length: 2\r\nX-B: b\r\n\r\nok")
            )
            let dispatcher = server.dispatcher()
            for _ in 0..<3 {
                let received = try await dispatcher.receive(URLRequest(url: server.url("/later")), by: delivery)
                #expect(received == Received("ok"))
                let response = try await dispatcher.data(from: server.url("/later"))
                let words = response.headers["X-A"]?.split { " \t\r\n".contains($0) }
                #expect(words == ["one", "two", "three"])
                #expect(response.headers.values(for: "X-A").count == 1)
                #expect(response.headers["X-B"] == "b")
                try await checkHealth(dispatcher, server)
            }
        }
    }
}
