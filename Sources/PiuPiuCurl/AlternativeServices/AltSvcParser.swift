import PiuPiuAsync
import PiuPiuEngine

/// Parses the `Alt-Svc` header field (RFC 7838 §3), in one pass over its bytes.
///
///     h3=":443"; ma=86400, h3="other.example:8443"; persist=1
///
/// An alternative that breaks the syntax is skipped up to the next comma, so that it does not hide the others.
struct AltSvcParser {
    /// The largest number of alternatives to read from a response; no server needs as many.
    static let maximumCount = 32
    /// How long an alternative without an age may be used (RFC 7838 §3.1), in seconds.
    static let defaultAge = 86_400
    /// The longest time that an alternative may be used, in seconds: thirty days.
    static let maximumAge = 30 * 86_400

    /// Another place that serves an origin.
    struct Alternative: Hashable, Sendable {
        /// The name of the protocol (RFC 7301), without percent-encoding.
        var protocolName: [UInt8]
        /// The host in lower case; empty for that of the origin.
        var host = ""
        var port: Int
        /// How long the alternative may be used, in seconds, at most ``AltSvcParser/maximumAge``.
        var age = AltSvcParser.defaultAge
    }

    /// The content of the field, which replaces all earlier content.
    enum Advertisement: Hashable, Sendable {
        /// There are no alternatives any more.
        case clear
        /// These are the alternatives, the preferred ones first.
        case alternatives([Alternative])
    }

    private let bytes: [UInt8]
    private var position = 0

    private init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// Parses the values of the field's lines, and returns at most ``maximumCount`` alternatives, or `clear` if any line
    /// contains it.
    static func advertisement(in values: some Sequence<String>) -> Advertisement {
        var alternatives: [Alternative] = []
        for value in values {
            var parser = AltSvcParser(value)
            while parser.skipToElement() {
                if parser.takeClear() { return .clear }
                let alternative = parser.alternative()
                if let alternative, parser.isAtEndOfElement, alternatives.count < maximumCount {
                    alternatives.append(alternative)
                }
                parser.skipElement()
            }
        }
        return .alternatives(alternatives)
    }

    // MARK: Elements

    private var isAtEndOfElement: Bool { position == bytes.count || bytes[position] == UInt8(ascii: ",") }

    private mutating func skipToElement() -> Bool {
        skip { $0.isHTTPWhitespace || $0 == UInt8(ascii: ",") }
        return position < bytes.count
    }

    /// Skips to the comma that ends an element; a comma within quotes does not end it.
    private mutating func skipElement() {
        while position < bytes.count, bytes[position] != UInt8(ascii: ",") {
            if bytes[position] == UInt8(ascii: "\"") { _ = quotedString() } else { position += 1 }
        }
    }

    /// Takes the word `clear`, which is case-sensitive, if it is the whole element.
    private mutating func takeClear() -> Bool {
        let start = position
        if take(\.isTokenCharacter).elementsEqual("clear".utf8) {
            skip(\.isHTTPWhitespace)
            if isAtEndOfElement { return true }
        }
        position = start
        return false
    }

    private mutating func alternative() -> Alternative? {
        guard let name = Self.withoutPercents(take(\.isTokenCharacter)), takeByte("="),
            position < bytes.count, bytes[position] == UInt8(ascii: "\""), let authority = quotedString(),
            let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            let port = Self.number(authority[(colon + 1)...], atMost: 65_536), (1...65_535).contains(port),
            authority[..<colon].allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let host = String(decoding: authority[..<colon].map(\.asciiLowercased), as: UTF8.self)
        var alternative = Alternative(protocolName: name, host: host, port: port)
        skip(\.isHTTPWhitespace)
        var hasAge = false
        while takeByte(";") {
            guard let (name, value) = parameter() else { return nil }
            // Unknown parameters are ignored, and so is `persist`, because a change of the network goes unnoticed.
            if name == Array("ma".utf8), !hasAge {
                guard let age = Self.number(value[...], atMost: Self.maximumAge) else { return nil }
                alternative.age = age
                hasAge = true
            }
            skip(\.isHTTPWhitespace)
        }
        return alternative
    }

    private mutating func parameter() -> (name: [UInt8], value: [UInt8])? {
        skip(\.isHTTPWhitespace)
        let name = take(\.isTokenCharacter).map(\.asciiLowercased)
        guard !name.isEmpty, takeByte("=") else { return nil }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            let value = take(\.isTokenCharacter)
            return value.isEmpty ? nil : (name, Array(value))
        }
        return quotedString().map { (name, $0) }
    }

    // MARK: Parts

    /// Parses a quoted string (RFC 9110 §5.6.4), and returns its content; `nil` if it has no end.
    private mutating func quotedString() -> [UInt8]? {
        var output: [UInt8] = []
        position += 1
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return output }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count else { return nil }
                byte = bytes[position]
                position += 1
            }
            output.append(byte)
        }
        return nil
    }

    /// Returns the number that digits represent, or `limit` if it is larger; `nil` for other text.
    private static func number(_ text: ArraySlice<UInt8>, atMost limit: Int) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        var number = 0
        for byte in text where number < limit { number = number * 10 + Int(byte - 0x30) }
        return min(number, limit)
    }

    /// Returns a name without its percent-encoding (RFC 7838 §3); `nil` if it is empty or the encoding is broken.
    private static func withoutPercents(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard !text.isEmpty else { return nil }
        var output: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            output.append(high << 4 | low)
        }
        return output
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte.asciiLowercased {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte.asciiLowercased - 0x61 + 10
        default: nil
        }
    }

    private mutating func takeByte(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func skip(_ belongs: (UInt8) -> Bool) {
        _ = take(belongs)
    }

    private mutating func take(_ belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }
}

extension AltSvcParser.Alternative {
    /// Returns whether this is HTTP/3 (RFC 9114 §3.1.1) on the same host and port as an origin in the form of
    /// ``RequestTarget/origin``.
    func isHTTP3(of origin: String) -> Bool {
        guard protocolName.elementsEqual("h3".utf8) else { return false }
        return host.isEmpty ? origin.hasSuffix(":\(port)") : origin == "https://\(host):\(port)"
    }
}
