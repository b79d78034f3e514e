#if os(Linux)
import CShims

/// The authorities and revocation lists that certificates are verified with.
///
/// OpenSSL's store has its own lock, and nothing is added after the store was created. Folders are read completely, because
/// OpenSSL would read them in the middle of a handshake.
final class TLSTrust: @unchecked Sendable {
    let store: OpaquePointer

    /// Reads the authorities and revocation lists of settings; throws a report of the check `authorities`.
    ///
    /// This reads files and takes milliseconds.
    init(_ settings: TLSSettings) throws(TLSReport) {
        guard let store = cs_X509_STORE_new() else {
            throw .failedCall(.authorities, "OpenSSL has no memory for authorities")
        }
        self.store = store
        // From here on, the store is freed if an error is thrown.
        try add(settings.authorities)
        guard let lists = settings.revocationLists else {
            // An intermediate certificate may be trusted as a root.
            try setFlags(UInt(CS_X509_V_FLAG_PARTIAL_CHAIN))
            return
        }
        try addRevocationLists(lists)
        try setFlags(UInt(CS_X509_V_FLAG_CRL_CHECK_ALL))
    }

    deinit { cs_X509_STORE_free(store) }

    private func setFlags(_ flags: UInt) throws(TLSReport) {
        guard cs_X509_STORE_set_flags(store, flags) == 1 else {
            throw .failedCall(.authorities, "OpenSSL does not accept the flags of the verification")
        }
    }

    private func add(_ authorities: TLSSettings.Authorities) throws(TLSReport) {
        for path in authorities.files {
            guard let pem = TLSMaterialFile.contents(path) else {
                throw TLSReport(.authorities, "The file of authorities cannot be read: \(path)")
            }
            try add(pem, "The file of authorities \(path)")
        }
        for pem in authorities.certificates { try add(pem, "The bytes of authorities") }
        for folder in authorities.folders {
            guard let paths = TLSMaterialFile.hashedFiles(in: folder) else {
                throw TLSReport(.authorities, "The folder of authorities cannot be read: \(folder)")
            }
            // Ignore a broken file in a folder, as OpenSSL does when it looks certificates up there.
            for path in paths {
                guard let pem = TLSMaterialFile.contents(path) else { continue }
                _ = addCertificates(pem)
            }
        }
    }

    private func add(_ pem: [UInt8], _ name: String) throws(TLSReport) {
        guard let count = addCertificates(pem) else {
            throw .failedCall(.authorities, "\(name) cannot be used")
        }
        guard count > 0 else { throw TLSReport(.authorities, "\(name) has no certificate") }
    }

    private func addCertificates(_ pem: [UInt8]) -> Int? {
        PEMObjects.withBIO(pem) { bio in
            PEMObjects.readCertificates(bio) { cs_X509_STORE_add_cert(store, $0) == 1 }
        }
    }

    private func addRevocationLists(_ path: String) throws(TLSReport) {
        guard let pem = TLSMaterialFile.contents(path) else {
            throw TLSReport(.authorities, "The file of revocation lists cannot be read: \(path)")
        }
        let count = PEMObjects.withBIO(pem) { bio in
            PEMObjects.readRevocationLists(bio) { cs_X509_STORE_add_crl(store, $0) == 1 }
        }
        guard let count, count > 0 else {
            throw .failedCall(.authorities, "The file of revocation lists cannot be used: \(path)")
        }
    }
}
#endif
