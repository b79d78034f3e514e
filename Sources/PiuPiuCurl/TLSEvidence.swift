#if os(Linux)
import CurlShim
import PiuPiuAsync

/// All that is known of a handshake that failed, from which ``kind`` follows.
///
/// Numbers come before words: the words differ between the versions of libcurl and OpenSSL.
struct TLSEvidence {
    /// The result of libcurl, CURLE_….
    var code: Int32
    /// The result of the verification, X509_V_ERR_…; libcurl has 1 before there is one.
    var verification = 0
    /// Which certificate that concerns.
    var depth: Int?
    /// The alert that the other side sent.
    var alert: UInt8?
    /// Whether it asked for a certificate of ours.
    var asksForCertificate = false
    /// Whether we had one.
    var hasCertificate = false
    /// Whether it presented a certificate.
    var sawCertificate = false
    /// libcurl's text.
    var text = ""

    /// What went wrong.
    var kind: TLSFailure.Kind {
        if let kind = TLSNumbers.kind(ofVerification: verification) { return kind }
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .pinMismatch
        // libcurl has one code for all that can be wrong with it.
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
        // All that libcurl checks itself, after the handshake, is the name.
        if isRefusal, sawCertificate { return .wrongHost }
        if let kind = Self.reason(inText: text).flatMap(TLSNumbers.kind(ofReason:)) { return kind }
        return .words(text)
    }

    private var isRefusal: Bool { PPCode(rawValue: UInt32(bitPattern: code)) == PP_CURLE_PEER_FAILED_VERIFICATION }

    /// Whether an alert is about a certificate of ours.
    ///
    /// With TLS 1.3, such an alert comes after our side of the handshake is complete (RFC 8446 §4.4.2.4).
    var isAboutOurCertificate: Bool {
        guard let alert = alert ?? Self.alert(inText: text) else { return false }
        return [.clientCertificateRequired, .clientCertificateRefused].contains(kind(of: alert))
    }

    /// The alert that was sent, from whatever tells it.
    var knownAlert: UInt8? { alert ?? Self.alert(inText: text) }

    private func kind(of alert: UInt8) -> TLSFailure.Kind {
        TLSNumbers.kind(ofAlert: alert, asksForCertificate: asksForCertificate, hasCertificate: hasCertificate)
    }
}
#endif
