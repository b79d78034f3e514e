#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// The real client over real sockets, against the scripts of a server.
@Suite(.timeLimit(.generous))
struct LoopbackWebSocketTests {
    private let dispatcher = URLRequestDispatcher()

    @Test func aScriptTalksToTheClient() async throws {
        let server = try LoopbackServer()
        server.route(
            "/feed",
            .openWebSocket(subprotocol: "v1"),
            .message("hello"),
            .awaitMessages(2),
            .ping(Data("p".utf8)),
            .message(Data([1, 2])),
            .closeWebSocket(code: .goingAway, reason: "bye")
        )
        var options = WebSocketOptions()
        options.subprotocols = ["v1"]
        let socket = try await dispatcher.webSocket(for: URLRequest(url: server.url("/feed")), options: options)
        #expect(socket.subprotocol == "v1")
        #expect(try await socket.receive() == .text("hello"))
        try await socket.send("a")
        try await socket.send(Data("b".utf8))
        #expect(try await socket.receive() == .binary(Data([1, 2])))
        #expect(try await socket.receive() == nil)
        let closure = await socket.waitForClosure()
        #expect(closure == WebSocketClosure(code: .goingAway, reason: "bye", initiator: .server, isClean: true))
        #expect(server.webSocketMessages(for: "/feed") == [.text("a"), .binary(Data("b".utf8))])
        #expect(server.webSocketMessages(for: "/other").isEmpty)
    }

    @Test func messagesAreEchoed() async throws {
        let server = try LoopbackServer()
        server.route("/echo", .openWebSocket(), .echoMessages())
        try await dispatcher.withWebSocket(for: URLRequest(url: server.url("/echo"))) { socket in
            for size in [0, 125, 126, 65_536, 1 << 20] {
                let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
                try await socket.send(data)
                #expect(try await socket.receive() == .binary(data))
            }
            try await socket.ping()
        }
        await server.waitForOpenConnections(0)
        #expect(await server.waitForWebSocketMessages(5, path: "/echo"))
    }

    @Test(arguments: [Step.reset, .close])
    func aConnectionIsLost(end: Step) async throws {
        let server = try LoopbackServer()
        server.route("/", .openWebSocket(), .message("last"), .hold("end"), end)
        let socket = try await dispatcher.webSocket(for: URLRequest(url: server.url("/")))
        #expect(try await socket.receive() == .text("last"))
        server.release("end")
        #expect(await code { _ = try await socket.receive() } == .connectionLost)
    }

    @Test func rawBytesViolateTheProtocol() async throws {
        let server = try LoopbackServer()
        server.route("/", .openWebSocket(), .send(Data([0x83, 0x00])), .stall)
        let socket = try await dispatcher.webSocket(for: URLRequest(url: server.url("/")))
        #expect(await code { _ = try await socket.receive() } == .protocolViolation)
        await server.waitForOpenConnections(0)
    }

    @Test func aCloseIsAnsweredWhileAScriptWaits() async throws {
        let server = try LoopbackServer()
        server.route("/", .openWebSocket(), .hold("never"), .message("late"))
        let socket = try await dispatcher.webSocket(for: URLRequest(url: server.url("/")))
        #expect(await server.waitUntilHeld("never"))
        #expect(try await socket.close().isClean)
        await server.waitForOpenConnections(0)
        server.release("never")
    }

    @Test func aWrongAcceptIsRefused() async throws {
        let server = try LoopbackServer()
        server.route("/", .openWebSocket(headers: ["Sec-WebSocket-Accept": "x"]))
        let request = URLRequest(url: server.url("/"))
        #expect(await code { _ = try await dispatcher.webSocket(for: request) } == .invalidHandshake)
    }
}
#endif
