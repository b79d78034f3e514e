extension StatusCode {
    // MARK: Informational

    /// 100: the client should continue with the content of the request (RFC 9110 §15.2.1).
    public static let `continue` = StatusCode(rawValue: 100)
    /// 101: the connection changes its protocol (RFC 9110 §15.2.2).
    public static let switchingProtocols = StatusCode(rawValue: 101)
    /// 102: the server is processing the request (RFC 2518 §10.1).
    public static let processing = StatusCode(rawValue: 102)
    /// 103: fields that the final response will probably contain (RFC 8297).
    public static let earlyHints = StatusCode(rawValue: 103)

    // MARK: Successful

    /// 200: the request succeeded (RFC 9110 §15.3.1).
    public static let ok = StatusCode(rawValue: 200)
    /// 201: a resource was created (RFC 9110 §15.3.2).
    public static let created = StatusCode(rawValue: 201)
    /// 202: the request was accepted, but is not processed yet (RFC 9110 §15.3.3).
    public static let accepted = StatusCode(rawValue: 202)
    /// 203: a proxy changed the content (RFC 9110 §15.3.4).
    public static let nonAuthoritativeInformation = StatusCode(rawValue: 203)
    /// 204: the request succeeded and there is no content (RFC 9110 §15.3.5).
    public static let noContent = StatusCode(rawValue: 204)
    /// 205: the client should reset its form (RFC 9110 §15.3.6).
    public static let resetContent = StatusCode(rawValue: 205)
    /// 206: one or more ranges of the content (RFC 9110 §15.3.7).
    public static let partialContent = StatusCode(rawValue: 206)
    /// 207: the content has a status for each of several resources (RFC 4918 §11.1).
    public static let multiStatus = StatusCode(rawValue: 207)
    /// 208: the members were already listed (RFC 5842 §7.1).
    public static let alreadyReported = StatusCode(rawValue: 208)
    /// 226: the content is a difference from an earlier one (RFC 3229 §10.4.1).
    public static let imUsed = StatusCode(rawValue: 226)

    // MARK: Redirection

    /// 300: there is more than one representation (RFC 9110 §15.4.1).
    public static let multipleChoices = StatusCode(rawValue: 300)
    /// 301: the resource has a new permanent URL (RFC 9110 §15.4.2).
    public static let movedPermanently = StatusCode(rawValue: 301)
    /// 302: the resource temporarily has another URL (RFC 9110 §15.4.3).
    public static let found = StatusCode(rawValue: 302)
    /// 303: the response is at another URL, to be fetched with GET (RFC 9110 §15.4.4).
    public static let seeOther = StatusCode(rawValue: 303)
    /// 304: the client's copy is still valid (RFC 9110 §15.4.5).
    public static let notModified = StatusCode(rawValue: 304)
    /// 305: deprecated (RFC 9110 §15.4.6).
    public static let useProxy = StatusCode(rawValue: 305)
    /// 307: like 302, with the same method and content (RFC 9110 §15.4.8).
    public static let temporaryRedirect = StatusCode(rawValue: 307)
    /// 308: like 301, with the same method and content (RFC 9110 §15.4.9).
    public static let permanentRedirect = StatusCode(rawValue: 308)

    // MARK: Client error

    /// 400: the server does not understand the request (RFC 9110 §15.5.1).
    public static let badRequest = StatusCode(rawValue: 400)
    /// 401: the request lacks valid credentials (RFC 9110 §15.5.2).
    public static let unauthorized = StatusCode(rawValue: 401)
    /// 402: reserved; used for exceeded quotas (RFC 9110 §15.5.3).
    public static let paymentRequired = StatusCode(rawValue: 402)
    /// 403: the server refuses the request, whatever the credentials (RFC 9110 §15.5.4).
    public static let forbidden = StatusCode(rawValue: 403)
    /// 404: there is no such resource (RFC 9110 §15.5.5).
    public static let notFound = StatusCode(rawValue: 404)
    /// 405: the resource does not support the method (RFC 9110 §15.5.6).
    public static let methodNotAllowed = StatusCode(rawValue: 405)
    /// 406: there is no representation that the client accepts (RFC 9110 §15.5.7).
    public static let notAcceptable = StatusCode(rawValue: 406)
    /// 407: the proxy requires credentials (RFC 9110 §15.5.8).
    public static let proxyAuthenticationRequired = StatusCode(rawValue: 407)
    /// 408: the request took too long to arrive (RFC 9110 §15.5.9).
    public static let requestTimeout = StatusCode(rawValue: 408)
    /// 409: the request conflicts with the resource's state (RFC 9110 §15.5.10).
    public static let conflict = StatusCode(rawValue: 409)
    /// 410: the resource is permanently gone (RFC 9110 §15.5.11).
    public static let gone = StatusCode(rawValue: 410)
    /// 411: the request needs a `Content-Length` (RFC 9110 §15.5.12).
    public static let lengthRequired = StatusCode(rawValue: 411)
    /// 412: a condition of the request is not met (RFC 9110 §15.5.13).
    public static let preconditionFailed = StatusCode(rawValue: 412)
    /// 413: the request's content is too large (RFC 9110 §15.5.14).
    public static let contentTooLarge = StatusCode(rawValue: 413)
    /// 414: the request's target is too long (RFC 9110 §15.5.15).
    public static let uriTooLong = StatusCode(rawValue: 414)
    /// 415: the resource does not support content of that type (RFC 9110 §15.5.16).
    public static let unsupportedMediaType = StatusCode(rawValue: 415)
    /// 416: the content has no such range (RFC 9110 §15.5.17).
    public static let rangeNotSatisfiable = StatusCode(rawValue: 416)
    /// 417: the `Expect` field cannot be met (RFC 9110 §15.5.18).
    public static let expectationFailed = StatusCode(rawValue: 417)
    /// 421: the server does not respond for this URL (RFC 9110 §15.5.20).
    public static let misdirectedRequest = StatusCode(rawValue: 421)
    /// 422: the content is understood, but invalid (RFC 9110 §15.5.21).
    public static let unprocessableEntity = StatusCode(rawValue: 422)
    /// 422 Unprocessable Content, the name in RFC 9110 §15.5.21; the same as ``unprocessableEntity``.
    public static let unprocessableContent = StatusCode(rawValue: 422)
    /// 423: the resource is locked (RFC 4918 §11.3).
    public static let locked = StatusCode(rawValue: 423)
    /// 424: an action this one depends on failed (RFC 4918 §11.4).
    public static let failedDependency = StatusCode(rawValue: 424)
    /// 425: the request might be a replay (RFC 8470 §5.2).
    public static let tooEarly = StatusCode(rawValue: 425)
    /// 426: the server requires another protocol (RFC 9110 §15.5.22).
    public static let upgradeRequired = StatusCode(rawValue: 426)
    /// 428: the request must be conditional (RFC 6585 §3).
    public static let preconditionRequired = StatusCode(rawValue: 428)
    /// 429: the client sends too many requests (RFC 6585 §4).
    public static let tooManyRequests = StatusCode(rawValue: 429)
    /// 431: the request's header fields are too large (RFC 6585 §5).
    public static let requestHeaderFieldsTooLarge = StatusCode(rawValue: 431)
    /// 451: the resource is unavailable for legal reasons (RFC 7725 §3).
    public static let unavailableForLegalReasons = StatusCode(rawValue: 451)

    // MARK: Server error

    /// 500: the server failed (RFC 9110 §15.6.1).
    public static let internalServerError = StatusCode(rawValue: 500)
    /// 501: the server does not support the method (RFC 9110 §15.6.2).
    public static let notImplemented = StatusCode(rawValue: 501)
    /// 502: an upstream server sent an invalid response (RFC 9110 §15.6.3).
    public static let badGateway = StatusCode(rawValue: 502)
    /// 503: the server is temporarily unavailable (RFC 9110 §15.6.4).
    public static let serviceUnavailable = StatusCode(rawValue: 503)
    /// 504: an upstream server did not respond in time (RFC 9110 §15.6.5).
    public static let gatewayTimeout = StatusCode(rawValue: 504)
    /// 505: the server does not support that version of HTTP (RFC 9110 §15.6.6).
    public static let httpVersionNotSupported = StatusCode(rawValue: 505)
    /// 506: content negotiation is misconfigured (RFC 2295 §8.1).
    public static let variantAlsoNegotiates = StatusCode(rawValue: 506)
    /// 507: the server has no space left (RFC 4918 §11.5).
    public static let insufficientStorage = StatusCode(rawValue: 507)
    /// 508: the resource contains itself (RFC 5842 §7.2).
    public static let loopDetected = StatusCode(rawValue: 508)
    /// 510: obsolete (RFC 2774 §7).
    public static let notExtended = StatusCode(rawValue: 510)
    /// 511: the network requires the client to log in (RFC 6585 §6).
    public static let networkAuthenticationRequired = StatusCode(rawValue: 511)
}

