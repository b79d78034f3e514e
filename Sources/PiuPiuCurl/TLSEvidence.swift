#if os(Linux)
import CurlShim
import PiuPiuAsync

/// All details of a failed handshake, which determine its ``kind``.
///
/// Numbers take precedence over text, which differs between the versions of libcurl and OpenSSL.
struct TLSEvidence {
    /// The result of libcurl, CURLE_….
    var code: Int32
    /// The result of the verification, X509_V_ERR_…; libcurl reports 1 before there is a result.
    var verification = 0
    /// The index of the certificate that the result is about.
    var depth: Int?
    /// The alert that the peer sent.
    var alert: UInt8?
    /// Whether the peer asked for a client certificate.
    var asksForCertificate = false
    /// Whether the client had a certificate.
    var hasCertificate = false
    /// Whether the peer presented a certificate.
    var sawCertificate = false
    /// libcurl's text.
    var text = ""

    /// The kind of the failure.
    var kind: TLSFailure.Kind {
        if let kind = TLSNumbers.kind(ofVerification: verification) { return kind }
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .pinMismatch
        // libcurl has one code for all faults of the stapled status.
        case PP_CURLE_SSL_INVALIDCERTSTATUS:
            let isRevoked = text.contains("revoked") || text.contains("revocation reason")
            return isRevoked ? .statusRevoked : .statusMissing
        case PP_CURLE_SSL_CRL_BADFILE, PP_CURLE_SSL_CACERT_BADFILE: return .authoritiesUnusable
        case PP_CURLE_SSL_ISSUER_ERROR: return .unknownAuthority
        case PP_CURLE_SSL_CERTPROBLEM, PP_CURLE_SSL_ENGINE_NOTFOUND, PP_CURLE_BAD_FUNCTION_ARGUMENT:
            return .clientIdentityUnusable
        case PP_CURLE_SSL_CLIENTCERT: return .clientCertificateRequired
        case PP_CURLE_SSL_CIPHER: return .noCommonCipher
        default: break
        }
        if let alert = alert ?? Self.alert(inText: text) { return kind(of: alert) }
        // The name is the only check that libcurl does itself, after the handshake.
        if isRefusal, sawCertificate { return .wrongHost }
        if let kind = Self.reason(inText: text).flatMap(TLSNumbers.kind(ofReason:)) { return kind }
        return .words(text)
    }

    private var isRefusal: Bool { PPCode(rawValue: UInt32(bitPattern: code)) == PP_CURLE_PEER_FAILED_VERIFICATION }

    /// Whether an alert is about the client's certificate.
    ///
    /// With TLS 1.3, such an alert arrives after the client's side of the handshake is complete (RFC 8446 §4.4.2.4).
    var isAboutOurCertificate: Bool {
        guard let alert = alert ?? Self.alert(inText: text) else { return false }
        return [.clientCertificateRequired, .clientCertificateRefused].contains(kind(of: alert))
    }

    /// The alert, either reported directly or parsed from libcurl's text.
    var knownAlert: UInt8? { alert ?? Self.alert(inText: text) }

    private func kind(of alert: UInt8) -> TLSFailure.Kind {
        TLSNumbers.kind(ofAlert: alert, asksForCertificate: asksForCertificate, hasCertificate: hasCertificate)
    }
}
#endif
