import PiuPiuAsync
import TestSupport

/// A server to check against.
enum CheckedServer: String, CaseIterable {
    case nginx
    case node = "Node.js"

    /// A server that is running.
    struct Running {
        let authority: URL
        let url: @Sendable (String) -> URL
        /// Stops it, and tells what it processed.
        let finish: @Sendable () async -> [NginxVariant.Entry]
    }

    /// Starts it.
    ///
    /// - Parameter count: After how many streams it goes away from a connection.
    /// - Returns: The server.
    /// - Throws: An error if it isn't installed.
    func start(streamsPerConnection count: Int) async throws -> Running {
        switch self {
        case .nginx:
            let fields = { (kilobytes: Int) in
                (0..<kilobytes).map { "add_header x-\($0) \(String(repeating: "x", count: 1000));" }.joined(
                    separator: " "
                )
            }
            let server = try NginxVariant(
                http: "keepalive_requests \(count);",
                server: """
                    location /post { return 200 $request_uri; }
                    location /head4 { \(fields(4)) return 200 $request_uri; }
                    location /head20 { \(fields(20)) return 200 $request_uri; }
                    """
            )
            return Running(
                authority: server.authority,
                url: { server.url(server.http2, $0) },
                finish: { server.finish() }
            )
        case .node:
            let server = try await NodeServer(streamsPerConnection: count)
            return Running(
                authority: server.authority,
                url: { server.url($0) },
                finish: { await server.finish() }
            )
        }
    }
}
