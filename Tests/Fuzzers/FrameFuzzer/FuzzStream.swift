import PiuPiuWebSocket

/// A valid stream of frames, and the events in it.
struct FuzzStream {
    var bytes: [UInt8] = []
    var events: [FrameReader.Event] = []
    /// Whether the stream has compressed messages.
    let isCompressed: Bool
    let keepsContext: Bool

    init(_ random: inout FuzzRandom) {
        isCompressed = random.picks(50)
        keepsContext = random.picks(70)
        let deflater = isCompressed ? MessageDeflater(keepsContext: keepsContext, memoryLevel: 1) : nil
        for _ in 0...random.below(5) { appendMessage(deflater, &random) }
        if random.picks(40) { appendClose(&random) }
    }

    /// Appends a frame of a server.
    mutating func append(_ opcode: UInt8, _ payload: ArraySlice<UInt8>) {
        bytes.append(opcode)
        switch payload.count {
        case ..<126: bytes.append(UInt8(payload.count))
        case ...0xFFFF: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        bytes += payload
    }

    private mutating func appendMessage(_ deflater: MessageDeflater?, _ random: inout FuzzRandom) {
        let isText = random.picks(50)
        let content = Self.content(isText: isText, &random)
        var payload = content
        var first: UInt8 = isText ? 1 : 2
        if let deflater, random.picks(70) {
            payload = []
            do {
                try content.withUnsafeBytes { try deflater.compress($0, into: &payload) }
            } catch {
                return
            }
            first |= 0x40
        }
        var size = 0
        var start = 0
        let fragments = random.picks(40) ? 1 + random.below(5) : 1
        for index in 1...fragments {
            let isLast = index == fragments
            let end = isLast ? payload.count : start + random.below(payload.count - start + 1)
            let before = bytes.count
            append((isLast ? 0x80 : 0) | (index == 1 ? first : 0), payload[start..<end])
            size += bytes.count - before
            start = end
            if !isLast { appendControl(&random) }
        }
        let message: WebSocketMessage =
            isText ? .text(String(decoding: content, as: UTF8.self)) : .binary(Data(content))
        events.append(.message(message, wireSize: size))
        appendControl(&random)
    }

    private mutating func appendControl(_ random: inout FuzzRandom) {
        guard random.picks(30) else { return }
        let payload = (0..<min(random.size(), 125)).map { _ in random.byte() }
        let isPing = random.picks(50)
        append(isPing ? 0x89 : 0x8A, payload[...])
        events.append(isPing ? .ping(payload) : .pong(payload))
    }

    private mutating func appendClose(_ random: inout FuzzRandom) {
        guard random.picks(80) else {
            append(0x88, [])
            events.append(.close(code: nil, reason: ""))
            return
        }
        let code = [1000, 1001, 1011, 3000, 4999][random.below(5)]
        let reason = String(repeating: "ü", count: random.below(60))
        append(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
        events.append(.close(code: UInt16(code), reason: reason))
    }

    private static func content(isText: Bool, _ random: inout FuzzRandom) -> [UInt8] {
        let size = random.size()
        guard isText else {
            let range = [1, 4, 256][random.below(3)]
            return (0..<size).map { _ in UInt8(random.below(range)) }
        }
        let characters = ["a", "b", " ", "ö", "€", "😀", "\u{0}", "\u{D7FF}", "\u{10FFFF}"]
        let range = random.picks(50) ? 3 : characters.count
        var text: [UInt8] = []
        while text.count < size { text += Array(characters[random.below(range)].utf8) }
        return text
    }
}
