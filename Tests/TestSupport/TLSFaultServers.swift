import Foundation
import PiuPiuAsync
import PiuPiuTesting

/// Servers with whose certificates or settings something is wrong: an nginx with a port for each, and two of openssl's.
public final class TLSFaultServers: Sendable {
    /// The servers; `nil` if nginx or openssl is missing, which it reports on standard error.
    public static let shared: TLSFaultServers? = {
        do {
            return try TLSFaultServers()
        } catch {
            FileHandle.standardError.write(Data("Tests of TLS failures are skipped: \(error)\n".utf8))
            return nil
        }
    }()

    /// The authority to trust, and one that signed nothing that a server presents.
    public let authority: URL, otherAuthority: URL
    /// The list of what the authority revoked, and a list of another authority's.
    public let revocations: URL, otherRevocations: URL
    /// A client certificate of an authority that no server trusts, one that has expired, and a key that belongs to neither.
    public let stranger: CertificateForge.Identity, expiredClient: CertificateForge.Identity, otherKey: URL
    /// Another name for each port.
    private let ports: [String: Int]
    private let forge: CertificateForge
    private let nginx: NginxProcess
    private let held: [HeldPort]
    private let companions: [Companion]

    private struct Site {
        var name: String
        var identity: CertificateForge.Identity
        var settings = ""
    }

    private init() throws {
        let forge = try CertificateForge()
        self.forge = forge
        let root = try forge.authority("PiuPiu root")
        let other = try forge.authority("Unknown root")
        authority = root.certificate
        otherAuthority = other.certificate
        let good = try forge.certificate("good", of: root)
        var sites = try Self.badCertificates(forge, root, other)
        let revoked = try forge.certificate("revoked", of: root)
        // libcurl looks for the authority that answers among what the server sends.
        let stapled = try forge.certificate("stapled", of: root) { $0.sent = [root] }
        revocations = try forge.revocationList([revoked, stapled], of: root)
        otherRevocations = try forge.revocationList([], of: other)
        let answer = try forge.status(of: stapled, by: root).path
        sites += [
            Site(name: "good", identity: good),
            Site(name: "revoked", identity: revoked),
            Site(name: "stapled", identity: stapled, settings: "ssl_stapling on; ssl_stapling_file \(answer);"),
            Site(name: "tls10", identity: good, settings: "ssl_protocols TLSv1;"),
            Site(name: "tls11", identity: good, settings: "ssl_protocols TLSv1.1;"),
            Site(
                name: "noCipher",
                identity: good,
                settings: "ssl_protocols TLSv1.2; ssl_ciphers ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0;"
            ),
        ]
        stranger = try forge.certificate("stranger", of: other)
        expiredClient = try forge.certificate("expired client", of: root) { $0.end = "20210101000000Z" }
        otherKey = other.key
        // Lets nginx present what no client of today accepts.
        let weak = forge.folder.appending(path: "weak.cnf")
        let text = "openssl_conf=a\n[a]\nssl_conf=b\n[b]\nsystem_default=c\n[c]\nMinProtocol=TLSv1\n"
        try Data((text + "CipherString=DEFAULT:@SECLEVEL=0\n").utf8).write(to: weak)
        nginx = try NginxProcess(ports: sites.count, environment: ["OPENSSL_CONF": weak.path]) { folder, ports, _ in
            let servers = zip(sites, ports).map { site, port in
                """
                server {
                    listen 127.0.0.1:\(port) ssl backlog=4096; \(site.settings)
                    ssl_certificate "\(site.identity.chain.path)"; ssl_certificate_key "\(site.identity.key.path)";
                    location / { return 200 "hello"; }
                }
                """
            }
            return """
                http { access_log off; \(NginxProcess.usualSettings(folder)) \(servers.joined(separator: "\n")) }
                """
        }
        var ports = Dictionary(uniqueKeysWithValues: zip(sites.map(\.name), nginx.ports))
        // nginx answers with 400 instead of an alert.
        let others = try ["tls1_2", "tls1_3"].map { ($0, try HeldPort()) }
        held = others.map(\.1)
        companions = try others.map { version, held in
            ports["wantsCertificate.\(version)"] = held.port
            let files = ["-cert", good.certificate.path, "-key", good.key.path, "-CAfile", root.certificate.path]
            return try Companion(
                server: Command("openssl"),
                ["s_server", "-accept", "127.0.0.1:\(held.port)", "-www", "-quiet", "-\(version)", "-Verify", "1"]
                    + ["-verify_return_error"] + files
            )
        }
        self.ports = ports
        for port in ports.values {
            var attempts = 0
            while !Sockets.canConnect(to: port), attempts < 60_000 {
                usleep(5000)
                attempts += 1
            }
        }
    }

