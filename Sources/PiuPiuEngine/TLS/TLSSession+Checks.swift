#if os(Linux)
import CShims

/// The checks of the server.
extension TLSSession {
    /// Sends the host's name to the server (SNI), and requires that the server's certificate is for the host; throws a report
    /// if OpenSSL refuses a setting.
    func expect(_ host: TLSHost) throws(TLSReport) {
        if case .name(let name) = host {
            let isSet = name.withCString { text in
                cs_SSL_ctrl(
                    ssl,
                    Int32(CS_SSL_CTRL_SET_TLSEXT_HOSTNAME),
                    Int(CS_TLSEXT_NAMETYPE_host_name),
                    UnsafeMutableRawPointer(mutating: text)
                ) == 1
            }
            guard isSet else { throw .failedCall(.name, "OpenSSL does not accept the name of the server") }
        }
        if context.settings.verifiesServer { try verify(host) }
    }

    /// Asks for a stapled status if the settings require one; throws a report if OpenSSL refuses that.
    func askForStatus() throws(TLSReport) {
        guard context.settings.requiresStapledStatus else { return }
        let type = Int(CS_TLSEXT_STATUSTYPE_ocsp)
        guard cs_SSL_ctrl(ssl, Int32(CS_SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE), type, nil) == 1 else {
            throw .failedCall(.none, "OpenSSL does not ask for a stapled status")
        }
    }

    private func verify(_ host: TLSHost) throws(TLSReport) {
        let flags = UInt32(CS_X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        guard cs_SSL_get_verify_mode(ssl) == Int32(CS_SSL_VERIFY_PEER), let parameters = cs_SSL_get0_param(ssl) else {
            throw .failedCall(.none, "OpenSSL does not verify certificates")
        }
        cs_X509_VERIFY_PARAM_set_hostflags(parameters, flags)
        let isSet =
            switch host {
            case .name(let name): cs_X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1
            case .address(let address): cs_X509_VERIFY_PARAM_set1_ip_asc(parameters, address) == 1
            }
        guard isSet, cs_X509_VERIFY_PARAM_get_hostflags(parameters) == flags else {
            throw .failedCall(.name, "OpenSSL does not verify the name of the server")
        }
    }

    /// Offers the protocols to the server (RFC 7301).
    func offerProtocols() throws(TLSReport) {
        guard !offeredProtocols.isEmpty else { return }
        var list: [UInt8] = []
        for name in offeredProtocols {
            guard let count = UInt8(exactly: name.utf8.count), count > 0 else {
                throw TLSReport(.none, "A protocol to offer has an empty name, or one that is too long")
            }
            list.append(count)
            list.append(contentsOf: name.utf8)
        }
        // Unlike most functions, it returns 0 on success.
        guard cs_SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0 else {
            throw .failedCall(.none, "OpenSSL does not accept the protocols to offer")
        }
    }

    /// Checks a handshake that OpenSSL accepted; returns why the server is refused, or `nil`.
    func refusal() -> TLSReport? {
        let settings = context.settings
        guard let certificate = cs_SSL_get1_peer_certificate(ssl) else {
            return report(.none, "The server presented no certificate")
        }
        defer { cs_X509_free(certificate) }
        if settings.verifiesServer {
            let result = cs_SSL_get_verify_result(ssl)
            guard result == 0, link.pointee.verification == 0 else {
                var report = report(.none, "The server's certificate was not verified")
                if report.verification == 0 { report.verification = result }
                return report
            }
        }
        if let chosen = applicationProtocol, !offeredProtocols.contains(chosen) {
            return report(.applicationProtocol, "The server chose a protocol that was not offered")
        }
        // A resumed session began with a handshake that passed this check.
        if settings.requiresStapledStatus, !isResumed, let check = stapledStatusFault() {
            return report(check, "The stapled OCSP response does not confirm the server's certificate")
        }
        if !settings.pins.isEmpty, !Self.pinDigest(of: certificate).map(settings.pins.contains, or: false) {
            return report(.pin, "The server's key is not one of the pins")
        }
        return nil
    }

    /// The SHA-256 digest of a certificate's SubjectPublicKeyInfo (RFC 7469 §2.4); `nil` if OpenSSL cannot compute it.
    private static func pinDigest(of certificate: OpaquePointer) -> [UInt8]? {
        guard let key = cs_X509_get_X509_PUBKEY(certificate), let type = cs_EVP_sha256() else { return nil }
        let count = Int(cs_i2d_X509_PUBKEY(key, nil))
        // No key of any algorithm in TLS has this many bytes.
        guard count > 0, count <= 64 << 10 else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer -> [UInt8]? in
            var position = buffer.baseAddress
            guard Int(cs_i2d_X509_PUBKEY(key, &position)) == count, let start = buffer.baseAddress else { return nil }
            var digest = [UInt8](repeating: 0, count: 32)
            var size: UInt32 = 0
            let result = digest.withUnsafeMutableBufferPointer { digest in
                digest.baseAddress.map { cs_EVP_Digest(start, count, $0, &size, type, nil) } ?? 0
            }
            return result == 1 && size == 32 ? digest : nil
        }
    }
}

extension Optional {
    /// Returns the result of a function for the value, or a default.
    fileprivate func map<Result>(_ transform: (Wrapped) -> Result, or fallback: Result) -> Result {
        map(transform) ?? fallback
    }
}
#endif
