import Foundation

/// A server of WebSockets in Python, with the standard library only.
///
/// Its paths are in `Python/websocket_server.py`.
public final class WebSocketServer: Sendable {
    /// The server; `nil` if there is no python3, which it reports on standard error.
    public static let shared: WebSocketServer? = {
        do {
            return try WebSocketServer()
        } catch {
            FileHandle.standardError.write(Data("Tests against a server of WebSockets are skipped: \(error)\n".utf8))
            return nil
        }
    }()

    /// The port.
    public let port: Int
    private let process: Companion

    private init() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Python/websocket_server.py")
        process = try Companion(Command("python3"), ["-u", script.path])
        guard let port = process.firstLine().flatMap({ Int($0) }) else {
            throw Command.Failure(description: "The server does not listen")
        }
        self.port = port
    }

    /// A URL of the server.
    ///
    /// - Parameter path: The path, beginning with a slash.
    /// - Returns: The URL, with the scheme `ws`.
    public func url(_ path: String) -> URL {
        URL(string: "ws://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/")
    }
}