extension StatusCode: CustomStringConvertible {
    /// The name of the code, such as `notFound`, or `other(299)` for a number without a name in this type.
    public var description: String { Self.names[rawValue] ?? "other(\(rawValue))" }

    private static let names: [Int: String] = [
        100: "continue", 101: "switchingProtocols", 102: "processing", 103: "earlyHints", 200: "ok", 201: "created",
        202: "accepted", 203: "nonAuthoritativeInformation", 204: "noContent", 205: "resetContent",
        206: "partialContent", 207: "multiStatus", 208: "alreadyReported", 226: "imUsed", 300: "multipleChoices",
        301: "movedPermanently", 302: "found", 303: "seeOther", 304: "notModified", 305: "useProxy",
        307: "temporaryRedirect", 308: "permanentRedirect", 400: "badRequest", 401: "unauthorized",
        402: "paymentRequired", 403: "forbidden", 404: "notFound", 405: "methodNotAllowed", 406: "notAcceptable",
        407: "proxyAuthenticationRequired", 408: "requestTimeout", 409: "conflict", 410: "gone", 411: "lengthRequired",
        412: "preconditionFailed", 413: "contentTooLarge", 414: "uriTooLong", 415: "unsupportedMediaType",
        416: "rangeNotSatisfiable", 417: "expectationFailed", 421: "misdirectedRequest", 422: "unprocessableEntity",
        423: "locked", 424: "failedDependency", 425: "tooEarly", 426: "upgradeRequired", 428: "preconditionRequired",
        429: "tooManyRequests", 431: "requestHeaderFieldsTooLarge", 451: "unavailableForLegalReasons",
        500: "internalServerError", 501: "notImplemented", 502: "badGateway", 503: "serviceUnavailable",
        504: "gatewayTimeout", 505: "httpVersionNotSupported", 506: "variantAlsoNegotiates", 507: "insufficientStorage",
        508: "loopDetected", 510: "notExtended", 511: "networkAuthenticationRequired",
    ]
}
