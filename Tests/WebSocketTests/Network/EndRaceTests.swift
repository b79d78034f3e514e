#if os(Linux)
import Foundation
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuSockets
@testable import PiuPiuWebSocket

/// Two ends of a WebSocket at the same time: there is one end, and nothing is left.
@Suite(.timeLimit(.generous)) struct EndRaceTests {
    enum Action: CaseIterable, Sendable {
        case cancelReader, close, release, shutDown, invalidate, serverCloses, serverDrops, serverResets
    }

    /// Each pair, this many times; `PIUPIU_PAIRS` sets another number.
    private static let count = ProcessInfo.processInfo.environment["PIUPIU_PAIRS"].flatMap { Int($0) } ?? 10

    private static let pairs = Action.allCases.flatMap { first in
        Action.allCases.filter { "\($0)" >= "\(first)" }.map { (first, $0) }
    }

    private final class Peers: Sendable {
        let connections = Observed<[RawConnection]>([])
    }

    @Test(arguments: pairs)
    func pair(first: Action, second: Action) async throws {
        let peers = Peers()
        let server = try RawServer { connection in
            let peer = SocketPeer(connection)
            try peer.open()
            peers.connections.update { $0.append(connection) }
            while true {
                let frame = try peer.next()
                if frame.opcode == 8 { return connection.write(serverFrame(8, frame.payload)) }
                connection.write(serverFrame(frame.opcode, frame.payload))
            }
        }
        let request = URLRequest(url: try #require(URL(string: "ws://127.0.0.1:\(server.port)/")))
        for round in 1...Self.count {
            let dispatcher = URLRequestDispatcher()
            let (socket, connection) = try await Self.open(dispatcher, request)
            _ = await peers.connections.wait { $0.count == round }
            let peer = peers.connections.value[round - 1]
            let reader = Task {
                while try await connection.receive(isolation: nil) != nil {}
            }
            let sender = Task { for _ in 0..<50 { try await socket.withLock { $0 }?.send("x") } }
            async let one: Void = Self.run(first, socket, connection, dispatcher, peer, reader)
            async let two: Void = Self.run(second, socket, connection, dispatcher, peer, reader)
            _ = await (one, two)
            _ = await sender.result
            // Whatever the actions did, this ends it.
            let last = socket.withLock { $0.take() }
            withExtendedLifetime(last) {}
            if last != nil { connection.abandon(.normalClosure) }
            let closure = await connection.waitForEnd(cutsOffIfCancelled: false)
            #expect(connection.closure == closure)
            _ = await reader.result
            await dispatcher.shutdown()
            #expect(connection.state.withLock { $0.body == nil && $0.closeWaiters.isEmpty && $0.line == nil })
        }
        #expect(server.acceptedConnections == Self.count)
    }

    /// Opens a WebSocket, to which the box has the only reference.
    private static func open(
        _ dispatcher: URLRequestDispatcher,
        _ request: URLRequest
    ) async throws -> (Locked<WebSocket?>, WebSocketConnection) {
        let socket = try await dispatcher.webSocket(for: request)
        let connection = socket.connection
        let box = Locked<WebSocket?>(nil)
        box.withLock { $0 = socket }
        return (box, connection)
    }

    private static func run(
        _ action: Action,
        _ socket: Locked<WebSocket?>,
        _ connection: WebSocketConnection,
        _ dispatcher: URLRequestDispatcher,
        _ peer: RawConnection,
        _ reader: Task<Void, any Error>
    ) async {
        switch action {
        case .cancelReader: reader.cancel()
        case .close: _ = try? await connection.close(.normalClosure, "")
        case .release:
            let last = socket.withLock { $0.take() }
            withExtendedLifetime(last) {}
        case .shutDown: await dispatcher.shutdown()
        case .invalidate: dispatcher.invalidateAndCancel()
        case .serverCloses: peer.write(serverClose(1000))
        case .serverDrops: peer.close()
        case .serverResets: peer.reset()
        }
    }
}
#endif
