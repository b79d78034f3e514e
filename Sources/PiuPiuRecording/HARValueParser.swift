import PiuPiuAsync

/// Parses JSON (RFC 8259) into a value to compare, in one pass.
///
/// A decoder determines the type of a value by failing for each of the others, which takes a second for a body of numbers.
struct HARValueParser {
    /// The maximum depth of nesting, the same as that of Foundation's decoder.
    private static let maximumDepth = 512

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Parses a text in UTF-8 into a value; `nil` if the text is not JSON.
    static func value(of data: Data) -> HARValue? {
        guard String(validating: data, as: UTF8.self) != nil else { return nil }
        return data.withUnsafeBytes { bytes in
            var parser = HARValueParser(bytes: bytes.assumingMemoryBound(to: UInt8.self))
            guard let value = parser.value(depth: 0) else { return nil }
            parser.skipBlanks()
            return parser.position == bytes.count ? value : nil
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: StaticString, _ value: HARValue) -> HARValue? {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count,
            word.withUTF8Buffer({ $0.elementsEqual(bytes[position..<(position + count)]) })
        else { return nil }
        position += count
        return value
    }

    private mutating func value(depth: Int) -> HARValue? {
        guard depth <= Self.maximumDepth else { return nil }
        skipBlanks()
        switch next {
        case 0x7B: return object(depth)
        case 0x5B: return array(depth)
        case 0x22: return string().map { .string($0) }
        case 0x74: return take("true", .bool(true))
        case 0x66: return take("false", .bool(false))
        case 0x6E: return take("null", .null)
        default: return number()
        }
    }

    private mutating func array(_ depth: Int) -> HARValue? {
        position += 1
        skipBlanks()
        var values: [HARValue] = []
        if take(0x5D) { return .array(values) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
            skipBlanks()
        } while take(0x2C)
        return take(0x5D) ? .array(values) : nil
    }

    private mutating func object(_ depth: Int) -> HARValue? {
        position += 1
        skipBlanks()
        var values: [String: HARValue] = [:]
        if take(0x7D) { return .object(values) }
        repeat {
            skipBlanks()
            guard next == 0x22, let name = string() else { return nil }
            skipBlanks()
            guard take(0x3A), let value = value(depth: depth + 1) else { return nil }
            values[name] = value
            skipBlanks()
        } while take(0x2C)
        return take(0x7D) ? .object(values) : nil
    }

    private mutating func number() -> HARValue? {
        let start = position
        var isInteger = true
        _ = take(0x2D)
        let digits = position
        skipDigits()
        // A number has no leading zeros.
        guard position > digits, position == digits + 1 || bytes[digits] != 0x30 else { return nil }
        if take(0x2E) {
            isInteger = false
            guard skipDigits() else { return nil }
        }
        if take(0x65) || take(0x45) {
            isInteger = false
            if !take(0x2B) { _ = take(0x2D) }
            guard skipDigits() else { return nil }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let double = Double(text)
        if let integer = isInteger ? Int64(text) : double.flatMap({ Int64(exactly: $0) }) { return .integer(integer) }
        return double.flatMap { $0.isFinite ? .number($0) : nil }
    }

    @discardableResult private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = next, 0x30...0x39 ~= byte { position += 1 }
        return position > start
    }

    private mutating func string() -> String? {
        position += 1
        let start = position
        while let byte = next, byte != 0x22, byte != 0x5C, byte >= 0x20 { position += 1 }
        guard next != 0x22 else {
            position += 1
            return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while let byte = next, byte >= 0x20 {
            position += 1
            switch byte {
            case 0x22: return String(decoding: text, as: UTF8.self)
            case 0x5C: guard appendEscape(to: &text) else { return nil }
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func appendEscape(to text: inout [UInt8]) -> Bool {
        guard let byte = next else { return false }
        position += 1
        switch byte {
        case 0x22, 0x2F, 0x5C: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75:
            guard let unit = unit() else { return false }
            var value = UInt32(unit)
            if UTF16.isLeadSurrogate(unit) {
                guard take(0x5C), take(0x75), let trail = self.unit(), UTF16.isTrailSurrogate(trail) else {
                    return false
                }
                value = (value - 0xD800) << 10 + UInt32(trail) - 0xDC00 + 0x10000
            }
            guard let scalar = Unicode.Scalar(value) else { return false }
            text += Array(String(scalar).utf8)
        default: return false
        }
        return true
    }

    private mutating func unit() -> UInt16? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[position..<(position + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }
}
