/// Reads the value of a header field from its beginning to its end: tokens, quoted strings and parameters.
package struct FieldScanner {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether a quoted string did not end.
    package private(set) var isBroken = false

    package init(_ value: some Sequence<UInt8>) {
        bytes = Array(value)
    }

    /// The next byte; `nil` at the end.
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips a byte if it is the next one; returns whether it was.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Takes bytes while `belongs` is `true` for them.
    @discardableResult
    package mutating func take(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    /// Skips spaces and tabs.
    package mutating func skipBlanks() { take(while: \.isHTTPWhitespace) }

    /// Takes a quoted string (RFC 9110 §5.6.4) without its quotation marks; the next byte must be the first of them.
    ///
    /// A string without a closing quotation mark extends to the end of the value.
    package mutating func quotedString() -> [UInt8] {
        var content: [UInt8] = []
        position += 1
        while var byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return content }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { break }
                byte = escaped
                position += 1
            }
            content.append(byte)
        }
        isBroken = true
        return content
    }

    /// Takes the value after the equals sign of a parameter, without the white space around it.
    ///
    /// The value is a quoted string, or everything up to a separator.
    package mutating func parameterValue(endedBy separators: String.UTF8View) -> [UInt8] {
        skipBlanks()
        if next == UInt8(ascii: "\"") { return quotedString() }
        let value = take { !separators.contains($0) }
        return value.lastIndex { !$0.isHTTPWhitespace }.map { Array(value[...$0]) } ?? []
    }

    /// Returns the parameters of a value such as that of `Content-Type` (RFC 9110 §5.6.6), by their names in lower case.
    ///
    /// The value begins with something other than a parameter. The first value of each name that is not empty counts.
    static func parameters(of value: String) -> [String: String] {
        var parameters: [String: String] = [:]
        var scanner = FieldScanner(value.utf8)
        scanner.take { $0 != UInt8(ascii: ";") }
        while scanner.skip(";") {
            scanner.skipBlanks()
            let name = scanner.take { !"=;".utf8.contains($0) }
            guard scanner.skip("=") else { continue }
            let value = scanner.parameterValue(endedBy: ";".utf8)
            let key = String(decoding: name, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased()
            if parameters[key] == nil, !value.isEmpty { parameters[key] = String(decoding: value, as: UTF8.self) }
            scanner.take { $0 != UInt8(ascii: ";") }
        }
        return parameters
    }
}
