import Foundation
import PiuPiuTesting

/// HAProxy as a server that expects the PROXY protocol, and answers with the addresses that it was told.
package final class HAProxyServer: Sendable {
    /// Whether there can be one.
    package static let isAvailable = (try? Command("haproxy")) != nil

    /// The port, on 127.0.0.1.
    package let port: Int
    private let process: Companion
    private let removal: Companion

    /// Starts the server.
    ///
    /// - Throws: An error if it cannot be started.
    package init() throws {
        let executable = try Command("haproxy")
        let folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-haproxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        removal = try Companion(atExit: Command("rm"), ["-rf", folder.path])
        port = try RefusingPort().port
        let settings = """
            defaults
                mode http
                timeout client 60s
                timeout connect 60s
                timeout server 60s
            frontend all
                bind 127.0.0.1:\(port) accept-proxy
                http-request return status 200 content-type text/plain lf-string "%[src] %[dst] %[dst_port]"

            """
        let file = folder.appending(path: "haproxy.cfg")
        try Data(settings.utf8).write(to: file)
        // A child inherits the signals that the thread blocks that starts it: TERM would not arrive, and a shell that
        // waits would not learn of the end. Nothing blocks KILL.
        let script = #""$@" </dev/null >/dev/null 2>&1 & read -r line; kill -KILL $!"#
        process = try Companion(Command("sh"), ["-c", script, "sh", executable.path, "-db", "-f", file.path])
        // The server is another process, which does not tell when it listens.
        for _ in 0..<2000 {
            if Sockets.canConnect(to: port) { return }
            usleep(5000)
        }
        throw Command.Failure(description: "haproxy does not listen")
    }
}
