/// The cause of a failed TLS handshake, and the remedy.
///
/// ```swift
/// do {
///     let response = try await dispatcher.data(for: request)
///     print(response)
/// } catch TLSFailure.Kind.expired {
///     print("The server's certificate has expired.")
/// } catch let error as TransportError where error.tlsFailure != nil {
///     print(error.reason, error.recoverySuggestion ?? "")
/// }
/// ```
///
/// ``TransportError/tlsFailure`` contains it if the error's code is ``TransportError/Code/tls``.
public struct TLSFailure: Sendable, Hashable {
    /// The kind of failure.
    public var kind: Kind
    /// Whether the handshake with the proxy failed, rather than the one with the server behind it.
    public var isProxy: Bool
    /// The host that the certificate must be valid for; `nil` if it is unknown.
    public var host: String?
    /// The refused certificate; `nil` if none was refused, or it is unknown.
    ///
    /// On Apple systems, it is always unknown.
    public var certificate: Certificate?
    /// The position of the refused certificate in the chain: 0 is the server's own, 1 is that of the authority that signed it,
    /// and so on; `nil` if none was refused, or the position is unknown.
    public var depth: Int?
    /// The alert that the peer sent (RFC 8446 §6), such as 48 for `unknown_ca`; `nil` if it is unknown.
    public var alert: UInt8?
    /// The reason why the client's certificate or key is unusable; `nil` if it is unknown.
    package var identityFlaw: IdentityFlaw?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - kind: The kind of failure.
    ///   - isProxy: Whether the handshake with the proxy failed.
    ///   - host: The host that the certificate must be valid for.
    ///   - certificate: The refused certificate.
    ///   - depth: The position of the refused certificate in the chain; 0 is the server's own.
    ///   - alert: The alert that the peer sent.
    public init(
        _ kind: Kind,
        isProxy: Bool = false,
        host: String? = nil,
        certificate: Certificate? = nil,
        depth: Int? = nil,
        alert: UInt8? = nil
    ) {
        self.kind = kind
        self.isProxy = isProxy
        self.host = host
        self.certificate = certificate
        self.depth = depth
        self.alert = alert
    }
}
