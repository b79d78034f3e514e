/// The name that a server proposes for the file that it sends.
///
/// A server can send any name. The result is one name without a folder, of at most 200 bytes, that is not hidden, does not
/// look like an option of a command, and has no character that controls a terminal or reverses text. The code examines
/// scalars: a slash with a combining mark is one `Character`, but still a slash in a path.
package enum SuggestedFileName {
    private static let longest = 200
    /// The name if there is no other one.
    package static let none = "download"

    /// Returns the name of a response's file: the server's proposal, or else the last part of the URL's path.
    package static func name(for response: some ResponseInterface) -> String {
        response.suggestedFileName ?? response.urlResponse.url.flatMap(lastPart(of:)) ?? none
    }

    /// Returns the name in the field `Content-Disposition` (RFC 6266); `nil` if there is none that can be used.
    ///
    /// `filename*` takes precedence over `filename` (§4.3), and only the last part of a path counts.
    package static func proposed(by field: String) -> String? {
        let parameters = FieldScanner.parameters(of: field)
        return parameters["filename*"].flatMap(extended).flatMap(lastPart)
            ?? parameters["filename"].flatMap(lastPart)
    }

    /// Returns the last part of a URL's path as a name; `nil` if it cannot be one.
    package static func lastPart(of url: URL) -> String? {
        let path = url.path(percentEncoded: true)
        guard !path.hasSuffix("/"), let last = path.split(separator: "/").last,
            let name = String(last).removingPercentEncoding
        else { return nil }
        // A percent-encoded slash is a part of the name, which must not lead elsewhere.
        return name.unicodeScalars.contains(where: isSeparator) ? nil : cleaned(name)
    }

    private static func lastPart(of path: String) -> String? {
        path.unicodeScalars.split(whereSeparator: isSeparator).last.flatMap { cleaned(String($0)) }
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "\\" }

    /// Removes dangerous characters at the ends of a name; `nil` if nothing is left, or if the name has harmful characters.
    private static func cleaned(_ name: String) -> String? {
        guard !name.unicodeScalars.contains(where: isHarmful) else { return nil }
        var name = name.trimmingCharacters(in: .whitespaces).unicodeScalars[...]
        while let first = name.first, ".-~ ".unicodeScalars.contains(first) || isMark(first) { name = name.dropFirst() }
        while let last = name.last, ". ".unicodeScalars.contains(last) { name = name.dropLast() }
        let result = String(name)
        return result.isEmpty || result.utf8.count > longest ? nil : result
    }

    /// Whether a scalar modifies the preceding one, which is missing at the beginning of a name.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether a scalar must not be in a name: control and format characters, separators of lines, and U+FFFD.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: scalar == "\u{FFFD}"
        }
    }

    /// Decodes an extended value (RFC 8187 §3.2): a charset, a language, and percent-encoded bytes.
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let encoding = TextEncoding(label: parts[0]), let bytes = percentDecoded(parts[2])
        else { return nil }
        return encoding.text(of: bytes, isRepaired: false)
    }

    private static func percentDecoded(_ text: Substring) -> Data? {
        var bytes = Data()
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

extension ResponseInterface {
    /// The charset of the body's text that the field `Content-Type` names, in lower case; `nil` if it names none.
    public var charset: String? { field("Content-Type")?.charset }

    /// The name that the server proposes for the file it sends, in the field `Content-Disposition` (RFC 6266).
    ///
    /// It is one name without a folder, made safe: not hidden, at most 200 bytes, and without control characters or marks
    /// that reverse the direction of text. A file with that name may exist already.
    ///
    /// `nil` if the server proposes none, or one that cannot be used.
    public var suggestedFileName: String? { field("Content-Disposition").flatMap(SuggestedFileName.proposed) }

    private func field(_ name: String) -> String? {
        (urlResponse as? HTTPURLResponse)?.value(forHTTPHeaderField: name)
    }
}
