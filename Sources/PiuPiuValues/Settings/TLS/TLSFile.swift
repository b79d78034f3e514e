/// Reads and checks the files of TLS settings before anything is sent.
package enum TLSFile {
    /// The maximum size of a file, in bytes.
    static let maximumLength = 16 << 20

    /// Reads a file; throws ``TransportError`` with the code `unsupported` if it is unreadable, not a regular file, or too
    /// large.
    ///
    /// The name describes the file in errors, such as "The file of authorities".
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

    /// Returns a file's absolute path; empty for a URL that is not a file URL.
    ///
    /// OpenSSL does not treat a path that starts with `pkcs11:` as a file.
    package static func path(of url: URL) -> String { url.isFileURL ? url.absoluteURL.path(percentEncoded: false) : "" }

    /// Checks certificates; throws ``TransportError`` with the code `unsupported` if there is none, or a malformed one.
    ///
    /// The name describes the bytes in errors.
    package static func checkCertificates(_ pem: Data, _ name: String) throws(TransportError) {
        let certificates = PEMBlock.blocks(in: pem).filter { $0.label.hasSuffix("CERTIFICATE") }
        guard !certificates.isEmpty else { throw TLSFault.error("\(name) has no certificate in PEM") }
        guard certificates.allSatisfy(\.isCertificate) else {
            throw TLSFault.error("\(name) contains a malformed certificate")
        }
    }

    /// Checks for a private key, encrypted or not; throws ``TransportError`` with the code `unsupported` if there is none.
    ///
    /// The name describes the bytes in errors.
    package static func checkKey(_ pem: Data, _ name: String) throws(TransportError) {
        guard PEMBlock.blocks(in: pem).contains(where: \.isKey) else {
            throw TLSFault.error("\(name) has no private key in PEM")
        }
    }

    /// Checks for certificates that OpenSSL can find in a folder; throws ``TransportError`` with the code `unsupported` without
    /// any.
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
