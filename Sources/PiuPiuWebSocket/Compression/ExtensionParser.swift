/// Reads the value of `Sec-WebSocket-Extensions` (RFC 6455 §9.1).
///
///     extension-list = 1#extension
///     extension      = token *( ";" token [ "=" ( token | quoted-string ) ] )
struct ExtensionParser {
    struct Parameter: Equatable {
        var name: String
        /// The value, without quotes; `nil` if there is none.
        var value: String?
    }

    struct Extension: Equatable {
        var name: String
        var parameters: [Parameter] = []
    }

    private var rest: Substring.UTF8View

    /// Returns the extensions in their order.
    ///
    /// - Throws: A violation, if the value is malformed.
    static func parse(_ header: String) throws(WebSocketViolation) -> [Extension] {
        var parser = ExtensionParser(rest: Substring(header).utf8)
        var extensions: [Extension] = []
        while true {
            parser.skipWhitespace()
            // A list may have empty elements (RFC 9110 §5.6.1.2).
            if parser.take(",") { continue }
            guard !parser.rest.isEmpty else { return extensions }
            extensions.append(try parser.readExtension())
            parser.skipWhitespace()
            guard parser.rest.isEmpty || parser.take(",") else { throw malformed }
        }
    }

    private static let malformed = WebSocketViolation.protocolError(
        "The server answered a malformed list of extensions."
    )

    private mutating func readExtension() throws(WebSocketViolation) -> Extension {
        var result = Extension(name: try readToken())
        while true {
            skipWhitespace()
            guard take(";") else { return result }
            skipWhitespace()
            var parameter = Parameter(name: try readToken())
            skipWhitespace()
            if take("=") {
                skipWhitespace()
                parameter.value = rest.first == UInt8(ascii: "\"") ? try readQuoted() : try readToken()
            }
            result.parameters.append(parameter)
        }
    }

    private mutating func readToken() throws(WebSocketViolation) -> String {
        let token = rest.prefix { $0.isTokenCharacter }
        guard !token.isEmpty else { throw Self.malformed }
        rest = rest.dropFirst(token.count)
        return String(Substring(token))
    }

    /// Reads a string in quotes, which without them and without escapes must be a token (RFC 6455 §9.1).
    private mutating func readQuoted() throws(WebSocketViolation) -> String {
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                guard !value.isEmpty else { throw Self.malformed }
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), escaped.isTokenCharacter else { throw Self.malformed }
                value.append(escaped)
            default:
                guard byte.isTokenCharacter else { throw Self.malformed }
                value.append(byte)
            }
        }
        throw Self.malformed
    }

    private mutating func skipWhitespace() {
        rest = rest.drop { $0.isHTTPWhitespace }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
