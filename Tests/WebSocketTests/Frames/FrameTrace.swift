@testable import PiuPiuWebSocket

/// A frame of a server, made for a test; what it says need not be right.
func frame(
    _ opcode: UInt8,
    _ payload: [UInt8] = [],
    isFinal: Bool = true,
    rsv: UInt8 = 0,
    lengthBytes: Int? = nil
) -> [UInt8] {
    var bytes = [(isFinal ? 0x80 : 0) | rsv << 4 | opcode]
    let count = payload.count
    switch lengthBytes ?? (count < 126 ? 0 : count <= 0xFFFF ? 2 : 8) {
    case 0: bytes.append(UInt8(count))
    case 2: bytes += [126, UInt8(count >> 8), UInt8(count & 0xFF)]
    default: bytes += [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }
    return bytes + payload
}

func text(_ text: String, isFinal: Bool = true) -> [UInt8] { frame(0x1, Array(text.utf8), isFinal: isFinal) }

func more(_ payload: [UInt8], isFinal: Bool = false) -> [UInt8] { frame(0x0, payload, isFinal: isFinal) }

func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
    frame(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
}

/// What a reader found in bytes.
struct FrameTrace: Equatable {
    var events: [FrameReader.Event] = []
    var violation: WebSocketViolation?
    /// The number of bytes read when the reader ended.
    var endOffset: Int?
    /// The most memory that the reader held.
    var peak = 0

    var code: WebSocketCloseCode? { violation?.closeCode }

    static func == (left: FrameTrace, right: FrameTrace) -> Bool {
        left.events == right.events && left.violation == right.violation && left.endOffset == right.endOffset
    }

    /// Reads bytes in parts, each of which is in memory of its own.
    init(
        _ parts: [[UInt8]],
        limit: Int = 1 << 20,
        inflater: MessageInflater? = nil
    ) {
        var reader = FrameReader(maximumMessageSize: limit, inflater: inflater)
        var offset = 0
        for part in parts where endOffset == nil {
            part.withUnsafeBytes { memory in
                var input = memory
                read(&reader, &input)
                if endOffset == nil, hasEnded { endOffset = offset + memory.count - input.count }
                offset += memory.count
            }
        }
    }

    private var hasEnded: Bool {
        if case .close = events.last { return true }
        return violation != nil
    }

    private mutating func read(_ reader: inout FrameReader, _ input: inout UnsafeRawBufferPointer) {
        do throws(WebSocketViolation) {
            while !hasEnded {
                let event = try reader.next(&input)
                peak = max(peak, reader.bufferedCount)
                if event == .needsMore { return }
                events.append(event)
            }
        } catch {
            violation = error
        }
    }
}

extension FrameTrace {
    /// Reads bytes at once.
    init(_ bytes: [UInt8], limit: Int = 1 << 20, inflater: MessageInflater? = nil) {
        self.init([bytes], limit: limit, inflater: inflater)
    }

    /// The messages, as text.
    var texts: [String] {
        events.compactMap { event in
            guard case .message(let message, _) = event else { return nil }
            return message.text
        }
    }

    /// The contents of the binary messages.
    var contents: [[UInt8]] {
        events.compactMap { event in
            guard case .message(.binary(let data), _) = event else { return nil }
            return Array(data)
        }
    }
}
