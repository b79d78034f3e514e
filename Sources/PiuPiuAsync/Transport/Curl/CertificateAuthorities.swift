#if os(Linux)
import Glibc

/// The location of the certificate authorities that a transport trusts.
struct CertificateAuthorities: Sendable, Hashable {
    /// A file of certificates (PEM); `nil` for libcurl's built-in location.
    var file: String?
    /// A folder of certificates, or several separated by colons; `nil` for none.
    var folder: String?
    /// Whether libcurl's built-in folder is trusted too, because libcurl chooses the location.
    var keepsFolder = false
    /// How long libcurl may keep the certificates of ``file`` in memory, in seconds; `nil` for its own choice.
    var cacheSeconds: Int?
    /// What ``file`` names if it is in memory.
    var memory: MemoryFile?

    /// The files in which distributions keep the authorities they trust.
    ///
    /// The distributions are Debian, Fedora, openSUSE, OpenELEC, RHEL and Alpine. The list and its order are those of
    /// Go's `crypto/x509`.
    static let knownFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/pki/tls/cacert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    /// The folders in which distributions keep the certificates.
    static let knownFolders = ["/etc/ssl/certs", "/etc/pki/tls/certs"]

    /// Chooses the authorities to trust.
    ///
    /// The program's own file takes precedence, then the variables `SSL_CERT_FILE` and `SSL_CERT_DIR`, then libcurl's
    /// built-in locations, then the locations that distributions use. A libcurl that was built elsewhere looks in
    /// locations that do not exist here.
    ///
    /// - Parameters:
    ///   - chosen: The file that the program names.
    ///   - environment: Reads a variable of the environment.
    ///   - library: The file and the folder that libcurl was built with.
    ///   - isReadable: A closure that returns whether a file or folder can be read.
    init(
        chosen: String?,
        environment: (String) -> String?,
        library: (file: String?, folder: String?),
        isReadable: (String) -> Bool
    ) {
        let named = (file: environment("SSL_CERT_FILE").nonEmpty, folder: environment("SSL_CERT_DIR").nonEmpty)
        if let chosen {
            // A folder of authorities would be trusted in addition to the program's file.
            file = chosen
        } else if named.file != nil || named.folder != nil {
            file = named.file
            folder = named.folder
        } else if library.file.map(isReadable) ?? false {
            // The folder has the same certificates and prevents libcurl from caching them: 20 ms of the loop's time for
            // each connection.
            file = nil
        } else if library.folder.map(isReadable) ?? false {
            keepsFolder = true
        } else if let found = Self.knownFiles.first(where: isReadable) {
            file = found
        } else if let found = Self.knownFolders.first(where: isReadable) {
            folder = found
        } else {
            keepsFolder = true
        }
    }

    /// Chooses the authorities by this process's environment and files.
    init(chosen: String?, library: CurlLibrary) {
        self.init(
            chosen: chosen,
            environment: { getenv($0).map { String(cString: $0) } },
            library: (library.authorityFile, library.authorityFolder),
            isReadable: { access($0, R_OK) == 0 }
        )
    }
}

extension String? {
    fileprivate var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
#endif
