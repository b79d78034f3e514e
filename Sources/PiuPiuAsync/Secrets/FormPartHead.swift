import PiuPiuEngine

/// The head of a part of a form, as far as it tells what to hide.
struct FormPartHead {
    /// The name of the field; `nil` if there is none.
    private(set) var name: String?
    /// Whether the content is compressed or written in another alphabet (RFC 2045 §6), so that nothing is found in it.
    private(set) var isEncoded = false

    /// Reads a head.
    ///
    /// - Parameter bytes: The lines of the head.
    init(_ bytes: Data) {
        let lines = [UInt8](bytes).split { $0 == 0x0A || $0 == 0x0D }
        for line in lines {
            // Of most lines, the first letter tells that they don't matter.
            guard line.first?.asciiLowercased == 0x63, let colon = line.firstIndex(of: 0x3A) else { continue }
            let value = line[(colon + 1)...]
            switch line[..<colon].count {
            case 19 where Self.isSame(line[..<colon], "content-disposition"): name = name ?? Self.name(in: value)
            case 16 where Self.isSame(line[..<colon], "content-encoding"): note(value)
            case 25 where Self.isSame(line[..<colon], "content-transfer-encoding"): note(value)
            default: break
            }
        }
    }

    private mutating func note(_ value: ArraySlice<UInt8>) {
        let coding = Self.trimmed(value)
        let isPlain = ["", "identity", "7bit", "8bit", "binary"].contains { Self.isSame(coding, $0) }
        if !isPlain { isEncoded = true }
    }

    /// The parameter `name` of a field (RFC 7578 §4.2).
    private static func name(in value: ArraySlice<UInt8>) -> String? {
        for part in value.split(separator: 0x3B).dropFirst() {
            guard let sign = part.firstIndex(of: 0x3D), isSame(trimmed(part[..<sign]), "name") else { continue }
            let text = trimmed(part[(sign + 1)...])
            return String(decoding: text, as: UTF8.self).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return nil
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
