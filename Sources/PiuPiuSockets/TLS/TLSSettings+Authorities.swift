#if os(Linux)
import Glibc
import PiuPiuEngine

extension TLSSettings {
    /// Finds the authorities of a configuration, and checks that there are any.
    ///
    /// - Parameters:
    ///   - configuration: The TLS configuration.
    ///   - chosen: The file to use in place of the system's; `nil` for the system's.
    /// - Returns: The authorities.
    /// - Throws: ``TransportError`` with the code `unsupported` or `libraryUnavailable`.
    static func authorities(
        _ configuration: TLSConfiguration,
        _ chosen: URL?
    ) throws(TransportError) -> Authorities {
        let name = "The file of authorities"
        var authorities = Authorities()
        switch configuration.authorities.source {
        case .system:
            authorities = try system(chosen)
            authorities.lifetime = lifetime(configuration.authorityReloadInterval)
        case .file(let url):
            try TLSFile.checkCertificates(try TLSFile.read(url, name), name)
            authorities.files = [TLSFile.path(of: url)]
            authorities.lifetime = lifetime(configuration.authorityReloadInterval)
        case .folder(let url):
            try TLSFile.checkFolder(url)
            authorities.folders = [TLSFile.path(of: url)]
            // A change in the folder takes effect at the next connection.
            authorities.lifetime = 0
        case .certificates(let pem):
            try TLSFile.checkCertificates(pem, "The bytes of authorities")
            authorities.certificates = [Array(pem)]
        case .systemAndFile(let url):
            let pem = try TLSFile.read(url, name)
            try TLSFile.checkCertificates(pem, name)
            authorities = try inMemory(try system(chosen), adding: pem)
        case .systemAndCertificates(let pem):
            try TLSFile.checkCertificates(pem, "The bytes of authorities")
            authorities = try inMemory(try system(chosen), adding: pem)
        }
        return authorities
    }

    /// Returns an interval in nanoseconds, rounded down to whole seconds.
    private static func lifetime(_ interval: Duration) -> Int64 {
        min(interval.components.seconds, 1 << 30) * 1_000_000_000
    }

    /// Chooses the system's authorities from this process's environment and files.
    private static func system(_ chosen: URL?) throws(TransportError) -> Authorities {
        let library: OpenSSLLibrary
        do { library = try OpenSSLLibrary.shared.get() } catch {
            throw TransportError(.libraryUnavailable, reason: error.reason)
        }
        let found = AuthorityLocations(
            chosen: chosen.map { $0.path(percentEncoded: false) },
            environment: { getenv($0).map { String(cString: $0) } },
            // The folder comes last, because a file with the same certificates is read in one step.
            library: (library.authorityFile, nil),
            isReadable: { access($0, R_OK) == 0 }
        )
        var authorities = Authorities()
        if let file = found.file { authorities.files = [file] }
        if let folder = found.folder { authorities.folders = folder.split(separator: ":").map(String.init) }
        guard found.file == nil, found.folder == nil else { return authorities }
        if !found.keepsFolder {
            authorities.files = [library.authorityFile].compactMap(\.self)
        } else if let folder = library.authorityFolder, access(folder, R_OK) == 0 {
            authorities.folders = [folder]
        }
        return authorities
    }

    /// Reads the files of the system's authorities now, and adds others to them.
    private static func inMemory(_ system: Authorities, adding pem: Data) throws(TransportError) -> Authorities {
        var authorities = Authorities()
        authorities.folders = system.folders
        for path in system.files {
            do {
                let contents = try TLSFile.read(URL(filePath: path), "The file of the system's authorities")
                authorities.certificates.append(Array(contents))
            } catch {
                // The folder contains them, too.
                guard !system.folders.isEmpty else { throw error }
            }
        }
        authorities.certificates.append(Array(pem))
        return authorities
    }
}
#endif
