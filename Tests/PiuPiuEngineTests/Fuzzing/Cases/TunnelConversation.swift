#if os(Linux)
import PiuPiuEngine

/// A conversation with a proxy in which every byte is counted.
struct TunnelConversation {
    var handshake: TunnelHandshake
    /// What was sent, message by message.
    private(set) var sent: [[UInt8]]
    /// The last step; ``TunnelHandshake/Step/needsMore`` before the first.
    private(set) var step = TunnelHandshake.Step.needsMore
    /// What was not taken.
    private(set) var rest: [UInt8] = []

    init(_ handshake: TunnelHandshake) {
        self.handshake = handshake
        sent = [handshake.firstMessage]
    }

    init(_ handshake: SOCKSHandshake) { self.init(TunnelHandshake(handshake)) }

    init(_ handshake: ConnectHandshake) { self.init(TunnelHandshake(handshake)) }

    var isOver: Bool {
        switch step {
        case .needsMore, .write: false
        case .done, .failed: true
        }
    }

    /// Lets bytes arrive, in pieces of a length; 0 for all at once.
    mutating func receive(_ bytes: [UInt8], inPiecesOf length: Int = 0) {
        receive(bytes) { length }
    }

    /// Lets bytes arrive, in pieces of lengths that a function chooses; 0 for all that is left.
    mutating func receive(_ bytes: [UInt8], piece: () -> Int) {
        var start = 0
        while start < bytes.count, !isOver {
            let length = piece()
            let end = length == 0 ? bytes.count : min(bytes.count, start + length)
            let taken = bytes[start..<end].withUnsafeBytes { piece in
                var input = piece
                step = handshake.receive(&input)
                return piece.count - input.count
            }
            start += taken
            if case .write(let message) = step { sent.append(message) }
            if taken == 0, !isOver { break }
        }
        rest += bytes[start...]
    }

    mutating func receive(_ text: String, inPiecesOf length: Int = 0) { receive(Array(text.utf8), inPiecesOf: length) }
}
#endif
