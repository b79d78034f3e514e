/// The head of a part of a form: the fields that tell which secrets the part contains.
struct FormPartHead {
    /// The names of the field (RFC 7578 §4.2): a parameter may occur twice, and also as `name*` (RFC 5987 §3.2).
    private(set) var names: [String] = []
    /// Whether the content is compressed or has a transfer encoding (RFC 2045 §6), so that a search finds nothing in it.
    private(set) var isEncoded = false

    /// Reads the lines of a head.
    init(_ bytes: Data) {
        // The field read so far, which may continue in the next line (RFC 5322 §2.2.3).
        var field: [UInt8] = []
        for line in [UInt8](bytes).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.first?.isHTTPWhitespace ?? false {
                if !field.isEmpty { field += line }
                continue
            }
            read(field)
            // The first letter rules out most lines.
            field = line.first?.asciiLowercased == 0x63 ? Array(line) : []
        }
        read(field)
    }

    private mutating func read(_ field: [UInt8]) {
        guard let colon = field.firstIndex(of: 0x3A) else { return }
        let (name, value) = (Self.trimmed(field[..<colon]), field[(colon + 1)...])
        switch name.count {
        case 19 where Self.isSame(name, "content-disposition"): readNames(value)
        case 16 where Self.isSame(name, "content-encoding"), 25 where Self.isSame(name, "content-transfer-encoding"):
            let coding = Self.trimmed(value)
            let isPlain = ["", "identity", "7bit", "8bit", "binary"].contains { Self.isSame(coding, $0) }
            if !isPlain { isEncoded = true }
        default: break
        }
    }

    private mutating func readNames(_ value: ArraySlice<UInt8>) {
        for part in Self.parameters(value).dropFirst() {
            guard let sign = part.firstIndex(of: 0x3D) else { continue }
            // "name*" has a charset and a language, "name*0" is a part of a name; all of them count.
            let key = Self.trimmed(part[..<sign])
            guard Self.isSame(key.prefix { $0 != 0x2A }, "name") else { continue }
            let text = String(
                decoding: Self.trimmed(part[(sign + 1)...]).filter { $0 != 0x22 && $0 != 0x5C },
                as: UTF8.self
            )
            names.append(text)
            if text.utf8.contains(0x25) { names.append(SecretScrubber.formDecoded(text)) }
        }
        // A name may be in several parts (RFC 2231 §3).
        if names.count > 1 { names.append(names.joined()) }
    }

    /// Splits a value at semicolons outside quotes.
    private static func parameters(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (start, index, isQuoted) = (value.startIndex, value.startIndex, false)
        while index < value.endIndex {
            switch value[index] {
            case 0x22: isQuoted.toggle()
            case 0x5C where isQuoted: index += 1
            case 0x3B where !isQuoted:
                parts.append(value[start..<index])
                start = index + 1
            default: break
            }
            index += 1
        }
        return parts + [value[start...]]
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop(while: \.isHTTPWhitespace)
        while let last = bytes.last, last.isHTTPWhitespace { bytes.removeLast() }
        return bytes
    }

    private static func isSame(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
        bytes.count == word.utf8.count && zip(bytes, word.utf8).allSatisfy { $0.asciiLowercased == $1 }
    }
}
