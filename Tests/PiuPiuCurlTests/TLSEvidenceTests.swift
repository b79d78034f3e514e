#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import CurlShim
import Testing
@testable import PiuPiuCurl

struct TLSEvidenceTests {
    private typealias Kind = TLSFailure.Kind

    // A process may have several versions of OpenSSL, and relatives whose functions have other parameters.
    @Test(
        arguments: [
            ("OpenSSL 3.0.17 1 Jul 2025", "OpenSSL/3.0.17", true),
            ("OpenSSL 1.1.1w  11 Sep 2023", "OpenSSL/1.1.1w", true),
            ("OpenSSL 3.6.0 1 Oct 2025 (Library: OpenSSL 3.6.0 1 Oct 2025)", "OpenSSL/3.6.0 (GnuTLS/3.8.9)", true),
            ("OpenSSL 3.0.17 1 Jul 2025", "OpenSSL/3.0.1", false),
            ("OpenSSL 3.0.1 14 Dec 2021", "OpenSSL/3.0.17", false),
            ("LibreSSL 3.9.0", "OpenSSL/3.9.0", false),
            ("OpenSSL 3.9.0", "LibreSSL/3.9.0", false),
            ("OpenSSL 3.0.17 1 Jul 2025", "(OpenSSL/3.0.17) GnuTLS/3.8.9", false),
            ("OpenSSL ", "OpenSSL/", false), ("OpenSSL", "OpenSSL", false), ("", "", false),
        ] as [(String, String, Bool)]
    )
    func onlyTheOpenSSLThatLibcurlNamesIsUsed(own: String, used: String, isSame: Bool) {
        #expect(pp_is_same_openssl(own, used) == isSame)
    }

    // What libcurl and OpenSSL say, in the words of their versions.
    @Test(
        arguments: [
            ("error:14094410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure", 40),
            ("OpenSSL/3.0.22: error:0A000410:SSL routines::sslv3 alert handshake failure", 40),
            ("TLS connect error: error:0A000410:SSL routines::ssl/tls alert handshake failure", 40),
            (
                "OpenSSL SSL_read: error:1409445C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required, errno 0",
                116
            ),
            (
                "OpenSSL SSL_read: OpenSSL/3.6.5: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
                116
            ),
            ("TLS connect error: error:0A000458:SSL routines::tlsv1 unrecognized name", 112),
            ("TLS connect error: error:0A00010B:SSL routines::wrong version number", nil),
            ("error:0B080074:x509 certificate routines:X509_check_private_key:key values mismatch", nil),
            ("error:", nil), ("error:0A0", nil), ("error:+A000410", nil), ("error:٠A000410", nil), ("", nil),
            ("error:0A0004E8:SSL routines::reason(1256)", nil),
        ] as [(String, UInt8?)]
    )
    func alertsAreReadByNumber(_ text: String, _ alert: UInt8?) {
        #expect(TLSEvidence.alert(inText: text) == alert)
    }

    @Test(arguments: [
        ("error:1408F10B:SSL routines:ssl3_get_record:wrong version number", Kind.notTLS),
        ("OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", .notTLS),
        ("error:0A0000C6:SSL routines::packet length too long", .notTLS),
        ("TLS connect error: error:0A000126:SSL routines::unexpected eof while reading", .connectionLost),
        ("OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to localhost:9409 ", .connectionLost),
        ("OpenSSL SSL_connect: Connection reset by peer in connection to localhost:9410 ", .connectionLost),
        ("error:1425F102:SSL routines:ssl_choose_client_version:unsupported protocol", .protocolVersion),
        ("error:0A0000BF:SSL routines::no protocols available", .protocolVersion),
        ("error:0A0000B5:SSL routines::no ciphers available", .noCommonCipher),
        ("error:141A318A:SSL routines:tls_process_ske_dhe:dh key too small", .weak),
        ("error:0A00018A:SSL routines::dh key too small", .weak),
        ("error:0A000152:SSL routines::unsafe legacy renegotiation disabled", .weak),
        ("error:0A000172:SSL routines::wrong signature type", .weak),
        ("gnutls_handshake() failed: Handshake failed", .other), ("", .other),
    ])
    func reasonsHaveKinds(_ text: String, _ kind: TLSFailure.Kind) {
        #expect(TLSEvidence(code: 35, text: text).kind == kind)
    }

