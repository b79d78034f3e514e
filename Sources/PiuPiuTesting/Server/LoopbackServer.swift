public import Foundation

/// A small scripted HTTP/1.1 server on 127.0.0.1, which can also misbehave on purpose.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.route("GET", "/users", .json(#"[{"id":1}]"#))
/// server.route("/slow", .send("HTTP/1.1 200 OK\r\n"), .hold("rest"), .reset)
/// ```
///
/// One background thread serves all connections. A client that ends its sending direction counts as disconnected as
/// soon as the server has nothing left to send to it. The server stops with ``stop()`` or when it is released.
public final class LoopbackServer: Sendable {
    /// The port the system chose.
    public let port: Int

    /// The URL of the server, without a path.
    public let baseURL: URL

    let core: ServerCore

    /// Starts a server.
    ///
    /// - Parameter onConnect: The steps to run after accepting a connection, before reading anything.
    /// - Throws: ``LoopbackServerError`` if the system refuses a socket.
    public init(onConnect: [Step] = []) throws {
        Sockets.raiseDescriptorLimit()
        let pipe = try Sockets.makePipe()
        let listener: Int32
        do {
            (listener, self.port) = try Sockets.listen(backlog: 4096)
        } catch {
            Sockets.end(pipe.reader)
            Sockets.end(pipe.writer)
            throw error
        }
        self.baseURL = URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
        self.core = ServerCore(wakeWriter: pipe.writer)
        let thread = Thread { [core] in
            Reactor(core: core, listener: listener, wakeReader: pipe.reader, onConnect: onConnect).run()
        }
        thread.name = "LoopbackServer"
        thread.start()
    }

    deinit {
        stop()
    }

    /// Creates a URL of this server.
    ///
    /// - Parameter pathAndQuery: The path and the query after the port; characters that a URL cannot contain are
    ///   percent-encoded.
    /// - Returns: The URL.
    public func url(_ pathAndQuery: String) -> URL {
        let target = pathAndQuery.hasPrefix("/") ? pathAndQuery : "/" + pathAndQuery
        return URL(string: "http://127.0.0.1:\(port)" + Self.percentEncoded(target)) ?? baseURL
    }

    /// The recorded requests.
    ///
    /// The server records a request when its body is complete, when its head is complete if the script starts with
    /// ``Step/ignoreBody`` or ``Step/drainBody``, or when the client disconnects before the end of its body.
    public var requests: [RecordedRequest] {
        core.update { $0.requests }
    }

    /// Returns the recorded requests for a path.
    ///
    /// - Parameter path: The path, without a query.
    /// - Returns: The requests, in the order in which they were recorded.
    public func requests(for path: String) -> [RecordedRequest] {
        requests.filter { $0.path == path }
    }

    /// Removes the recorded requests, so that a server can run for a long time; the count restarts at zero.
    public func forgetRequests() {
        core.update { $0.forgetRequests() }
    }

    /// The number of connections that are not closed on both sides.
    public var openConnections: Int {
        core.update { $0.openConnections }
    }

    /// The total number of connections accepted so far.
    public var acceptedConnections: Int {
        core.update { $0.acceptedConnections }
    }

    /// The total number of bytes that the system accepted for sending, over all connections.
    ///
    /// It does not grow while the clients do not read and the system's buffers are full.
    public var bytesSent: Int {
        core.bytesSent
    }

    /// Closes all connections, resumes all waiting tasks and returns when the background thread has ended.
    ///
    /// Later calls do nothing. A call in a closure of ``route(_:respond:)`` does not wait.
    public func stop() {
        core.update { $0.stop() }
        core.wakeUp()
        core.waitForEnd()
    }

    /// Percent-encodes characters that a path and a query cannot contain, but keeps existing escapes such as `%41`.
    private static func percentEncoded(_ target: String) -> String {
        let bytes = Array(target.utf8)
        func isHexDigit(_ index: Int) -> Bool {
            index < bytes.count && Character(Unicode.Scalar(bytes[index])).isHexDigit
        }
        return bytes.indices.map { index in
            let scalar = Unicode.Scalar(bytes[index])
            let isEscape = scalar == "%" && isHexDigit(index + 1) && isHexDigit(index + 2)
            if isEscape || scalar.isASCII && (scalar == "?" || CharacterSet.urlPathAllowed.contains(scalar)) {
                return String(scalar)
            }
            return String(format: "%%%02X", Int(bytes[index]))
        }
        .joined()
    }
}
