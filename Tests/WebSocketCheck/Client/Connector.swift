import PiuPiuAsync

/// Opens sockets with the connection options of the arguments.
struct Connector: Sendable {
    /// A socket over another version of HTTP than expected.
    struct WrongVersion: Error, CustomStringConvertible {
        let version: String
        var description: String { "the socket is over \(version)" }
    }

    private let dispatcher: URLRequestDispatcher
    private let options: WebSocketOptions
    private let expectedVersion: Int?
    private let mustCompress: Bool

    init(_ arguments: Arguments) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = try arguments.text("proxy").map { .server(try ProxyServer($0)) } ?? .none
        configuration.transport.certificateAuthorityFile = arguments.text("ca").map { URL(filePath: $0) }
        configuration.connections = ConnectionLimits(perHost: max(arguments.number("sockets", 1), 8) + 8)
        if arguments.has("cleartext") {
            configuration.transport.cleartextHTTP2 = [try Self.origin(of: arguments.url)]
        }
        dispatcher = URLRequestDispatcher(configuration: configuration)
        var options = WebSocketOptions()
        options.compression =
            switch arguments.text("compression") {
            case nil: .none
            case "no-context": .deflate(minimumSize: 0, keepsContext: false)
            default: .deflate
            }
        options.maximumMessageSize = max(options.maximumMessageSize, arguments.number("maximum", 0))
        switch arguments.text("http2") {
        case "never", nil: options.http2 = .never
        case "automatic": options.http2 = .automatic
        case "preferred", "": options.http2 = .preferred
        case let other?: throw Arguments.Invalid(reason: "--http2 cannot be \(other)")
        }
        self.options = options
        expectedVersion = arguments.text("expect").flatMap { Int($0) }
        mustCompress = arguments.has("must-compress")
    }

    /// The `http` URL of a `ws` URL's server.
    private static func origin(of url: URL) throws -> URL {
        guard let origin = URL(string: "http://\(url.host() ?? ""):\(url.port ?? 80)") else { throw URLError(.badURL) }
        return origin
    }

    /// Opens a socket.
    func open(_ url: URL) async throws -> WebSocket {
        let socket = try await dispatcher.webSocket(for: URLRequest(url: url), options: options)
        let version = socket.response.httpVersion
        if let expectedVersion, !version.hasPrefix("HTTP/\(expectedVersion)") { throw WrongVersion(version: version) }
        if mustCompress, !socket.isCompressed { throw Arguments.Invalid(reason: "the server refused compression") }
        return socket
    }

    /// Closes all connections.
    func shutdown() async {
        await dispatcher.shutdown()
    }
}
