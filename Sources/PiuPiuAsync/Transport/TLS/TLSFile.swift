/// Reads and checks the files that TLS settings name, before anything is sent.
package enum TLSFile {
    /// The size of the largest file that is read, in bytes.
    static let maximumLength = 16 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - name: What it is, for errors, such as "The file of authorities".
    /// - Returns: Its contents.
    /// - Throws: ``TransportError`` with the code `unsupported` if it cannot be read, is no regular file or is too large.
    package static func read(_ url: URL, _ name: String) throws(TransportError) -> Data {
        let contents: (file: OpenFile, length: Int64)
        do {
            contents = try OpenFile.reading(url)
        } catch {
            throw TLSFault.error("\(name) cannot be read: \(path(of: url))")
        }
        guard contents.length <= maximumLength else {
            throw TLSFault.error("\(name) is larger than 16 MiB: \(path(of: url))")
        }
        do {
            return try contents.file.read(at: 0, count: Int(contents.length))
        } catch {
            throw TLSFault.error("\(name) cannot be read: \(path(of: url))")
        }
    }

    /// Returns a file's whole path; empty for a URL that is no file's.
    ///
    /// OpenSSL takes a path that begins with `pkcs11:` for something else than a file.
    package static func path(of url: URL) -> String { url.isFileURL ? url.absoluteURL.path(percentEncoded: false) : "" }

    /// Checks that there is a certificate.
    ///
    /// - Parameters:
    ///   - pem: The bytes.
    ///   - name: What they are, for errors.
    /// - Throws: ``TransportError`` with the code `unsupported` if there is none, or a broken one.
    package static func checkCertificates(_ pem: Data, _ name: String) throws(TransportError) {
        let certificates = PEMBlock.blocks(in: pem).filter { $0.label.hasSuffix("CERTIFICATE") }
        guard !certificates.isEmpty else { throw TLSFault.error("\(name) has no certificate in PEM") }
        guard certificates.allSatisfy(\.isCertificate) else { throw TLSFault.error("\(name) has a broken certificate") }
    }

    /// Checks that there is a private key, encrypted or not.
    ///
    /// - Parameters:
    ///   - pem: The bytes.
    ///   - name: What they are, for errors.
    /// - Throws: ``TransportError`` with the code `unsupported` if there is none.
    package static func checkKey(_ pem: Data, _ name: String) throws(TransportError) {
        guard PEMBlock.blocks(in: pem).contains(where: \.isKey) else {
            throw TLSFault.error("\(name) has no private key in PEM")
        }
    }

    /// Checks that a folder has certificates that OpenSSL finds.
    ///
    /// - Parameter url: The folder.
    /// - Throws: ``TransportError`` with the code `unsupported` if it has none.
    package static func checkFolder(_ url: URL) throws(TransportError) {
        let path = path(of: url)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw TLSFault.error("The folder of authorities cannot be read: \(path)")
        }
        // Eight hexadecimal digits, a dot and a number.
        let found = names.contains { name in
            let parts = name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].count == 8, !parts[1].isEmpty else { return false }
            guard parts[0].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                parts[1].allSatisfy({ (0x30...0x39).contains($0) })
            else { return false }
            let contents = try? read(url.appending(path: name), "")
            return contents.map { PEMBlock.blocks(in: $0).contains(where: \.isCertificate) } ?? false
        }
        guard found else {
            throw TLSFault.error("The folder of authorities has no certificate named by openssl rehash: \(path)")
        }
    }
}
