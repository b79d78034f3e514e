import PiuPiuAsync

extension TransportConformance.Case {
    /// The shutdown of a transport.
    static let shutdown: [Self] = [
        .semantics("shutdown.idle", "Shutting down what does nothing returns, twice too.", rule) { bench in
            bench.peer.answer("/", with: .response(body: "ok"))
            _ = try await bench.transport.send(bench.request())
            try await bench.transport.shutdown()
            try await bench.transport.shutdown()
            try expect(await bench.peer.waitUntilClosed(), "closed connections")
        },
        .semantics("shutdown.refuses", "After shutting down, requests are refused and not sent.", rule) { bench in
            let transport = try bench.transport
            await transport.shutdown()
            try await expectError(.shutDown) { try await transport.send(bench.request()) }
            try expect("the requests that arrived", bench.peer.requests(for: "/").count, is: 0)
        },
        .semantics("shutdown.waits", "Shutting down waits for what is in flight.", rule) { bench in
            bench.peer.answer("/", with: [.wait("here")] + .response(body: "late"))
            let transport = try bench.transport
            let running = Task { try await transport.send(bench.request()) }
            _ = await bench.peer.waitUntilWaiting(at: "here", count: 1)
            let shutdown = Shutdown(of: transport)
            try await bench.expectWaiting(shutdown)
            bench.peer.open("here")
            try expect("the body", try await running.value.text, is: "late")
            await shutdown.task.value
        },
        .semantics("shutdown.waitsForStreams", "Shutting down waits for a body that is read.", rule) { bench in
            let steps: [PeerStep] = [.head(200), .body(Data("abc".utf8)), .wait("rest"), .body(Data("def".utf8))]
            bench.peer.answer("/", with: steps)
            let transport = try bench.transport
            let body = try await transport.send(streamed(bench)).streamed()
            let shutdown = Shutdown(of: transport)
            try await bench.expectWaiting(shutdown)
            bench.peer.open("rest")
            try expect("the body", try await body.text(), is: "abcdef")
            await shutdown.task.value
        },
        .semantics("shutdown.cancelledCaller", "Cancelling the caller does not cut it short.", rule) { bench in
            bench.peer.answer("/", with: [.wait("here")] + .response(body: "late"))
            let transport = try bench.transport
            let running = Task { try await transport.send(bench.request()) }
            _ = await bench.peer.waitUntilWaiting(at: "here", count: 1)
            let shutdown = Shutdown(of: transport)
            shutdown.task.cancel()
            try await bench.expectWaiting(shutdown)
            bench.peer.open("here")
            try expect("the body", try await running.value.text, is: "late")
            await shutdown.task.value
        },
        .semantics("shutdown.invalidated", "Invalidating cancels what is in flight and refuses the rest.", invalidation)
        {
            bench in
            bench.peer.answer("/", with: [.wait("here"), .hang])
            let transport = try bench.transport
            let running = (0..<3).map { _ in Task { try await transport.send(bench.request()) } }
            _ = await bench.peer.waitUntilWaiting(at: "here", count: 3)
            transport.invalidateAndCancel()
            for task in running { try await expectCancellation { try await task.value } }
            try await expectError(.shutDown) { try await transport.send(bench.request()) }
            await transport.shutdown()
            try expect(await bench.peer.waitUntilClosed(), "exchanges that are over")
        },
        .wire("shutdown.invalidatedQueue", "Invalidating cancels what waits for a connection.", invalidation) { bench in
            bench.peer.answer("/", with: [.wait("here"), .hang])
            let transport = try bench.makeTransport { $0.connections.perHost = 1 }
            let running = (0..<3).map { _ in Task { try await transport.send(bench.request()) } }
            _ = await bench.peer.waitUntilWaiting(at: "here", count: 1)
            try await bench.letTurnsPass(transport)
            transport.invalidateAndCancel()
            for task in running { try await expectCancellation { try await task.value } }
        },
        .semantics("shutdown.hurried", "Invalidating ends a shutdown that waits.", invalidation) { bench in
            bench.peer.answer("/", with: [.wait("here"), .hang])
            let transport = try bench.transport
            let running = Task { try await transport.send(bench.request()) }
            _ = await bench.peer.waitUntilWaiting(at: "here", count: 1)
            let shutdown = Shutdown(of: transport)
            try await bench.expectWaiting(shutdown)
            transport.invalidateAndCancel()
            await shutdown.task.value
            try await expectCancellation { try await running.value }
        },
    ]

    private static let rule = "HTTPTransport.shutdown()"
    private static let invalidation = "HTTPTransport.invalidateAndCancel()"
}

/// A shutdown in progress.
private struct Shutdown: Sendable {
    let transport: any HTTPTransport
    let task: Task<Void, Never>
    let hasReturned = Locked(false)

    init(of transport: any HTTPTransport) {
        self.transport = transport
        task = Task { [hasReturned] in
            await transport.shutdown()
            hasReturned.withLock { $0 = true }
        }
    }
}

extension ConformanceBench {
    /// Checks that a shutdown has begun and still waits, after enough time to return.
    fileprivate func expectWaiting(_ shutdown: Shutdown) async throws {
        peer.answer("/early", with: .response())
        while true {
            try Task.checkCancellation()
            do {
                _ = try await shutdown.transport.send(request("/early"))
            } catch let error as TransportError where error.code == .shutDown {
                break
            }
        }
        try await letTimePass()
        try expect(!shutdown.hasReturned.withLock { $0 }, "a shutdown that waits", seen: "it returned")
    }
}
