import Foundation
import PiuPiuTesting

/// HAProxy as a server that expects the PROXY protocol, and answers with the addresses that it was told, or as TLS in front
/// of another server.
package final class HAProxyServer: Sendable {
    /// Whether there can be one.
    package static let isAvailable = (try? Command("haproxy")) != nil

    /// The port, on 127.0.0.1.
    package var port: Int { held.port }
    private let held: HeldPort
    private let process: Companion
    private let removal: Companion

    /// Starts the server that answers.
    ///
    /// - Throws: An error if it cannot be started.
    package convenience init() throws {
        try self.init(mode: "http") { port, _ in
            """
            frontend all
                bind 127.0.0.1:\(port) accept-proxy
                http-request return status 200 content-type text/plain lf-string "%[src] %[dst] %[dst_port]"

            """
        }
    }

    /// Starts TLS in front of a plain server, with the good one of ``Certificates``.
    ///
    /// - Parameters:
    ///   - serverPort: The server's port, on 127.0.0.1.
    ///   - isHTTP2: Whether HAProxy speaks HTTP/2, and HTTP/1.1 with the server; otherwise, bytes pass as they are.
    /// - Throws: An error if it cannot be started.
    package convenience init(tlsInFrontOf serverPort: Int, isHTTP2: Bool = false) throws {
        let certificates = try Certificates.shared.get()
        try self.init(mode: isHTTP2 ? "http" : "tcp") { port, folder in
            let file = folder.appending(path: "server.pem")
            let parts = [certificates.certificate("good"), certificates.key("good")]
            try Data(parts.map { try Data(contentsOf: $0) }.joined()).write(to: file)
            return """
                frontend all
                    bind 127.0.0.1:\(port) ssl crt \(file.path)\(isHTTP2 ? " alpn h2" : "")
                    default_backend plain
                backend plain
                    server plain 127.0.0.1:\(serverPort)

                """
        }
    }

    private init(mode: String, _ settings: (_ port: Int, _ folder: URL) throws -> String) throws {
        let executable = try Command("haproxy")
        let folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-haproxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        removal = try Companion(atExit: Command("rm"), ["-rf", folder.path])
        held = try HeldPort()
        let text = """
            defaults
                mode \(mode)
                timeout client 60s
                timeout connect 60s
                timeout server 60s
            \(try settings(held.port, folder))
            """
        let file = folder.appending(path: "haproxy.cfg")
        try Data(text.utf8).write(to: file)
        // A child inherits the signals that the thread blocks that starts it: TERM would not arrive, and a shell that
        // waits would not learn of the end. Nothing blocks KILL.
        let script = #""$@" </dev/null >/dev/null 2>&1 & read -r line; kill -KILL $!"#
        process = try Companion(Command("sh"), ["-c", script, "sh", executable.path, "-db", "-f", file.path])
        try held.waitForListener("haproxy")
    }
}
