import Foundation

/// Hypercorn, a server of Python that speaks HTTP/2 without TLS, and HTTP/1.1, on the same port.
///
/// Its paths are in `Python/hypercorn_app.py`.
public final class HypercornServer: Sendable {
    /// The server; `nil` if python3 has no Hypercorn, which it reports on standard error.
    public static let shared: HypercornServer? = {
        do {
            return try HypercornServer()
        } catch {
            FileHandle.standardError.write(Data("Tests against Hypercorn are skipped: \(error)\n".utf8))
            return nil
        }
    }()

    /// The port.
    public let port: Int
    private let process: Companion

    private init() throws {
        let python = try Command("python3")
        try python.run("-c", "import hypercorn, h2")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Python/hypercorn_app.py")
        process = try Companion(python, ["-u", script.path])
        let words = (process.firstLine() ?? "").split(separator: " ")
        guard let port = words.last.flatMap({ Int($0) }) else {
            throw Command.Failure(description: "Hypercorn does not listen")
        }
        self.port = port
    }

    /// A URL of the server.
    ///
    /// - Parameter path: The path, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ path: String) -> URL {
        URL(string: "http://localhost:\(port)\(path)") ?? URL(filePath: "/")
    }
}
