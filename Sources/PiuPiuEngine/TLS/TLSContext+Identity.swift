#if os(Linux)
import CShims

/// The client's certificate and its key.
///
/// Every way to a key has a function that gives the passphrase, or none: without it, OpenSSL would ask on the terminal.
extension TLSContext {
    /// Loads an identity.
    ///
    /// - Parameter identity: The identity.
    /// - Throws: A report of the check `identity`, without the passphrase.
    func setIdentity(_ identity: TLSSettings.Identity) throws(TLSReport) {
        guard let bytes = TLSMaterialFile.contents(identity.certificate) else {
            throw TLSReport(.identity, "The client's certificate cannot be read")
        }
        let isLoaded: Bool
        switch identity.form {
        case .pem(let key):
            guard let keyBytes = key.map(TLSMaterialFile.contents) ?? bytes else {
                throw TLSReport(.identity, "The client's key cannot be read")
            }
            isLoaded = useCertificates(bytes) && useKey(keyBytes, identity.passphrase)
        case .pkcs12:
            isLoaded = useContainer(bytes, identity.passphrase)
        }
        guard isLoaded, cs_SSL_CTX_check_private_key(pointer) == 1 else {
            throw .failedCall(.identity, "The client's certificate or key cannot be used")
        }
    }

    private func useCertificates(_ pem: [UInt8]) -> Bool {
        var isFirst = true
        let count = PEMObjects.withBIO(pem) { bio in
            PEMObjects.readCertificates(bio) { certificate in
                defer { isFirst = false }
                return isFirst ? cs_SSL_CTX_use_certificate(pointer, certificate) == 1 : addToChain(certificate)
            }
        }
        return count.map { $0 > 0 } ?? false
    }

    private func addToChain(_ certificate: OpaquePointer) -> Bool {
        // 1: OpenSSL counts a reference of its own.
        cs_SSL_CTX_ctrl(pointer, Int32(CS_SSL_CTRL_CHAIN_CERT), 1, UnsafeMutableRawPointer(certificate)) == 1
    }

    private func useKey(_ pem: [UInt8], _ passphrase: [UInt8]?) -> Bool {
        let key = PEMObjects.withBIO(pem) { bio -> OpaquePointer? in
            guard let passphrase else { return cs_PEM_read_bio_PrivateKey(bio, nil, cs_give_passphrase, nil) }
            return passphrase.withUnsafeBufferPointer { buffer in
                var given = cs_passphrase(bytes: buffer.baseAddress, count: buffer.count)
                return cs_PEM_read_bio_PrivateKey(bio, nil, cs_give_passphrase, &given)
            }
        }
        guard let key else { return false }
        defer { cs_EVP_PKEY_free(key) }
        return cs_SSL_CTX_use_PrivateKey(pointer, key) == 1
    }

    private func useContainer(_ bytes: [UInt8], _ passphrase: [UInt8]?) -> Bool {
        guard let container = PEMObjects.withBIO(bytes, { cs_d2i_PKCS12_bio($0, nil) }) else { return false }
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
        guard result == 1, let key, let certificate else { return false }
        return cs_SSL_CTX_use_certificate(pointer, certificate) == 1 && cs_SSL_CTX_use_PrivateKey(pointer, key) == 1
            && Self.certificates(others).allSatisfy { addToChain($0) }
    }

    /// The certificates of a stack, which stay the stack's.
    static func certificates(_ stack: OpaquePointer?) -> [OpaquePointer] {
        guard let stack else { return [] }
        let count = cs_OPENSSL_sk_num(stack)
        return (0..<max(count, 0)).compactMap { cs_OPENSSL_sk_value(stack, $0).map { OpaquePointer($0) } }
    }
}
#endif
