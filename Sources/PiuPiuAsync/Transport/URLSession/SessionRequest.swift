/// A request in the form in which it is handed to `URLSession`.
enum SessionRequest {
    /// Long enough that our own limits always come first: those of `URLSession` on Linux count whole seconds, and one that
    /// ends while a redirect is answered ends the process.
    static let patience: TimeInterval = 10_000_000

    /// Builds the request, with the fields that were validated and no others.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - prepared: The request, validated.
    ///   - body: What is sent.
    /// - Returns: The request; `nil` where the URL cannot be read.
    static func make(_ request: TransportRequest, _ prepared: PreparedRequest, body: Data?) -> URLRequest? {
        guard let url = URL(string: prepared.target.url) else { return nil }
        var result = URLRequest(
            url: url,
            cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: patience
        )
        result.httpMethod = prepared.method
        result.httpShouldHandleCookies = false
        result.networkServiceType = request.urlRequest.networkServiceType
        result.allowsCellularAccess = request.urlRequest.allowsCellularAccess
        result.httpBody = body
        for line in prepared.headerLines.split(separator: 0) {
            let line = String(decoding: line, as: UTF8.self)
            guard let end = line.firstIndex(where: { $0 == ":" || $0 == ";" }) else { continue }
            let value = line[end...].dropFirst().trimmingCharacters(in: .whitespaces)
            // "Name:" is for libcurl, and means to leave the field out.
            if line[end] == ":", value.isEmpty { continue }
            result.setValue(value, forHTTPHeaderField: String(line[..<end]))
        }
        // Where the field is missing, Foundation asks for codings.
        if !prepared.decodesContent, result.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            result.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        SessionPlatform.withoutInventedFields(&result)
        return result
    }

    /// What of a configuration, or of its own fields, a request cannot have.
    ///
    /// - Parameters:
    ///   - configuration: How to connect.
    ///   - prepared: The request, validated.
    /// - Returns: Why not; `nil` where it can.
    static func refusal(_ configuration: TransportConfiguration, _ prepared: PreparedRequest) -> SessionFailure? {
        guard prepared.proxyHeaderLines.isEmpty else {
            // It would send them to the origin.
            return SessionFailure(.unsupported, reason: "URLSession cannot send Proxy-Authorization to the proxy alone")
        }
        guard !prepared.decodesContent || prepared.options.decompression.maximumRatio == nil else {
            return SessionFailure(.unsupported, reason: "URLSession decompresses bodies without a limit")
        }
        return refusal(configuration, prepared.target)
    }

    /// What of a configuration a request cannot have.
    ///
    /// - Parameters:
    ///   - configuration: How to connect.
    ///   - target: Where to.
    /// - Returns: Why not; `nil` where it can.
    static func refusal(_ configuration: TransportConfiguration, _ target: RequestTarget) -> SessionFailure? {
        if target.isSecure, configuration.certificateAuthorityFile != nil {
            return SessionFailure(.unsupported, reason: "URLSession cannot be given authorities to trust")
        }
        if target.isSecure, configuration.http2 == .never {
            return SessionFailure(.unsupported, reason: "URLSession cannot be kept from HTTP/2")
        }
        return SessionPlatform.refusal(configuration, target)
    }
}
