import HTTPTypes
import PiuPiuAsync

/// The URL of a request, made from `:scheme`, `:authority` and `:path` by stricter rules than those of a general parser.
///
/// If two parsers disagree about where the authority ends, a request can reach the wrong server. Each part may therefore
/// contain only what cannot be mistaken for another part. The dispatcher checks the host and the port once more.
enum RequestURL {
    /// Makes the URL.
    ///
    /// - Parameter request: The request.
    /// - Returns: The URL.
    /// - Throws: `TransportError` with the code `unsupportedScheme`, `invalidURL`, `unsupported` or `invalidRequest`.
    static func make(from request: HTTPRequest) throws(TransportError) -> URL {
        guard let scheme = request.scheme else { throw invalid("there is no scheme") }
        guard ["http", "https"].contains(scheme.lowercased()) else { throw TransportError(.unsupportedScheme) }
        let text = "\(scheme)://\(try authority(of: request))\(try path(of: request))"
        // Foundation must not change anything, so that nobody has to know how it does.
        guard let url = URL(string: text, encodingInvalidCharacters: false), url.absoluteString == text else {
            throw invalid("its parts do not make a URL")
        }
        guard url.host()?.isEmpty == false else { throw invalid("the authority has no host") }
        return url
    }

    private static func invalid(_ reason: String) -> TransportError {
        TransportError(.invalidURL, reason: "The request has no valid URL: \(reason)")
    }

    /// The host and the port: `:authority`, or `Host` if there is none (RFC 9113 §8.3.1).
    private static func authority(of request: HTTPRequest) throws(TransportError) -> String {
        let hosts = request.headerFields.filter(\.name.isHost).map(\.value)
        guard hosts.count <= 1 else {
            throw TransportError(.invalidRequest, reason: "The request has more than one Host (RFC 9112 §3.2)")
        }
        guard let authority = request.authority ?? hosts.first, !authority.isEmpty else {
            throw invalid("there is no authority")
        }
        if let host = hosts.first, host.lowercased() != authority.lowercased() {
            throw TransportError(.invalidRequest, reason: "Host is not the authority (RFC 9113 §8.3.1)")
        }
        let isLiteral = authority.hasPrefix("[")
        for byte in authority.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: continue
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"): continue
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"): if isLiteral { continue }
            case UInt8(ascii: "@"): throw invalid("the authority has user information (RFC 9113 §8.3.1)")
            default: break
            }
            throw invalid("the authority has a character that no host has")
        }
        return authority
    }

    /// The path and the query, which begin with a slash.
    private static func path(of request: HTTPRequest) throws(TransportError) -> String {
        guard let path = request.path else { throw invalid("there is no path") }
        guard path != "*" || request.method != .options else {
            throw TransportError(.unsupported, reason: "OPTIONS for a whole server (RFC 9110 §9.3.7) is not supported")
        }
        // An empty path is the same as a slash (RFC 9110 §4.2.3).
        let slash = path.isEmpty || path.hasPrefix("?") ? "/" : ""
        guard !slash.isEmpty || path.hasPrefix("/") else { throw invalid("the path does not begin with a slash") }
        var result = slash
        for scalar in path.unicodeScalars {
            switch scalar {
            case "#", "\\": throw invalid("the path has a number sign or a backslash")
            case "\"", "<", ">", "[", "]", "^", "`", "{", "|", "}":
                result += "%" + String(scalar.value, radix: 16, uppercase: true)
            case "!"..."~": result.unicodeScalars.append(scalar)
            default: throw invalid("the path has a space, a control character or a character that is not ASCII")
            }
        }
        return result
    }
}

extension HTTPField.Name {
    /// Whether it is the name of `Host`, which swift-http-types has no constant for.
    var isHost: Bool { canonicalName == "host" }
}
