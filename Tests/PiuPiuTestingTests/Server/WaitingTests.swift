import Testing

@testable import PiuPiuTesting

@Suite(.timeLimit(.generous))
struct WaitingTests {
    private static let get = "GET /a HTTP/1.1\r\n\r\n"

    private func waitForWaiters(_ count: Int, of server: LoopbackServer) async {
        while server.core.update({ $0.waiterCount }) < count, !Task.isCancelled { await Task.yield() }
    }

    @Test
    func gateHoldsUntilItIsReleased() async throws {
        let server = try LoopbackServer()
        server.route("/a", .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"), .hold("g"), .send("cd"))
        let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
        for client in clients {
            try client.write(Self.get)
            #expect(try client.read(until: "ab").hasSuffix("ab"))
        }
        #expect(await server.waitUntilHeld("g", count: 3))
        server.release("g")
        for client in clients {
            #expect(try client.read(2) == Array("cd".utf8))
            try client.write(Self.get)
            #expect(try client.readResponse().body == "abcd")
        }
    }

    @Test
    func heldConnectionThatLeavesIsNotCounted() async throws {
        let server = try LoopbackServer()
        server.route("/a", .hold("g"), .response())
        var leaving: RawClient? = try RawClient(port: server.port)
        try leaving?.write(Self.get)
        #expect(await server.waitUntilHeld("g"))
        leaving = nil
        #expect(await server.waitForOpenConnections(0))
        let waiting = Task { await server.waitUntilHeld("g") }
        let staying = try RawClient(port: server.port)
        try staying.write(Self.get)
        #expect(await waiting.value)
        server.release("g")
        #expect(try staying.readResponse().status == "HTTP/1.1 200 OK")
    }

    @Test
    func requestsAreCountedByPath() async throws {
        let server = try LoopbackServer()
        let all = Task { await server.waitForRequests(3) }
        let some = Task { await server.waitForRequests(2, path: "/a") }
        let client = try RawClient(port: server.port)
        for path in ["/b", "/a", "/a?x"] {
            try client.write("GET \(path) HTTP/1.1\r\n\r\n")
            _ = try client.readResponse()
        }
        #expect(await all.value)
        #expect(await some.value)
        server.forgetRequests()
        #expect(server.requests.isEmpty)
        let later = Task { await server.waitForRequests(1, path: "/a") }
        try client.write(Self.get)
        #expect(await later.value)
    }

    @Test
    func cancelledWaitersReturn() async throws {
        let server = try LoopbackServer()
        // At once, in the middle, and when all of them wait.
        for count in [0, 2, 4] {
            let tasks = [
                Task { await server.waitForRequests(1) },
                Task { await server.waitForOpenConnections(7) },
                Task { await server.waitForOpenConnections(atMost: -1) },
                Task { await server.waitUntilHeld("g") },
            ]
            await waitForWaiters(count, of: server)
            for task in tasks {
                task.cancel()
            }
            for task in tasks {
                #expect(await task.value == false)
            }
        }
    }

    @Test
    func cancellationRacesWithTheEvent() async throws {
        let server = try LoopbackServer()
        server.route("/a", .response())
        let client = try RawClient(port: server.port)
        for count in 1...50 {
            let waiting = Task { await server.waitForRequests(count) }
            try client.write(Self.get)
            waiting.cancel()
            _ = await waiting.value
            _ = try client.readResponse()
        }
        #expect(server.requests.count == 50)
    }

    @Test
    func stoppingWakesEverybodyAndClosesEverything() async throws {
        let server = try LoopbackServer()
        server.route("/a", .hold("g"))
        server.route("/b", .repeat("x"))
        let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
        for (index, client) in clients.enumerated() {
            try client.write(index % 2 == 0 ? Self.get : "GET /b HTTP/1.1\r\n\r\n")
        }
        #expect(await server.waitUntilHeld("g", count: 10))
        let requests = Task { await server.waitForRequests(1000) }
        let none = Task { await server.waitForOpenConnections(0) }
        await waitForWaiters(2, of: server)
        server.stop()
        #expect(await requests.value == false)
        _ = await none.value
        #expect(server.openConnections == 0)
        for client in clients {
            #expect([.closed, .reset].contains(client.readAll().ending))
        }
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
        // Nothing of this may hang or fail.
        server.stop()
        server.release("g")
        server.route("/c", .response())
        #expect(await server.waitForRequests(1000) == false)
        #expect(await server.waitUntilHeld("g") == false)
        #expect(await server.waitForOpenConnections(0))
    }

    @Test
    func releasingTheServerStopsIt() throws {
        var server: LoopbackServer? = try LoopbackServer(onConnect: [.send("hi")])
        let client = try RawClient(port: server?.port ?? 0)
        #expect(try client.read(2) == Array("hi".utf8))
        server = nil
        #expect([.closed, .reset].contains(client.readAll().ending))
    }

    @Test
    func stoppingFromAClosureDoesNotWaitForItself() async throws {
        let server = try LoopbackServer()
        server.route("/stop") { [weak server] _ in
            server?.stop()
            return [.response()]
        }
        let client = try RawClient(port: server.port)
        try client.write("GET /stop HTTP/1.1\r\n\r\n")
        #expect([.closed, .reset].contains(client.readAll().ending))
        #expect(await server.waitForOpenConnections(0))
    }
}
