/// Builds requests in the form that `URLSession` accepts.
enum SessionRequest {
    /// A timeout for `URLSession` that is long enough for the transport's own limits to come first.
    ///
    /// On Linux, the timeouts of `URLSession` count whole seconds, and a timeout that expires while a redirect is answered
    /// terminates the process.
    static let patience: TimeInterval = 10_000_000

    /// Builds the request with only the validated fields; returns `nil` if the URL cannot be parsed.
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
        prepared.fields.forEach { name, value in
            let value = String(decoding: value, as: UTF8.self).trimmingCharacters(in: .whitespaces)
            result.setValue(value, forHTTPHeaderField: String(decoding: name, as: UTF8.self))
        }
        // If the field is missing, Foundation requests content codings.
        if !prepared.decodesContent, result.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            result.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        SessionPlatform.withoutInventedFields(&result)
        return result
    }

    /// Returns the reason why `URLSession` does not support a configuration or a request; `nil` if it supports both.
    static func refusal(_ configuration: TransportConfiguration, _ prepared: PreparedRequest) -> ExchangeFailure? {
        guard configuration.requestGuard == nil else {
            // `URLSession` chooses the address by itself.
            return ExchangeFailure(.unsupported, reason: "URLSession cannot check addresses against a request guard")
        }
        guard prepared.proxyFields.isEmpty else {
            // `URLSession` would send the fields to the origin.
            let reason = "URLSession cannot send Proxy-Authorization to the proxy alone"
            return ExchangeFailure(.unsupported, reason: reason)
        }
        guard !prepared.sendsTrailers else {
            return ExchangeFailure(.unsupported, reason: "URLSession cannot send trailers")
        }
        guard !prepared.options.expectContinue.applies(to: prepared.kind.length) else {
            return ExchangeFailure(.unsupported, reason: "URLSession cannot wait for 100 Continue")
        }
        guard !prepared.decodesContent || prepared.options.decompression.maximumRatio == nil else {
            return ExchangeFailure(.unsupported, reason: "URLSession decompresses bodies without a limit")
        }
        guard prepared.options.maximumReceiveRate == nil, prepared.options.maximumSendRate == nil else {
            return ExchangeFailure(.unsupported, reason: "URLSession has no speed limits")
        }
        return refusal(configuration, prepared.target)
    }

    /// Returns the reason why `URLSession` does not support a configuration; `nil` if it supports it.
    static func refusal(_ configuration: TransportConfiguration, _ target: RequestTarget) -> ExchangeFailure? {
        if target.isSecure, configuration.certificateAuthorityFile != nil {
            return ExchangeFailure(.unsupported, reason: "URLSession cannot be given authorities to trust")
        }
        if target.isSecure {
            do {
                let rules = try TLSRules(configuration)
                // Pins apply to their hosts only.
                var usual = rules.usual
                usual.pins = [:]
                guard usual == TLSConfiguration(), rules.origin(for: target) == nil else {
                    return ExchangeFailure(.unsupported, reason: "URLSession cannot be given TLS settings")
                }
            } catch {
                return ExchangeFailure(error.code, reason: error.reason)
            }
        }
        if target.isSecure, configuration.http2 == .never {
            return ExchangeFailure(.unsupported, reason: "URLSession cannot turn HTTP/2 off")
        }
        if target.isSecure, configuration.http3 == .required {
            return ExchangeFailure(.unsupported, reason: "URLSession cannot require HTTP/3")
        }
        if !target.isSecure, configuration.speaksHTTP2WithoutTLS(target) {
            return ExchangeFailure(.unsupported, reason: "URLSession cannot speak HTTP/2 without TLS")
        }
        if configuration.network != NetworkConfiguration() {
            return ExchangeFailure(.unsupported, reason: "URLSession has no settings of the network")
        }
        if configuration.routes.hasInvalidOrigin || configuration.routes[target] != nil {
            return ExchangeFailure(.unsupported, reason: "URLSession connects only to the URL's own host and port")
        }
        switch configuration.proxy {
        case .environment, .none: break
        case .server, .function:
            return ExchangeFailure(.unsupported, reason: "URLSession cannot be given a proxy")
        }
        return SessionPlatform.refusal(configuration, target)
    }
}
