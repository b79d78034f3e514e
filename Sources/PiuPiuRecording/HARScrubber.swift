import PiuPiuAsync

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

    /// A name without what services spell differently.
    static func normalized(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// Whether a field of a form is a secret.
    func isSecret(_ name: String) -> Bool {
        let name = Self.normalized(HARTarget.formDecoded(name))
        return items.contains(name) || fields.contains(name)
    }

    /// A URL without user information and without secrets in its query and fragment.
    func url(_ url: String) -> String {
        field(Redaction.withoutUserInformation(url))
    }

    /// The value of a header field without secrets in the URLs it has.
    func field(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x3D || $0 == 0x40 }) else { return value }
        let value = Redaction.withoutUserInformation(inText: value)
        return String(decoding: redactingItems(Array(value.utf8)), as: UTF8.self)
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
        if let encoding = Self.wideEncoding(data, type) {
            // Two or four bytes a character; of one that was cut off the last part is no loss.
            let whole = data.prefix(data.count & ~3)
            if let text = String(data: data, encoding: encoding) ?? String(data: whole, encoding: encoding) {
                let scrubbed = body(Data(text.utf8), type: String(type.prefix { $0 != ";" }), keepsShape: keepsShape)
                if scrubbed != Data(text.utf8) {
                    let wide = String(decoding: scrubbed, as: UTF8.self).data(using: encoding)
                    return wide ?? Data(Redaction.placeholder.utf8)
                }
            }
            // It may not be what it seems to be. Without its zeros, it would show what it hides.
            let narrow = data.filter { $0 != 0 }
            if narrow.count < data.count {
                let scrubbed = body(narrow, type: String(type.prefix { $0 != ";" }), keepsShape: keepsShape)
                return scrubbed == narrow ? data : Data(Redaction.placeholder.utf8)
            }
        }
        // Also what is not quite UTF-8: a text that was cut off inside of a character, or one in another charset.
        guard !Self.isBinary(type) || String(lossless: data) != nil else { return data }
        // A text of no type in particular may be a form as well.
        let subtype = MediaType(type)?.subtype
        let isForm = subtype.map { ["x-www-form-urlencoded", "plain"].contains($0) } ?? true
        let items = redactingItems(Array(data), isForm: isForm, isText: subtype != "x-www-form-urlencoded")
        return Data(HARJSONScrubber(items, keepsShape: keepsShape, isSecret: isSecretField).scrubbed())
    }

    /// The encoding of a text whose characters are more than bytes; `nil` for all others.
    private static func wideEncoding(_ data: Data, _ type: String) -> String.Encoding? {
        switch type.charset {
        case "utf-16": return .utf16
        case "utf-16le": return .utf16LittleEndian
        case "utf-16be": return .utf16BigEndian
        case "utf-32": return .utf32
        default: break
        }
        guard !isBinary(type) else { return nil }
        // A byte order mark, or a first character of JSON or of a form, which is ASCII.
        switch (data.first, data.dropFirst().first) {
        case (0xFF, 0xFE), (0xFE, 0xFF): return .utf16
        case (let first?, 0) where first != 0 && !type.isEmpty: return .utf16LittleEndian
        case (0, let second?) where second != 0 && !type.isEmpty: return .utf16BigEndian
        default: return nil
        }
    }

    /// Whether content of a type is no text.
    private static func isBinary(_ type: String) -> Bool {
        guard let type = MediaType(type) else { return false }
        if ["image", "audio", "video", "font", "model"].contains(type.type) { return !type.subtype.hasSuffix("+xml") }
        return type.type == "application"
            && ["octet-stream", "zip", "gzip", "pdf", "wasm", "x-protobuf", "protobuf", "cbor", "msgpack"]
                .contains(type.subtype)
    }

    private func isSecretField(_ name: String) -> Bool {
        fields.contains(Self.normalized(name))
    }

    // MARK: Parts of a form

    private func multipart(_ data: Data, boundary: String, keepsShape: Bool) -> Data {
        let delimiter = Data("--\(boundary)".utf8)
        let blankLine = ByteSearch(Data("\r\n\r\n".utf8))
        var result = Data()
        for (index, piece) in data.pieces(between: delimiter).enumerated() {
            if index > 0 { result += delimiter }
            result += part(piece, blankLine, keepsShape)
        }
        return result
    }

    private func part(_ part: Data, _ blankLine: ByteSearch, _ keepsShape: Bool) -> Data {
        // Without a head it is no part, and may be anything.
        guard let end = blankLine.firstPlace(in: part, from: part.startIndex) else {
            return body(Data(part), type: "", keepsShape: keepsShape)
        }
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

    /// Replaces the values of secret items after `?`, `&` and `#`, and at the beginning of a form.
    ///
    /// In a text, a URL may end at an apostrophe or a backslash, which elsewhere are a part of it.
    private func redactingItems(_ bytes: [UInt8], isForm: Bool = false, isText: Bool = false) -> [UInt8] {
        guard bytes.contains(0x3D) || bytes.contains(0x5C) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        var mayBegin = isForm
        while position < bytes.count {
            if mayBegin, let value = valueOfSecretItem(bytes, at: position, isForm: isForm, isText: isText) {
                result += bytes[position..<value] + Array("%3Credacted%3E".utf8)
                position = value
                while position < bytes.count {
                    let (byte, length) = Self.character(bytes, position)
                    if Self.endsItem(byte, isText) { break }
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
    private func valueOfSecretItem(_ bytes: [UInt8], at start: Int, isForm: Bool, isText: Bool) -> Int? {
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
            // What follows a question mark is looked at when it is reached.
            if byte == 0x3F || Self.endsItem(byte, isText) { return nil }
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

    /// What cannot be a part of an item: `&`, `#`, and what no URL has; in a text also what ends one there.
    private static func endsItem(_ byte: UInt8, _ isText: Bool) -> Bool {
        switch byte {
        case 0x26, 0x23, 0x22, 0x3C, 0x3E, 0...0x20: true
        case 0x27, 0x5C: isText
        default: false
        }
    }
}
