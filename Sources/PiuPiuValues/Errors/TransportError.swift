/// An error thrown if there is no complete response.
///
/// The request was not valid, the exchange failed, or a limit was reached.
///
/// ```swift
/// do {
///     let response = try await dispatcher.data(for: request)
///     print(response)
/// } catch TransportError.Code.timeout(.connect) {
///     // the server could not be reached in time
/// } catch let error as TransportError where error.isSafeToRetry {
///     // the server has not processed the request
/// }
/// ```
///
/// Its text contains the request, the duration of the call, the limit that was reached with its setting, and, with
/// `SocketTransport`, the activity of the call at that time. `failureReason` contains the usual cause, and
/// ``recoverySuggestion`` the remedy; <doc:ErrorReference> lists all.
///
/// An error contains no secrets: the values of sensitive header fields in ``request`` and ``response`` are replaced, and the
/// body and user information in URLs are left out.
public struct TransportError: Error, Sendable {
    /// The kind of the failure.
    public var code: Code
    /// More details as text, never with a header's value or a part of a body.
    public var reason: String
    /// The request, without its secrets and its body; `nil` if it had no URL.
    public var request: URLRequest?
    /// The head of the response, if it had arrived, without its secrets.
    public var response: ResponseHead?
    /// The number of bytes of the body that had arrived, after decompression.
    public var bytesReceived: Int
    /// The message of the underlying library, such as OpenSSL's text; with `SocketTransport`, also the activity of the call
    /// when it reached a limit.
    ///
    /// Quotations of a proxy's URL or of a header field are removed.
    public var underlyingDescription: String? {
        didSet { underlyingDescription = underlyingDescription.map { Redaction.message($0) } }
    }
    /// The cause of a TLS failure, and the remedy; `nil` unless ``code`` is ``Code/tls``.
    public var tlsFailure: TLSFailure?
    /// Whether the server has certainly not processed the request.
    ///
    /// If so, it is safe to send the request again, whatever its method.
    ///
    /// It is `true` if nothing was sent because no connection could be opened, and if an HTTP/2 server reported that it had not
    /// processed the request (RFC 9113 §8.7) more often than the transport tries again. It is `false` whenever the server may
    /// have received the request.
    public var isSafeToRetry: Bool
    /// The attempts that policies made before the error reached the caller, oldest first; the last one failed with it.
    public var attempts: [Attempt] = [.first]
    /// The known details of the proxy's failure; `nil` for codes other than `proxy`.
    public package(set) var proxyFailure: ProxyFailure?
    /// The limit that was reached, with its setting; `nil` if no limit caused the failure.
    public package(set) var limit: Limit?
    /// How long the call took until it failed, including all attempts and redirects; `nil` if no dispatcher measured it.
    public package(set) var elapsed: Duration?
    /// Whether this is the error of a refresh that a retry policy inside the refresh gave up on.
    package var isGivenUp = false

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - reason: More details as text; the code's own text by default.
    ///   - request: The request. Secrets are removed from it.
    ///   - response: The head of the response, if it had arrived. Secrets are removed from it, even if it repeats those
    ///     of the request.
    ///   - bytesReceived: The number of bytes of the body that had arrived.
    ///   - underlyingDescription: The message of the underlying library.
    ///   - isSafeToRetry: Whether the server has certainly not processed the request; by default, `code` alone decides.
    ///   - sensitiveHeaders: Names of secret header fields, in addition to the standard ones.
    public init(
        _ code: Code,
        reason: String? = nil,
        request: URLRequest? = nil,
        response: ResponseHead? = nil,
        bytesReceived: Int = 0,
        underlyingDescription: String? = nil,
        isSafeToRetry: Bool? = nil,
        sensitiveHeaders: [String] = []
    ) {
        self.code = code
        self.reason = reason ?? code.text
        let redaction = Redaction(additionalNames: sensitiveHeaders)
        self.request = request.flatMap { redaction.request($0) }
        self.response = response.map { redaction.head($0, answering: request) }
        self.bytesReceived = bytesReceived
        self.underlyingDescription = underlyingDescription.map { Redaction.message($0) }
        self.isSafeToRetry = isSafeToRetry ?? code.meansNothingWasSent
    }
}

extension TransportError: Redacted, CodedError {
    /// The error as a sentence, without secrets.
    public var description: String {
        let time = code.isRefusal ? nil : ErrorText.elapsed(elapsed, attempts: attempts.count)
        let text = reason + ErrorText.context([ErrorText.target(request), time], limit: limit)
        return text + (underlyingDescription.map { ": \($0)" } ?? "")
    }

    /// The code and the error as a sentence, without secrets.
    public var debugDescription: String { "TransportError.\(code): \(description)" }

    /// The usual cause of the failure; for TLS, the known details.
    public var failureReason: String? { tlsFailure.map { "\($0)." } ?? explanation.cause }

    /// The remedy, as one or two sentences.
    public var recoverySuggestion: String? { tlsFailure?.recoverySuggestion ?? explanation.remedy }

    package var failingURL: String? { request?.url.map { Redaction.standard.location(of: $0) } }

    /// The code and the error as a sentence, so that `dump` shows no secret and no body.
    package var shown: KeyValuePairs<String, Any> {
        ["code": code, "description": description, "bytesReceived": bytesReceived, "attempts": attempts.count]
    }
}
