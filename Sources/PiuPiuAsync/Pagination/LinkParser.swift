import PiuPiuEngine

/// Parses the `Link` header field (RFC 8288 appendix B.2), in one pass over its bytes.
///
/// What does not begin with `<` is skipped up to the next comma, so that one broken link does not hide the others.
struct LinkParser {
    /// The number of links of a response that are read; no server needs as many.
    static let maximumCount = 1000

    /// A link as it was sent.
    struct Link: Hashable, Sendable {
        /// The reference between the angle brackets, in any encoding.
        var reference: [UInt8]
        /// The parameters in order, with their names in lower case and their values without quotes.
        var parameters: [WebLink.Parameter] = []

        /// The reference as text.
        var target: String { LinkParser.text(reference[...]) }

        /// The value of the first parameter of a name; the others do not count (RFC 8288 §3).
        func value(of name: String) -> String? {
            parameters.first { $0.name == name }?.value
        }
    }

    private let bytes: [UInt8]
    private var position = 0

    private init(_ value: [UInt8]) {
        bytes = value
    }

    /// Parses the values of the field's lines.
    ///
    /// - Parameter values: The values.
    /// - Returns: The links in order, at most ``maximumCount``.
    static func links(in values: some Sequence<[UInt8]>) -> [Link] {
        var links: [Link] = []
        for value in values {
            var parser = LinkParser(value)
            while links.count < maximumCount, let link = parser.next() { links.append(link) }
        }
        return links
    }

    private mutating func next() -> Link? {
        while position < bytes.count {
            skip { $0.isHTTPWhitespace || $0 == UInt8(ascii: ",") }
            guard position < bytes.count, bytes[position] == UInt8(ascii: "<") else {
                skip { $0 != UInt8(ascii: ",") }
                continue
            }
            position += 1
            let target = take { $0 != UInt8(ascii: ">") }
            guard position < bytes.count else { return nil }
            position += 1
            var link = Link(reference: Array(target))
            while let parameter = nextParameter() { link.parameters.append(parameter) }
            return link
        }
        return nil
    }

    private mutating func nextParameter() -> WebLink.Parameter? {
        skip(\.isHTTPWhitespace)
        guard position < bytes.count, bytes[position] == UInt8(ascii: ";") else { return nil }
        position += 1
        skip(\.isHTTPWhitespace)
        let name = take { !$0.isHTTPWhitespace && !"=;,".utf8.contains($0) }
        var parameter = WebLink.Parameter(name: Self.text(name.map(\.asciiLowercased)[...]), value: "")
        skip(\.isHTTPWhitespace)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return parameter }
        position += 1
        skip(\.isHTTPWhitespace)
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            parameter.value = quotedString()
        } else {
            let value = take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            let end = value.lastIndex { !$0.isHTTPWhitespace }.map { $0 + 1 } ?? value.startIndex
            parameter.value = Self.text(value[..<end])
        }
        return parameter
    }

    /// Parses a quoted string (RFC 8288 appendix B.4); one without an end extends to the end of the field.
    private mutating func quotedString() -> String {
        var output: [UInt8] = []
        position += 1
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count else { break }
                byte = bytes[position]
                position += 1
            }
            output.append(byte)
        }
        return Self.text(output[...])
    }

    private mutating func skip(_ belongs: (UInt8) -> Bool) {
        _ = take(belongs)
    }

    private mutating func take(_ belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    /// Decodes UTF-8, and otherwise ISO 8859-1, as for other fields.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
