#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Interpreting libcurl's result with regard to a TLS handshake.
extension CurlOutcome {
    /// Whether a result is a failure of TLS.
    ///
    /// Some of the codes also have other meanings.
    static func isTLSFailure(_ code: Int32, _ exchange: CurlExchange) -> Bool {
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_SSL_CONNECT_ERROR, PP_CURLE_SSL_CERTPROBLEM, PP_CURLE_SSL_CIPHER, PP_CURLE_SSL_ISSUER_ERROR,
            PP_CURLE_SSL_CACERT_BADFILE, PP_CURLE_SSL_ENGINE_NOTFOUND, PP_CURLE_PEER_FAILED_VERIFICATION,
            PP_CURLE_SSL_PINNEDPUBKEYNOTMATCH, PP_CURLE_SSL_INVALIDCERTSTATUS, PP_CURLE_SSL_CRL_BADFILE,
            PP_CURLE_SSL_CLIENTCERT:
            true
        case PP_CURLE_RECV_ERROR, PP_CURLE_SEND_ERROR, PP_CURLE_HTTP2:
            !exchange.isHeadComplete && evidence(of: exchange, code: code).isAboutOurCertificate
        case PP_CURLE_BAD_FUNCTION_ARGUMENT:
            // This code is for a key that does not belong to its certificate; over QUIC, for any identity that cannot be used,
            // whose message is lost (seen with 8.23).
            exchange.timeline.phase == .connecting
                && (exchange.handle?.describe(code).contains("private key") == true
                    || exchange.profile.settings.http3 != .never && exchange.profile.settings.hasIdentity)
        case PP_CURLE_QUIC_CONNECT_ERROR:
            evidence(of: exchange, code: code).verification > 1
        default: false
        }
    }

    /// Returns why the handshake of an exchange, which still has its handle, failed with a CURLE_… code.
    static func tlsFailure(of exchange: CurlExchange, code: Int32) -> TLSFailure {
        let evidence = evidence(of: exchange, code: code)
        let isProxy = isProxy(exchange, code)
        var failure = TLSFailure(evidence.kind, isProxy: isProxy, alert: evidence.knownAlert)
        if !isProxy {
            failure.host = PrintableText.escape(exchange.request.target.certifiedHost)
        }
        if failure.kind.isAboutPeersCertificate {
            failure.certificate = exchange.handle?.witness?.certificate(ofRefused: evidence.depth != nil)
            failure.depth = evidence.depth
        }
        return failure
    }

    private static func evidence(of exchange: CurlExchange, code: Int32) -> TLSEvidence {
        var evidence = TLSEvidence(code: code)
        guard let handle = exchange.handle else { return evidence }
        evidence.text = handle.describe(code)
        // OpenSSL also has a verification result for an origin that is not verified, but that is not the cause of the failure.
        // Proxies are always verified.
        let isVerified = handle.settings.verifiesServer || isProxy(exchange, code)
        for info in [PP_CURLINFO_SSL_VERIFYRESULT, PP_CURLINFO_PROXY_SSL_VERIFYRESULT] where isVerified {
            var result = 0
            pp_easy_get_long(handle.easy, info, &result)
            if result > 1 { evidence.verification = result }
        }
        guard let testimony = handle.witness?.testimony else { return evidence }
        if testimony.error > 0, isVerified {
            evidence.verification = Int(testimony.error)
            evidence.depth = Int(testimony.depth)
        }
        evidence.alert = UInt8(exactly: testimony.alert)
        evidence.asksForCertificate = testimony.asks_for_certificate
        evidence.hasCertificate = testimony.has_certificate
        evidence.sawCertificate = handle.witness?.hasCertificate == true
        return evidence
    }

    /// Whether the failed handshake was with a proxy.
    private static func isProxy(_ exchange: CurlExchange, _ code: Int32) -> Bool {
        guard let handle = exchange.handle else { return false }
        // There is no other handshake.
        guard exchange.request.target.isSecure else { return true }
        var result = 0
        pp_easy_get_long(handle.easy, PP_CURLINFO_PROXY_SSL_VERIFYRESULT, &result)
        guard result == 0 else { return true }
        // libcurl checks a pin only after all other checks have passed.
        return PPCode(rawValue: UInt32(bitPattern: code)) == PP_CURLE_SSL_PINNEDPUBKEYNOTMATCH
            && handle.witness?.testimony.handshakes == 1
            && handle.settings.options.contains { $0.code == PP_CURLOPT_PROXY_PINNEDPUBLICKEY.rawValue }
    }
}

extension CurlHandle.Settings {
    /// Whether the server's certificate is verified.
    fileprivate var verifiesServer: Bool {
        !options.contains { $0.code == PP_CURLOPT_SSL_VERIFYPEER.rawValue && $0.value == .long(0) }
    }

    /// Whether there is a client certificate.
    fileprivate var hasIdentity: Bool {
        options.contains { [PP_CURLOPT_SSLCERT, PP_CURLOPT_SSLCERT_BLOB].map(\.rawValue).contains($0.code) }
    }
}
#endif
