#if os(Linux)
import Glibc
import PiuPiuAsync

/// The certificate authorities that a transport trusts, in libcurl's terms.
struct CertificateAuthorities: Sendable, Hashable {
    /// A file of certificates (PEM); `nil` for libcurl's built-in location.
    var file: String?
    /// A folder of certificates, or several separated by colons; `nil` for none.
    var folder: String?
    /// Whether libcurl's built-in folder is trusted too, because libcurl chooses the location.
    var keepsFolder: Bool
    /// How long libcurl may keep the certificates of ``file`` in memory, in seconds; `nil` for its default.
    var cacheSeconds: Int?
    /// The contents of ``file`` if it is in memory.
    var memory: MemoryFile?

    /// Creates authorities from the locations that were found.
    init(_ locations: AuthorityLocations) {
        (file, folder, keepsFolder) = (locations.file, locations.folder, locations.keepsFolder)
    }

    /// Chooses the authorities by this process's environment and files.
    init(chosen: String?, library: CurlLibrary) {
        self.init(
            AuthorityLocations(
                chosen: chosen,
                environment: { getenv($0).map { String(cString: $0) } },
                library: (library.authorityFile, library.authorityFolder),
                isReadable: { access($0, R_OK) == 0 }
            )
        )
    }
}
#endif
