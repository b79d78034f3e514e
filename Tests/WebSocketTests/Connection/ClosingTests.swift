import Foundation
import PiuPiuCore
import PiuPiuTesting
import SuiteSupport
import Testing

@testable import PiuPiuWebSocket

/// The end of a WebSocket, from either side (RFC 6455 §7).
@Suite(.timeLimit(.generous)) struct ClosingTests {
    @Test func closingWaitsForTheServer() async throws {
        let wire = Wire()
        let socket = try wire.open()
        async let closure = socket.close(code: .goingAway, reason: "bye")
        await until { wire.connection.state.withLock { $0.outbox.count } > 0 }
        #expect(wire.frames() == [.close(1001, "bye")])
        wire.receive(serverText("on the way") + serverClose(1001))
        #expect(try await socket.receive() == .text("on the way"))
        #expect(try await socket.receive() == nil)
        #expect(socket.closure == nil)
        wire.take()
        #expect(wire.rest == .end)
        wire.end()
        let expected = WebSocketClosure(code: .goingAway, reason: "bye", initiator: .client, isClean: true)
        #expect(try await closure == expected)
        #expect(socket.closure == expected)
        #expect(try await socket.close() == expected)
    }

    @Test(
        arguments: [(1000, true), (1001, true), (nil, true), (1008, false), (1011, false), (4000, false)]
            as [(UInt16?, Bool)]
    )
    func theServersCloseIsAnswered(code: UInt16?, isQuiet: Bool) async throws {
        let wire = Wire()
        let socket = try wire.open()
        wire.receive(code.map { serverClose($0, "why") } ?? serverFrame(8))
        #expect(wire.frames() == [code.map { .close($0) } ?? ClientFrame(opcode: 8, payload: [])])
        do {
            #expect(try await socket.receive() == nil)
            #expect(isQuiet)
        } catch let error as WebSocketError {
            #expect(!isQuiet)
            #expect(error.code == .closed)
            #expect(error.closure?.code.rawValue == code)
            #expect(!"\(error)".contains("why"))
        }
        wire.end()
        let closure = try #require(socket.closure)
        #expect(closure.code.rawValue == code ?? 1005)
        #expect(closure.reason == (code == nil ? "" : "why"))
        #expect(closure.initiator == .server)
        #expect(closure.isClean)
    }

    @Test func aConnectionThatEndsIsNotAClosedOne() async throws {
        for failure in [nil, TransportError(.truncatedBody, underlyingDescription: "the connection broke")] {
            let wire = Wire()
            let socket = try wire.open()
            wire.receive(serverText("last") + [0x81, 5, 0x61])
            wire.end(failure)
            #expect(try await socket.receive() == .text("last"))
            do {
                _ = try await socket.receive()
                Issue.record("a message was invented")
            } catch let error as WebSocketError {
                #expect(error.code == .connectionLost)
                #expect(!error.isSafeToRetry)
            }
            #expect(socket.closure == WebSocketClosure(code: .abnormalClosure, initiator: .server, isClean: false))
        }
    }

    @Test func everybodyWhoWaitsLearnsOfTheEnd() async throws {
        let wire = Wire()
        let socket = try wire.open()
        for _ in 0..<4 { try await socket.send(Data(count: 64 * 1024)) }
        let reader = Task { try await socket.receive() }
        let sender = Task { try await socket.send("x") }
        let ping = Task { try await socket.ping() }
        let end = Task { await socket.waitForClosure() }
        await until {
            wire.connection.state.withLock {
                $0.inbox.hasWaiter && $0.outbox.waiting == 1 && $0.pings.count == 1 && $0.closeWaiters.count == 1
            }
        }
        wire.end()
        await #expect(throws: WebSocketError.self) { try await reader.value }
        await #expect(throws: WebSocketError.self) { try await sender.value }
        await #expect(throws: WebSocketError.self) { try await ping.value }
        #expect(await end.value.code == .abnormalClosure)
        #expect(wire.connection.closure == socket.closure)
        // Late calls do nothing.
        wire.end(TransportError(.connectionLost))
        wire.receive(serverText("late"))
        #expect(socket.closure?.code == .abnormalClosure)
    }

    @Test func aServerThatDoesNotAnswerIsCutOff() async throws {
        let clock = ManualClock()
        let wire = Wire(clock: clock)
        let socket = try wire.open()
        let closure = Task { try await socket.close() }
        await until { wire.connection.state.withLock { $0.timer != nil } }
        #expect(wire.cancels == 0)
        while wire.cancels == 0 {
            clock.advance(by: .seconds(5))
            await Task.yield()
        }
        wire.end(CancellationError())
        #expect(try await closure.value == WebSocketClosure(code: .normalClosure, initiator: .client, isClean: false))
        #expect(try await socket.receive() == nil)
    }

    @Test func cancellingAClosingTaskCutsTheConnectionOff() async throws {
        let wire = Wire()
        let socket = try wire.open()
        let closure = Task { try await socket.close() }
        await until { wire.connection.state.withLock { $0.closeWaiters.count == 1 } }
        closure.cancel()
        await until { wire.cancels == 1 }
        wire.end(CancellationError())
        #expect(try await closure.value.isClean == false)
    }

    @Test func releasingClosesIt() async throws {
        let wire = Wire()
        var socket: WebSocket? = try wire.open()
        try await socket?.send("last")
        wire.receive(serverText("unread"))
        socket = nil
        #expect(wire.frames() == [.text("last"), .close(1000)])
        #expect(wire.rest == .over)
        #expect(!wire.receive(serverText("x")).isFull)
        wire.end(CancellationError())
        #expect(wire.connection.closure?.isClean == false)
    }

    /// The answer to the server's close frame must arrive.
    @Test func releasingAfterTheServersCloseLeavesTheEndToTheServer() throws {
        let wire = Wire()
        var socket: WebSocket? = try wire.open()
        wire.receive(serverClose(1000))
        wire.take()
        #expect(wire.rest == .end)
        withExtendedLifetime(socket) {}
        socket = nil
        #expect(wire.cancels == 0)
        wire.end()
        #expect(wire.connection.closure?.isClean == true)
    }

    @Test func bothSidesMayCloseAtOnce() async throws {
        let wire = Wire()
        let socket = try wire.open()
        async let closure = socket.close(code: .init(rawValue: 3000))
        await until { wire.connection.state.withLock { $0.closeWaiters.count == 1 } }
        wire.receive(serverClose(4001))
        // One close frame only (RFC 6455 §7.1.1).
        #expect(wire.frames() == [.close(3000)])
        wire.end()
        #expect(try await closure == WebSocketClosure(code: .init(rawValue: 3000), initiator: .client, isClean: true))
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1012, 1015, 1016, 2999, 5000] as [UInt16])
    func codesThatMustNotBeSentAreRefused(code: UInt16) async throws {
        let wire = Wire()
        let socket = try wire.open()
        await #expect(throws: WebSocketError.self) { try await socket.close(code: .init(rawValue: code)) }
        await #expect(throws: WebSocketError.self) { try await socket.close(reason: String(repeating: "ä", count: 62)) }
        try await socket.send("still open")
        #expect(wire.frames() == [.text("still open")])
    }

    @Test func aDispatcherThatShutsDownSaysSo() async throws {
        let wire = Wire()
        wire.connection.leave()
        let socket = try wire.open()
        #expect(wire.frames() == [.close(1001)])
        wire.receive(serverClose(1001))
        #expect(try await socket.receive() == nil)
        let other = Wire()
        let second = try other.open()
        other.connection.leave()
        #expect(other.frames() == [.close(1001)])
        await #expect(throws: WebSocketError.self) { try await second.send("x") }
    }

    @Test func aServerWithoutPongsIsLeft() async throws {
        let clock = ManualClock()
        var options = WebSocketOptions()
        options.keepAlive = .init(interval: .seconds(30), timeout: .seconds(10))
        let wire = Wire(options, clock: clock)
        let socket = try wire.open()
        wire.connection.attach(ResponseBody(Data()))
        let reader = Task { try await socket.receive() }
        // One ping is answered, the second is not.
        var pings: [ClientFrame] = []
        while pings.count < 1 {
            clock.advance(by: .seconds(1))
            pings += wire.frames()
            await Task.yield()
        }
        wire.receive(serverFrame(10, pings[0].payload))
        while wire.rest != .over {
            clock.advance(by: .seconds(1))
            pings += wire.frames()
            await Task.yield()
        }
        #expect(pings.map(\.opcode) == [9, 9, 8])
        do {
            _ = try await reader.value
            Issue.record("there was a message")
        } catch {
            #expect(WebSocketError.Code.pingTimeout ~= error)
        }
        wire.end(CancellationError())
    }
}
