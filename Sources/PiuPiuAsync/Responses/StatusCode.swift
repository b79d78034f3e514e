/// The status code of an HTTP response (RFC 9110 §15).
///
/// Two codes are equal where their numbers are: `.other(404) == .notFound`. A `switch` tells the two apart, so create
/// codes from numbers with ``init(rawValue:)``, which picks the named case.
public enum StatusCode: Sendable {
    // MARK: Informational

    /// 100: the request may go on with its content (RFC 9110 §15.2.1).
    case `continue`
    /// 101: the connection changes its protocol (RFC 9110 §15.2.2).
    case switchingProtocols
    /// 102: the server is at work (RFC 2518 §10.1).
    case processing
    /// 103: fields that the final response will probably have (RFC 8297).
    case earlyHints

    // MARK: Successful

    /// 200: the request succeeded (RFC 9110 §15.3.1).
    case ok
    /// 201: a resource was created (RFC 9110 §15.3.2).
    case created
    /// 202: the request was taken on, its work is not done yet (RFC 9110 §15.3.3).
    case accepted
    /// 203: a proxy changed the content (RFC 9110 §15.3.4).
    case nonAuthoritativeInformation
    /// 204: the request succeeded and there is no content (RFC 9110 §15.3.5).
    case noContent
    /// 205: the client should reset its form (RFC 9110 §15.3.6).
    case resetContent
    /// 206: one or more ranges of the content (RFC 9110 §15.3.7).
    case partialContent
    /// 207: the content has a status for each of many resources (RFC 4918 §11.1).
    case multiStatus
    /// 208: the members were listed before (RFC 5842 §7.1).
    case alreadyReported
    /// 226: the content is a difference to an earlier one (RFC 3229 §10.4.1).
    case imUsed

    // MARK: Redirection

    /// 300: there is more than one representation (RFC 9110 §15.4.1).
    case multipleChoices
    /// 301: the resource has a new URL for good (RFC 9110 §15.4.2).
    case movedPermanently
    /// 302: the resource has another URL for now (RFC 9110 §15.4.3).
    case found
    /// 303: the answer is at another URL, to be fetched with GET (RFC 9110 §15.4.4).
    case seeOther
    /// 304: the copy the client has is still good (RFC 9110 §15.4.5).
    case notModified
    /// 305: deprecated (RFC 9110 §15.4.6).
    case useProxy
    /// 307: as 302, with the same method and content (RFC 9110 §15.4.8).
    case temporaryRedirect
    /// 308: as 301, with the same method and content (RFC 9110 §15.4.9).
    case permanentRedirect

    // MARK: Client error

