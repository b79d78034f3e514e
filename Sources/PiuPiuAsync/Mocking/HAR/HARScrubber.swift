/// Replaces the secrets in URLs, header fields and bodies.
///
/// It looks at bytes and not at parsed values: what is no secret stays as it was, to the last blank, and a body that was
/// cut off or is not quite JSON is looked through all the same.
struct HARScrubber {
    private let items: Set<String>
    private let fields: Set<String>

    init(_ redaction: HARRedaction) {
        items = Set(redaction.queryItems.map(Self.normalized))
        fields = Set(redaction.fields.map(Self.normalized))
    }

    private static func normalized(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// Whether a field of a form is a secret.
    func isSecret(_ name: String) -> Bool {
        let name = Self.normalized(HARTarget.formDecoded(name))
        return items.contains(name) || fields.contains(name)
    }

    /// A URL without user information and without secrets in its query and fragment.
    func url(_ url: String) -> String {
        String(decoding: redactingItems(Array(Self.withoutUserInformation(url).utf8)), as: UTF8.self)
    }

    /// The value of a header field without secrets in the URLs it has.
    func field(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x3D || $0 == 0x40 }) else { return value }
        return url(value)
    }

    /// A body without secrets.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - type: Its content type.
    ///   - keepsShape: Whether values in JSON have to stay of their kind.
    /// - Returns: The body; as it was where it has no secret.
    func body(_ data: Data, type: String, keepsShape: Bool) -> Data {
        if type.lowercased().hasPrefix("multipart/"), let boundary = type.parameter("boundary"), !boundary.isEmpty {
            return multipart(data, boundary: boundary, keepsShape: keepsShape)
        }
        guard String(lossless: data) != nil else { return data }
        // A text of no type in particular may be a form as well.
        let isForm = MediaType(type).map { ["x-www-form-urlencoded", "plain"].contains($0.subtype) } ?? true
        let bytes = redactingItems(Array(data), isForm: isForm)
        return Data(HARJSONScrubber(bytes, keepsShape: keepsShape, isSecret: isSecretField).scrubbed())
    }

    private func isSecretField(_ name: String) -> Bool {
        fields.contains(Self.normalized(name))
    }

    // MARK: Parts of a form

    private func multipart(_ data: Data, boundary: String, keepsShape: Bool) -> Data {
        let delimiter = Data("--\(boundary)".utf8)
        let blankLine = Data("\r\n\r\n".utf8)
        var result = Data()
        var rest = data[...]
        while let range = rest.range(of: delimiter) {
            result += part(rest[..<range.lowerBound], blankLine, keepsShape) + delimiter
            rest = rest[range.upperBound...]
        }
        return result + part(rest, blankLine, keepsShape)
    }

    private func part(_ part: Data, _ blankLine: Data, _ keepsShape: Bool) -> Data {
        guard let end = part.range(of: blankLine) else { return Data(part) }
        let head = String(decoding: part[..<end.lowerBound], as: UTF8.self)
        let content = Data(part[end.upperBound...])
        let name = head.split(whereSeparator: \.isNewline).lazy
            .filter { $0.lowercased().hasPrefix("content-disposition:") }
            .compactMap { String($0).parameter("name") }.first
        if let name, isSecret(name) {
            let lineEnd = content.suffix(2) == Data("\r\n".utf8) ? "\r\n" : ""
            return Data(part[..<end.upperBound]) + Data((Redaction.placeholder + lineEnd).utf8)
        }
        return Data(part[..<end.upperBound]) + body(content, type: "", keepsShape: keepsShape)
    }

    // MARK: URLs

    /// Cuts user information out of every authority (RFC 3986 §3.2).
    static func withoutUserInformation(_ text: String) -> String {
        guard text.utf8.contains(0x40) else { return text }
        var result = ""
        var rest = text[...]
        while let slashes = rest.range(of: "//") {
            let end = rest[slashes.upperBound...].firstIndex { "/?#<>\"' ".contains($0) } ?? rest.endIndex
            let authority = rest[slashes.upperBound..<end]
            // Only what follows a scheme or begins a reference is an authority, and no part of a path.
            let before = rest[..<slashes.lowerBound].last
            let isAuthority = before == ":" || before == nil && result.isEmpty || before == "<" || before == "\""
            let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
            result += rest[..<slashes.upperBound] + (isAuthority ? host ?? authority : authority)
            rest = rest[end...]
        }
        return result + rest
    }

    /// Replaces the values of secret items after `?`, `&` and `#`, and at the beginning of a form.
    private func redactingItems(_ bytes: [UInt8], isForm: Bool = false) -> [UInt8] {
        guard bytes.contains(0x3D) || bytes.contains(0x5C) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        var mayBegin = isForm
        while position < bytes.count {
            if mayBegin, let value = valueOfSecretItem(bytes, at: position, isForm: isForm) {
                result += bytes[position..<value] + Array("%3Credacted%3E".utf8)
                position = value
                while position < bytes.count {
                    let (byte, length) = Self.character(bytes, position)
                    if Self.endsItem(byte) { break }
                    position += length
                }
                mayBegin = false
                continue
            }
            let (byte, length) = Self.character(bytes, position)
            mayBegin = byte == 0x3F || byte == 0x26 || byte == 0x23
            result += bytes[position..<(position + length)]
            position += length
        }
        return result
    }

    /// Where the value of an item begins, if its name is on the list.
    private func valueOfSecretItem(_ bytes: [UInt8], at start: Int, isForm: Bool) -> Int? {
        var name: [UInt8] = []
        var position = start
        // Names are short; a long one is not looked up.
        while position < bytes.count, name.count < 256 {
            let (byte, length) = Self.character(bytes, position)
            position += length
            if byte == 0x3D {
                let name = HARTarget.formDecoded(String(decoding: name, as: UTF8.self))
                return items.contains(Self.normalized(name)) || isForm && isSecretField(name) ? position : nil
            }
            if Self.endsItem(byte) { return nil }
            name.append(byte)
        }
        return nil
    }

    /// A character and how many bytes it takes: in JSON, `/`, `&` and `=` may be escaped.
    private static func character(_ bytes: [UInt8], _ position: Int) -> (byte: UInt8, length: Int) {
        guard bytes[position] == 0x5C, position + 1 < bytes.count else { return (bytes[position], 1) }
        if bytes[position + 1] == 0x2F { return (0x2F, 2) }
        guard position + 5 < bytes.count, bytes[(position + 1)...].starts(with: "u00".utf8),
            let byte = UInt8(String(decoding: bytes[(position + 4)...(position + 5)], as: UTF8.self), radix: 16)
        else { return (0x5C, 1) }
        return (byte, 6)
    }

    /// What cannot be a part of an item: `&`, `#`, and what no URL has.
    private static func endsItem(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x26, 0x23, 0x22, 0x27, 0x3C, 0x3E, 0x5C, 0...0x20: true
        default: false
        }
    }
}
