import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import Testing

/// The samples of mocks and scripts for WebSockets, as they are printed.
@Suite(.timeLimit(.generous)) struct WebSocketSamplesTests {
    private let request = URLRequest(url: URL(string: "wss://example.com/chat") ?? URL(filePath: "/"))

    @Test func aMockPlaysTheServer() async throws {
        let transport = MockTransport { _ in
            .webSocket { server in
                try await server.send("hello")
                #expect(try await server.receive() == .text("hi"))
                try await server.close(code: .goingAway)
            }
        }
        let dispatcher = URLRequestDispatcher(transport: transport)
        try await dispatcher.withWebSocket(for: request) { socket in
            #expect(try await socket.receive() == .text("hello"))
            try await socket.send("hi")
            #expect(try await socket.receive() == nil)
        }
        await dispatcher.shutdown()
    }

    @Test func aRefusalIsAnyAnswer() async throws {
        let transport = MockTransport { request in
            guard request["Authorization"] != nil else { return MockAnswer(.unauthorized) }
            return .webSocket { server in
                for try await message in server.messages { try await server.send(message) }
            }
        }
        let dispatcher = URLRequestDispatcher(transport: transport)
        await #expect(throws: WebSocketError.self) { try await dispatcher.webSocket(for: request) }
        await dispatcher.shutdown()
    }

    private struct Chat {
        let socket: WebSocket

        init(_ dispatcher: URLRequestDispatcher) async throws {
            let url = URL(string: "wss://example.com/chat") ?? URL(filePath: "/")
            socket = try await dispatcher.webSocket(for: URLRequest(url: url))
        }

        func nextLine() async throws -> String? { try await socket.receive()?.text }
    }

    @Test func aTestIsTheServer() async throws {
        let server = MockWebSocket()
        let dispatcher = URLRequestDispatcher(transport: MockTransport(answers: [.webSocket(server)]))
        let chat = try await Chat(dispatcher)
        try await server.send("hello")
        #expect(try await chat.nextLine() == "hello")
        try await server.close()
        await dispatcher.shutdown()
    }

    @Test func aServerIsScripted() async throws {
        let server = try LoopbackServer()
        server.route("/feed", .openWebSocket(), .message("hello"), .awaitMessages(), .closeWebSocket(code: .goingAway))
        server.route("/echo", .openWebSocket(), .echoMessages())
        let dispatcher = URLRequestDispatcher()
        try await dispatcher.withWebSocket(for: URLRequest(url: server.url("/feed"))) { socket in
            #expect(try await socket.receive() == .text("hello"))
            try await socket.send("hi")
            #expect(try await socket.receive() == nil)
        }
        try await dispatcher.withWebSocket(for: URLRequest(url: server.url("/echo"))) { socket in
            try await socket.send("again")
            #expect(try await socket.receive() == .text("again"))
        }
        await dispatcher.shutdown()
    }
}
