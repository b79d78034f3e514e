/// A request method (RFC 9110 §9, RFC 5789 for PATCH).
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
    /// Asks what a resource supports.
    case options = "OPTIONS"
    /// Fetches a resource.
    case get = "GET"
    /// Fetches the head of a resource.
    case head = "HEAD"
    /// Has a resource process the content of the request.
    case post = "POST"
    /// Replaces a resource.
    case put = "PUT"
    /// Changes parts of a resource.
    case patch = "PATCH"
    /// Removes a resource.
    case delete = "DELETE"
    /// Sends the request back, for tests.
    case trace = "TRACE"
    /// Opens a tunnel.
    case connect = "CONNECT"

    /// Whether the method only reads (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        case .post, .put, .patch, .delete, .connect: false
        }
    }

    /// Whether sending the request again has the same effect as sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The method as it is sent, in capitals.
    public var description: String { rawValue }
}
