import Foundation
import PiuPiuAsync

/// Certificates of clients, and what tells that a server's certificate is revoked, made with openssl when first needed.
///
/// `a` and `b` are clients of one authority. Passphrases are ``SecretSearch/secret``.
public final class ClientCertificates: Sendable {
    /// The certificates, or why there are none.
    public static let shared = Result { try ClientCertificates() }

    /// The folder of the files.
    public let folder: URL
    private let openssl: Command
    private let servers: Certificates
    private let removal: Companion

    private init() throws {
        openssl = try Command("openssl")
        servers = try Certificates.shared.get()
        folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-clients-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        removal = try Companion(atExit: Command("rm"), ["-rf", folder.path])
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        let authority = ["-keyout", path("clients.key"), "-out", path("clients.pem")]
        try openssl.run(["req", "-x509", "-subj", "/CN=clients"] + newKey + authority)
        for name in ["a", "b"] {
            let request = ["-keyout", path("\(name).key"), "-out", path("\(name).csr")]
            try openssl.run(["req", "-subj", "/CN=\(name)"] + newKey.dropLast(2) + request)
            let signer = ["-CA", path("clients.pem"), "-CAkey", path("clients.key"), "-CAcreateserial", "-days", "2"]
            try openssl.run(
                ["x509", "-req", "-in", path("\(name).csr"), "-out", path("\(name).pem")] + signer
            )
        }
        let secret = "pass:\(SecretSearch.secret)"
        try openssl.run(["pkcs8", "-topk8", "-in", path("a.key"), "-out", path("a-encrypted.key"), "-passout", secret])
        try openssl.run(["ec", "-in", path("a.key"), "-aes128", "-out", path("a-old.key"), "-passout", secret])
        let both = ["-in", path("a.pem"), "-inkey", path("a.key")]
        try openssl.run(["pkcs12", "-export", "-out", path("a.p12"), "-passout", secret] + both)
        try openssl.run(["pkcs12", "-export", "-out", path("a-open.p12"), "-passout", "pass:"] + both)
        try (data("a.pem") + data("a.key")).write(to: file("a-both.pem"))
        try makeRevocation()
    }

    /// A file.
    ///
    /// - Parameter name: `a.pem`, `a.key`, `a-encrypted.key`, `a-old.key`, `a-both.pem`, `a.p12`, `a-open.p12`, `b.pem`,
    ///   `b.key`; `clients.pem`, the authority; `none.crl` and `good.crl`, in which the server's certificate `good` is
    ///   not and is revoked; `valid.ocsp` and `revoked.ocsp`, the answers about it.
    /// - Returns: The file.
    public func file(_ name: String) -> URL { folder.appending(path: name) }

    /// The contents of a file.
    ///
    /// - Parameter name: As for ``file(_:)``.
    /// - Returns: The contents.
    /// - Throws: An error if it cannot be read.
    public func data(_ name: String) throws -> Data { try Data(contentsOf: file(name)) }

    private func path(_ name: String) -> String { file(name).path }

    private func makeRevocation() throws {
        let (authority, key) = (servers.authority.path, servers.key("ca").path)
        let good = servers.certificate("good").path
        let settings = """
            [ca]
            default_ca = here
            [here]
            database = \(path("index.txt"))
            certificate = \(authority)
            private_key = \(key)
            default_md = sha256
            default_crl_days = 2
            default_days = 2
            policy = any
            new_certs_dir = \(folder.path)
            rand_serial = yes
            [any]
            commonName = optional
            """
        try Data(settings.utf8).write(to: file("ca.cnf"))
        try Data().write(to: file("index.txt"))
        let ca = ["ca", "-config", path("ca.cnf")]
        // Enters the certificate into the list as valid.
        try openssl.run(ca + ["-valid", good])
        for (list, answer) in [("none.crl", "valid.ocsp"), ("good.crl", "revoked.ocsp")] {
            try openssl.run(ca + ["-gencrl", "-out", path(list)])
            let question = ["ocsp", "-issuer", authority, "-cert", good]
            try openssl.run(question + ["-no_nonce", "-reqout", path("request.ocsp")])
            let signer = ["-rsigner", authority, "-rkey", key, "-CA", authority, "-ndays", "2"]
            let files = ["-reqin", path("request.ocsp"), "-respout", path(answer)]
            try openssl.run(["ocsp", "-index", path("index.txt")] + signer + files)
            if list == "none.crl" { try openssl.run(ca + ["-revoke", good]) }
        }
    }
}
