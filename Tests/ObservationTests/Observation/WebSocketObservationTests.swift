import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// What statistics and logs say about WebSockets.
@Suite(.timeLimit(.generous)) struct WebSocketObservationTests {
    private let statistics = Statistics()
    private let lines = LogLines()

    /// Sends messages, and reads to the end.
    private func run(
        sending messages: [WebSocketMessage] = [],
        _ script: @escaping @Sendable (MockWebSocket) async throws -> Void
    ) async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [statistics, lines.observer()]
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            transport: MockTransport { _ in .webSocket(script) }
        )
        let socket = try await dispatcher.webSocket(for: Fixture.request)
        for message in messages { try await socket.send(message) }
        while let message = try? await socket.receive() { _ = message }
        await dispatcher.shutdown()
    }

    @Test func messagesAreCountedByOrigin() async throws {
        try await run(sending: [.text("grüße"), .binary(Data(count: 200_000))]) { server in
            try await server.send("a")
            _ = try await server.receive()
            _ = try await server.receive()
            try await server.close()
        }
        let snapshot = statistics.snapshot()
        let exchanges = try #require(snapshot.origins["https://example.com:443"])
        #expect([exchanges.messagesSent, exchanges.messageBytesSent] as [Int] == [2, 200_007])
        #expect([exchanges.messagesReceived, exchanges.messageBytesReceived] as [Int] == [1, 1])
        #expect(exchanges.responses == [.informational: 1] && exchanges.inFlight == 0)
        #expect(snapshot.total.messagesSent == 2)
        #expect(snapshot.description.contains("messages: 2 sent (200007 bytes), 1 received (1 bytes)"))
        let name = #"piupiu_websocket_message_sent_bytes_total{origin="https://example.com:443"} 200007"#
        #expect(snapshot.prometheusText.contains(name + "\n"))
        #expect(snapshot.prometheusText.contains(#"class="1xx"} 1"#))
    }

    @Test func otherOriginsHaveNoLineOfMessages() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [statistics]
        let transport = MockTransport(answers: [MockAnswer(.ok)])
        _ = try await URLRequestDispatcher(configuration: configuration, transport: transport).data(
            for: Fixture.request
        )
        #expect(!statistics.snapshot().description.contains("messages"))
    }

    @Test func theEndHasALine() async throws {
        try await run { server in
            try await server.close(code: .goingAway, reason: "secret")
        }
        let index = try #require(lines.texts.firstIndex { $0.hasPrefix("event=websocket_closed ") })
        let text = lines.texts[index]
        #expect(text.hasPrefix("event=websocket_closed call=1 method=GET url=https://example.com/posts/1 ms="))
        #expect(text.hasSuffix(" code=1001 clean=true"))
        #expect(lines.levels[index] == .info)
    }

    @Test func anAbnormalEndIsANotice() async throws {
        try await run { server in server.drop() }
        let index = try #require(lines.texts.firstIndex { $0.hasPrefix("event=websocket_closed ") })
        #expect(lines.texts[index].hasSuffix(" code=1006 clean=false"))
        #expect(lines.levels[index] == .notice)
    }
}
