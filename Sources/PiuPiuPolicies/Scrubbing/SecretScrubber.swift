/// Replaces the secrets in URLs, header fields and bodies.
///
/// The scrubber works on bytes, not on parsed values: everything but the secrets keeps its exact bytes, and a truncated body or
/// invalid JSON is searched as well.
package struct SecretScrubber: Sendable {
    private let items: NameSet
    private let fields: NameSet
    /// The names of both lists.
    private let all: NameSet

    /// Names that are usual in URLs and forms, but not elsewhere, for codes and signatures.
    package static let usualItemNames = [
        "key", "code", "code_verifier", "pass", "sig", "signature", "SAMLResponse",
        "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature", "X-Goog-Credential",
    ]

    /// Names of header fields with secrets, which servers repeat in bodies, and names in their values.
    package static let usualFieldNames =
        ["Cookie", "Cookies", "Set-Cookie", "Proxy-Authorization"] + Redaction.usualNames

    /// Creates a scrubber.
    ///
    /// Names are compared by word, as ``NameSet`` does.
    ///
    /// - Parameters:
    ///   - items: Names of secret items in URLs and in URL-encoded forms.
    ///   - fields: Names of secret fields in JSON and forms, and of secret elements in XML.
    package init(items: [String], fields: [String]) {
        self.items = NameSet(items)
        self.fields = NameSet(fields)
        all = NameSet(items + fields)
    }

    /// Decodes a name or a value of a URL-encoded form; if an escape is not valid, all escapes stay.
    package static func formDecoded(_ text: some StringProtocol) -> String {
        let text = text.replacingOccurrences(of: "+", with: " ")
        return text.removingPercentEncoding ?? text
    }

    /// Returns whether a form field, with its name encoded or not, is a secret.
    package func isSecret(_ name: String) -> Bool {
        all.contains(Self.formDecoded(name))
    }

    /// Returns a URL without user information and without secrets in its query and fragment.
    package func url(_ url: String, _ replacement: SecretReplacement = .placeholder) -> String {
        field(Redaction.withoutUserInformation(url), replacement)
    }

    /// Returns the value of a header field, without secrets in its URLs.
    package func field(_ value: String, _ replacement: SecretReplacement = .placeholder) -> String {
        guard value.utf8.contains(where: { [0x25, 0x3D, 0x40].contains($0) }) else { return value }
        var value = Redaction.withoutUserInformation(inText: value)
        let scrubber = ItemScrubber(isSecret: items.contains, isForm: false, isText: false, replacement: replacement)
        return value.withUTF8 { scrubber.scrubbed($0) }.map { String(decoding: $0, as: UTF8.self) } ?? value
    }

    /// Replaces the secrets in a body.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - type: Its content type.
    ///   - keepsShape: Whether values in JSON keep their type.
    ///   - replacement: The replacement of a secret.
    /// - Returns: The body, unchanged if it contains no secret.
    package func body(
        _ data: Data,
        type: String,
        keepsShape: Bool,
        _ replacement: SecretReplacement = .placeholder
    ) -> Data {
        if type.lowercased().hasPrefix("multipart/"), let boundary = type.parameter("boundary"), !boundary.isEmpty {
            return multipart(data, boundary: boundary, keepsShape, replacement)
        }
        if let encoding = Self.wideEncoding(data, type) {
            // A character has two or four bytes; drop the partial character at the end of a truncated text.
            let whole = data.prefix(data.count & ~3)
            if let text = String(data: data, encoding: encoding) ?? String(data: whole, encoding: encoding) {
                let plain = String(type.prefix { $0 != ";" })
                let scrubbed = body(Data(text.utf8), type: plain, keepsShape: keepsShape, replacement)
                if scrubbed != Data(text.utf8) {
                    let wide = String(decoding: scrubbed, as: UTF8.self).data(using: encoding)
                    return wide ?? Data(Redaction.placeholder.utf8)
                }
            }
            // The encoding may be a wrong guess. If the text without its zero bytes contains secrets, replace it all.
            let narrow = data.filter { $0 != 0 }
            if narrow.count < data.count {
                let plain = String(type.prefix { $0 != ";" })
                let scrubbed = body(narrow, type: plain, keepsShape: keepsShape, replacement)
                return scrubbed == narrow ? data : Data(Redaction.placeholder.utf8)
            }
        }
        // This includes text that is not valid UTF-8: text truncated within a character, or in another charset.
        guard !ReadableBody.isBinary(type) || String(lossless: data) != nil else { return data }
        let isText = MediaType(type)?.subtype != "x-www-form-urlencoded"
        return scrubbedText(data, isText: isText, keepsShape, replacement) ?? data
    }

    /// Returns text without secrets; `nil` if it contains none.
    private func scrubbedText(_ data: Data, isText: Bool, _ keepsShape: Bool, _ replacement: SecretReplacement) -> Data?
    {
        // Any text may be a form or have lines of one, whatever its type says.
        let scrubber = ItemScrubber(isSecret: all.contains, isForm: true, isText: isText, replacement: replacement)
        let passes: [(UnsafeBufferPointer<UInt8>) -> [UInt8]?] = [
            { JSONScrubber.scrubbed($0, keepsShape: keepsShape, replacement, isSecretName: fields.contains) },
            { XMLScrubber.scrubbed($0, replacement, isSecretName: fields.contains) },
            { TagScrubber.scrubbed($0, replacement, isSecretName: fields.contains) },
            { PairScrubber.scrubbed($0, replacement, isSecretName: fields.contains) },
        ]
        var result = data.withUnsafeBytes { scrubber.scrubbed($0.assumingMemoryBound(to: UInt8.self)) }
        for pass in passes {
            let next =
                result.map { $0.withUnsafeBufferPointer(pass) }
                ?? data.withUnsafeBytes { pass($0.assumingMemoryBound(to: UInt8.self)) }
            if let next { result = next }
        }
        return result.map { Data($0) }
    }

    /// Returns the encoding of text with 16-bit or 32-bit code units; `nil` for all other text.
    private static func wideEncoding(_ data: Data, _ type: String) -> String.Encoding? {
        switch type.charset {
        case "utf-16": return .utf16
        case "utf-16le": return .utf16LittleEndian
        case "utf-16be": return .utf16BigEndian
        case "utf-32": return .utf32
        default: break
        }
        guard !ReadableBody.isBinary(type) else { return nil }
        // A byte order mark, or the ASCII character at the beginning of JSON or of a form.
        switch (data.first, data.dropFirst().first) {
        case (0xFF, 0xFE), (0xFE, 0xFF): return .utf16
        case (let first?, 0) where first != 0 && !type.isEmpty: return .utf16LittleEndian
        case (0, let second?) where second != 0 && !type.isEmpty: return .utf16BigEndian
        default: return nil
        }
    }

    // MARK: Parts of a form

    private func multipart(
        _ data: Data,
        boundary: String,
        _ keepsShape: Bool,
        _ replacement: SecretReplacement
    ) -> Data {
        let delimiter = Data("--\(boundary)".utf8)
        var result = Data()
        // The start of the bytes that are not copied yet.
        var copied = data.startIndex
        for piece in data.pieces(between: delimiter) {
            guard let shown = part(piece, keepsShape, replacement) else { continue }
            result += data[copied..<piece.startIndex]
            result += shown
            copied = piece.endIndex
        }
        return copied == data.startIndex ? data : result + data[copied...]
    }

    private static let blankLines = ["\r\n\r\n", "\n\n"].map { ByteSearch(Data($0.utf8)) }

    /// Returns a part without secrets; `nil` if it contains none.
    private func part(_ part: Data, _ keepsShape: Bool, _ replacement: SecretReplacement) -> Data? {
        // Some programs end lines with only a line feed.
        let ends = Self.blankLines.compactMap { $0.firstPlace(in: part, from: part.startIndex) }
        // A part without a head is not valid and may be anything.
        guard let end = ends.min(by: { $0.lowerBound < $1.lowerBound }) else {
            return scrubbedPart(part, keepsShape, replacement)
        }
        let content = part[end.upperBound...]
        let head = FormPartHead(part[..<end.lowerBound])
        if head.isEncoded || head.names.contains(where: isSecret) {
            let lineEnd = ["\r\n", "\n"].first { content.suffix($0.utf8.count).elementsEqual($0.utf8) } ?? ""
            let secret = content.dropLast(lineEnd.utf8.count)
            let placeholder = Array(Redaction.placeholder.utf8)
            let shown = head.isEncoded ? placeholder : replacement.text(for: secret, or: placeholder)
            return Data(part[..<end.upperBound]) + Data(shown) + Data(lineEnd.utf8)
        }
        return scrubbedPart(content, keepsShape, replacement).map { Data(part[..<end.upperBound]) + $0 }
    }

    /// Returns a part without secrets, whatever its type; `nil` if it contains none.
    private func scrubbedPart(_ part: Data, _ keepsShape: Bool, _ replacement: SecretReplacement) -> Data? {
        // Only a byte order mark proves another charset.
        guard let first = part.first, first >= 0xFE else {
            return scrubbedText(part, isText: true, keepsShape, replacement)
        }
        let data = Data(part)
        let scrubbed = body(data, type: "", keepsShape: keepsShape, replacement)
        return scrubbed == data ? nil : scrubbed
    }
}
