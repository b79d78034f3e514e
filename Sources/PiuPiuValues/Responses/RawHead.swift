/// The head of a response as bytes: a status line and field lines, each ended by CRLF.
///
/// Heads stay bytes until they are accessed: building strings and an `HTTPURLResponse` for every response takes more
/// than a quarter of a request's time.
package struct RawHead: Sendable {
    /// The bytes, from `HTTP/` to the last field line.
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The code of the status line (RFC 9112 §4); `nil` if the line or its version is invalid.
    var statusCode: Int? { StatusLine.code(of: bytes) }

    /// The version of the status line, such as `HTTP/1.1` or `HTTP/2`.
    package var version: String {
        String(decoding: bytes.prefix { $0 != 0x20 && $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    }

    /// The field lines, parsed; a line whose name is not a token (RFC 9110 §5.1) is left out.
    package var fields: HTTPHeaderFields {
        var fields = HTTPHeaderFields()
        forEachField { name, lines in
            if bytes[name].allSatisfy(\.isTokenCharacter) {
                fields.append(name: String(decoding: bytes[name], as: UTF8.self), value: value(of: lines))
            }
            return true
        }
        return fields
    }

    /// Returns the first value of a field, found without parsing the other lines.
    package func firstValue(of name: String) -> String? {
        var found: String?
        forEachValue(of: name) {
            found = $0
            return false
        }
        return found
    }

    /// Returns the values of all lines of a name, in order, found without parsing the other lines.
    package func values(of name: String) -> [String] {
        var found: [String] = []
        forEachValue(of: name) {
            found.append($0)
            return true
        }
        return found
    }

    /// Returns the values of a field as bytes, from which a URL can be made without knowing their encoding.
    func bytes(of name: String) -> [[UInt8]] {
        var found: [[UInt8]] = []
        forEachLine(of: name) {
            found.append(valueBytes(of: $0))
            return true
        }
        return found
    }

    /// Calls `body` with the value of each line of a name until it returns `false`.
    private func forEachValue(of name: String, _ body: (String) -> Bool) {
        forEachLine(of: name) { body(value(of: $0)) }
    }

    /// Calls `body` with the range of each value of a name until it returns `false`.
    private func forEachLine(of name: String, _ body: (Range<Int>) -> Bool) {
        let wanted = name.utf8
        guard wanted.allSatisfy(\.isTokenCharacter) else { return }
        forEachField { range, lines in
            guard range.count == wanted.count else { return true }
            for (byte, other) in zip(bytes[range], wanted) where byte.asciiLowercased != other.asciiLowercased {
                return true
            }
            return body(lines)
        }
    }

    /// Iterates over the fields until `body` returns `false` or the head ends.
    ///
    /// `lines` spans the field's value including its continuation lines, so that every reader sees the same value. A
    /// line without a name, and its continuation lines, are not a field and are skipped.
    func forEachField(_ body: (_ name: Range<Int>, _ lines: Range<Int>) -> Bool) {
        var position = endOfLine(from: 0) + 1
        while position < bytes.count {
            var end = endOfLine(from: position)
            let line = trimmed(position..<end)
            // An empty line ends the head; a line of white space does not.
            if line.isEmpty, !bytes[position].isHTTPWhitespace { return }
            while end + 1 < bytes.count, bytes[end + 1].isHTTPWhitespace { end = endOfLine(from: end + 1) }
            if !bytes[position].isHTTPWhitespace, let colon = bytes[line].firstIndex(of: 0x3A), colon > position {
                guard body(nameRange(position..<colon), (colon + 1)..<end) else { return }
            }
            position = end + 1
        }
    }

    /// Returns the position of the line feed that ends a line, or of the end of the head.
    private func endOfLine(from position: Int) -> Int {
        bytes.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            return rest.firstOffset(of: 0x0A).map { position + $0 } ?? bytes.count
        }
    }

    /// Returns a value as text; a line that begins with white space (obs-fold, RFC 9112 §5.2) is joined with a space.
    func value(of lines: Range<Int>) -> String {
        let value = trimmed(lines)
        guard bytes[value].contains(0x0A) else { return text(of: value) }
        return bytes[value].split(separator: 0x0A)
            .map { text(of: trimmed($0.startIndex..<$0.endIndex)) }
            .filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// Returns a value as ``value(of:)`` does, but as bytes.
    private func valueBytes(of lines: Range<Int>) -> [UInt8] {
        let value = trimmed(lines)
        let parts = bytes[value].split(separator: 0x0A).map { trimmed($0.startIndex..<$0.endIndex) }
        return Array(parts.filter { !$0.isEmpty }.map { bytes[$0] }.joined(separator: [0x20]))
            .map { $0 == 0x00 || $0 == 0x0D ? 0x20 : $0 }
    }

    /// Returns the range of a name without the white space between it and the colon.
    ///
    /// A CR stays, so that the name is not a token: the code that reads the framing does not find a field in
    /// `Content-Length\r: 5` either.
    private func nameRange(_ range: Range<Int>) -> Range<Int> {
        var upper = range.upperBound
        while upper > range.lowerBound, bytes[upper - 1].isHTTPWhitespace { upper -= 1 }
        return range.lowerBound..<upper
    }

    /// Returns the range without leading and trailing white space and line ends.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        func isBlank(_ byte: UInt8) -> Bool { byte.isHTTPWhitespace || byte == 0x0D || byte == 0x0A }
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, isBlank(bytes[lower]) { lower += 1 }
        while upper > lower, isBlank(bytes[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// Decodes UTF-8, and otherwise ISO 8859-1 (RFC 9110 §5.5), so that no header can make a response fail.
    ///
    /// NUL and CR, which a value must not contain, become spaces, as the same section allows.
    private func text(of range: Range<Int>) -> String {
        let slice = bytes[range]
        guard !slice.contains(where: { $0 == 0x00 || $0 == 0x0D }) else {
            return Self.text(of: slice.map { $0 == 0x00 || $0 == 0x0D ? 0x20 : $0 })
        }
        return Self.text(of: slice)
    }

    private static func text(of bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension RawHead: Redacted {
    /// The status line and the number of bytes, without the fields.
    package var shown: KeyValuePairs<String, Any> {
        ["version": version, "statusCode": statusCode.map { "\($0)" } ?? "none", "length": bytes.count]
    }
}
