#if os(Linux)
import PiuPiuAsync

extension CertificateAuthorities {
    /// Finds the authorities of a TLS configuration, and checks that there are any.
    ///
    /// - Parameters:
    ///   - authorities: The authorities.
    ///   - chosen: The file in place of the system's.
    ///   - library: The libcurl of this process.
    /// - Throws: `TransportError` with the code `unsupported` or `outOfResources`.
    init(_ authorities: TLSAuthorities, file chosen: URL?, library: CurlLibrary) throws(TransportError) {
        let name = "The file of authorities"
        switch authorities.source {
        case .system:
            self.init(chosen: chosen.map { $0.path(percentEncoded: false) }, library: library)
        case .file(let url):
            try TLSFile.checkCertificates(try TLSFile.read(url, name), name)
            self.init(chosen: TLSFile.path(of: url), library: library)
        case .folder(let url):
            try TLSFile.checkFolder(url)
            self.init(chosen: nil, library: library)
            (file, folder, keepsFolder) = (nil, TLSFile.path(of: url), false)
        case .certificates(let pem):
            try TLSFile.checkCertificates(pem, "The bytes of authorities")
            let memory = try MemoryFile(pem)
            self.init(chosen: memory.path, library: library)
            self.memory = memory
        case .systemAndFile(let url):
            let pem = try TLSFile.read(url, name)
            try TLSFile.checkCertificates(pem, name)
            try self.init(system: chosen, adding: pem, library)
        case .systemAndCertificates(let pem):
            try TLSFile.checkCertificates(pem, "The bytes of authorities")
            try self.init(system: chosen, adding: pem, library)
        }
    }

    /// Joins the system's authorities and others in one file in memory.
    private init(system chosen: URL?, adding pem: Data, _ library: CurlLibrary) throws(TransportError) {
        self.init(chosen: chosen.map { $0.path(percentEncoded: false) }, library: library)
        let hasFolder = folder != nil || keepsFolder
        var all = Data()
        if let system = file ?? (folder == nil ? library.authorityFile : nil) {
            do {
                all = try TLSFile.read(URL(filePath: system), "The file of the system's authorities")
            } catch {
                // libcurl finds the authorities in the folder.
                guard hasFolder else { throw error }
            }
        }
        all.append(contentsOf: "\n".utf8)
        all.append(pem)
        let memory = try MemoryFile(all)
        file = memory.path
        self.memory = memory
    }
}
#endif
