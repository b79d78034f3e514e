#if os(Linux)
import Glibc
import Testing

@testable import PiuPiuEngine

/// Bodies that a connection receives into memory of the exchange.
struct HTTP1ConnectionInPlaceTests {
    private static let count = 300_000
    private static let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251) }
    private static let surplus = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"

    /// An exchange with a streamed response, which has begun.
    private func begin(_ head: String, rooms: [Int], on bench: ConnectionBench) -> ScriptedExchange {
        let exchange = ScriptedExchange()
        exchange.isStreamed = true
        exchange.rooms = rooms
        bench.connection.begin(exchange)
        bench.respond("HTTP/1.1 200 OK\r\n\(head)\r\n")
        return exchange
    }

    /// Sends bytes as long as the connection takes them, and returns how many were sent.
    @discardableResult
    private func send(_ bytes: [UInt8], on bench: ConnectionBench) -> Int {
        var (sent, stalls) = (0, 0)
        while sent < bytes.count, stalls < 3 {
            let count = bench.answer(bytes[sent...])
            sent += count
            stalls = count > 0 ? 0 : stalls + 1
            bench.turn(1)
        }
        bench.turn()
        return sent
    }

    @Test(arguments: [1_000, 5_000, 65_536, 100_000])
    func aBodyIsReceivedInPlaceUpToItsEnd(room: Int) throws {
        let bench = try ConnectionBench()
        let exchange = begin("Content-Length: \(Self.count)\r\n", rooms: .init(repeating: room, count: 1000), on: bench)
        send(Self.content, on: bench)
        #expect(exchange.hasSucceeded && exchange.body == Self.content)
        #expect(exchange.storedCount >= Self.count - max(room, HTTP1Connection.streamedRead) && exchange.openRooms == 0)
        #expect(bench.freed == 1 && bench.connection.isAlive())
    }

    // The whole body and the bytes after it are there at once, so that a read could take all of them.
    @Test(arguments: [70_000, 99_999, 100_000, 200_000])
    func bytesAfterTheBodyStillCloseTheConnection(room: Int) throws {
        let bench = try ConnectionBench()
        var size: Int32 = 1 << 20
        setsockopt(bench.peer, SOL_SOCKET, SO_SNDBUF, &size, 4)
        let rooms = [Int](repeating: room, count: 1000)
        let exchange = begin("Content-Length: 100000\r\n", rooms: rooms, on: bench)
        let bytes = Self.content[..<100_000] + Self.surplus.utf8
        try #require(bench.answer(bytes) == bytes.count)
        bench.turn()
        #expect(exchange.hasSucceeded && exchange.body == Array(Self.content[..<100_000]))
        #expect(exchange.openRooms == 0 && (exchange.storedCount > 0) == (room < 100_000))
        #expect(bench.freed == 0 && bench.closes == [false])
    }

    @Test func aLargeChunkIsReceivedInPlaceAndItsFramingIsRead() throws {
        let bench = try ConnectionBench()
        let exchange = begin("Transfer-Encoding: chunked\r\n", rooms: .init(repeating: 30_000, count: 1000), on: bench)
        let size = String(Self.count, radix: 16)
        for _ in 1...2 { send(Array("\(size)\r\n".utf8) + Self.content + Array("\r\n".utf8), on: bench) }
        send(Array("0\r\n\r\n".utf8), on: bench)
        #expect(exchange.hasSucceeded && exchange.body == Self.content + Self.content)
        #expect(exchange.storedCount > Self.count && exchange.openRooms == 0)
        #expect(bench.freed == 1)
    }

    @Test(arguments: [true, false])
    func theEndOfTheConnectionEndsTheBodyOrCutsIt(isLengthKnown: Bool) throws {
        let bench = try ConnectionBench()
        let head = isLengthKnown ? "Content-Length: \(Self.count + 70_000)\r\n" : ""
        let exchange = begin(head, rooms: .init(repeating: 30_000, count: 1000), on: bench)
        send(Self.content, on: bench)
        _ = bench.arrived()
        bench.closePeer()
        bench.turn()
        #expect(exchange.body == Self.content && exchange.openRooms == 0)
        #expect(exchange.hasSucceeded == !isLengthKnown && exchange.ends.count == 1)
    }

    @Test func theEndOfTheConnectionIsSeenWithoutRoom() throws {
        let bench = try ConnectionBench()
        let exchange = begin("", rooms: [30_000, 0, 0, 0], on: bench)
        send(Array(Self.content[..<30_000]), on: bench)
        // Unread bytes would turn the close into a reset.
        _ = bench.arrived()
        bench.closePeer()
        bench.turn()
        #expect(exchange.hasSucceeded && exchange.body == Array(Self.content[..<30_000]))
    }

    @Test func anExchangeWithoutRoomPausesTheConnection() throws {
        let bench = try ConnectionBench()
        let rooms = [30_000, 0] + .init(repeating: 30_000, count: 1000)
        let exchange = begin("Content-Length: \(Self.count)\r\n", rooms: rooms, on: bench)
        let sent = send(Self.content, on: bench)
        #expect(exchange.pauses.last == true && exchange.ends.isEmpty)
        let before = exchange.body.count
        #expect(before < Self.count)
        bench.turn()
        #expect(exchange.body.count == before)
        bench.connection.resume(exchange, sending: false)
        send(Array(Self.content[sent...]), on: bench)
        #expect(exchange.hasSucceeded && exchange.body == Self.content)
        #expect(exchange.pauses == [true, false] && exchange.openRooms == 0)
    }

    @Test func aSpeedLimitReadsThroughTheConnection() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        (exchange.isStreamed, exchange.maximumReceiveRate, exchange.rooms) = (true, 1 << 40, [30_000])
        bench.connection.begin(exchange)
        bench.respond("HTTP/1.1 200 OK\r\nContent-Length: \(Self.count)\r\n\r\n")
        bench.respond("some bytes")
        #expect(exchange.rooms == [30_000] && exchange.storedCount == 0)
    }
}
#endif