    /// 400: the server does not understand the request (RFC 9110 §15.5.1).
    case badRequest
    /// 401: the request lacks valid credentials (RFC 9110 §15.5.2).
    case unauthorized
    /// 402: reserved; used for exceeded quotas (RFC 9110 §15.5.3).
    case paymentRequired
    /// 403: the server refuses, whatever the credentials (RFC 9110 §15.5.4).
    case forbidden
    /// 404: there is no such resource (RFC 9110 §15.5.5).
    case notFound
    /// 405: the resource does not support the method (RFC 9110 §15.5.6).
    case methodNotAllowed
    /// 406: there is no representation the client accepts (RFC 9110 §15.5.7).
    case notAcceptable
    /// 407: the proxy wants credentials (RFC 9110 §15.5.8).
    case proxyAuthenticationRequired
    /// 408: the request took too long to arrive (RFC 9110 §15.5.9).
    case requestTimeout
    /// 409: the request conflicts with the resource's state (RFC 9110 §15.5.10).
    case conflict
    /// 410: the resource is no longer there, for good (RFC 9110 §15.5.11).
    case gone
    /// 411: the request needs a `Content-Length` (RFC 9110 §15.5.12).
    case lengthRequired
    /// 412: a condition of the request does not hold (RFC 9110 §15.5.13).
    case preconditionFailed
    /// 413: the request's content is too large (RFC 9110 §15.5.14).
    case contentTooLarge
    /// 414: the request's target is too long (RFC 9110 §15.5.15).
    case uriTooLong
    /// 415: the resource does not take content of that type (RFC 9110 §15.5.16).
    case unsupportedMediaType
    /// 416: the content has no such range (RFC 9110 §15.5.17).
    case rangeNotSatisfiable
    /// 417: the `Expect` field cannot be met (RFC 9110 §15.5.18).
    case expectationFailed
    /// 421: the server does not answer for this URL (RFC 9110 §15.5.20).
    case misdirectedRequest
    /// 422: the content is understood and still wrong (RFC 9110 §15.5.21).
    case unprocessableEntity
    /// 423: the resource is locked (RFC 4918 §11.3).
    case locked
    /// 424: an action this one depends on failed (RFC 4918 §11.4).
    case failedDependency
    /// 425: the request might be a replay (RFC 8470 §5.2).
    case tooEarly
    /// 426: the server wants another protocol (RFC 9110 §15.5.22).
    case upgradeRequired
    /// 428: the request must be conditional (RFC 6585 §3).
    case preconditionRequired
    /// 429: the client sends too many requests (RFC 6585 §4).
    case tooManyRequests
    /// 431: the request's header fields are too large (RFC 6585 §5).
    case requestHeaderFieldsTooLarge
    /// 451: a law keeps the resource away (RFC 7725 §3).
    case unavailableForLegalReasons

    // MARK: Server error

    /// 500: the server failed (RFC 9110 §15.6.1).
    case internalServerError
    /// 501: the server does not know the method (RFC 9110 §15.6.2).
    case notImplemented
    /// 502: a server behind this one gave a bad answer (RFC 9110 §15.6.3).
    case badGateway
    /// 503: the server cannot answer for now (RFC 9110 §15.6.4).
    case serviceUnavailable
    /// 504: a server behind this one gave no answer in time (RFC 9110 §15.6.5).
    case gatewayTimeout
    /// 505: the server does not speak that version of HTTP (RFC 9110 §15.6.6).
    case httpVersionNotSupported
    /// 506: content negotiation is set up wrongly (RFC 2295 §8.1).
    case variantAlsoNegotiates
    /// 507: the server has no room left (RFC 4918 §11.5).
    case insufficientStorage
    /// 508: the resource contains itself (RFC 5842 §7.2).
    case loopDetected
    /// 510: obsolete (RFC 2774 §7).
    case notExtended
    /// 511: the network wants the client to log in (RFC 6585 §6).
    case networkAuthenticationRequired

    // MARK: Any other

    /// A number without a name here; it need not be a valid code.
    case other(Int)
}

extension StatusCode {
    /// The class of the code: its first digit.
    public var type: StatusCodeType {
        StatusCodeType(statusCode: rawValue)
    }

    /// Foundation's text for the code, such as "not found"; localised where Foundation is.
    public var localizedDescription: String {
        HTTPURLResponse.localizedString(forStatusCode: rawValue)
    }

    /// The error this code stands for, `nil` for informational, successful and redirecting codes.
    public var httpError: HTTPError? {
        switch type {
        case .informational, .success, .redirect: nil
        case .clientError: .clientError(self)
        case .serverError: .serverError(self)
        case .invalid: .invalidStatusCode(self)
        }
    }
}

extension StatusCode: Hashable, Comparable {
    /// Compares the numbers of two codes.
    ///
    /// - Parameters:
    ///   - lhs: A code.
    ///   - rhs: Another code.
    /// - Returns: `true` where the numbers are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue == rhs.rawValue
    }

    /// Orders two codes by their numbers.
    ///
    /// - Parameters:
    ///   - lhs: A code.
    ///   - rhs: Another code.
    /// - Returns: `true` where the first number is the smaller one.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue < rhs.rawValue
    }

    /// Feeds the number to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }
}

extension StatusCode: Codable {
    /// Decodes a code from a single integer.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` where there is no integer.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Int.self))
    }

    /// Encodes the code as a single integer.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