    @Test func resultsOfTheVerificationHaveKinds() {
        let kinds: [Int: TLSFailure.Kind] = [
            9: .notYetValid, 10: .expired, 18: .selfSigned, 19: .unknownAuthority, 20: .unknownAuthority,
            21: .unknownAuthority, 23: .revoked, 3: .revocationUnknown, 12: .revocationUnknown, 24: .invalidChain,
            79: .invalidChain, 26: .wrongPurpose, 62: .wrongHost, 64: .wrongHost, 66: .weak, 67: .weak, 68: .weak,
            7: .invalidChain, 25: .invalidChain, 1000: .other, 17: .other,
        ]
        for (error, kind) in kinds {
            #expect(TLSEvidence(code: 60, verification: error).kind == kind, "\(error)")
            #expect(TLSEvidence(code: 35, verification: error, sawCertificate: true).kind == kind, "\(error)")
        }
        for error in -1...200 where error != 0 && error != 1 {
            #expect(TLSNumbers.kind(ofVerification: error) != nil)
        }
        // 1 is what libcurl has before there is a result.
        #expect(TLSNumbers.kind(ofVerification: 0) == nil && TLSNumbers.kind(ofVerification: 1) == nil)
    }

    @Test(
        arguments: [
            (58, Kind.clientIdentityUnusable), (59, .noCommonCipher), (77, .authoritiesUnusable),
            (82, .authoritiesUnusable), (83, .unknownAuthority), (90, .pinMismatch), (91, .statusMissing),
            (98, .clientCertificateRequired), (53, .clientIdentityUnusable), (43, .clientIdentityUnusable),
            (35, .other),
            (60, .other),
        ] as [(Int32, TLSFailure.Kind)]
    )
    func codesHaveKinds(_ code: Int32, _ kind: TLSFailure.Kind) {
        #expect(TLSEvidence(code: code).kind == kind)
    }

    @Test func libcurlChecksTheNameItself() {
        #expect(TLSEvidence(code: 60, sawCertificate: true).kind == .wrongHost)
        #expect(TLSEvidence(code: 60, verification: 1, sawCertificate: true).kind == .wrongHost)
        let text = "SSL: no alternative certificate subject name matches target host name 'localhost'"
        #expect(TLSEvidence(code: 60, text: text).kind == .wrongHost)
        for text in ["Server certificate was revoked: superseded", "SSL certificate revocation reason: (UNKNOWN) (-1)"]
        {
            #expect(TLSEvidence(code: 91, text: text).kind == .statusRevoked)
        }
    }

    @Test func alertsDependOnWhetherACertificateWasWanted() {
        func kind(_ alert: UInt8, asked: Bool = false, had: Bool = false) -> TLSFailure.Kind {
            TLSEvidence(code: 35, alert: alert, asksForCertificate: asked, hasCertificate: had).kind
        }
        #expect(kind(40) == .noCommonCipher && kind(71) == .noCommonCipher)
        #expect(kind(40, asked: true) == .clientCertificateRequired)
        #expect(kind(40, asked: true, had: true) == .clientCertificateRefused)
        for alert in [42, 43, 44, 45, 46, 48] as [UInt8] {
            #expect(kind(alert) == .clientCertificateRefused)
            #expect(kind(alert, asked: true) == .clientCertificateRequired)
            #expect(kind(alert, asked: true, had: true) == .clientCertificateRefused)
        }
        #expect(kind(49) == .alert && kind(49, asked: true, had: true) == .clientCertificateRefused)
        #expect(kind(116) == .clientCertificateRequired && kind(70) == .protocolVersion && kind(80) == .alert)
        // An expired certificate of ours: libcurl has the code of a refused server's, and no number in its text.
        let evidence = TLSEvidence(
            code: 60,
            verification: 1,
            alert: 45,
            asksForCertificate: true,
            hasCertificate: true,
            sawCertificate: true,
            text: "SSL certificate verification failed"
        )
        #expect(evidence.kind == .clientCertificateRefused)
    }

    @Test func onlyAlertsAboutOurCertificateExplainABrokenConnection() {
        func explains(_ alert: UInt8?) -> Bool { TLSEvidence(code: 56, alert: alert).isAboutOurCertificate }
        #expect(explains(116) && explains(48))
        #expect(!explains(nil) && !explains(80) && !explains(40))
    }
}
#endif
