import PiuPiuAsync

extension TransportConformance.Case {
    /// Time limits, phase by phase.
    static let timeouts: [Self] = [
        .semantics("timeouts.head", "The limit of the head ends a silent exchange.", "Timeouts.head") { bench in
            bench.peer.answer("/", with: [.hang])
            try await bench.expectTimeout(.head) { $0.head = .milliseconds(250) }
        },
        .semantics("timeouts.idle", "The idle limit ends an exchange before the head.", "Timeouts.idle") { bench in
            bench.peer.answer("/", with: [.hang])
            try await bench.expectTimeout(.idle) { $0.idle = .milliseconds(250) }
        },
        .semantics("timeouts.idleBody", "The idle limit ends a body that stalls.", "Timeouts.idle") { bench in
            bench.peer.answer("/", with: [.head(200, announcesLength: false), .body(Data("abc".utf8)), .hang])
            try await bench.expectTimeout(.idle) { $0.idle = .milliseconds(250) }
        },
        .semantics("timeouts.idlePushedBack", "Each piece pushes the idle limit back.", "Timeouts.idle") { bench in
            try await atSomeScale { scale in
                let slow = (0..<6).flatMap { _ in
                    [PeerStep.pause(.milliseconds(200 * scale)), .body(Data("x".utf8))]
                }
                let response = try await bench.response(with: [.head(200)] + slow) {
                    $0.options.timeouts.idle = .milliseconds(1000 * scale)
                }
                try expect("the body", response.text, is: "xxxxxx")
            }
        },
        .semantics("timeouts.total", "The limit of the whole ends a slow body.", "Timeouts.total") { bench in
            let slow = (0..<100).flatMap { _ in [PeerStep.pause(.milliseconds(100)), .body(Data("x".utf8))] }
            bench.peer.answer("/", with: [.head(200)] + slow)
            try await bench.expectTimeout(.total) { $0.total = .milliseconds(350) }
        },
        .semantics("timeouts.deadline", "The deadline of a request is kept.", "TransportRequest.deadline") { bench in
            bench.peer.answer("/", with: [.hang])
            try await PiuPiuTesting.expectTimeout(.total, after: .milliseconds(250)) {
                let deadline = ContinuousClock.now.advanced(by: .milliseconds(250))
                return try await bench.transport.send(bench.request { $0.deadline = deadline })
            }
        },
        .semantics("timeouts.past", "A deadline that has passed ends at once.", "TransportRequest.deadline") { bench in
            bench.peer.answer("/", with: [.hang])
            let deadline = ContinuousClock.now.advanced(by: .seconds(-1))
            try await PiuPiuTesting.expectTimeout(.total, after: .zero) {
                try await bench.transport.send(bench.request { $0.deadline = deadline })
            }
        },
        .wire("timeouts.connect", "The limit of connecting covers the handshake.", "Timeouts.connect") { bench in
            let server = try LoopbackServer(onConnect: [.stall])
            let url = try expectValue("a URL", URL(string: "https://127.0.0.1:\(server.port)/"))
            try await PiuPiuTesting.expectTimeout(.connect, after: .milliseconds(250)) {
                try await bench.transport.send(
                    TransportRequest(to: url) { $0.options.timeouts.connect = .milliseconds(250) }
                )
            }
        },
        .wire("timeouts.queue", "The limit of the queue ends what gets no connection.", "Timeouts.queue") { bench in
            bench.peer.answer("/held", with: [.wait("here")] + .response(body: "held"))
            let transport = try bench.makeTransport { $0.connections.perHost = 1 }
            async let first = transport.send(bench.request("/held"))
            _ = await bench.peer.waitUntilWaiting(at: "here", count: 1)
            try await PiuPiuTesting.expectTimeout(.queue, after: .milliseconds(250)) {
                try await transport.send(bench.request("/never") { $0.options.timeouts.queue = .milliseconds(250) })
            }
            bench.peer.open("here")
            try expect("the body", try await first.text, is: "held")
            try expect("the requests that arrived", bench.peer.requests(for: "/never").count, is: 0)
        },
        .wire("timeouts.queueIsApart", "Time in the queue counts for no phase after it.", "Timeouts.queue") { bench in
            bench.peer.answer("/", with: .response(body: "ok"))
            try await atSomeScale { scale in
                let gate = "here \(scale)"
                bench.peer.answer("/held", with: [.wait(gate)] + .response(body: "held"))
                let transport = try bench.makeTransport { $0.connections.perHost = 1 }
                async let first = transport.send(bench.request("/held"))
                _ = await bench.peer.waitUntilWaiting(at: gate, count: 1)
                let limit = Duration.milliseconds(1000 * scale)
                let limits = Timeouts(queue: nil, connect: limit, head: limit, idle: limit)
                async let second = transport.send(bench.request { $0.options.timeouts = limits })
                // Longer than any of the limits.
                try await Task.sleep(for: limit * 1.3)
                bench.peer.open(gate)
                try expect("the first body", try await first.text, is: "held")
                try expect("the second body", try await second.text, is: "ok")
            }
        },
        .wire("timeouts.upload", "The idle limit ends an upload that is not read.", "Timeouts.idle") { bench in
            let server = try bench.server
            server.route("PUT", "/", .ignoreBody, .hold("here"), .drainBody, .stall)
            let limits = Timeouts(queue: nil, idle: .milliseconds(300))
            try await PiuPiuTesting.expectTimeout(.idle, after: .milliseconds(300)) {
                let request = bench.request("/", "PUT") {
                    $0.body = .data(Data(count: 32 << 20))
                    $0.options.timeouts = limits
                }
                return try await bench.transport.send(request)
            }
            // A server that does not read does not notice the close.
            server.release("here")
            try expect(await server.waitForOpenConnections(atMost: 0), "a closed connection")
        },
        .wire("timeouts.headAfterBody", "The head's limit begins with the last byte sent.", "Timeouts.head") { bench in
            try await atSomeScale { scale in
                let pause = Step.sleep(.milliseconds(1100 * scale))
                try bench.server.route("PUT", "/", .ignoreBody, pause, .drainBody, .response(body: "ok"))
                let request = bench.request("/", "PUT") {
                    $0.body = .data(Data(count: 16 << 20))
                    $0.options.timeouts.head = .milliseconds(800 * scale)
                }
                try expect("the body", try await bench.transport.send(request).text, is: "ok")
            }
        },
        .semantics("timeouts.stream", "The limit of the whole is for streams too.", "Timeouts.total") { bench in
            bench.peer.answer("/", with: [.head(200, announcesLength: false), .body(Data("abc".utf8)), .hang])
            try await PiuPiuTesting.expectTimeout(.total, after: .milliseconds(300)) {
                let request = streamed(bench) { $0.options.timeouts.total = .milliseconds(300) }
                return try await bench.transport.send(request).streamed().text()
            }
        },
        .wire("timeouts.slowReader", "The time that a reader takes is not idle.", "ResponseBody") { bench in
            let block = bytes(65_536)
            try bench.server.route("/", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(block, count: 400), .close)
            try await atSomeScale { scale in
                let request = streamed(bench) { $0.options.timeouts.idle = .milliseconds(500 * scale) }
                let body = try await bench.transport.send(request).streamed()
                // The reader takes twice the limit, which must not count against it.
                try await Task.sleep(for: .milliseconds(1000 * scale))
                var count = 0
                for try await chunk in body { count += chunk.count }
                try expect("the length", count, is: 400 * block.count)
            }
        },
    ]
}

extension ConformanceBench {
    /// Sends a request for `/` that must reach a time limit.
    fileprivate func expectTimeout(
        _ phase: TimeoutPhase,
        _ set: (inout Timeouts) -> Void
    ) async throws {
        var limits = Timeouts(queue: nil, connect: .seconds(20), head: nil, idle: nil, total: nil)
        set(&limits)
        let limit = [limits.head, limits.idle, limits.total].compactMap { $0 }.first ?? .zero
        let request = request { $0.options.timeouts = limits }
        try await PiuPiuTesting.expectTimeout(phase, after: limit) { try await transport.send(request) }
        try expect(await peer.waitUntilClosed(), "an exchange that is over")
    }
}
