import PiuPiuEngine

/// Why a TLS handshake failed, and what to do about it.
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
/// ``TransportError/tlsFailure`` has it if the error's code is ``TransportError/Code/tls``.
public struct TLSFailure: Sendable, Hashable {
    /// What went wrong.
    public var kind: Kind
    /// Whether the proxy's handshake failed, rather than that of the server behind it.
    public var isProxy: Bool
    /// The host that the certificate has to be for; `nil` if it is not known.
    public var host: String?
    /// The certificate that was refused; `nil` if none was, or nothing is known of it.
    ///
    /// On Apple systems, nothing is known of it.
    public var certificate: Certificate?
    /// Which certificate of the chain was refused: 0 is the server's own, 1 is that of the authority which signed it, and
    /// so on; `nil` if none was, or it is not known.
    public var depth: Int?
    /// The alert that the other side sent (RFC 8446 §6), such as 48 for `unknown_ca`; `nil` if it is not known.
    public var alert: UInt8?
    /// Why the client's certificate or key is unusable; `nil` if it is not known.
    package var identityFlaw: IdentityFlaw?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - kind: What went wrong.
    ///   - isProxy: Whether the proxy's handshake failed.
    ///   - host: The host that the certificate has to be for.
    ///   - certificate: The certificate that was refused.
    ///   - depth: Which certificate of the chain was refused; 0 is the server's own.
    ///   - alert: The alert that the other side sent.
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
