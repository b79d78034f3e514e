/// Chunks, read in one go and as RFC 9112 §7.1 words it.
struct ReferenceChunks {
    enum End: Equatable {
        /// The body is complete; what follows it begins here.
        case complete(Int)
        case cutOff
        case wrong
    }

    private(set) var body: [UInt8] = []
    private(set) var end = End.wrong
    /// Whether everything is as the grammar has it, without anything that only some readers accept.
    private(set) var isStrict = true

    init(_ bytes: [UInt8], from start: Int) {
        var position = start
        while true {
            guard let feed = bytes[position...].firstIndex(of: 0x0A) else {
                end = .cutOff
                // What is there of the line may be wrong already.
                isStrict = isStrict && Self.mayBeginLine(bytes[position...])
                return
            }
            let line = bytes[position..<feed]
            guard line.last == 0x0D, let size = size(line.dropLast()) else { return }
            position = feed + 1
            if size == 0 {
                readTrailers(bytes, position)
                return
            }
            let available = bytes.count - position
            guard available >= size else {
                body += bytes[position...]
                end = .cutOff
                return
            }
            body += bytes[position..<(position + size)]
            position += size
            let rest = bytes[position...].prefix(2)
            guard rest.elementsEqual([0x0D, 0x0A].prefix(rest.count)) else { return }
            guard rest.count == 2 else {
                end = .cutOff
                return
            }
            position += 2
        }
    }

    /// Reads `chunk-size [ chunk-ext ]`.
    private mutating func size(_ line: ArraySlice<UInt8>) -> Int? {
        let text = line.prefix { $0 != 0x3B }
        let rest = line.dropFirst(text.count)
        guard rest.allSatisfy({ $0 != 0 && $0 != 0x0D }), line.count < 16_000 else { return nil }
        if !rest.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }) || line.count > 1000 { isStrict = false }
        var digits = text
        while let last = digits.last, last == 0x20 || last == 0x09 {
            digits.removeLast()
            isStrict = false
        }
        let isHexadecimal = { (byte: UInt8) in
            UnicodeScalar(byte).properties.isASCIIHexDigit
        }
        guard !digits.isEmpty, digits.allSatisfy(isHexadecimal) else { return nil }
        if digits.count > 15 { isStrict = false }
        return Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func mayBeginLine(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.prefix { UnicodeScalar($0).properties.isASCIIHexDigit }
        return digits.count == bytes.count && digits.count < 15
    }

    private mutating func readTrailers(_ bytes: [UInt8], _ start: Int) {
        var position = start
        while let feed = bytes[position...].firstIndex(of: 0x0A) {
            let line = bytes[position...feed]
            position = feed + 1
            if line.elementsEqual([0x0D, 0x0A]) || line.count == 1 {
                if line.count == 1 { isStrict = false }
                end = .complete(position)
                return
            }
            if !ReferenceResponse.isStrictField(line) { isStrict = false }
        }
        end = .cutOff
        if position < bytes.count { isStrict = false }
    }
}
