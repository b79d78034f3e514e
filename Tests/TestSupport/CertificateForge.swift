import Foundation
import PiuPiuAsync

/// Makes certificates with openssl, in particular those that nobody should accept.
///
/// ```swift
/// let forge = try CertificateForge()
/// let root = try forge.authority("root")
/// let expired = try forge.certificate("expired", of: root) { $0.end = "20210101000000Z" }
/// ```
public final class CertificateForge: Sendable {
    /// A certificate with its key.
    public struct Identity: Sendable {
        /// What its files are called.
        public let name: String
        /// The file of the certificate alone.
        public let certificate: URL
        /// The file of the key.
        public let key: URL
        /// The file of what a server sends: the certificate, and those that it was given to send with it.
        public let chain: URL
        /// The folder of an authority's records.
        let records: URL
    }

    /// What is in a certificate.
    public struct Content: Sendable {
        /// The subject as openssl takes it.
        public var subject: String
        /// Lines of openssl's configuration with the extensions.
        public var extensions: [String]
        /// From when it is valid, as YYYYMMDDHHMMSSZ.
        public var start = "20200101000000Z"
        /// Until when it is valid.
        public var end = "20400101000000Z"
        /// The digest of the signature.
        public var digest = "sha256"
        /// The bits of an RSA key; `nil` for an elliptic one.
        public var rsaBits: Int?
        /// Certificates that a server sends with it.
        public var sent: [Identity] = []
    }

    /// The folder of all files.
    public let folder: URL
    private let openssl: Command
    private let removal: Companion
    private let key: URL

    /// Creates an empty forge.
    ///
    /// - Throws: An error if openssl is missing.
    public init() throws {
        openssl = try Command("openssl")
        folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-forge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        removal = try Companion(atExit: Command("rm"), ["-rf", folder.path])
        // One key for all certificates takes half the time.
        key = folder.appending(path: "usual.key")
        try openssl.run("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", key.path)
    }

