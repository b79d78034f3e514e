#if os(Linux)
import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuWebSocket

/// WebSockets over HTTP/2 (RFC 8441), and what happens where the server has none.
@Suite(.timeLimit(.generous)) struct WebSocketHTTP2Tests {
    private static func dispatcher(_ origin: URL) throws -> URLRequestDispatcher {
        var configuration = TransportConfiguration()
        configuration.cleartextHTTP2 = [origin]
        return URLRequestDispatcher(transport: try SocketTransport(configuration: configuration))
    }

    @Test func socketsShareAConnection() async throws {
        guard let server = HypercornServer.shared else { return }
        let dispatcher = try Self.dispatcher(server.url("/"))
        var options = WebSocketOptions()
        options.http2 = .preferred
        let request = URLRequest(url: server.url("/ws"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { [options] in
                    let socket = try await dispatcher.webSocket(for: request, options: options)
                    #expect(socket.isHTTP2)
                    #expect(socket.response.statusCode == .ok)
                    #expect(try await socket.receive() == .text("HTTP/2"))
                    let data = Data(repeating: UInt8(number), count: number * 20_000)
                    try await socket.send(data)
                    try await socket.send("\(number)")
                    #expect(try await socket.receive() == .binary(data))
                    #expect(try await socket.receive() == .text("\(number)"))
                    let closure = try await socket.close()
                    #expect(closure.isClean)
                }
            }
            try await group.waitForAll()
        }
        await dispatcher.shutdown()
    }

    /// A reader that does not read stops its stream, and nobody else's.
    @Test func aSlowReaderHoldsUpNobodyElse() async throws {
        guard let server = HypercornServer.shared else { return }
        let dispatcher = try Self.dispatcher(server.url("/"))
        var options = WebSocketOptions()
        options.http2 = .preferred
        let request = URLRequest(url: server.url("/ws"))
        let slow = try await dispatcher.webSocket(for: request, options: options)
        let piece = Data(count: 64 * 1024)
        let sender = Task { for _ in 0..<40 { try await slow.send(piece) } }
        try await dispatcher.withWebSocket(for: request, options: options) { quick in
            #expect(try await quick.receive() == .text("HTTP/2"))
            for number in 0..<100 {
                try await quick.send("\(number)")
                #expect(try await quick.receive() == .text("\(number)"))
            }
        }
        #expect(slow.connection.state.withLock { $0.inbox.byteCount } <= 512 * 1024)
        #expect(try await slow.receive() == .text("HTTP/2"))
        for _ in 0..<40 { #expect(try await slow.receive() == .binary(piece)) }
        try await sender.value
        try await slow.close()
        await dispatcher.shutdown()
    }

    /// The server speaks HTTP/2, and its settings allow no tunnels; then the handshake goes over HTTP/1.1.
    @Test func withoutTheSettingItIsHTTP1() async throws {
        let server = try HTTP2Script(tls: nil, http1: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n") {
            exchange in
            exchange.head(200, ends: true)
        }
        let url = server.url("/")
        let dispatcher = try Self.dispatcher(url)
        for http2 in [WebSocketOptions.HTTP2.automatic, .preferred, .never] {
            var options = WebSocketOptions()
            options.http2 = http2
            do {
                _ = try await dispatcher.webSocket(for: URLRequest(url: url), options: options)
                Issue.record("it was opened")
            } catch let error as WebSocketError {
                #expect(error.response?.statusCode == .forbidden)
            }
            #expect(try await dispatcher.data(for: URLRequest(url: url)).statusCode == .ok)
        }
        await dispatcher.shutdown()
    }
}
#endif
