import Foundation
import PiuPiuFutures
import Testing

class StatusReader {
    // Row: StatusCode
    let expected: StatusCode = .ok

    // Row: .ok, .created, .accepted, .noContent, .resetContent, .partialContent, .multiStatus, .alreadyReported, .imUsed of
    // StatusCode
    let successes: [StatusCode] = [
        .ok, .created, .accepted, .noContent, .resetContent, .partialContent, .multiStatus, .alreadyReported, .imUsed,
    ]

    // Row: .badRequest, .unauthorized, .paymentRequired, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
    // .conflict, .gone, .lengthRequired, .unsupportedMediaType, .unprocessableEntity of StatusCode
    let refusals: [StatusCode] = [
        .badRequest, .unauthorized, .paymentRequired, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .conflict, .gone, .lengthRequired, .unsupportedMediaType, .unprocessableEntity,
    ]

    // Row: .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
    // .httpVersionNotSupported of StatusCode
    func isServerFault(_ code: StatusCode) -> Bool {
        switch code {
        case .internalServerError, .notImplemented, .badGateway: return true
        case .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported: return true
        default: return false
        }
    }

    // Row: StatusCode.other(_:)
    func isTeapot(_ code: StatusCode) -> Bool {
        return code == .other(418)
    }

    // Row: StatusCode(rawValue:), .rawValue, .type, .localizedDescription, .httpError
    func describe(_ number: Int) throws -> String {
        let code = StatusCode(rawValue: number)
        if let error = code.httpError { throw error }
        return "\(code.rawValue) \(code.localizedDescription) \(code.type)"
    }

    // Row: StatusCode(from:)
    func read(_ data: Data, _ decoder: Decoder) throws -> [StatusCode] {
        return try JSONDecoder().decode([StatusCode].self, from: data) + [try StatusCode(from: decoder)]
    }

    // Row: StatusCodeType, .informational, .success, .redirect, .clientError, .serverError, .invalid, .isSuccessful
    func describe(_ type: StatusCodeType) -> String {
        if type.isSuccessful { print("successful") }
        switch type {
        case .informational: return "informational"
        case .success: return "success"
        case .redirect: return "redirect"
        case .clientError: return "client error"
        case .serverError: return "server error"
        case .invalid: return "invalid"
        }
    }

    // Row: HTTPError, .clientError(_:), .serverError(_:), .invalidStatusCode(_:), .statusCode, .errorDescription
    func describe(_ error: HTTPError) -> String? {
        switch error {
        case .clientError(let code): return "client \(code.rawValue)"
        case .serverError(.badGateway): return "gateway"
        case .serverError: return error.errorDescription
        case .invalidStatusCode: return "\(error.statusCode.rawValue)"
        }
    }

    // Row: ResponseError, .noResponse, .notHTTPResponse, .unexpectedEmptyResponse, .failedToDecodeDataToString(encoding:),
    // .errorKey
    func describe(_ error: ResponseError) -> String {
        switch error {
        case .noResponse: return "no response"
        case .notHTTPResponse: return "not HTTP"
        case .unexpectedEmptyResponse: return error.errorKey
        case .failedToDecodeDataToString(encoding: let encoding): return "\(encoding)"
        }
    }

    // Row: RequestError, .missingURL, .missingServerProvider, .errorKey
    func describe(_ error: RequestError) -> String {
        switch error {
        case .missingURL: return "no URL"
        case .missingServerProvider: return error.errorKey
        }
    }
}

struct StatusAndErrorRowsTests {
    @Test func codesAndErrorsAreTold() {
        let reader = StatusReader()
        #expect(reader.successes.allSatisfy { $0.type == .success } && reader.successes.contains(reader.expected))
        #expect(reader.refusals.allSatisfy { $0.type == .clientError })
        #expect(reader.isServerFault(.badGateway) && !reader.isServerFault(.other(599)))
        #expect(reader.isTeapot(StatusCode(rawValue: 418)))
        #expect(throws: HTTPError.clientError(.notFound)) { try reader.describe(404) }
        #expect(reader.describe(HTTPError.serverError(.badGateway)) == "gateway")
        #expect(reader.describe(ResponseError.unexpectedEmptyResponse) == "UnexpectedEmptyResponse")
        #expect(reader.describe(RequestError.missingServerProvider) == "MissingServerProvider")
        #expect(reader.describe(StatusCodeType.invalid) == "invalid")
    }
}