    /// The port of a server.
    ///
    /// - Parameter name: What is wrong with it.
    /// - Returns: The port; 0 if there is no such server.
    public func port(_ name: String) -> Int { ports[name] ?? 0 }

    private static func badCertificates(
        _ forge: CertificateForge,
        _ root: CertificateForge.Identity,
        _ other: CertificateForge.Identity
    ) throws -> [Site] {
        func names(_ names: String) -> [String] { ["subjectAltName=\(names)", "basicConstraints=CA:FALSE"] }
        let signing = ["basicConstraints=CA:TRUE", "keyUsage=keyCertSign,cRLSign"]
        let intermediate = try forge.certificate("Intermediate", of: root) { $0.extensions = signing }
        let oldIntermediate = try forge.certificate("Old intermediate", of: root) {
            $0.extensions = signing
            $0.end = "20220202020202Z"
        }
        let noAuthority = try forge.certificate("No authority", of: root) {
            $0.extensions = ["basicConstraints=CA:FALSE", "keyUsage=digitalSignature"]
        }
        let long = (0..<60).map { "DNS:\(String(repeating: "very-long-label-\($0).", count: 12))test" }
        let escape = "\u{1B}[31m"
        let contents: [(String, CertificateForge.Identity, (inout CertificateForge.Content) -> Void)] = [
            ("expired", root, { $0.end = "20210101000000Z" }),
            ("notYetValid", root, { $0.start = "20390101000000Z" }),
            ("threeNames", root, { $0.extensions = names("DNS:a.test,DNS:b.test,DNS:c.test") }),
            ("wildcard", root, { $0.extensions = names("DNS:*.example.test") }),
            ("otherAddress", root, { $0.extensions = names("IP:192.0.2.7,IP:2001:db8::1") }),
            (
                "commonName", root,
                {
                    $0.subject = "/CN=elsewhere.test"
                    $0.extensions = ["basicConstraints=CA:FALSE"]
                }
            ),
            ("unknownAuthority", other, { _ in }),
            ("unknownRootSent", other, { $0.sent = [other] }),
            ("missingIntermediate", intermediate, { _ in }),
            ("expiredIntermediate", oldIntermediate, { $0.sent = [oldIntermediate] }),
            ("noAuthority", noAuthority, { $0.sent = [noAuthority] }),
            ("clientOnly", root, { $0.extensions += ["extendedKeyUsage=clientAuth"] }),
            ("smallKey", root, { $0.rsaBits = 1024 }),
            ("sha1", root, { $0.digest = "sha1" }),
            ("hugeNames", root, { $0.extensions = names(long.joined(separator: ",")) }),
            (
                "controlCharacters", root,
                {
                    $0.subject = "/CN=\(escape)evil.test/O=A \u{202E}B"
                    $0.extensions = ["basicConstraints=CA:FALSE"]
                }
            ),
            ("controlNames", root, { $0.extensions = names("DNS:\(escape)evil.test") }),
        ]
        let sites = try contents.map { name, authority, change in
            Site(name: name, identity: try forge.certificate(name, of: authority, change))
        }
        let selfSigned = try forge.selfSigned("localhost", ["subjectAltName=DNS:localhost"])
        return sites + [Site(name: "selfSigned", identity: selfSigned)]
    }
}
