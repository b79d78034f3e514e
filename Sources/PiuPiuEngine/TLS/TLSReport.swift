#if os(Linux)
/// The details of a failed handshake or record, or of settings that could not be loaded.
///
/// Prefer the numbers to the text, which differs between versions of OpenSSL. A report contains no keys, passphrases or pins.
package struct TLSReport: Error, Sendable {
    /// A check of the engine itself, in addition to those of OpenSSL.
    package enum Check: Sendable, Hashable {
        /// None of the engine's checks: OpenSSL or the server gave up.
        case none
        /// No certificate can be checked for the host.
        case name
        /// The server's key is not one of the pins.
        case pin
        /// The stapled OCSP response says that the certificate was revoked, or is missing or unusable.
        case status(revoked: Bool)
        /// The server chose a protocol (ALPN) that was not offered.
        case applicationProtocol
        /// The client's certificate or key is unusable.
        case identity
        /// The authorities or the revocation lists are unusable.
        case authorities
        /// No cipher suite of a list is known.
        case ciphers
        /// OpenSSL itself cannot be used.
        case library
    }

    /// The check that refused the connection.
    package var check: Check
    /// The result of the verification, X509_V_ERR_… of `openssl/x509_vfy.h`; 0 if it refused nothing.
    package var verification = 0
    /// The index in the chain of the certificate that the verification refused, 0 for the server's own; `nil` for none.
    package var depth: Int?
    /// The fatal alert that the server sent (RFC 8446 §6); `nil` for none.
    package var alert: UInt8?
    /// OpenSSL's reason, SSL_R_… of `openssl/sslerr.h`; `nil` for none.
    package var reason: Int?
    /// Whether the server asked for a client certificate.
    package var asksForCertificate = false
    /// Whether the client had a certificate when the server asked.
    package var hasCertificate = false
    /// Whether the server presented a certificate.
    package var sawCertificate = false
    /// The refused certificate, or otherwise the server's own, in DER; `nil` for none.
    package var certificate: [UInt8]?
    /// Why the client's certificate or key is unusable; `nil` for every other check.
    package var identityFlaw: IdentityFlaw?
    /// The failure in words.
    package var text: String

    /// Creates a report without details.
    package init(_ check: Check, _ text: String) {
        self.check = check
        self.text = text
    }

    /// Creates a report of a failed call, with the cause from OpenSSL's queue.
    static func failedCall(_ check: Check, _ what: String) -> TLSReport {
        var report = TLSReport(check, what)
        guard let error = OpenSSLError.first else { return report }
        report.reason = error.tlsReason
        report.text += ": " + error.text
        return report
    }
}
#endif
