/// The SHA-256 digest of a server's accepted public key.
///
/// The digest is that of the certificate's SubjectPublicKeyInfo (RFC 7469 §2.4), which does not change if a certificate
/// is renewed with the same key:
///
///     openssl x509 -in certificate.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
///
/// Descriptions and errors do not show it.
public struct SPKIPin: Sendable, Hashable {
    /// The number of bytes of a digest.
    public static let length = 32

    /// The digest.
    public let digest: Data

    /// Creates a pin from a digest.
    ///
    /// - Parameter digest: The 32 bytes of the digest.
    /// - Throws: ``TransportError`` with the code `unsupported` if it does not have 32 bytes.
    public init(digest: Data) throws(TransportError) {
        guard digest.count == Self.length else { throw TLSFault.error("A pin must have 32 bytes") }
        self.digest = Data(digest)
    }

    /// Creates a pin from a digest in Base64 (RFC 4648 §4).
    ///
    /// - Parameter base64: The 44 characters, as in the header field `Public-Key-Pins` (RFC 7469 §2.1.1), or with the
    ///   prefix `sha256//` as for `curl`.
    /// - Throws: ``TransportError`` with the code `unsupported` if they are not 32 bytes in Base64. The error does not
    ///   quote them.
    public init(base64: String) throws(TransportError) {
        let prefix = "sha256//"
        let text = base64.hasPrefix(prefix) ? String(base64.dropFirst(prefix.count)) : base64
        guard let digest = Data(base64Encoded: text), digest.base64EncodedString() == text else {
            throw TLSFault.error("A pin must be 32 bytes in Base64")
        }
        try self.init(digest: digest)
    }
}

extension SPKIPin: Redacted {
    /// Nothing.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
