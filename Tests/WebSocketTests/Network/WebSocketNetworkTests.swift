#if os(Linux)
import Foundation
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuSockets
@testable import PiuPiuWebSocket

/// WebSockets over real connections.
@Suite(.timeLimit(.generous)) struct WebSocketNetworkTests {
    private static func request(_ server: RawServer, _ path: String = "/") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "ws://127.0.0.1:\(server.port)\(path)")))
    }

    @Test func messagesComeBack() async throws {
        let server = try RawServer { connection in
            let peer = SocketPeer(connection)
            try peer.open(serverText("at once"))
            try peer.echo()
        }
        let dispatcher = URLRequestDispatcher()
        let request = try Self.request(server)
        let sizes = [0, 1, 125, 126, 65_535, 65_536, 1 << 20]
        try await dispatcher.withWebSocket(for: request) { socket in
            #expect(try await socket.receive() == .text("at once"))
            #expect(socket.response.statusCode.rawValue == 101)
            for size in sizes {
                let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                try await socket.send(data)
                #expect(try await socket.receive() == .binary(data))
                let text = String(repeating: "ä", count: size / 2)
                try await socket.send(text)
                #expect(try await socket.receive() == .text(text))
            }
            #expect(try await socket.ping() > .zero)
        }
        await dispatcher.shutdown()
        #expect(server.acceptedConnections == 1)
    }

    @Test func aRefusalIsAResponseAndItsConnectionIsUsedAgain() async throws {
        let server = try RawServer { connection in
            let peer = SocketPeer(connection)
            let head = try peer.readHead()
            #expect(head.hasPrefix("GET /a HTTP/1.1\r\n"))
            #expect(head.contains("\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"))
            connection.write(Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno!".utf8))
            try peer.open()
            try peer.echo()
        }
        let dispatcher = URLRequestDispatcher()
        do {
            _ = try await dispatcher.webSocket(for: try Self.request(server, "/a"))
            Issue.record("it was opened")
        } catch let error as WebSocketError {
            #expect(error.code == .handshakeRejected)
            #expect(error.response?.statusCode == .forbidden)
            #expect(error.body == Data("no!".utf8))
            #expect(error.isSafeToRetry)
        }
        let socket = try await dispatcher.webSocket(for: try Self.request(server, "/b"))
        #expect(server.acceptedConnections == 1)
        #expect(try await socket.close().isClean)
        await dispatcher.shutdown()
    }

    /// Neither while it is open nor afterwards.
    @Test func noOtherRequestGetsTheConnection() async throws {
        let server = try RawServer { connection in
            let peer = SocketPeer(connection)
            let head = try peer.readHead()
            guard head.lowercased().contains("sec-websocket-key") else {
                connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
                return
            }
            connection.write(SocketPeer.agreement(to: head))
            let frame = try peer.next()
            connection.write(serverFrame(8, frame.payload))
            // The server leaves the connection open.
            _ = try peer.next()
        }
        let dispatcher = URLRequestDispatcher()
        var options = WebSocketOptions()
        options.closeTimeout = .milliseconds(50)
        let socket = try await dispatcher.webSocket(for: try Self.request(server), options: options)
        let plain = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        #expect(try await dispatcher.data(for: plain).data == Data("ok".utf8))
        #expect(try await socket.close().isClean)
        #expect(try await dispatcher.data(for: plain).data == Data("ok".utf8))
        #expect(server.acceptedConnections == 3)
        await dispatcher.shutdown()
    }

    @Test func aRedirectMayNameAWebSocket() async throws {
        let second = try RawServer { connection in
            let peer = SocketPeer(connection)
            let head = try peer.open()
            #expect(!head.lowercased().contains("authorization"))
            #expect(head.lowercased().contains("sec-websocket-protocol: chat"))
            try peer.echo()
        }
        let first = try RawServer { [port = second.port] connection in
            _ = try SocketPeer(connection).readHead()
            connection.write(
                Array("HTTP/1.1 307 Moved\r\nLocation: ws://127.0.0.1:\(port)/x\r\nContent-Length: 0\r\n\r\n".utf8)
            )
        }
        let dispatcher = URLRequestDispatcher()
        var request = try Self.request(first)
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        var options = WebSocketOptions()
        options.subprotocols = ["chat"]
        let socket = try await dispatcher.webSocket(for: request, options: options)
        try await socket.close()
        await dispatcher.shutdown()
    }

    @Test func timeLimitsAreThoseOfTheHandshake() async throws {
        let server = try RawServer { connection in
            let peer = SocketPeer(connection)
            let head = try peer.readHead()
            // It never answers the first.
            guard connection.number > 1 else { return _ = try peer.next() }
            connection.write(SocketPeer.agreement(to: head))
            try peer.echo()
        }
        let dispatcher = URLRequestDispatcher()
        var options = WebSocketOptions()
        var limits = RequestOptions()
        limits.timeouts.total = .milliseconds(100)
        options.requestOptions = limits
        do {
            _ = try await dispatcher.webSocket(for: try Self.request(server), options: options)
            Issue.record("it was opened")
        } catch {
            #expect(TransportError.Code.timeout(.total) ~= error)
        }
        limits.timeouts.total = .seconds(20)
        limits.timeouts.idle = .milliseconds(20)
        options.requestOptions = limits
        let socket = try await dispatcher.webSocket(for: try Self.request(server), options: options)
        // Longer than the limit; a machine that is slow only makes it longer.
        try await Task.sleep(for: .milliseconds(100))
        try await socket.send("still there")
        #expect(try await socket.receive() == .text("still there"))
        try await socket.close()
        await dispatcher.shutdown()
    }

    @Test func otherTransportsSaySo() async throws {
        struct Plain: HTTPTransport {
            func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() }
            func shutdown() async {}
            func invalidateAndCancel() {}
        }
        let dispatcher = URLRequestDispatcher(transport: Plain())
        let request = URLRequest(url: try #require(URL(string: "wss://example.com/?token=secret")))
        do {
            _ = try await dispatcher.webSocket(for: request)
            Issue.record("it was opened")
        } catch let error as WebSocketError {
            #expect(error.code == .unsupported)
            #expect(!"\(error)".contains("secret"))
        }
    }

    /// A server that shuts down sends the same answer twice, half a head, or something else after 101 than frames.
    @Test(arguments: [
        "", "HTTP/1.1 101", "HTTP/1.1 101 x\r\n\r\n", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\n", "\u{0}\u{1}",
    ])
    func brokenHandshakesAreErrors(answer: String) async throws {
        let server = try RawServer { connection in
            _ = try SocketPeer(connection).readHead()
            connection.write(Array(answer.utf8))
        }
        let dispatcher = URLRequestDispatcher()
        await #expect(throws: (any Error).self) { try await dispatcher.webSocket(for: try Self.request(server)) }
        await dispatcher.shutdown()
    }

    @Test func observersSeeMessagesAndTheEnd() async throws {
        final class Recorder: ExchangeObserver {
            let kinds = Locked<[String]>([])
            func observe(_ event: ExchangeEvent) {
                switch event.kind {
                case .webSocketMessage(let message):
                    kinds.withLock { $0.append("\(message.direction) \(message.byteCount)") }
                case .webSocketClosed(let code, let isClean): kinds.withLock { $0.append("closed \(code) \(isClean)") }
                case .callEnded(.response(let code)): kinds.withLock { $0.append("ended \(code.rawValue)") }
                case .callEnded: kinds.withLock { $0.append("failed") }
                default: break
                }
            }
        }
        let server = try RawServer { connection in
            let peer = SocketPeer(connection)
            try peer.open()
            try peer.echo()
        }
        let recorder = Recorder()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [recorder]
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        try await dispatcher.withWebSocket(for: try Self.request(server)) { socket in
            try await socket.send("four")
            _ = try await socket.receive()
        }
        await dispatcher.shutdown()
        let kinds = recorder.kinds.withLock { $0 }
        #expect(kinds.count == 4)
        #expect(Set(kinds.prefix(2)) == ["sent 4", "received 4"])
        #expect(kinds.suffix(2) == ["closed 1000 true", "ended 101"])
    }
}
#endif
