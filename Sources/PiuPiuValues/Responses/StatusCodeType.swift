/// The class of a status code (RFC 9110 §15).
public enum StatusCodeType: Sendable, Hashable {
    /// 1xx: the request was received, and the response is still to come.
    case informational
    /// 2xx: the request succeeded.
    case success
    /// 3xx: the client has to take further action.
    case redirect
    /// 4xx: the request was wrong.
    case clientError
    /// 5xx: the server failed.
    case serverError
    /// Any number that is not a status code.
    case invalid

    /// Creates the class of a code's number.
    init(statusCode: Int) {
        self =
            switch statusCode {
            case 100..<200: .informational
            case 200..<300: .success
            case 300..<400: .redirect
            case 400..<500: .clientError
            case 500..<600: .serverError
            default: .invalid
            }
    }

    /// Whether the class does not represent an error: 1xx, 2xx or 3xx.
    public var isSuccessful: Bool {
        switch self {
        case .informational, .success, .redirect: true
        case .clientError, .serverError, .invalid: false
        }
    }
}
