// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import PiuPiuClassic
import Testing

// The document, "1.1.0": texts for the errors, by extensions of the user's. These have the form of the files that it
// links to.

public protocol BaseNetworkError: LocalizedError, CustomNSError {
    var errorKey: String { get }
}

extension BaseNetworkError {
    public var errorDescription: String? {
        [failureReason, recoverySuggestion].compactMap { $0 }.joined(separator: " ")
    }

    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription ?? "", "key": errorKey]
    }
}

extension ResponseError: BaseNetworkError {
    public var failureReason: String? {
        switch self {
        case .badRequest: return "ErrorReason.InvalidRequest"
        case .unauthorized: return "ErrorReason.NotAuthenticated"
        case .forbidden: return "ErrorReason.NotAuthorized"
        case .notFound: return "ErrorReason.ResourceNotFound"
        case .conflict: return "ErrorReason.UnknownNetworkError"
        case .unprocessableEntity: return "ErrorReason.InvalidRequest"
        case .internalServerError: return "ErrorReason.UnknownNetworkError"
        case .serviceUnavailable: return "ErrorReason.ServiceUnavailable"
        case .otherClientError: return "ErrorReason.InvalidRequest"
        case .otherServerError: return "ErrorReason.UnknownNetworkError"
        case .unknown: return "ErrorReason.UnexpectedResponse"
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .serviceUnavailable: return "RecoverySuggestion.TemporaryDowntime"
        case .unauthorized, .forbidden, .unprocessableEntity: return nil
        default: return "RecoverySuggestion.ContactSupport"
        }
    }

    public static var errorDomain: String { return "Example.ResponseError" }

    public var errorCode: Int {
        switch self {
        case .unknown: return 0
        case .otherClientError: return 1
        case .otherServerError: return 2
        case .badRequest: return 3
        case .unauthorized: return 4
        case .forbidden: return 5
        case .notFound: return 6
        case .unprocessableEntity: return 7
        case .conflict: return 8
        case .internalServerError: return 9
        case .serviceUnavailable: return 10
        }
    }
}

extension RequestError: BaseNetworkError {
    public var failureReason: String? {
        switch self {
        case .invalidURL: return "ErrorReason.ApplicationError"
        case .missingServerProvider: return "ErrorReason.ApplicationError"
        case .missingURL: return "ErrorReason.ApplicationError"
        }
    }
}

extension SerializationError: LocalizedError {
    public var failureReason: String? {
        switch self {
        case .failedToDecodeResponseData(let cause): return "ErrorReason.UnexpectedResponse \(cause == nil)"
        case .unexpectedEmptyResponse: return "ErrorReason.EmptyResponse"
        }
    }

    public var errorDescription: String? { failureReason }
}

struct ErrorSamplesTests {
    @Test func theTextsOfAUserAreUsed() throws {
        let error: Error = ResponseError.notFound(cause: nil)
        #expect(error.localizedDescription == "ErrorReason.ResourceNotFound RecoverySuggestion.ContactSupport")
        #expect((error as NSError).domain == "Example.ResponseError")
        #expect((error as NSError).code == 6)
        #expect(RequestError.missingURL.localizedDescription == "ErrorReason.ApplicationError")
        #expect(SerializationError.unexpectedEmptyResponse.localizedDescription == "ErrorReason.EmptyResponse")
    }
}
