/// A request method (RFC 9110 §9, RFC 5789 for PATCH).
///
/// Any other method is made of its name:
///
/// ```swift
/// let request = URLRequest(url: url, method: HTTPMethod("PROPFIND"))
/// let response = try await dispatcher.data(for: request)
/// ```
///
/// Names are case-sensitive (RFC 9110 §9.1), and are compared so. Foundation writes the names of the methods that it knows
/// in capitals when they are put into a `URLRequest`. A name that is no token (RFC 9110 §5.6.2) can be made, but not sent:
/// a dispatcher throws a ``TransportError`` with the code `invalidRequest`.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, CaseIterable {
    /// The name of the method, as it is sent.
    public let rawValue: String

    /// Asks what a resource supports.
    public static let options = HTTPMethod("OPTIONS")
    /// Fetches a resource.
    public static let get = HTTPMethod("GET")
    /// Fetches the head of a resource.
    public static let head = HTTPMethod("HEAD")
    /// Has a resource process the content of the request.
    public static let post = HTTPMethod("POST")
    /// Replaces a resource.
    public static let put = HTTPMethod("PUT")
    /// Changes parts of a resource.
    public static let patch = HTTPMethod("PATCH")
    /// Removes a resource.
    public static let delete = HTTPMethod("DELETE")
    /// Sends the request back, for tests.
    public static let trace = HTTPMethod("TRACE")
    /// Opens a tunnel.
    public static let connect = HTTPMethod("CONNECT")

    /// The methods that have a name here; methods made of other names are not among them.
    public static let allCases: [HTTPMethod] = [.options, .get, .head, .post, .put, .patch, .delete, .trace, .connect]

    /// Creates a method of its name.
    ///
    /// - Parameter rawValue: The name, such as `PROPFIND`; capitals matter.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method of its name.
    ///
    /// - Parameter rawValue: The name, such as `PROPFIND`; capitals matter.
    public init(rawValue: String) {
        self.init(rawValue)
    }

    /// Whether the method only reads (RFC 9110 §9.2.1); `false` for methods that have no name here.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        default: false
        }
    }

    /// Whether sending the request again has the same effect as sending it once (RFC 9110 §9.2.2); `false` for methods
    /// that have no name here.
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The name of the method, as it is sent.
    public var description: String { rawValue }
}
