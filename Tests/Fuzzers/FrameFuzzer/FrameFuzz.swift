import PiuPiuWebSocket

/// Makes inputs, and checks how a reader reads them.
///
/// An input is a valid stream, most often damaged. At once and in random parts, it must have the same events and the same
/// violation, and the reader must hold no more than the limit of a message.
final class FrameFuzz {
    /// An input, and how it is read.
    struct Input {
        var bytes: [UInt8]
        /// The events, if the stream is not damaged and its messages are within the limit.
        var expected: [FrameReader.Event]?
        var limit: Int
        var isCompressed: Bool
        var keepsContext: Bool
        /// The sizes of the parts.
        var parts: [Int]

        var description: String {
            "limit \(limit), \(isCompressed ? "" : "not ")compressed, \(keepsContext ? "" : "no ")context, "
                + "parts \(parts)\n\(bytes)"
        }
    }

    /// What a reader found.
    struct Trace: Equatable {
        var events: [FrameReader.Event] = []
        var violation: WebSocketViolation?
        /// The number of bytes before the end; all of them if there is none.
        var offset = 0
    }

    /// How many inputs ended in which way.
    struct Tally {
        var messages = 0
        var codes: [UInt16: Int] = [:]

        var text: String {
            "\(messages) messages, violations: "
                + codes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        }
    }

    private let seed: UInt64
    private let streams: [FuzzStream]
    private(set) var tally = Tally()

    init(seed: UInt64) {
        self.seed = seed
        var random = FuzzRandom(seed: seed)
        streams = (0..<4000).map { _ in FuzzStream(&random) }
    }

    /// Returns the input with a number; it is always the same.
    func input(_ number: Int) -> Input {
        var random = FuzzRandom(seed: seed ^ (UInt64(number) &+ 1) &* 0xD6E8_FEB8_6659_FD93)
        let stream = streams[random.below(streams.count)]
        var bytes = stream.bytes
        let limit = [0, 10, 125, 1000, 4096, 65536, 1 << 20, .max][random.below(8)]
        let isDamaged = random.picks(90)
        if isDamaged { damage(&bytes, &random) }
        var parts: [Int] = []
        var left = bytes.count
        let largest = [1, 3, 20, 200, 20_000][random.below(5)]
        // Single bytes of long inputs would take most of the time.
        let smallest = left > 4000 ? 500 : 1
        while left > 0 {
            let size = min(left, smallest + random.below(largest))
            parts.append(size)
            left -= size
        }
        return Input(
            bytes: bytes,
            expected: isDamaged || limit < 1 << 20 ? nil : stream.events,
            limit: limit,
            isCompressed: stream.isCompressed || random.picks(20),
            keepsContext: stream.keepsContext,
            parts: parts
        )
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout FuzzRandom) {
        if random.picks(15) {
            let other = streams[random.below(streams.count)].bytes
            bytes = Array(bytes.prefix(random.below(bytes.count + 1)) + other.dropFirst(random.below(other.count + 1)))
        }
        if random.picks(10) {
            bytes = (0..<random.size()).map { _ in random.byte() }
            let first: [UInt8] = [0x81, 0x82, 0x01, 0xC1, 0xC2, 0x88]
            bytes = [first[random.below(first.count)], UInt8(min(bytes.count, 125))] + bytes
        }
        for _ in 0..<random.below(4) {
            guard !bytes.isEmpty else { return }
            // The start of a stream has most of its headers.
            let place = random.picks(50) ? random.below(min(bytes.count, 24)) : random.below(bytes.count)
            let end = min(place + 1 + random.below(12), bytes.count)
            switch random.below(7) {
            case 0: bytes[place] ^= 1 << random.below(8)
            case 1: bytes[place] = random.byte()
            case 2: bytes.insert(random.byte(), at: place)
            case 3: bytes.removeSubrange(place..<end)
            case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 5: bytes[place] = [0x00, 0x80, 0x81, 0x82, 0xC1, 0x7E, 0x7F, 0xFF][random.below(8)]
            default: bytes.removeSubrange(place...)
            }
        }
    }

    /// Checks the input with a number; returns what is wrong.
    func check(_ number: Int) -> String? {
        let input = input(number)
        var peak = 0
        let whole = read([input.bytes[...]], as: input, peak: &peak)
        var start = 0
        let parts = input.parts.map { size in
            start += size
            return input.bytes[start - size..<start]
        }
        let split = read(parts, as: input, peak: &peak)
        tally.messages += whole.events.count
        if let code = whole.violation?.closeCode.rawValue { tally.codes[code, default: 0] += 1 }
        guard peak <= (input.limit < .max ? input.limit + 1 : .max) else { return "\(peak) bytes held" }
        guard whole == split else { return "at once \(whole), in parts \(split)" }
        for case .message(let message, let size) in whole.events where message.byteCount > input.limit || size < 2 {
            return "a message of \(message.byteCount) bytes"
        }
        if whole.violation?.closeCode == .internalError { return "\(whole)" }
        if let expected = input.expected, whole.events != expected || whole.violation != nil {
            return "\(whole) instead of \(expected)"
        }
        return nil
    }

    private func read(_ parts: [ArraySlice<UInt8>], as input: Input, peak: inout Int) -> Trace {
        let inflater = input.isCompressed ? MessageInflater(keepsContext: input.keepsContext) : nil
        var reader = FrameReader(maximumMessageSize: input.limit, inflater: inflater)
        var trace = Trace()
        for part in parts {
            // In memory of its own, so that the address sanitizer sees a read beyond it.
            let isOver = Array(part).withUnsafeBytes { memory in
                var rest = memory
                let isOver = read(&rest, with: &reader, into: &trace, peak: &peak)
                trace.offset += memory.count - rest.count
                return isOver
            }
            if isOver { break }
        }
        // How much of the input a violation takes is not defined.
        if trace.violation != nil { trace.offset = 0 }
        return trace
    }

    /// Reads all events; returns whether there can be no more.
    private func read(
        _ rest: inout UnsafeRawBufferPointer,
        with reader: inout FrameReader,
        into trace: inout Trace,
        peak: inout Int
    ) -> Bool {
        do throws(WebSocketViolation) {
            while true {
                let event = try reader.next(&rest)
                peak = max(peak, reader.bufferedCount)
                if event == .needsMore { return false }
                trace.events.append(event)
                if case .close = event { return true }
            }
        } catch {
            trace.violation = error
            return true
        }
    }
}
