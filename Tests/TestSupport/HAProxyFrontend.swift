import Foundation
import PiuPiuTesting

/// A haproxy that expects the PROXY protocol and answers each request with the address that it names.
package final class HAProxyFrontend: Sendable {
    /// Whether haproxy is installed.
    package static var isAvailable: Bool { (try? Command("haproxy")) != nil }

    /// A URL of the server.
    package let url: URL
    private let process: Companion
    private let folder: DownloadFolder

    /// Starts haproxy.
    ///
    /// - Throws: An error if it is missing or does not start.
    package init() throws {
        let port = try RefusingPort().port
        folder = try DownloadFolder()
        let file = folder.url.appending(path: "haproxy.cfg")
        let configuration = """
            defaults
                mode http
                timeout connect 60s
                timeout client 60s
                timeout server 60s
            frontend front
                bind 127.0.0.1:\(port) accept-proxy
                http-request return status 200 content-type text/plain lf-string "%[src]"

            """
        try Data(configuration.utf8).write(to: file)
        process = try Companion(server: Command("haproxy"), ["-db", "-f", file.path])
        url = URL(string: "http://127.0.0.1:\(port)/") ?? URL(filePath: "/")
        for _ in 0..<2000 {
            if Sockets.canConnect(to: port) { return }
            usleep(5000)
        }
        throw Command.Failure(description: "haproxy does not listen")
    }
}
