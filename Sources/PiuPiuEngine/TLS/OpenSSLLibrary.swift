#if os(Linux)
import CShims
import Synchronization

/// The OpenSSL of this process, found at run time.
///
/// The functions of `CShims` with the prefix `cs_` may be called once an instance exists.
package struct OpenSSLLibrary: Sendable {
    /// The library, or why it cannot be used.
    package static let shared = Result { () throws(TLSSetupFailure) in try OpenSSLLibrary() }

    private static let preferredPath = Mutex<String?>(nil)

    /// The version as text, such as "OpenSSL 3.0.17 1 Jul 2025".
    package let version: String
    /// The version as a number: at least 0x10101000 for 1.1.1, and at least 0x30000000 for 3.x.
    package let versionNumber: UInt
    /// The authority file that the library was built with; it may not exist.
    package let authorityFile: String?
    /// The authority folder that the library was built with; it may not exist.
    package let authorityFolder: String?

    /// Chooses the library instead of the process's or the system's, for tests.
    ///
    /// It has no effect after ``shared`` was used.
    ///
    /// - Parameter path: The path of a `libssl`, which finds its own `libcrypto`.
    package static func prefer(_ path: String) {
        preferredPath.withLock { $0 = path }
    }

    private init() throws(TLSSetupFailure) {
        let missing =
            if let path = Self.preferredPath.withLock({ $0 }) {
                cs_openssl_load(path)
            } else {
                cs_openssl_load(nil)
            }
        if let missing {
            throw TLSSetupFailure(reason: "OpenSSL 1.1.1 or 3.x cannot be used: \(String(cString: missing)) is missing")
        }
        version = cs_OpenSSL_version(0).map { String(cString: $0) } ?? ""
        versionNumber = UInt(cs_OpenSSL_version_num())
        authorityFile = cs_X509_get_default_cert_file().map { String(cString: $0) }
        authorityFolder = cs_X509_get_default_cert_dir().map { String(cString: $0) }
    }
}
#endif
