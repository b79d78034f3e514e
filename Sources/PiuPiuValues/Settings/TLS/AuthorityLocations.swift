#if os(Linux)
/// The locations of the certificate authorities that a transport trusts.
package struct AuthorityLocations: Sendable, Hashable {
    /// A file of certificates (PEM); `nil` for the library's built-in location.
    package let file: String?
    /// A folder of certificates, or several separated by colons; `nil` for none.
    package let folder: String?
    /// Whether the library's built-in folder is trusted too, because the library chooses the location.
    package let keepsFolder: Bool

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
    /// The program's own file takes precedence, then the variables `SSL_CERT_FILE` and `SSL_CERT_DIR`, then the
    /// library's built-in locations, and finally the locations that distributions use. A library that was built elsewhere looks
    /// in locations that do not exist here.
    ///
    /// - Parameters:
    ///   - chosen: The file that the program configured.
    ///   - environment: Reads a variable of the environment.
    ///   - library: The file and the folder that the library was built with.
    ///   - isReadable: Returns whether a file or folder can be read.
    package init(
        chosen: String?,
        environment: (String) -> String?,
        library: (file: String?, folder: String?),
        isReadable: (String) -> Bool
    ) {
        let named = (file: environment("SSL_CERT_FILE").nonEmpty, folder: environment("SSL_CERT_DIR").nonEmpty)
        if let chosen {
            // A folder of authorities would be trusted in addition to the program's file.
            (file, folder, keepsFolder) = (chosen, nil, false)
        } else if named.file != nil || named.folder != nil {
            (file, folder, keepsFolder) = (named.file, named.folder, false)
        } else if library.file.map(isReadable) ?? false {
            // The folder contains the same certificates, but is searched for each connection: 20 ms of the loop's time.
            (file, folder, keepsFolder) = (nil, nil, false)
        } else if library.folder.map(isReadable) ?? false {
            (file, folder, keepsFolder) = (nil, nil, true)
        } else if let found = Self.knownFiles.first(where: isReadable) {
            (file, folder, keepsFolder) = (found, nil, false)
        } else if let found = Self.knownFolders.first(where: isReadable) {
            (file, folder, keepsFolder) = (nil, found, false)
        } else {
            (file, folder, keepsFolder) = (nil, nil, true)
        }
    }
}

extension String? {
    fileprivate var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
#endif
