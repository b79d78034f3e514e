/// Replaces the secrets in URLs, header fields and bodies.
///
/// The scrubber works on bytes, not on parsed values: everything but the secrets keeps its exact bytes, and a body that
/// is truncated or is not valid JSON is searched as well.
package struct SecretScrubber: Sendable {
    private let items: Set<String>
    private let fields: Set<String>

    /// The names that common services use for tokens, passwords and keys.
    package static let usualNames = [
        "access_token", "refresh_token", "id_token", "auth_token", "session_token", "csrf_token", "token", "password",
        "passwd", "pwd", "passphrase", "old_password", "new_password", "secret", "client_secret", "api_key",
        "api_secret", "access_key", "secret_key", "private_key", "session_id", "authorization", "credentials", "otp",
    ]

    /// Names that are usual in URLs and forms, but not elsewhere, for codes, assertions and signatures.
    package static let usualItemNames = [
        "key", "code", "code_verifier", "sig", "signature", "assertion", "client_assertion", "SAMLResponse",
        "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature", "X-Goog-Credential",
    ]

    /// Creates a scrubber.
    ///
    /// Names are compared without regard to case, `-` and `_`.
    ///
    /// - Parameters:
    ///   - items: Names of secret items in URLs and in URL-encoded forms.
    ///   - fields: Names of secret fields in JSON and forms.
    package init(items: [String], fields: [String]) {
        self.items = Set(items.map(Self.normalized))
        self.fields = Set(fields.map(Self.normalized))
    }

    /// Returns a name without the differences in how services spell it.
    ///
    /// - Parameter name: The name.
    /// - Returns: The name in lower case, without `-` and `_`.
    package static func normalized(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// Decodes a name or a value of a URL-encoded form.
    ///
    /// - Parameter text: The encoded text.
    /// - Returns: The text; escapes stay as they are if one of them is not valid.
    package static func formDecoded(_ text: some StringProtocol) -> String {
        let text = text.replacingOccurrences(of: "+", with: " ")
        return text.removingPercentEncoding ?? text
    }

    /// Returns whether a field of a form is a secret.
    ///
    /// - Parameter name: The name, encoded or not.
    /// - Returns: `true` if it is on a list.
    package func isSecret(_ name: String) -> Bool {
        let name = Self.normalized(Self.formDecoded(name))
        return items.contains(name) || fields.contains(name)
    }

    /// Returns a URL without user information and without secrets in its query and fragment.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The URL that may be shown.
    package func url(_ url: String) -> String {
        field(Redaction.withoutUserInformation(url))
    }

    /// Returns the value of a header field, without secrets in the URLs it contains.
    ///
    /// - Parameter value: The value.
    /// - Returns: The value that may be shown.
    package func field(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x3D || $0 == 0x40 }) else { return value }
        let value = Redaction.withoutUserInformation(inText: value)
        return String(decoding: redactingItems(Array(value.utf8)), as: UTF8.self)
    }

    /// Returns a body without secrets.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - type: Its content type.
    ///   - keepsShape: Whether values in JSON keep their type.
    /// - Returns: The body, unchanged if it contains no secret.
    package func body(_ data: Data, type: String, keepsShape: Bool) -> Data {
        if type.lowercased().hasPrefix("multipart/"), let boundary = type.parameter("boundary"), !boundary.isEmpty {
            return multipart(data, boundary: boundary, keepsShape: keepsShape)
        }
        if let encoding = Self.wideEncoding(data, type) {
            // A character has two or four bytes; the partial character at the end of a truncated text can be dropped.
            let whole = data.prefix(data.count & ~3)
            if let text = String(data: data, encoding: encoding) ?? String(data: whole, encoding: encoding) {
                let scrubbed = body(Data(text.utf8), type: String(type.prefix { $0 != ";" }), keepsShape: keepsShape)
                if scrubbed != Data(text.utf8) {
                    let wide = String(decoding: scrubbed, as: UTF8.self).data(using: encoding)
                    return wide ?? Data(Redaction.placeholder.utf8)
                }
            }
            // The encoding may be a wrong guess. If the text without its zero bytes has secrets, replace it all.
            let narrow = data.filter { $0 != 0 }
            if narrow.count < data.count {
                let scrubbed = body(narrow, type: String(type.prefix { $0 != ";" }), keepsShape: keepsShape)
                return scrubbed == narrow ? data : Data(Redaction.placeholder.utf8)
            }
        }
        // This includes text that is not valid UTF-8: text truncated within a character, or in another charset.
        guard !Self.isBinary(type) || String(lossless: data) != nil else { return data }
        // Text without a specific type may be a form as well.
        let subtype = MediaType(type)?.subtype
        let isForm = subtype.map { ["x-www-form-urlencoded", "plain"].contains($0) } ?? true
        let items = redactingItems(Array(data), isForm: isForm, isText: subtype != "x-www-form-urlencoded")
        return Data(JSONScrubber(items, keepsShape: keepsShape, isSecret: isSecretField).scrubbed())
    }

    /// The encoding of text with 16-bit or 32-bit code units; `nil` for all other text.
    private static func wideEncoding(_ data: Data, _ type: String) -> String.Encoding? {
        switch type.charset {
        case "utf-16": return .utf16
        case "utf-16le": return .utf16LittleEndian
        case "utf-16be": return .utf16BigEndian
        case "utf-32": return .utf32
        default: break
        }
        guard !isBinary(type) else { return nil }
        // A byte order mark, or the ASCII character at the beginning of JSON or of a form.
        switch (data.first, data.dropFirst().first) {
        case (0xFF, 0xFE), (0xFE, 0xFF): return .utf16
        case (let first?, 0) where first != 0 && !type.isEmpty: return .utf16LittleEndian
        case (0, let second?) where second != 0 && !type.isEmpty: return .utf16BigEndian
        default: return nil
        }
    }

    /// Whether content of a type is not text.
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
        // A part without a head is not a valid part and may be anything.
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
    /// In text, a URL may end at an apostrophe or a backslash, which elsewhere are part of it.
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

    /// The position of an item's value, if the item's name is on the list.
    private func valueOfSecretItem(_ bytes: [UInt8], at start: Int, isForm: Bool, isText: Bool) -> Int? {
        var name: [UInt8] = []
        var position = start
        // Names are short, so a long name is not looked up.
        while position < bytes.count, name.count < 256 {
            let (byte, length) = Self.character(bytes, position)
            position += length
            if byte == 0x3D {
                let name = Self.formDecoded(String(decoding: name, as: UTF8.self))
                return items.contains(Self.normalized(name)) || isForm && isSecretField(name) ? position : nil
            }
            // Items after a question mark are checked when the loop reaches them.
            if byte == 0x3F || Self.endsItem(byte, isText) { return nil }
            name.append(byte)
        }
        return nil
    }

    /// A character and its length in bytes: in JSON, `/`, `&` and `=` may be escaped.
    private static func character(_ bytes: [UInt8], _ position: Int) -> (byte: UInt8, length: Int) {
        guard bytes[position] == 0x5C, position + 1 < bytes.count else { return (bytes[position], 1) }
        if bytes[position + 1] == 0x2F { return (0x2F, 2) }
        guard position + 5 < bytes.count, bytes[(position + 1)...].starts(with: "u00".utf8),
            let byte = UInt8(String(decoding: bytes[(position + 4)...(position + 5)], as: UTF8.self), radix: 16)
        else { return (0x5C, 1) }
        return (byte, 6)
    }

    /// Whether a byte ends an item: `&`, `#`, bytes that no URL contains, and in text the end of a URL.
    private static func endsItem(_ byte: UInt8, _ isText: Bool) -> Bool {
        switch byte {
        case 0x26, 0x23, 0x22, 0x3C, 0x3E, 0...0x20: true
        case 0x27, 0x5C: isText
        default: false
        }
    }
}
