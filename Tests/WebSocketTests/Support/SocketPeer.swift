import Foundation
import PiuPiuTesting
import TestSupport

@testable import PiuPiuWebSocket

/// The server's side of a WebSocket on a real connection, used by the script of a ``RawServer``.
final class SocketPeer {
    let raw: RawConnection
    private var bytes: [UInt8] = []

    init(_ raw: RawConnection) { self.raw = raw }

    /// Reads the head of a request.
    func readHead() throws -> String {
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                defer { bytes.removeSubrange(..<end.upperBound) }
                return String(decoding: bytes[..<end.upperBound], as: UTF8.self)
            }
            bytes += try raw.read()
        }
    }

    /// Returns the response that opens the WebSocket of a request.
    static func agreement(to head: String) -> [UInt8] {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") } ?? ""
        let key = line.dropFirst(18).trimmingCharacters(in: .whitespaces)
        let accept = WebSocketKey(text: key).accept
        return Array(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
                .utf8
        )
    }

    /// Opens the WebSocket of the next request, and sends bytes in the same piece.
    @discardableResult
    func open(_ first: [UInt8] = []) throws -> String {
        let head = try readHead()
        raw.write(Self.agreement(to: head) + first)
        return head
    }

    /// Reads the next frame.
    func next() throws -> ClientFrame {
        while true {
            if let frame = ClientFrame.take(from: &bytes) { return frame }
            bytes += try raw.read()
        }
    }

    /// Sends everything back until the client closes, and answers that.
    func echo() throws {
        while true {
            let frame = try next()
            raw.write(serverFrame(frame.opcode == 9 ? 10 : frame.opcode, frame.payload, isFinal: frame.isFinal))
            if frame.opcode == 8 { return }
        }
    }
}
