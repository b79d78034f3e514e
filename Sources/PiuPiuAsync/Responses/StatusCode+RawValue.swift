extension StatusCode {
    /// Creates the code of a number: the named case where there is one, ``other(_:)`` for the rest.
    ///
    /// - Parameter rawValue: Any number.
    public init(rawValue: Int) {
        self =
            switch rawValue {
            case 100: .continue
            case 101: .switchingProtocols
            case 102: .processing
            case 103: .earlyHints
            case 200: .ok
            case 201: .created
            case 202: .accepted
            case 203: .nonAuthoritativeInformation
            case 204: .noContent
            case 205: .resetContent
            case 206: .partialContent
            case 207: .multiStatus
            case 208: .alreadyReported
            case 226: .imUsed
            case 300: .multipleChoices
            case 301: .movedPermanently
            case 302: .found
            case 303: .seeOther
            case 304: .notModified
            case 305: .useProxy
            case 307: .temporaryRedirect
            case 308: .permanentRedirect
            case 400: .badRequest
            case 401: .unauthorized
            case 402: .paymentRequired
            case 403: .forbidden
            case 404: .notFound
            case 405: .methodNotAllowed
            case 406: .notAcceptable
            case 407: .proxyAuthenticationRequired
            case 408: .requestTimeout
            case 409: .conflict
            case 410: .gone
            case 411: .lengthRequired
            case 412: .preconditionFailed
            case 413: .contentTooLarge
            case 414: .uriTooLong
            case 415: .unsupportedMediaType
            case 416: .rangeNotSatisfiable
            case 417: .expectationFailed
            case 421: .misdirectedRequest
            case 422: .unprocessableEntity
            case 423: .locked
            case 424: .failedDependency
            case 425: .tooEarly
            case 426: .upgradeRequired
            case 428: .preconditionRequired
            case 429: .tooManyRequests
            case 431: .requestHeaderFieldsTooLarge
            case 451: .unavailableForLegalReasons
            case 500: .internalServerError
            case 501: .notImplemented
            case 502: .badGateway
            case 503: .serviceUnavailable
            case 504: .gatewayTimeout
            case 505: .httpVersionNotSupported
            case 506: .variantAlsoNegotiates
            case 507: .insufficientStorage
            case 508: .loopDetected
            case 510: .notExtended
            case 511: .networkAuthenticationRequired
            default: .other(rawValue)
            }
    }

    /// The number of the code.
    public var rawValue: Int {
        switch self {
        case .continue: 100
        case .switchingProtocols: 101
        case .processing: 102
        case .earlyHints: 103
        case .ok: 200
        case .created: 201
        case .accepted: 202
        case .nonAuthoritativeInformation: 203
        case .noContent: 204
        case .resetContent: 205
        case .partialContent: 206
        case .multiStatus: 207
        case .alreadyReported: 208
        case .imUsed: 226
        case .multipleChoices: 300
        case .movedPermanently: 301
        case .found: 302
        case .seeOther: 303
        case .notModified: 304
        case .useProxy: 305
        case .temporaryRedirect: 307
        case .permanentRedirect: 308
        case .badRequest: 400
        case .unauthorized: 401
        case .paymentRequired: 402
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .proxyAuthenticationRequired: 407
        case .requestTimeout: 408
        case .conflict: 409
        case .gone: 410
        case .lengthRequired: 411
        case .preconditionFailed: 412
        case .contentTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .expectationFailed: 417
        case .misdirectedRequest: 421
        case .unprocessableEntity: 422
        case .locked: 423
        case .failedDependency: 424
        case .tooEarly: 425
        case .upgradeRequired: 426
        case .preconditionRequired: 428
        case .tooManyRequests: 429
        case .requestHeaderFieldsTooLarge: 431
        case .unavailableForLegalReasons: 451
        case .internalServerError: 500
        case .notImplemented: 501
        case .badGateway: 502
        case .serviceUnavailable: 503
        case .gatewayTimeout: 504
        case .httpVersionNotSupported: 505
        case .variantAlsoNegotiates: 506
        case .insufficientStorage: 507
        case .loopDetected: 508
        case .notExtended: 510
        case .networkAuthenticationRequired: 511
        case .other(let code): code
        }
    }
}
