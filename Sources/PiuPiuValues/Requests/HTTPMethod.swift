/// A request method (RFC 9110 §9, RFC 5789 for PATCH).
///
/// Any other method is created from its name:
///
/// ```swift
/// let request = URLRequest(url: url, method: HTTPMethod("PROPFIND"))
/// let response = try await dispatcher.data(for: request)
/// ```
///
/// Names are case-sensitive (RFC 9110 §9.1) and compared accordingly. Foundation capitalizes the names of the methods
/// it knows when they are set in a `URLRequest`. A method whose name is not a token (RFC 9110 §5.6.2) can be created,
/// but not sent: a dispatcher throws a ``TransportError`` with the code `invalidRequest`.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, CaseIterable {
    /// The name of the method, as it is sent.
    public let rawValue: String

    /// Requests the options that a resource supports.
    public static let options = HTTPMethod("OPTIONS")
    /// Fetches a resource.
    public static let get = HTTPMethod("GET")
    /// Fetches the head of a resource.
    public static let head = HTTPMethod("HEAD")
    /// Makes a resource process the content of the request.
    public static let post = HTTPMethod("POST")
    /// Replaces a resource.
    public static let put = HTTPMethod("PUT")
    /// Changes parts of a resource.
    public static let patch = HTTPMethod("PATCH")
    /// Removes a resource.
    public static let delete = HTTPMethod("DELETE")
    /// Makes the server return the request, for tests.
    public static let trace = HTTPMethod("TRACE")
    /// Opens a tunnel.
    public static let connect = HTTPMethod("CONNECT")

    /// The methods that have a name in this type; methods created from other names are not included.
    public static let allCases: [HTTPMethod] = [.options, .get, .head, .post, .put, .patch, .delete, .trace, .connect]

    /// Creates a method from its name.
    ///
    /// - Parameter rawValue: The name, such as `PROPFIND`; case matters.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method from its name.
    ///
    /// - Parameter rawValue: The name, such as `PROPFIND`; case matters.
    public init(rawValue: String) {
        self.init(rawValue)
    }

    /// Whether the method only reads (RFC 9110 §9.2.1); `false` for methods without a name in this type.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        default: false
        }
    }

    /// Whether sending the request again has the same effect as sending it once (RFC 9110 §9.2.2); `false` for methods
    /// without a name in this type.
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The name of the method, as it is sent.
    public var description: String { rawValue }
}

extension URLRequest {
    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL to request.
    ///   - method: The request method.
    public init(url: URL, method: HTTPMethod) {
        self.init(url: url)
        // GET is the default, and setting the method is slow: Foundation compares each name with those it knows.
        if method != .get { httpMethod = method.rawValue }
    }
}
