#if os(Linux)
/// OpenSSL's numbers, which are the same in all versions since 1.1.1, unless noted otherwise.
package enum TLSNumbers {
    /// Returns the kind of a verification result, X509_V_ERR_… of `openssl/x509_vfy.h`; `nil` for success or no information.
    package static func kind(ofVerification error: Int) -> TLSFailure.Kind? {
        switch error {
        case 9: .notYetValid
        case 10: .expired
        case 18: .selfSigned
        // 19: the chain is complete, but its root is not trusted here.
        case 2, 19, 20, 21, 27, 28: .unknownAuthority
        case 23: .revoked
        case 3, 5, 8, 11, 12, 15, 16, 33, 35, 36, 44, 54: .revocationUnknown
        case 26: .wrongPurpose
        case 62, 63, 64: .wrongHost
        case 66, 67, 68: .weak
        case 73, 75: .statusMissing
        // An invalid authority is 24 before OpenSSL 3, and 79 since.
        case 4, 6, 7, 13, 14, 22, 24, 25, 29, 30, 31, 32, 34, 37...43, 45...49, 51...53, 55, 69...72, 76...94:
            .invalidChain
        case 0, 1: nil
        default: .other
        }
    }

    /// Returns the kind of OpenSSL's reason for a failure, SSL_R_… of `openssl/sslerr.h`; `nil` for other reasons.
    package static func kind(ofReason reason: Int) -> TLSFailure.Kind? {
        switch reason {
        // wrong version number, unknown protocol, packet length too long, http request, https proxy request
        case 267, 252, 198, 156, 155: .notTLS
        // unsupported protocol, no protocols available, version too low or high, inappropriate fallback, bad version
        case 258, 191, 396, 166, 373, 116, 292: .protocolVersion
        // no ciphers available, no cipher match, no shared cipher, unknown or wrong cipher returned, no suitable key share,
        // groups or signature algorithm, no shared signature algorithms
        case 181, 185, 193, 248, 261, 101, 295, 118, 376: .noCommonCipher
        // a key of DH, an authority or the server is too small, an authority's digest is too weak, wrong signature type,
        // unsafe renegotiation
        case 394, 397, 399, 398, 370, 338: .weak
        // unexpected eof while reading
        case 294: .connectionLost
        default: nil
        }
    }

    /// Returns the kind of an alert (RFC 8446 §6.2, RFC 5246 §7.2.2).
    ///
    /// - Parameters:
    ///   - alert: The alert that the peer sent.
    ///   - asksForCertificate: Whether the peer requested a client certificate.
    ///   - hasCertificate: Whether the client had one.
    /// - Returns: The kind.
    package static func kind(ofAlert alert: UInt8, asksForCertificate: Bool, hasCertificate: Bool) -> TLSFailure.Kind {
        switch alert {
        case 116, 41: .clientCertificateRequired
        case 42...46, 48: asksForCertificate && !hasCertificate ? .clientCertificateRequired : .clientCertificateRefused
        case 49 where hasCertificate: .clientCertificateRefused
        case 51 where hasCertificate: .clientCertificateRefused
        // Before TLS 1.3, there was no separate alert for a missing certificate.
        case 40 where asksForCertificate: hasCertificate ? .clientCertificateRefused : .clientCertificateRequired
        case 40, 71: .noCommonCipher
        case 70, 86: .protocolVersion
        default: .alert
        }
    }
}

extension TLSFailure.Kind {
    /// Whether the problem is the certificate that the peer presented.
    package var isAboutPeersCertificate: Bool {
        switch self {
        case .expired, .notYetValid, .wrongHost, .unknownAuthority, .selfSigned, .invalidChain, .wrongPurpose, .revoked,
            .revocationUnknown, .statusMissing, .statusRevoked, .weak, .pinMismatch:
            true
        default: false
        }
    }
}
#endif
