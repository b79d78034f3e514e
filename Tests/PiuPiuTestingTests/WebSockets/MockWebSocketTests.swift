import PiuPiuAsync
import PiuPiuTesting
import Testing

/// The real client against scripted peers.
@Suite(.timeLimit(.generous))
struct MockWebSocketTests {
    private func request(_ text: String = "wss://chat.example/room?id=7") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: text)))
    }

    private func dispatcher(
        clock: any Clock<Duration> = ContinuousClock(),
        _ script: @escaping @Sendable (MockWebSocket) async throws -> Void
    ) -> (URLRequestDispatcher, MockTransport) {
        let transport = MockTransport(clock: clock) { _ in .webSocket(script) }
        return (URLRequestDispatcher(transport: transport), transport)
    }

    @Test func aScriptTalksToTheClient() async throws {
        let (dispatcher, transport) = dispatcher { server in
            try await server.send("hello")
            #expect(try await server.receive() == .text("hi"))
            try await server.send(Data([1, 2, 3]))
            try await server.close(code: .goingAway, reason: "restart")
        }
        var received: [WebSocketMessage] = []
        try await dispatcher.withWebSocket(for: try request()) { socket in
            try await socket.send("hi")
            for try await message in socket.messages { received.append(message) }
            #expect(await socket.waitForClosure().reason == "restart")
        }
        #expect(received == [.text("hello"), .binary(Data([1, 2, 3]))])
        let peer = try #require(transport.webSockets.first)
        #expect(peer.received == [.text("hi")])
        #expect(
            try await peer.waitForClosure()
                == WebSocketClosure(code: .goingAway, reason: "restart", initiator: .server, isClean: true)
        )
        let sent = try #require(transport.requests.first)
        #expect(sent.url.absoluteString == "https://chat.example/room?id=7")
        #expect(sent["Upgrade"] == "websocket" && sent["Connection"] == "Upgrade")
        #expect(sent["Sec-WebSocket-Key"]?.count == 24)
    }

    @Test func aTestIsTheServerItself() async throws {
        let server = MockWebSocket()
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [.webSocket(server, subprotocol: "v2")])
        )
        var options = WebSocketOptions()
        options.subprotocols = ["v1", "v2"]
        let socket = try await dispatcher.webSocket(for: try request(), options: options)
        #expect(socket.subprotocol == "v2" && !socket.isCompressed)
        #expect(server.request?["Sec-WebSocket-Protocol"] == "v1, v2")
        try await server.send("a")
        #expect(try await socket.receive() == .text("a"))
        try await socket.send(Data("b".utf8))
        #expect(try await server.receive() == .binary(Data("b".utf8)))
        try await server.ping()
        try await socket.ping()
        #expect(server.receivedPings.count == 1)
        let closure = try await socket.close(code: WebSocketCloseCode(rawValue: 4000), reason: "bye")
        #expect(closure.isClean && closure.initiator == .client)
        #expect(try await server.receive() == nil)
        #expect(try await server.waitForClosure() == closure)
        await #expect(throws: MockWebSocketClosedError.self) { try await server.send("late") }
    }

    @Test func messagesInPartsAndLargeOnesArriveWhole() async throws {
        let (dispatcher, _) = dispatcher { server in
            for try await message in server.messages { try await server.send(message) }
        }
        let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try await dispatcher.withWebSocket(for: try request()) { socket in
            for size in [0, 1, 125, 126, 65_535, 65_536, 300_000] {
                try await socket.send(Data(large.prefix(size)))
                #expect(try await socket.receive() == .binary(Data(large.prefix(size))))
            }
            let parts = AsyncStream<String> { stream in
                for part in ["grü", "ße", "!"] { stream.yield(part) }
                stream.finish()
            }
            try await socket.sendText(inParts: parts)
            #expect(try await socket.receive() == .text("grüße!"))
        }
    }

    @Test func aDroppedConnectionIsLost() async throws {
        let (dispatcher, transport) = dispatcher { server in
            try await server.send("last words")
            server.drop()
        }
        let socket = try await dispatcher.webSocket(for: try request())
        #expect(try await socket.receive() == .text("last words"))
        #expect(await code { _ = try await socket.receive() } == .connectionLost)
        #expect(socket.closure?.code == .abnormalClosure)
        #expect(try await transport.webSockets.first?.waitForClosure().isClean == false)
        #expect(transport.webSockets.first?.closure?.code == .abnormalClosure)
    }

    @Test func rawBytesViolateTheProtocol() async throws {
        let (dispatcher, transport) = dispatcher { server in
            // A text of two bytes that are not UTF-8.
            try await server.sendRaw([0x81, 0x02, 0xFF, 0xFF])
            try await server.waitForClosure()
        }
        let socket = try await dispatcher.webSocket(for: try request())
        #expect(await code { _ = try await socket.receive() } == .protocolViolation)
        let peer = try #require(transport.webSockets.first)
        #expect(try await peer.waitForClosure().code == .invalidPayload)
        #expect(peer.closure?.initiator == .client)
    }

    @Test func anyOtherAnswerIsARefusal() async throws {
        let transport = MockTransport(answers: [MockAnswer(.forbidden, body: "no")])
        let dispatcher = URLRequestDispatcher(transport: transport)
        let request = try request()
        let error = await #expect(throws: WebSocketError.self) { _ = try await dispatcher.webSocket(for: request) }
        #expect(error?.code == .handshakeRejected)
        #expect(error?.response?.statusCode == .forbidden)
        #expect(error?.body == Data("no".utf8))
    }

    @Test func aHandshakeThatIsNotAcceptableFails() async throws {
        let transport = MockTransport { _ in .webSocket(headers: ["Sec-WebSocket-Accept": "wrong"]) { _ in } }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let request = try request()
        #expect(await code { _ = try await dispatcher.webSocket(for: request) } == .invalidHandshake)
        #expect(transport.webSockets.isEmpty && transport.exchangeCount == 0)
    }

    @Test func anOrdinaryRequestOpensNoWebSocket() async throws {
        let transport = MockTransport { _ in .webSocket { _ in } }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let request = try request("https://chat.example/")
        let error = await #expect(throws: TransportError.self) { _ = try await dispatcher.data(for: request) }
        #expect(error?.code == .malformedHead)
    }

    @Test func aPeerAnswersOneHandshake() async throws {
        let server = MockWebSocket()
        let dispatcher = URLRequestDispatcher(transport: MockTransport { _ in .webSocket(server) })
        let request = try request()
        let socket = try await dispatcher.webSocket(for: request)
        await #expect(throws: MockWebSocketClosedError.self) { _ = try await dispatcher.webSocket(for: request) }
        try await socket.close()
    }

    @Test func anErrorOfTheScriptIsAnInternalError() async throws {
        struct Fault: Error {}
        let (dispatcher, _) = dispatcher { _ in throw Fault() }
        let socket = try await dispatcher.webSocket(for: try request())
        #expect(await code { _ = try await socket.receive() } == .closed)
        #expect(await socket.waitForClosure().code == .internalError)
        #expect(socket.closure?.reason == "The script threw Fault")
    }

    @Test func aReaderThatDoesNotReadStopsThePeer() async throws {
        let count = Locked(0)
        let (dispatcher, transport) = dispatcher { server in
            for _ in 0..<100 {
                try await server.send(Data(count: 64 * 1024))
                count.withLock { $0 += 1 }
            }
        }
        let socket = try await dispatcher.webSocket(for: try request())
        #expect(try await socket.receive()?.byteCount == 64 * 1024)
        // Only a reader lets the rest pass.
        #expect(count.withLock { $0 } < 20)
        var rest = 0
        for try await _ in socket.messages { rest += 1 }
        #expect(rest == 99 && count.withLock { $0 } == 100)
        #expect(transport.webSockets.count == 1)
    }

    // MARK: Time

    @Test func aCloseWithoutAnAnswerIsCutOff() async throws {
        let clock = ManualClock()
        let (dispatcher, transport) = dispatcher(clock: clock) { server in
            server.answersClose = false
            try await server.waitForClosure()
        }
        let socket = try await dispatcher.webSocket(for: try request())
        let peer = try #require(transport.webSockets.first)
        try await socket.send("go")
        while peer.received.isEmpty { await Task.yield() }
        async let closure = socket.close()
        try await clock.sleepers(within: .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(try await closure.isClean == false)
        #expect(try await peer.waitForClosure().initiator == .client)
    }

    @Test func aKeepAliveWithoutAPongFails() async throws {
        let clock = ManualClock()
        let server = MockWebSocket()
        server.answersPings = false
        let dispatcher = URLRequestDispatcher(transport: MockTransport(answers: [.webSocket(server)], clock: clock))
        var options = WebSocketOptions()
        options.keepAlive = .init(interval: .seconds(30), timeout: .seconds(10))
        let socket = try await dispatcher.webSocket(for: try request(), options: options)
        try await clock.sleepers(within: .seconds(20))
        clock.advance(by: .seconds(20))
        try await clock.sleepers(within: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await code { _ = try await socket.receive() } == .pingTimeout)
        #expect(server.receivedPings.count == 1)
    }

    @Test func theScriptSleepsOnTheClock() async throws {
        let clock = ManualClock()
        let (dispatcher, _) = dispatcher(clock: clock) { server in
            try await server.sleep(for: .seconds(3600))
            try await server.send("an hour later")
        }
        let socket = try await dispatcher.webSocket(for: try request())
        try await clock.sleepers(within: .seconds(3600))
        clock.advance(by: .seconds(3600))
        #expect(try await socket.receive() == .text("an hour later"))
    }

    // MARK: The end

    @Test func shutdownClosesWith1001() async throws {
        let server = MockWebSocket()
        let dispatcher = URLRequestDispatcher(transport: MockTransport(answers: [.webSocket(server)]))
        let socket = try await dispatcher.webSocket(for: try request())
        await dispatcher.shutdown()
        #expect(server.closure?.code == .goingAway && server.closure?.isClean == true)
        #expect(socket.closure?.isClean == true)
    }

    @Test func invalidationEndsBothSides() async throws {
        let (dispatcher, transport) = dispatcher { server in try await server.waitForClosure() }
        let socket = try await dispatcher.webSocket(for: try request())
        dispatcher.invalidateAndCancel()
        await #expect(throws: (any Error).self) { _ = try await socket.receive() }
        #expect(try await transport.webSockets.first?.waitForClosure().isClean == false)
        while transport.exchangeCount > 0 { await Task.yield() }
    }

    @Test func aReleasedWebSocketIsClosed() async throws {
        let (dispatcher, transport) = dispatcher { server in try await server.waitForClosure() }
        do {
            let socket = try await dispatcher.webSocket(for: try request())
            try await socket.send("x")
        }
        let closure = try await transport.webSockets.first?.waitForClosure()
        #expect(closure?.code == .normalClosure && closure?.initiator == .client)
        while transport.exchangeCount > 0 { await Task.yield() }
    }

    @Test func aFeedOpensAgainAfterAGap() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in
            .webSocket { server in
                #expect(try await server.receive() == .text("subscribe"))
                try await server.send("price")
                server.drop()
            }
        }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let feed = dispatcher.webSocketMessages(for: try request()) { try await $0.send("subscribe") }
        let mover = Task {
            while !Task.isCancelled {
                let waits = try await clock.sleepers()
                clock.advance(by: waits.first ?? .zero)
            }
        }
        var prices = 0
        for try await element in feed {
            if case .message(.text("price")) = element { prices += 1 }
            if prices == 3 { break }
        }
        mover.cancel()
        #expect(transport.webSockets.count == 3)
    }
}
