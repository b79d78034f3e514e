import PiuPiuAsync

extension TransportConformance.Case {
    /// Cancellation in each phase of a request.
    static let cancellation: [Self] = [
        .semantics("cancellation.beforeTheCall", "A cancelled task sends nothing.", rule) { bench in
            let transport = try bench.transport
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.send(bench.request())
            }
            try await expectCancellation { try await task.value }
            try expect("the requests that arrived", bench.peer.requests(for: "/").count, is: 0)
        },
        .semantics("cancellation.beforeTheHead", "Cancelling closes an exchange without an answer.", rule) { bench in
            bench.peer.answer("/", with: [.wait("here"), .hang])
            try await bench.expectCancellable { _ = await bench.peer.waitUntilWaiting(at: "here", count: 1) }
        },
        .semantics("cancellation.insideTheBody", "Cancelling closes a half answered exchange.", rule) { bench in
            bench.peer.answer("/", with: [.head(200, announcesLength: false)] + abc + [.wait("here"), .hang])
            try await bench.expectCancellable { _ = await bench.peer.waitUntilWaiting(at: "here", count: 1) }
        },
        .wire("cancellation.insideTheHead", "Cancelling closes an exchange inside the head.", rule) { bench in
            let server = try bench.server
            server.route("/", .send("HTTP/1.1 200 OK\r\nX-A: "), .hold("here"), .stall)
            try await bench.expectCancellable { _ = await server.waitUntilHeld("here") }
        },
        .wire("cancellation.insideAnUpload", "Cancelling closes an upload that is not read.", rule) { bench in
            let server = try bench.server
            server.route("PUT", "/", .ignoreBody, .hold("here"), .drainBody, .stall)
            try await bench.expectCancellable("PUT") {
                _ = await server.waitUntilHeld("here")
            } body: {
                .data(Data(count: 16 << 20))
            } andThen: {
                // A server that does not read does not notice the close.
                server.release("here")
            }
        },
        .wire("cancellation.insideTheHandshake", "Cancelling closes a connection that is made.", rule) { bench in
            let server = try LoopbackServer(onConnect: [.hold("here"), .stall])
            let url = try expectValue("a URL", URL(string: "https://127.0.0.1:\(server.port)/"))
            let transport = try bench.transport
            let task = Task { try await transport.send(TransportRequest(to: url)) }
            _ = await server.waitUntilHeld("here")
            task.cancel()
            try await expectCancellation { try await task.value }
            server.release("here")
            try expect(await server.waitForOpenConnections(atMost: 0), "a closed connection")
        },
        .wire("cancellation.inTheQueue", "Cancelling ends what waits for a connection.", rule) { bench in
            bench.peer.answer("/first", with: [.wait("here")] + .response(body: "first"))
            let transport = try bench.makeTransport { $0.connections.perHost = 1 }
            async let first = transport.send(bench.request("/first"))
            _ = await bench.peer.waitUntilWaiting(at: "here", count: 1)
            let second = Task { try await transport.send(bench.request("/second")) }
            try await bench.letTurnsPass(transport)
            second.cancel()
            try await expectCancellation { try await second.value }
            bench.peer.open("here")
            try expect("the body", try await first.text, is: "first")
            try expect("the requests that arrived", bench.peer.requests(for: "/second").count, is: 0)
        },
        .semantics("cancellation.afterTheEnd", "Cancelling what is over does nothing.", rule) { bench in
            bench.peer.answer("/", with: .response(body: "ok"))
            let transport = try bench.transport
            let task = Task { try await transport.send(bench.request()) }
            try expect("the body", try await task.value.text, is: "ok")
            task.cancel()
            try expect("the body", try await transport.send(bench.request()).text, is: "ok")
        },
        .semantics("cancellation.neighbour", "Cancelling one request leaves another alone.", rule) { bench in
            bench.peer.answer("/held", with: [.wait("held")] + .response(body: "held"))
            bench.peer.answer("/", with: [.wait("here"), .hang])
            bench.peer.answer("/next", with: .response(body: "next"))
            let transport = try bench.transport
            async let neighbour = transport.send(bench.request("/held"))
            _ = await bench.peer.waitUntilWaiting(at: "held", count: 1)
            let task = Task { try await transport.send(bench.request()) }
            _ = await bench.peer.waitUntilWaiting(at: "here", count: 1)
            task.cancel()
            try await expectCancellation { try await task.value }
            // If a transport wrongly cancels all requests, it may do so only after this one.
            try expect("the body of the next", try await transport.send(bench.request("/next")).text, is: "next")
            bench.peer.open("held")
            try expect("the body", try await neighbour.text, is: "held")
        },
        .semantics("cancellation.storm", "Many, cancelled at any moment, end in one way each.", rule) { bench in
            bench.peer.answer("/", with: [.head(200), .body(Data("abc".utf8)), .pause(.milliseconds(1))] + abc)
            let transport = try bench.transport
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        let task = Task { try await transport.send(bench.request()) }
                        for _ in 0..<(index * 7 % 200) { await Task.yield() }
                        task.cancel()
                        do {
                            try expect("the body", try await task.value.text, is: "abcabc")
                        } catch is CancellationError {}
                    }
                }
                try await group.waitForAll()
            }
            try expect("the body", try await transport.send(bench.request()).text, is: "abcabc")
        },
    ]

    private static let rule = "HTTPTransport.send(_:)"
    private static let abc: [PeerStep] = [.body(Data("abc".utf8))]
}

extension ConformanceBench {
    /// Cancels a request, and checks what its task and the peer see.
    fileprivate func expectCancellable(
        _ method: String = "GET",
        once isThere: () async -> Void,
        body: () -> RequestBody? = { nil },
        andThen: () -> Void = {}
    ) async throws {
        let transport = try transport
        let request = request("/", method) { $0.body = body() }
        let task = Task { try await transport.send(request) }
        await isThere()
        task.cancel()
        try await expectCancellation { try await task.value }
        andThen()
        try expect(await peer.waitUntilClosed(), "an exchange that is over")
    }
}
