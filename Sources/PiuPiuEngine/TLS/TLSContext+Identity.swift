#if os(Linux)
import CShims

/// Loading the client's certificate and its key.
///
/// Every function that reads a key passes a passphrase callback, even without a passphrase: otherwise, OpenSSL would ask on the
/// terminal.
extension TLSContext {
    /// Loads an identity; throws a report of the check `identity`, without the passphrase.
    func setIdentity(_ identity: TLSSettings.Identity) throws(TLSReport) {
        cs_ERR_clear_error()
        do throws(IdentityFlaw) {
            try use(identity)
        } catch {
            var report = TLSReport.failedCall(.identity, "The client's certificate or key cannot be used")
            report.identityFlaw = error
            throw report
        }
    }

    private func use(_ identity: TLSSettings.Identity) throws(IdentityFlaw) {
        guard let bytes = TLSMaterialFile.contents(identity.certificate) else { throw .unreadableCertificate }
        switch identity.form {
        case .pem(let key):
            guard let keyBytes = key.map(TLSMaterialFile.contents) ?? bytes else { throw .unreadableKey }
            try useCertificates(bytes)
            try useKey(keyBytes, identity.passphrase)
        case .pkcs12:
            try useContainer(bytes, identity.passphrase)
        }
        // OpenSSL has a slot for each type of key, and the slot of the certificate's type stays empty.
        guard cs_SSL_CTX_check_private_key(pointer) == 1 else {
            throw OpenSSLError.first?.isMissingCertificate == true ? .keyOfAnotherType : .refused
        }
    }

    private func useCertificates(_ pem: [UInt8]) throws(IdentityFlaw) {
        var isFirst = true
        let count = PEMObjects.withBIO(pem) { bio in
            PEMObjects.readCertificates(bio) { certificate in
                defer { isFirst = false }
                return isFirst ? cs_SSL_CTX_use_certificate(pointer, certificate) == 1 : addToChain(certificate)
            }
        }
        // After the first certificate, OpenSSL's error distinguishes a broken certificate from a refused one.
        guard let count else { throw isFirst ? .malformedCertificate : .refused }
        guard count > 0 else { throw .malformedCertificate }
    }

    private func addToChain(_ certificate: OpaquePointer) -> Bool {
        // 1 makes OpenSSL count its own reference.
        cs_SSL_CTX_ctrl(pointer, Int32(CS_SSL_CTRL_CHAIN_CERT), 1, UnsafeMutableRawPointer(certificate)) == 1
    }

    private func useKey(_ pem: [UInt8], _ passphrase: [UInt8]?) throws(IdentityFlaw) {
        let key = PEMObjects.withBIO(pem) { bio -> OpaquePointer? in
            guard let passphrase else { return cs_PEM_read_bio_PrivateKey(bio, nil, cs_give_passphrase, nil) }
            return passphrase.withUnsafeBufferPointer { buffer in
                var given = cs_passphrase(bytes: buffer.baseAddress, count: buffer.count)
                return cs_PEM_read_bio_PrivateKey(bio, nil, cs_give_passphrase, &given)
            }
        }
        guard let key else {
            // The first form is PKCS#8, the second the older one (RFC 1421 §4.6.1.1).
            let isEncrypted =
                pem.contains("BEGIN ENCRYPTED PRIVATE KEY".utf8) || pem.contains("Proc-Type: 4,ENCRYPTED".utf8)
            guard isEncrypted else { throw .malformedKey }
            throw Self.flawOfEncryption(passphrase)
        }
        defer { cs_EVP_PKEY_free(key) }
        try use(key)
    }

    private func use(_ key: OpaquePointer) throws(IdentityFlaw) {
        guard cs_SSL_CTX_use_PrivateKey(pointer, key) == 1 else {
            throw OpenSSLError.first?.isKeyMismatch == true ? .keyOfAnotherCertificate : .refused
        }
    }

    /// Returns why an encrypted key or container cannot be opened.
    private static func flawOfEncryption(_ passphrase: [UInt8]?) -> IdentityFlaw {
        if passphrase == nil { return .missingPassphrase }
        return OpenSSLError.first?.isUnsupportedAlgorithm == true ? .unsupportedEncryption : .wrongPassphrase
    }

    private func useContainer(_ bytes: [UInt8], _ passphrase: [UInt8]?) throws(IdentityFlaw) {
        guard let container = PEMObjects.withBIO(bytes, { cs_d2i_PKCS12_bio($0, nil) }) else {
            throw .malformedCertificate
        }
        defer { cs_PKCS12_free(container) }
        var key: OpaquePointer?
        var certificate: OpaquePointer?
        var others: OpaquePointer?
        let result = ((passphrase ?? []) + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { cs_PKCS12_parse(container, $0, &key, &certificate, &others) } ?? 0
            }
        }
        defer {
            cs_EVP_PKEY_free(key)
            cs_X509_free(certificate)
            for other in Self.certificates(others) { cs_X509_free(other) }
            cs_OPENSSL_sk_free(others)
        }
        guard result == 1 else { throw Self.flawOfEncryption(passphrase) }
        guard let key, let certificate else { throw .malformedCertificate }
        guard cs_SSL_CTX_use_certificate(pointer, certificate) == 1 else { throw .refused }
        try use(key)
        guard Self.certificates(others).allSatisfy({ addToChain($0) }) else { throw .refused }
    }

    /// Returns the certificates of a stack, which still owns them.
    static func certificates(_ stack: OpaquePointer?) -> [OpaquePointer] {
        guard let stack else { return [] }
        let count = cs_OPENSSL_sk_num(stack)
        return (0..<max(count, 0)).compactMap { cs_OPENSSL_sk_value(stack, $0).map { OpaquePointer($0) } }
    }
}
#endif
