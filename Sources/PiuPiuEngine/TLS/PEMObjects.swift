#if os(Linux)
import CShims

/// Reads OpenSSL objects from bytes in memory.
enum PEMObjects {
    /// Calls a function with a BIO that reads bytes, and returns its result; `nil` if there is no BIO.
    static func withBIO<Value>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Value?) -> Value? {
        bytes.withUnsafeBytes { buffer in
            // OpenSSL refuses empty memory without an address.
            guard let start = buffer.baseAddress, let count = Int32(exactly: buffer.count), count > 0,
                let bio = cs_BIO_new_mem_buf(start, count)
            else { return nil }
            defer { cs_BIO_free(bio) }
            return body(bio)
        }
    }

    /// Reads all remaining certificates of a PEM text.
    ///
    /// - Parameters:
    ///   - bio: The text.
    ///   - use: Takes a certificate, which is freed afterwards; returns whether that worked.
    /// - Returns: The number of certificates; `nil` if one is broken, or `use` failed.
    static func readCertificates(_ bio: OpaquePointer, _ use: (OpaquePointer) -> Bool) -> Int? {
        read({ cs_PEM_read_bio_X509_AUX(bio, nil, cs_give_passphrase, nil) }, cs_X509_free, use)
    }

    /// Reads all revocation lists of a PEM text, in the same way.
    static func readRevocationLists(_ bio: OpaquePointer, _ use: (OpaquePointer) -> Bool) -> Int? {
        read({ cs_PEM_read_bio_X509_CRL(bio, nil, cs_give_passphrase, nil) }, cs_X509_CRL_free, use)
    }

    private static func read(
        _ next: () -> OpaquePointer?,
        _ free: (OpaquePointer?) -> Void,
        _ use: (OpaquePointer) -> Bool
    ) -> Int? {
        cs_ERR_clear_error()
        var count = 0
        while let object = next() {
            defer { free(object) }
            guard use(object) else { return nil }
            count += 1
        }
        guard OpenSSLError.last?.isEndOfPEM == true else { return nil }
        cs_ERR_clear_error()
        return count
    }
}
#endif
