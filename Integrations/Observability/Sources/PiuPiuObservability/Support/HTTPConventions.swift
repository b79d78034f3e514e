import PiuPiuAsync

/// OpenTelemetry's semantic conventions for HTTP, as far as they can be changed.
///
/// The observers follow the stable part of the conventions for
/// [spans](https://opentelemetry.io/docs/specs/semconv/http/http-spans/) and
/// [metrics](https://opentelemetry.io/docs/specs/semconv/http/http-metrics/) of HTTP clients.
public enum HTTPConventions {
    /// The methods that are shown by their names: those of RFC 9110, and `PATCH`.
    ///
    /// Any other is shown as `_OTHER`, because the values of `http.request.method` must be few.
    public static let knownMethods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ]

    /// What the conventions put in the place of values that are not known or too many.
    static let other = "_OTHER"

    /// The value of `network.protocol.version` for a version such as `HTTP/1.1`; `nil` if it is not known.
    static func protocolVersion(_ connection: ObservedConnection?) -> String? {
        guard let version = connection?.httpVersion, version.hasPrefix("HTTP/") else { return nil }
        return String(version.dropFirst(5))
    }

    /// Splits an address such as `127.0.0.1:80` or `[::1]:80` into its host and port.
    static func peer(_ connection: ObservedConnection?) -> (address: String, port: Int)? {
        guard let text = connection?.remoteAddress, let colon = text.lastIndex(of: ":") else { return nil }
        guard let port = Int(text[text.index(after: colon)...]) else { return nil }
        var address = text[..<colon]
        if address.hasPrefix("["), address.hasSuffix("]") { address = address.dropFirst().dropLast() }
        return address.isEmpty ? nil : (String(address), port)
    }
}

extension ObservedExchange {
    /// The value of `server.address`.
    var serverAddress: String {
        let host = host.lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// The value of `url.template`; `nil` after redirects, which lead to other paths.
    var urlTemplate: String? { redirectCount == 0 ? call.routeTemplate : nil }

    /// The value of `http.request.resend_count`: the number of requests that the call sent before.
    var resendCount: Int { number - 1 }
}
