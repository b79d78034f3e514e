import Foundation
import PiuPiuTesting

/// A real proxy on loopback, which ends with the tests.
public final class ProxyProgram: Sendable {
    /// The user name that proxies with credentials know.
    public static let user = "ada"
    /// The password of that user, which is planted in errors if anything leaks it.
    public static let password = SecretSearch.secret

    /// The port.
    public var port: Int { held.port }
    private let held: HeldPort
    private let process: Companion
    private let removal: Companion?
    /// What this passes everything on to, which lives as long.
    private let next: ProxyProgram?

    /// Whether a program is installed.
    ///
    /// - Parameter names: The names of programs.
    /// - Returns: Whether all of them are.
    public static func isInstalled(_ names: String...) -> Bool {
        names.allSatisfy { (try? Command($0)) != nil }
    }

    /// Whether squid can check passwords.
    public static let canSquidCheckPasswords =
        isInstalled("squid", "openssl") && FileManager.default.isExecutableFile(atPath: squidHelper)
    private static let squidHelper = "/usr/lib/squid/basic_ncsa_auth"

    private init(
        _ name: String,
        folder: URL? = nil,
        next: ProxyProgram? = nil,
        _ arguments: (_ port: Int) throws -> [String]
    ) throws {
        self.next = next
        removal = try folder.map { try Companion(atExit: Command("rm"), ["-rf", $0.path]) }
        held = try HeldPort()
        process = try Companion(server: Command(name), arguments(held.port))
        try held.waitForListener(name)
    }

    private static func makeFolder(_ name: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        return folder
    }

    /// Starts squid, which wants the credentials and refuses to open tunnels to port 1.
    ///
    /// - Returns: The proxy.
    /// - Throws: An error if it does not start.
    public static func squid() throws -> ProxyProgram {
        let folder = try makeFolder("squid")
        let users = folder.appending(path: "users")
        // A salted hash of the password, as htpasswd writes it.
        let script = #"echo "$1:$(openssl passwd -apr1 "$2")" >"$3""#
        try Command("sh").run("-c", script, "sh", user, password, users.path)
        let file = folder.appending(path: "squid.conf")
        return try ProxyProgram("squid", folder: folder) { port in
            let text = """
                http_port 127.0.0.1:\(port)
                pid_filename none
                cache_log /dev/null
                access_log none
                cache_store_log none
                cache deny all
                netdb_filename none
                shutdown_lifetime 0 seconds
                max_filedescriptors 1024
                auth_param basic program \(squidHelper) \(users.path)
                auth_param basic children 1 startup=1
                auth_param basic realm proxy
                acl known proxy_auth REQUIRED
                acl forbidden port 1
                http_access deny forbidden
                http_access allow known
                http_access deny all
                """
            try Data(text.utf8).write(to: file)
            return ["-N", "-f", file.path]
        }
    }

    /// Starts tinyproxy, without credentials.
    ///
    /// - Returns: The proxy.
    /// - Throws: An error if it does not start.
    public static func tinyproxy() throws -> ProxyProgram {
        let folder = try makeFolder("tinyproxy")
        let file = folder.appending(path: "tinyproxy.conf")
        // More clients than the pool of a test may have connections.
        return try ProxyProgram("tinyproxy", folder: folder) { port in
            try Data("Port \(port)\nListen 127.0.0.1\nTimeout 60\nMaxClients 400\nAllow 127.0.0.1\n".utf8).write(
                to: file
            )
            return ["-d", "-c", file.path]
        }
    }

    /// Starts microsocks, which wants the credentials.
    ///
    /// - Returns: The proxy.
    /// - Throws: An error if it does not start.
    public static func microsocks() throws -> ProxyProgram {
        try ProxyProgram("microsocks") { ["-i", "127.0.0.1", "-p", "\($0)", "-u", user, "-P", password] }
    }

    /// Starts dante, which speaks only SOCKS 4, without names, and refuses port 1.
    ///
    /// - Returns: The proxy.
    /// - Throws: An error if it does not start.
    public static func dante() throws -> ProxyProgram {
        let folder = try makeFolder("dante")
        let file = folder.appending(path: "danted.conf")
        return try ProxyProgram("danted", folder: folder) { port in
            let text = """
                logoutput: /dev/null
                internal: 127.0.0.1 port = \(port)
                external: 127.0.0.1
                clientmethod: none
                socksmethod: none
                client pass {
                    from: 127.0.0.0/8 to: 0.0.0.0/0
                }
                socks block {
                    from: 127.0.0.0/8 to: 0.0.0.0/0 port = 1
                }
                socks pass {
                    from: 127.0.0.0/8 to: 0.0.0.0/0
                    proxyprotocol: socks_v4
                }

                """
            try Data(text.utf8).write(to: file)
            return ["-f", file.path, "-p", folder.appending(path: "pid").path, "-N", "1"]
        }
    }

    /// Starts haproxy, which speaks TLS with a certificate for `localhost` and passes everything on.
    ///
    /// - Parameters:
    ///   - proxy: The proxy behind it.
    ///   - certificate: The name of a certificate of ``Certificates``.
    /// - Returns: The proxy.
    /// - Throws: An error if it does not start.
    public static func overTLS(_ proxy: ProxyProgram, certificate: String = "good") throws -> ProxyProgram {
        let certificates = try Certificates.shared.get()
        let folder = try makeFolder("haproxy")
        let pair = folder.appending(path: "pair.pem")
        let texts = [certificates.certificate(certificate), certificates.key(certificate)]
        try texts.reduce(Data()) { try $0 + Data(contentsOf: $1) }.write(to: pair)
        let file = folder.appending(path: "haproxy.cfg")
        return try ProxyProgram("haproxy", folder: folder, next: proxy) { port in
            let text = """
                defaults
                  mode tcp
                  timeout connect 10s
                  timeout client 60s
                  timeout server 60s
                frontend proxy
                  bind 127.0.0.1:\(port) ssl crt \(pair.path)
                  default_backend next
                backend next
                  server next 127.0.0.1:\(proxy.port)

                """
            try Data(text.utf8).write(to: file)
            return ["-db", "-f", file.path]
        }
    }
}
