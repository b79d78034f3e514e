import PiuPiuAsync

extension TransportConformance.Case {
    /// Limits of memory and of connections.
    static let limits: [Self] = [
        .semantics("limits.body", "A body over the limit is an error.", "RequestOptions.maximumBufferedBody") { bench in
            for announcesLength in [true, false] {
                bench.peer.answer("/", with: [.head(200, announcesLength: announcesLength), .body(bytes(100_001))])
                let request = bench.request { $0.options.maximumBufferedBody = 100_000 }
                try await expectError(.bodyTooLarge) { try await bench.transport.send(request) }
            }
        },
        .semantics("limits.exactBody", "A body at the limit is none.", "RequestOptions.maximumBufferedBody") { bench in
            for announcesLength in [true, false] {
                let steps: [PeerStep] = [.head(200, announcesLength: announcesLength), .body(bytes(100_000))]
                let response = try await bench.response(with: steps) { $0.options.maximumBufferedBody = 100_000 }
                try expect("the length", response.body?.count, is: 100_000)
            }
        },
        .raw(
            "limits.endlessBody",
            "A body without end is an error as soon as it is too large.",
            "RequestOptions.maximumBufferedBody",
            then: { $0.options.maximumBufferedBody = 100_000 },
            fails: .bodyTooLarge
        ) {
            [.send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("0123456789")]
        },
        .raw("limits.endlessHead", "A head without end is an error.", head, fails: .headTooLarge) {
            [.send("HTTP/1.1 200 OK\r\n"), .repeat("X-Filler: abcdefghijklmnop\r\n")]
        },
        .raw("limits.longLine", "A line without end is an error.", head, fails: .headTooLarge) {
            [.send("HTTP/1.1 200 OK\r\nX-A: "), .repeat(String(repeating: "x", count: 1024))]
        },
        .raw("limits.interimResponses", "Interim responses without end are an error.", head, fails: .headTooLarge) {
            [.repeat("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n")]
        },
        .wire("limits.largeHead", "A head below the limit is none.", head) { bench in
            let fields = (0..<1000).map { "X-\($0): \(String(repeating: "y", count: 40))\r\n" }.joined()
            let script = [Step.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 3\r\n\r\nabc")]
            let response = try await bench.response(toScript: script)
            try expect("the body", response.text, is: "abc")
            try expect("X-999", response.head.headers["X-999"]?.count, is: 40)
        },
        .wire("limits.connectionsPerHost", "No more connections to a host than allowed.", "ConnectionLimits") { bench in
            let server = try bench.server
            bench.peer.answer("/", with: [.wait("here")] + .response(body: "ok"))
            let transport = try bench.makeTransport { $0.connections.perHost = 3 }
            let begun = Locked(0)
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        begun.withLock { $0 += 1 }
                        return try await transport.send(bench.request()).text
                    }
                }
                try await until { begun.withLock { $0 } == 20 }
                _ = await bench.peer.waitUntilWaiting(at: "here", count: 3)
                try await bench.letTurnsPass(transport)
                try expect("the connections", server.openConnections, is: 3)
                bench.peer.open("here")
                for try await text in group { try expect("the body", text, is: "ok") }
            }
            try expect("the connections in all", server.acceptedConnections, is: 3)
        },
        .wire("limits.connectionsInAll", "No more connections in all than allowed.", "ConnectionLimits") { bench in
            let servers = try (0..<3).map { _ in try LoopbackServer() }
            for server in servers { server.route("/", .hold("here"), .response(body: "ok")) }
            let transport = try bench.makeTransport { $0.connections = ConnectionLimits(perHost: 2, total: 4) }
            let begun = Locked(0)
            func count() -> Int { servers.reduce(0) { $0 + $1.openConnections } }
            try await withThrowingTaskGroup(of: String?.self) { group in
                for index in 0..<12 {
                    group.addTask {
                        begun.withLock { $0 += 1 }
                        return try await transport.send(TransportRequest(to: servers[index % 3].url("/"))).text
                    }
                }
                try await until { begun.withLock { $0 } == 12 && count() >= 4 }
                try await bench.letTimePass()
                try expect("the connections", count(), is: 4)
                for server in servers { server.release("here") }
                for try await text in group { try expect("the body", text, is: "ok") }
            }
        },
    ]

    private static let head = "RequestOptions.maximumHead"

    /// Polls until a condition is true that cannot be awaited.
    private static func until(_ condition: () -> Bool) async throws {
        while !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
