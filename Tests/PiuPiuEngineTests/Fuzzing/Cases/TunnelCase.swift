#if os(Linux)
import PiuPiuEngine

extension FuzzCase {
    /// A byte with the kind of the proxy, and all that it says.
    static let tunnel = FuzzCase(
        name: "Tunnel",
        limit: 2048,
        tokens: [[5, 0], [5, 2], [1, 0], [5, 0, 0, 1], [5, 0, 0, 3], [5, 0, 0, 4], [0, 90]] + ResponseSample.tokens,
        sample: { random in sample(&random) }
    ) { input throws(FuzzProblem) in
        guard let kind = input.first else { return }
        try TunnelCheck(kind, Array(input.dropFirst())).run()
    }

    private static func sample(_ random: inout FuzzRandom) -> [UInt8] {
        let rest = (0..<random.below(6)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let port: [UInt8] = [0, 80]
        let reply: [UInt8]
        switch random.below(3) {
        case 0: reply = [5, 0, 0, 1, 127, 0, 0, 1] + port
        case 1: reply = [5, 0, 0, 4] + [UInt8](repeating: 7, count: 16) + port
        default:
            let length = random.below(256)
            reply = [5, 0, 0, 3, UInt8(length)] + [UInt8](repeating: 0x61, count: length) + port
        }
        switch random.below(4) {
        case 0: return [0] + ResponseSample.make(&random).dropFirst()
        case 1: return [1, 5, 0] + reply + rest
        case 2: return [2, 5, 2, 1, 0] + reply + rest
        default: return [3, 0, 90, 0, 80, 127, 0, 0, 1] + rest
        }
    }
}

private struct TunnelCheck {
    private static let limit = 1500

    let kind: UInt8
    let bytes: [UInt8]

    init(_ kind: UInt8, _ bytes: [UInt8]) {
        self.kind = kind & 3
        self.bytes = bytes
    }

    func run() throws(FuzzProblem) {
        let whole = try conversation { 0 }
        var random = FuzzRandom(bytes: bytes)
        for pieces in [try conversation { 1 }, try conversation { random.below(9) }] {
            try demand(pieces.step == whole.step || !pieces.isOver && !whole.isOver, "pieces end differently")
            try demand(pieces.sent == whole.sent, "pieces have other answers")
            // After a failure, nobody asks how far the bytes were read.
            guard whole.step == .done else { continue }
            try demand(pieces.rest == whole.rest, "pieces leave other bytes to the tunnel")
        }
        let taken = bytes.count - whole.rest.count
        if kind == 0 { try checkConnect(whole, taken) } else { try checkSOCKS(whole, taken) }
    }

    private func conversation(_ piece: () -> Int) throws(FuzzProblem) -> TunnelConversation {
        var conversation: TunnelConversation
        do {
            conversation = TunnelConversation(try handshake())
        } catch {
            throw FuzzProblem(text: "there is no handshake")
        }
        conversation.receive(bytes, piece: piece)
        return conversation
    }

    private func handshake() throws(SOCKSRefusal) -> TunnelHandshake {
        let name = SOCKSHandshake.Destination.name("a", port: 80)
        switch kind {
        case 0: return TunnelHandshake(ConnectHandshake(request: [1], limit: Self.limit))
        case 1: return TunnelHandshake(try SOCKSHandshake(.five, to: name))
        case 2: return TunnelHandshake(try SOCKSHandshake(.five, to: name, user: "u", password: "p"))
        default: return TunnelHandshake(try SOCKSHandshake(.four, to: name))
        }
    }

    private func checkConnect(_ whole: TunnelConversation, _ taken: Int) throws(FuzzProblem) {
        try demand(whole.sent == [[1]], "something else is sent than the request")
        let reference = ReferenceResponse(bytes, isHEAD: true)
        let code = reference.codes.last ?? 0
        switch whole.step {
        case .done:
            try demand((200..<300).contains(code), "a tunnel is open that was refused")
            try demand(taken == reference.bodyStart, "bytes of the tunnel are taken")
            try demand(taken <= Self.limit, "heads are larger than the limit")
        case .failed(.refused(let status, _)):
            try demand(status == code && !(200..<300).contains(code), "a refusal has another status code")
        case .failed(.malformed):
            let isWithin = (reference.bodyStart ?? bytes.count) <= Self.limit
            try demand(!reference.isStrict || !isWithin, "a good answer is refused")
        case .needsMore: try demand(reference.bodyStart == nil, "a head is missed")
        case .failed, .write: throw FuzzProblem(text: "that is no step of CONNECT")
        }
    }

    /// What the proxy has said when the tunnel is open, in one go: its length; `nil` if it said something else, or less.
    private var openingLength: Int? {
        var start = 0
        if kind == 1 || kind == 2 {
            guard bytes.starts(with: [5, 0]) || kind == 2 && bytes.starts(with: [5, 2]) else { return nil }
            start = 2
            if bytes[1] == 2 {
                guard bytes.count >= 4, bytes[3] == 0 else { return nil }
                start = 4
            }
            let reply = Array(bytes[start...])
            guard reply.count >= 5, reply.starts(with: [5, 0]) else { return nil }
            switch reply[3] {
            case 1: start += 10
            case 3: start += 7 + Int(reply[4])
            case 4: start += 22
            default: return nil
            }
        } else {
            guard bytes.starts(with: [0, 90]) else { return nil }
            start = 8
        }
        return start <= bytes.count ? start : nil
    }

    private func checkSOCKS(_ whole: TunnelConversation, _ taken: Int) throws(FuzzProblem) {
        let isOpen = whole.step == .done
        try demand(isOpen == (openingLength != nil), "a tunnel is open that is not, or the other way round")
        if isOpen { try demand(taken == openingLength, "bytes of the tunnel are taken") }
        try demand(taken <= 4 + 262, "more is taken than the longest replies have")
        try demand(whole.sent.count <= 3, "too much is sent")
        try demand(whole.sent.flatMap { $0 }.count < 32, "something else is sent than messages")
    }
}
#endif
