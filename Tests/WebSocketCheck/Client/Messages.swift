import PiuPiuAsync

/// The messages of a check.
///
/// Each is computed from the seed, its socket and its number, for the sender and again for the
/// receiver, so that none has to be kept.
struct Messages: Sendable {
    /// Sizes at which the frame's head, or the size of a buffer, changes.
    private static let edges = [0, 1, 125, 126, 127, 65_535, 65_536]

    private let seed: UInt64
    private let maximum: Int
    /// Random bytes, which do not compress.
    private let bytes: [UInt8]
    /// Text of characters of one to four bytes.
    private let text: [UInt8]

    init(seed: UInt64, maximum: Int) {
        self.seed = seed
        self.maximum = maximum
        var random = SplitMix64(state: seed)
        bytes = (0..<1 << 16).map { _ in UInt8.random(in: 0...255, using: &random) }
        let scalars: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x61...0x7A, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF, 0...0x1F,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<1 << 15 {
            let range = scalars[Int.random(in: 0..<scalars.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        self.text = Array(String(text).utf8)
    }

    /// A message.
    ///
    /// - Parameters:
    ///   - number: Its number, from 0.
    ///   - socket: The number of its socket, from 0.
    /// - Returns: The message.
    func message(_ number: Int, of socket: Int) -> WebSocketMessage {
        var random = SplitMix64(state: seed ^ UInt64(socket) << 32 ^ UInt64(number))
        let size = size(number, using: &random)
        let isText = Bool.random(using: &random)
        let isRun = Int.random(in: 0..<4, using: &random) == 0
        // So that a message of another socket is recognized.
        var content = Array("\(socket).\(number) ".utf8.prefix(size))
        content.reserveCapacity(size)
        if isRun {
            let byte = UInt8.random(in: 0x20...0x7E, using: &random)
            content.append(contentsOf: repeatElement(byte, count: size - content.count))
        } else if isText {
            appendText(&content, size: size, using: &random)
        } else {
            appendBytes(&content, size: size, using: &random)
        }
        return isText ? .text(String(decoding: content, as: UTF8.self)) : .binary(Data(content))
    }

    /// Each edge once in a while, otherwise every order of magnitude as often as any other.
    private func size(_ number: Int, using random: inout SplitMix64) -> Int {
        if Int.random(in: 0..<10, using: &random) == 0 {
            let edges = Self.edges.filter { $0 <= maximum } + [maximum]
            return edges[Int.random(in: 0..<edges.count, using: &random)]
        }
        let exponent = Double.random(in: 0...1, using: &random)
        return min(maximum, Int(exp(exponent * log(Double(maximum + 1)))) - 1)
    }

    private func appendBytes(_ content: inout [UInt8], size: Int, using random: inout SplitMix64) {
        var start = Int.random(in: 0..<bytes.count, using: &random)
        while content.count < size {
            let end = min(bytes.count, start + size - content.count)
            content.append(contentsOf: bytes[start..<end])
            start = 0
        }
    }

    /// Ends with spaces if no whole character is left to fit.
    private func appendText(_ content: inout [UInt8], size: Int, using random: inout SplitMix64) {
        var start = Int.random(in: 0..<text.count, using: &random)
        while text[start] & 0xC0 == 0x80 { start -= 1 }
        while content.count < size {
            var end = min(text.count, start + size - content.count)
            while end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
            if end <= start { break }
            content.append(contentsOf: text[start..<end])
            start = 0
        }
        content.append(contentsOf: repeatElement(0x20, count: size - content.count))
    }
}

/// A generator of random numbers that always gives the same ones for a seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

extension WebSocketMessage {
    /// The number of its bytes.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }

    /// The kind and the first bytes, for a fault.
    var summary: String {
        switch self {
        case .text(let text): "text of \(size): \(Array(text.utf8.prefix(24)))"
        case .binary(let data): "binary of \(size): \(Array(data.prefix(24)))"
        }
    }
}