    /// Makes an authority that signed itself.
    ///
    /// - Parameter name: Its name, which is its common name, too.
    /// - Returns: The authority.
    /// - Throws: An error if openssl fails.
    public func authority(_ name: String) throws -> Identity {
        try selfSigned(name, ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"])
    }

    /// Makes a certificate that signed itself.
    ///
    /// - Parameters:
    ///   - name: Its name, which is its common name, too.
    ///   - extensions: Lines of openssl's configuration with the extensions.
    /// - Returns: The certificate.
    /// - Throws: An error if openssl fails.
    public func selfSigned(_ name: String, _ extensions: [String]) throws -> Identity {
        let identity = try identity(name, key: newKey(name, rsaBits: nil))
        let options = extensions.flatMap { ["-addext", $0] }
        try openssl.run(
            ["req", "-x509", "-config", configuration(of: identity).path, "-new", "-key", identity.key.path, "-days"]
                + ["3650", "-subj", "/CN=\(name)", "-out", identity.certificate.path] + options
        )
        try send([identity], as: identity)
        return identity
    }

    /// Makes a certificate that an authority signed, for `localhost` and 127.0.0.1.
    ///
    /// - Parameters:
    ///   - name: Its name, which is its common name, too.
    ///   - authority: Who signs it, whether or not it may.
    ///   - change: Changes what is in it.
    /// - Returns: The certificate.
    /// - Throws: An error if openssl fails.
    public func certificate(
        _ name: String,
        of authority: Identity,
        _ change: (inout Content) -> Void = { _ in }
    ) throws -> Identity {
        var content = Content(
            subject: "/CN=\(name)",
            extensions: ["subjectAltName=DNS:localhost,IP:127.0.0.1", "basicConstraints=CA:FALSE"]
        )
        change(&content)
        let isAuthority = content.extensions.contains { $0.hasPrefix("keyUsage") }
        let key = content.rsaBits != nil || isAuthority ? try newKey(name, rsaBits: content.rsaBits) : self.key
        let identity = try identity(name, key: key)
        let request = folder.appending(path: "\(name).csr").path
        let configuration = try configuration(of: authority).path
        let extensions = folder.appending(path: "\(name).ext")
        try Data(content.extensions.joined(separator: "\n").utf8).write(to: extensions)
        try openssl.run("req", "-config", configuration, "-new", "-key", key.path, "-subj", "/CN=x", "-out", request)
        try openssl.run(
            ["ca", "-batch", "-notext", "-config", configuration, "-in", request, "-out", identity.certificate.path]
                + ["-cert", authority.certificate.path, "-keyfile", authority.key.path, "-extfile", extensions.path]
                + ["-utf8", "-subj", content.subject, "-startdate", content.start, "-enddate", content.end]
                + ["-md", content.digest]
        )
        try send([identity] + content.sent, as: identity)
        return identity
    }

    /// Revokes certificates of an authority and makes its list.
    ///
    /// - Parameters:
    ///   - certificates: The certificates.
    ///   - authority: Who signed them.
    /// - Returns: The file of the list.
    /// - Throws: An error if openssl fails.
    public func revocationList(_ certificates: [Identity], of authority: Identity) throws -> URL {
        let options =
            ["-config", try configuration(of: authority).path]
            + ["-cert", authority.certificate.path, "-keyfile", authority.key.path]
        for certificate in certificates {
            try openssl.run(["ca", "-revoke", certificate.certificate.path] + options)
        }
        let list = folder.appending(path: "\(authority.name).crl")
        try openssl.run(["ca", "-gencrl", "-crldays", "30", "-out", list.path] + options)
        return list
    }

    /// Makes an authority's answer about a certificate, for a server to send with it.
    ///
    /// - Parameters:
    ///   - certificate: The certificate.
    ///   - authority: Who signed it.
    /// - Returns: The file of the answer (OCSP, in DER).
    /// - Throws: An error if openssl fails.
    public func status(of certificate: Identity, by authority: Identity) throws -> URL {
        let question = folder.appending(path: "\(certificate.name).question").path
        let answer = folder.appending(path: "\(certificate.name).answer")
        try openssl.run(
            "ocsp",
            "-issuer",
            authority.certificate.path,
            "-cert",
            certificate.certificate.path,
            "-no_nonce",
            "-reqout",
            question
        )
        try openssl.run(
            ["ocsp", "-index", authority.records.appending(path: "index.txt").path, "-reqin", question, "-ndays", "30"]
                + ["-CA", authority.certificate.path, "-rsigner", authority.certificate.path]
                + ["-rkey", authority.key.path, "-respout", answer.path]
        )
        return answer
    }

    private func newKey(_ name: String, rsaBits: Int?) throws -> URL {
        let file = folder.appending(path: "\(name).key")
        if let rsaBits {
            try openssl.run("genrsa", "-out", file.path, "\(rsaBits)")
        } else {
            try openssl.run("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", file.path)
        }
        return file
    }

    private func identity(_ name: String, key: URL) throws -> Identity {
        let records = folder.appending(path: "\(name).records")
        try FileManager.default.createDirectory(at: records, withIntermediateDirectories: true)
        try Data().write(to: records.appending(path: "index.txt"))
        return Identity(
            name: name,
            certificate: folder.appending(path: "\(name).pem"),
            key: key,
            chain: folder.appending(path: "\(name).chain.pem"),
            records: records
        )
    }

    private func send(_ certificates: [Identity], as identity: Identity) throws {
        let files = try certificates.map { try Data(contentsOf: $0.certificate) }
        try files.reduce(Data(), +).write(to: identity.chain)
    }

    private func configuration(of authority: Identity) throws -> URL {
        let file = authority.records.appending(path: "openssl.cnf")
        guard !FileManager.default.fileExists(atPath: file.path) else { return file }
        let text = """
            [req]
            distinguished_name = name
            string_mask = utf8only
            [name]
            [ca]
            default_ca = it
            [it]
            database = \(authority.records.path)/index.txt
            new_certs_dir = \(authority.records.path)
            rand_serial = yes
            default_md = sha256
            default_days = 30
            unique_subject = no
            policy = any
            string_mask = utf8only
            [any]
            commonName = optional
            organizationName = optional
            """
        try Data(text.utf8).write(to: file)
        return file
    }
}
