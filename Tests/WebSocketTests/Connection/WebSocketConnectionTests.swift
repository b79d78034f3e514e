import Foundation
import PiuPiuCore
import SuiteSupport
import Testing

@testable import PiuPiuWebSocket

/// What a WebSocket does with the frames of its server, without a network.
@Suite(.timeLimit(.generous)) struct WebSocketConnectionTests {
    @Test func messagesGoBothWays() async throws {
        let wire = Wire()
        let socket = try wire.open()
        try await socket.send("hello")
        try await socket.send(Data([1, 2, 3]))
        #expect(wire.wakes == 1)
        #expect(wire.frames() == [.text("hello"), ClientFrame(opcode: 2, payload: [1, 2, 3])])
        wire.receive(serverText("a") + serverFrame(2, [9]))
        #expect(try await socket.receive() == .text("a"))
        #expect(try await socket.receive() == .binary(Data([9])))
        try await socket.send("again")
        #expect(wire.wakes == 2)
    }

    @Test func aReaderThatWaitsGetsTheMessage() async throws {
        let wire = Wire()
        let socket = try wire.open()
        async let message = socket.receive()
        await until { wire.connection.state.withLock { $0.inbox.hasWaiter } }
        await #expect(throws: WebSocketError.self) { try await socket.receive() }
        wire.receive(serverText("late"))
        #expect(try await message == .text("late"))
    }

    @Test func pingsAreAnsweredWithoutTheProgram() throws {
        let wire = Wire()
        let socket = try wire.open()
        #expect(wire.receive(serverFrame(9, [1]) + serverFrame(9, [2])).isAnswered)
        #expect(wire.frames() == [ClientFrame(opcode: 10, payload: [1]), ClientFrame(opcode: 10, payload: [2])])
        withExtendedLifetime(socket) {}
    }

    /// A server that sends pings and takes no answers must not fill the memory.
    @Test func aFloodOfPingsIsAnsweredByTheLast() throws {
        let wire = Wire()
        let socket = try wire.open()
        for number in 0..<20_000 { wire.receive(serverFrame(9, [UInt8(number >> 8), UInt8(number & 255)])) }
        #expect(wire.connection.state.withLock { $0.outbox.count } < 32 * 1024)
        #expect(wire.frames().last == ClientFrame(opcode: 10, payload: [UInt8(19_999 >> 8), UInt8(19_999 & 255)]))
        withExtendedLifetime(socket) {}
    }

    @Test func aReaderThatDoesNotReadStopsTheConnection() async throws {
        let wire = Wire()
        let socket = try wire.open()
        let message = serverFrame(2, [UInt8](repeating: 7, count: 16 * 1024))
        var count = 0
        while !wire.receive(message).isFull { count += 1 }
        #expect((16...17).contains(count))
        #expect(wire.receive(message).isFull)
        #expect(wire.resumes == 0)
        for _ in 0..<(count - 4) { _ = try await socket.receive() }
        #expect(wire.resumes == 1)
        #expect(!wire.receive(message).isFull)
    }

    /// Empty messages take memory, too.
    @Test func emptyMessagesAreBounded() throws {
        let wire = Wire()
        let socket = try wire.open()
        var count = 0
        while !wire.receive(serverText("")).isFull { count += 1 }
        #expect(count <= 4096)
        withExtendedLifetime(socket) {}
    }

    @Test func aSenderWaitsWhileTheServerTakesNothing() async throws {
        let wire = Wire()
        let socket = try wire.open()
        let piece = Data(count: 64 * 1024)
        for _ in 0..<4 { try await socket.send(piece) }
        let done = Locked(false)
        let sender = Task {
            try await socket.send("after")
            done.withLock { $0 = true }
        }
        let cancelled = Task { try await socket.send("never") }
        await until { wire.connection.state.withLock { $0.outbox.waiting } == 2 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(!done.withLock { $0 })
        #expect(wire.frames().count == 4)
        try await sender.value
        #expect(wire.frames() == [.text("after")])
    }

    @Test func aMessageInPartsIsFragments() async throws {
        let wire = Wire()
        let socket = try wire.open()
        let (parts, feed) = AsyncStream<String>.makeStream()
        let sender = Task { try await socket.sendText(inParts: parts) }
        feed.yield("ab")
        feed.yield("")
        feed.yield("c")
        await until { wire.connection.state.withLock { $0.outbox.count } == 8 + 7 }
        let other = Task { try await socket.send("other") }
        wire.receive(serverFrame(9, [5]))
        await until { wire.connection.state.withLock { $0.outbox.waiting } == 1 }
        feed.finish()
        try await sender.value
        try await other.value
        #expect(
            wire.frames() == [
                ClientFrame(opcode: 1, payload: Array("ab".utf8), isFinal: false),
                ClientFrame(opcode: 0, payload: Array("c".utf8), isFinal: false),
                ClientFrame(opcode: 10, payload: [5]),
                ClientFrame(opcode: 0, payload: []),
                .text("other"),
            ]
        )
    }

    @Test func aMessageThatIsNotCompletedClosesTheWebSocket() async throws {
        struct Broken: Error {}
        let wire = Wire()
        let socket = try wire.open()
        let parts = AsyncThrowingStream<Data, any Error> { feed in
            feed.yield(Data([1]))
            feed.finish(throwing: Broken())
        }
        await #expect(throws: Broken.self) { try await socket.sendData(inParts: parts) }
        #expect(wire.frames() == [ClientFrame(opcode: 2, payload: [1], isFinal: false), .close(1011)])
        await #expect(throws: WebSocketError.self) { try await socket.send("x") }
    }

    @Test func aPingMeasuresTheWayToItsPong() async throws {
        let wire = Wire()
        let socket = try wire.open()
        async let first = socket.ping()
        await until { wire.connection.state.withLock { $0.outbox.count } > 0 }
        async let second = socket.ping()
        var pings: [ClientFrame] = []
        while pings.count < 2 {
            pings += wire.frames()
            await Task.yield()
        }
        // A stranger's pong, and one that answers both.
        wire.receive(serverFrame(10, [1, 2, 3]) + serverFrame(10, pings[1].payload))
        #expect(try await first >= .zero)
        #expect(try await second >= .zero)
        let third = Task { try await socket.ping() }
        await until { wire.connection.state.withLock { $0.outbox.count } > 0 }
        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
    }

    @Test(arguments: [
        ("a masked frame", [0x81, 0x81, 0, 0, 0, 0, 0x61] as [UInt8], 1002),
        ("a reserved bit", serverFrame(1, [97], bits: 0x40), 1002),
        ("a text that is not UTF-8", serverFrame(1, [0xFF]), 1007), ("a reserved opcode", serverFrame(3), 1002),
        ("a message that is too large", [0x82, 127, 0, 0, 0, 0, 0x10, 0, 0, 0], 1009),
        ("a close code of none", serverClose(1005), 1002), ("a fragmented ping", serverFrame(9, isFinal: false), 1002),
    ])
    func violationsEndIt(what: String, bytes: [UInt8], code: UInt16) async throws {
        let wire = Wire()
        let socket = try wire.open()
        wire.receive(serverText("before") + bytes + serverText("after"))
        #expect(wire.frames() == [.close(code)])
        #expect(wire.rest == .over)
        #expect(try await socket.receive() == .text("before"))
        await #expect(throws: WebSocketError.self) { try await socket.receive() }
        await #expect(throws: WebSocketError.self) { try await socket.send("x") }
        wire.end(CancellationError())
        #expect(
            socket.closure
                == WebSocketClosure(code: WebSocketCloseCode(rawValue: code), initiator: .client, isClean: false)
        )
    }
}

extension TunnelReceipt {
    var isAnswered: Bool { if case .answered = self { true } else { false } }
    var isFull: Bool { if case .full = self { true } else { false } }
}

extension MessageInbox {
    var hasWaiter: Bool { waiterCount > 0 }
}
