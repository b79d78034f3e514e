#if os(Linux)
import CShims
import Glibc

@testable import PiuPiuEngine

/// An exchange whose request is a text, and which keeps what it is told.
final class ScriptedExchange: HTTPExchange {
    var stream: HTTP2Stream?
    var isHEAD = false
    var isStreamed = false
    var maximumHead = 10_000
    var contentFraming = ContentFraming.none
    var closesConnection = false
    var continuePatience: Int64?
    var maximumSendRate: Int64 = 0
    var maximumReceiveRate: Int64 = 0
    var contentTrailers: [String] = []

    /// The head, and the content as its producer gives it: `nil` for nothing for now.
    var head = "GET / HTTP/1.1\r\n\r\n"
    var content: [[UInt8]?] = []
    /// What a piece of the body is answered with, one after the other.
    var answers: [ReceiveResult] = []
    /// The sizes of the rooms it offers for the body, one after the other.
    ///
    /// 0 is a pause. When there are none left, the connection uses its own buffer.
    var rooms: [Int] = []
    private var room: UnsafeMutableRawBufferPointer?
    var whenEnded: () -> Void = {}

    private(set) var statusCodes: [Int] = []
    private(set) var body: [UInt8] = []
    /// The number of bytes of the body that arrived in its own rooms.
    private(set) var storedCount = 0
    private(set) var openRooms = 0
    private(set) var wholeReports = 0
    private(set) var pauses: [Bool] = []
    private(set) var ends: [HTTPFailure?] = []

    var text: String { String(decoding: body, as: UTF8.self) }
    var hasSucceeded: Bool { ends.count == 1 && ends[0] == nil }

    func writeHead(to output: OutputBuffer) { output.append(head) }
    func writeFields(to block: FieldBlock) {}
    var isContentComplete: Bool { false }

    func readContent(into buffer: UnsafeMutableRawBufferPointer) -> ContentPiece {
        guard let next = content.first else { return .end }
        guard var piece = next else {
            content.removeFirst()
            return .pause
        }
        let count = min(piece.count, buffer.count)
        buffer.copyBytes(from: piece[..<count])
        piece.removeFirst(count)
        if piece.isEmpty { content.removeFirst() } else { content[0] = piece }
        return .bytes(count)
    }

    func sent(_ count: Int, isWhole: Bool) { if isWhole { wholeReports += 1 } }
    func setPaused(_ isPaused: Bool) { pauses.append(isPaused) }
    func received(_ count: Int, isProgress: Bool) {}
    func informationalArrived(_ head: HeadCollector) { statusCodes.append(head.statusCode) }

    func headArrived(_ head: HeadCollector) -> Bool {
        statusCodes.append(head.statusCode)
        return true
    }

    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        let answer = answers.isEmpty ? .proceed : answers.removeFirst()
        if answer == .proceed { body += bytes }
        return answer
    }

    func roomForBody() -> BodyRoom {
        guard let size = rooms.first else { return .connection }
        rooms.removeFirst()
        guard size > 0 else { return .pause }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        self.room = room
        openRooms += 1
        return .exchange(room)
    }

    func bodyStored(_ bytes: UnsafeRawBufferPointer) {
        body += bytes
        storedCount += bytes.count
        openRooms -= 1
        room?.deallocate()
        room = nil
    }

    func answeredEarly() {}

    func ended(_ head: HeadCollector, hasBegun: Bool, _ failure: HTTPFailure?) {
        ends.append(failure)
        whenEnded()
    }
}

/// A connection to a socket that the test reads and writes, on a reactor that turns when the test says so.
final class ConnectionBench: HTTPConnectionOwner {
    let reactor: Reactor
    let connection: HTTP1Connection
    private let wakeDescriptor: Int32
    private(set) var peer: Int32
    private(set) var freed = 0
    private(set) var closes: [Bool] = []
    var whenFree: () -> Void = {}

    /// Creates a bench, whose sockets hold few bytes.
    init(sharing other: ConnectionBench? = nil) throws {
        var pair: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw SystemError(errno) }
        for socket in pair {
            var size: Int32 = 8192
            setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, 4)
        }
        peer = pair[1]
        wakeDescriptor = other == nil ? cs_eventfd_create() : -1
        reactor = try other?.reactor ?? Reactor(wakeDescriptor: wakeDescriptor)
        connection = HTTP1Connection(ByteChannel(pair[0], tls: nil), reactor)
        connection.owner = self
        guard reactor.add(connection, pair[0], .reading) else { throw SystemError(errno) }
    }

    deinit {
        // The reactor holds the connection until it is closed.
        connection.close(wasIdle: false)
        closePeer()
        if wakeDescriptor >= 0 { close(wakeDescriptor) }
    }

    func hasRoom(_ connection: HTTPConnection) {
        freed += 1
        whenFree()
    }

    func closed(_ connection: HTTPConnection, wasIdle: Bool) { closes.append(wasIdle) }

    /// Lets the reactor turn, without waiting.
    func turn(_ count: Int = 3) { for _ in 0..<count { reactor.wait(milliseconds: 0) } }

    func answer(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(peer, $0.baseAddress, $0.count) } }

    /// Answers with as many bytes as the socket takes, and returns their number.
    func answer(_ bytes: ArraySlice<UInt8>) -> Int {
        max(0, bytes.withUnsafeBytes { write(peer, $0.baseAddress, $0.count) })
    }

    /// Answers, and lets the reactor turn.
    func respond(_ text: String) {
        answer(text)
        turn()
    }

    /// What has arrived at the other end.
    func arrived() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(peer, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
        return all
    }

    func closePeer() {
        guard peer >= 0 else { return }
        close(peer)
        peer = -1
    }
}
#endif
