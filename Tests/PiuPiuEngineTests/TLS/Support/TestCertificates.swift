#if os(Linux)
import Foundation
import PiuPiuEngine

/// Certificates, keys and lists, made with openssl when first needed.
///
/// | Name | Certificate |
/// |---|---|
/// | `good` | for localhost and 127.0.0.1, of the authority `root` |
/// | `other-host`, `wildcard`, `partial` | for other.test, `*.example.test`, `f*.example.test` |
/// | `numbers` | for names whose last label is a number |
/// | `expired`, `expired-other` | no longer valid; the second for other.test |
/// | `revoked` | for localhost, in `root.crl` |
/// | `leaf` | for localhost, of the authority `middle`; `leaf-chain` has both |
/// | `unknown` | for localhost, of the authority `stranger` |
/// | `self-signed` | for localhost |
/// | `client`, `foreign-client` | of a client, of `root` and of `stranger`; the key `edwards` belongs to none |
///
/// The passphrase of encrypted keys is ``passphrase``.
final class TestCertificates: Sendable {
    /// The certificates, or why there are none.
    static let shared = Result { try TestCertificates() }

    static let passphrase = "correct horse"

    private let folder: URL

    private init() throws {
        // The server's end is closed under OpenSSL's own writes.
        signal(SIGPIPE, SIG_IGN)
        if let path = ProcessInfo.processInfo.environment["PIUPIU_TEST_LIBSSL"] { OpenSSLLibrary.prefer(path) }
        folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-engine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path
        Self.removedAtExit = strdup(path)
        atexit {
            if let path = TestCertificates.removedAtExit {
                try? FileManager.default.removeItem(atPath: String(cString: path))
            }
        }
        try makeAuthorities()
        try makeServers()
        try makeClients()
        try makeRevocation()
    }

    nonisolated(unsafe) private static var removedAtExit: UnsafeMutablePointer<CChar>?

    /// The path of a file, such as `good.pem`.
    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// The contents of a file.
    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    /// The SHA-256 digest of the public key of a certificate.
    func pin(_ name: String) throws -> [UInt8] {
        // Several tests may ask at once.
        let stem = UUID().uuidString
        let names = (key: "\(stem).spki", digest: "\(stem).pin")
        try run(["pkey", "-in", "\(name).key", "-pubout", "-outform", "der", "-out", names.key])
        try run(["dgst", "-sha256", "-binary", "-out", names.digest, names.key])
        return try bytes(names.digest)
    }

    // MARK: Making them

    private func run(_ arguments: [String]) throws { try OpenSSLProgram.run(arguments, in: folder) }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func makeAuthorities() throws {
        for name in ["root", "stranger"] {
            try run(
                ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3"]
                    + ["-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).pem"]
            )
            try write("", "\(name).index")
            try write(
                """
                [ca]
                default_ca = here
                [here]
                database = \(name).index
                certificate = \(name).pem
                private_key = \(name).key
                default_md = sha256
                default_crl_days = 2
                policy = any
                new_certs_dir = .
                rand_serial = yes
                unique_subject = no
                [any]
                commonName = optional
                """,
                "\(name).cnf"
            )
        }
        try make("middle", "basicConstraints=CA:TRUE")
        try write(
            String(decoding: try bytes("root.cnf"), as: UTF8.self).replacing("root", with: "middle"),
            "middle.cnf"
        )
        try write("", "middle.index")
    }

    private func makeServers() throws {
        let local = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        try make("good", local)
        try make("revoked", local)
        try make("other-host", "subjectAltName=DNS:other.test")
        try make("wildcard", "subjectAltName=DNS:*.example.test")
        try make("partial", "subjectAltName=DNS:f*.example.test")
        let numbers = ["node.1", "test.83", "srv.0x1f", "256.1.1.1", "1.2.3.4.5"]
        try make("numbers", "subjectAltName=" + numbers.map { "DNS:\($0)" }.joined(separator: ","))
        let past = ["-startdate", "20200101000000Z", "-enddate", "20210101000000Z"]
        try make("expired", local, dates: past)
        try make("expired-other", "subjectAltName=DNS:other.test", dates: past)
        try make("unknown", local, of: "stranger")
        try make("leaf", local, of: "middle")
        try Data(try bytes("leaf.pem") + bytes("middle.pem")).write(to: folder.appending(path: "leaf-chain.pem"))
        try run(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3"]
                + ["-subj", "/CN=localhost", "-addext", local, "-keyout", "self-signed.key", "-out", "self-signed.pem"]
        )
    }

    private func makeClients() throws {
        try make("client", "extendedKeyUsage=clientAuth")
        try make("foreign-client", "extendedKeyUsage=clientAuth", of: "stranger")
        let secret = "pass:\(Self.passphrase)"
        try run(["pkcs8", "-topk8", "-in", "client.key", "-out", "client-encrypted.key", "-passout", secret])
        try run(["ec", "-in", "client.key", "-aes128", "-out", "client-traditional.key", "-passout", secret])
        try run(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "rsa.key"])
        let both = ["-in", "client.pem", "-inkey", "client.key", "-certfile", "root.pem"]
        try run(["pkcs12", "-export", "-out", "client.p12", "-passout", secret] + both)
        // As old tools write it, which OpenSSL 3 reads only with its legacy provider; not every openssl can write it.
        let old = ["-legacy", "-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-RC2-40"]
        try? run(["pkcs12", "-export", "-out", "client-old.p12", "-passout", secret] + both + old)
        try run(["pkcs12", "-export", "-out", "client-open.p12", "-passout", "pass:"] + both)
        try run(["genpkey", "-algorithm", "ed25519", "-out", "edwards.key"])
        // The program of OpenSSL 1.1.1 does not know the option.
        try? run(["pkcs12", "-export", "-legacy", "-out", "client-old.p12", "-passout", secret] + both)
        try Data(try bytes("client.pem") + bytes("client.key")).write(to: folder.appending(path: "client-both.pem"))
    }

    private func makeRevocation() throws {
        try run(["ca", "-config", "root.cnf", "-gencrl", "-out", "empty.crl"])
        try makeStatus("good", of: "good.pem")
        try run(["ca", "-config", "root.cnf", "-revoke", "revoked.pem"])
        try run(["ca", "-config", "root.cnf", "-gencrl", "-out", "root.crl"])
        try run(["ca", "-config", "stranger.cnf", "-gencrl", "-out", "stranger.crl"])
        try makeStatus("revoked", of: "revoked.pem")
    }

    private func makeStatus(_ name: String, of certificate: String) throws {
        let question = ["-issuer", "root.pem", "-cert", certificate, "-no_nonce", "-reqout", "\(name).question"]
        try run(["ocsp"] + question)
        let signer = ["-rsigner", "root.pem", "-rkey", "root.key", "-CA", "root.pem", "-ndays", "2"]
        try run(
            ["ocsp", "-index", "root.index"] + signer + ["-reqin", "\(name).question", "-respout", "\(name).ocsp"]
        )
    }

    private func make(
        _ name: String,
        _ alternatives: String,
        of authority: String = "root",
        dates: [String] = ["-days", "2"]
    ) throws {
        try write(
            alternatives + "\n" + (alternatives.contains("CA:TRUE") ? "" : "basicConstraints=CA:FALSE\n"),
            "\(name).ext"
        )
        try run(
            ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)"]
                + ["-keyout", "\(name).key", "-out", "\(name).csr"]
        )
        try run(
            ["ca", "-batch", "-config", "\(authority).cnf", "-in", "\(name).csr", "-out", "\(name).pem", "-notext"]
                + ["-extfile", "\(name).ext"] + dates
        )
    }
}
#endif
