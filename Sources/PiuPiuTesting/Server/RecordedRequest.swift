public import Foundation

/// A request as it arrived at a ``LoopbackServer``.
public struct RecordedRequest: Sendable {
    /// The serial number of the connection; the first one is 1.
    public let connection: Int

    /// The method, spelled as it arrived.
    public let method: String

    /// The request target, with its query.
    public let target: String

    /// The protocol version, such as `HTTP/1.1`.
    public let version: String

    /// The header fields, in order.
    public let headers: HeaderList

    /// The bytes from the request line to the empty line, both included.
    public let head: Data

    /// The body, without chunk framing; at most the first 64 MiB.
    ///
    /// It stays empty when the route's script starts with ``Step/ignoreBody`` or ``Step/drainBody``.
    public internal(set) var body = Data()

    /// The number of body bytes that the server read, even if it did not record all of them.
    public internal(set) var bodyLength = 0

    /// Whether the whole body had arrived when the server recorded the request.
    ///
    /// It is `false` if the script started before the body was read, or if the client disconnected before its end.
    public internal(set) var isBodyComplete = false

    /// The request target without its query, and without scheme and authority.
    public var path: String {
        var path = target.prefix { $0 != "?" && $0 != "#" }
        if path.lowercased().hasPrefix("http://") {
            path = path.dropFirst(7).drop { $0 != "/" }
            return path.isEmpty ? "/" : String(path)
        }
        return String(path)
    }

    /// Returns the first value of a header field.
    ///
    /// - Parameter name: The field's name, in upper or lower case.
    /// - Returns: The value, or `nil` if there is no such field.
    public func header(_ name: String) -> String? {
        headers.first(name)
    }

    /// Whether the client keeps the connection open after the response.
    var keepsConnectionAlive: Bool {
        if headers.contains(token: "close", in: "Connection") { return false }
        return version == "HTTP/1.0" ? headers.contains(token: "keep-alive", in: "Connection") : true
    }
}
