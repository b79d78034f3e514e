import Foundation
import PiuPiuCore
import Testing

@testable import PiuPiuWebSocket

/// A transport without a network, whose loop is the test: it passes bytes on and takes those that are sent.
final class Wire {
    struct Calls {
        var wakes = 0
        var resumes = 0
        var cancels = 0
    }

    let connection: WebSocketConnection
    private let calls = Locked(Calls())
    private var sent: [UInt8] = []
    /// What the connection said when it had no more bytes.
    private(set) var rest = TunnelOutput.none

    init(_ options: WebSocketOptions = WebSocketOptions(), clock: any Clock<Duration> = ContinuousClock()) {
        connection = WebSocketConnection(options, clock: clock)
    }

    var cancels: Int { calls.withLock { $0.cancels } }
    var resumes: Int { calls.withLock { $0.resumes } }
    var wakes: Int { calls.withLock { $0.wakes } }

    private var line: TunnelLine {
        TunnelLine(
            wake: { [calls] in calls.withLock { $0.wakes += 1 } },
            resume: { [calls] in calls.withLock { $0.resumes += 1 } },
            cancel: { [calls] in calls.withLock { $0.cancels += 1 } }
        )
    }

    /// Answers the handshake with a head, in which `ACCEPT` stands for the right answer; returns why it was refused.
    func answer(_ head: String, isHTTP2: Bool = false) -> String? {
        var key = ""
        connection.beginAttempt().forEach { _, value in key = String(decoding: value, as: UTF8.self) }
        let accept = WebSocketKey(text: key).accept
        let text = head.replacingOccurrences(of: "ACCEPT", with: accept).replacingOccurrences(of: "\n", with: "\r\n")
        return connection.opened(RawHead(bytes: Array(text.utf8)), isHTTP2: isHTTP2, line: line)
    }

    static let usualHead = """
        HTTP/1.1 101 Switching Protocols
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Accept: ACCEPT

        """

    /// Opens the WebSocket.
    func open(extra: String = "") throws -> WebSocket {
        try #require(answer(Self.usualHead + extra) == nil)
        let url = try #require(URL(string: "http://example.com/chat"))
        let head = ResponseHead(url: url, statusCode: StatusCode(rawValue: 101))
        return WebSocket(connection, head)
    }

    @discardableResult
    func receive(_ bytes: [UInt8]) -> TunnelReceipt { bytes.withUnsafeBytes { connection.received($0) } }

    /// Takes everything that is sent.
    func take() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
            while true {
                let output = connection.read(into: room)
                guard case .bytes(let count) = output else {
                    rest = output
                    return
                }
                sent += Array(room[..<count])
            }
        }
    }

    /// Takes everything that is sent, as frames.
    func frames() -> [ClientFrame] {
        take()
        var frames: [ClientFrame] = []
        while let frame = ClientFrame.take(from: &sent) { frames.append(frame) }
        return frames
    }

    func end(_ failure: (any Error)? = nil) { connection.ended(failure) }
}
