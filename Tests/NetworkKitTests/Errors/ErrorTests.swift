import NetworkKit
import Testing

struct ErrorTests {
    @Test(arguments: [
        (400, "BadRequest", 3), (401, "Unauthorized", 4), (402, "OtherClientError", 1), (403, "Forbidden", 5),
        (404, "NotFound", 6), (409, "Conflict", 8), (422, "UnprocessableEntity", 7), (429, "OtherClientError", 1),
        (500, "InternalServerError", 9), (501, "OtherServerError", 2), (503, "ServiceUnavailable", 10),
        (0, "Unknown", 0), (600, "Unknown", 0),
    ])
    func theErrorOfAStatusCode(code: Int, key: String, number: Int) throws {
        let error = try #require(StatusCode(rawValue: code).makeError(cause: Failure(number: 1)))
        #expect(error.errorKey == key)
        #expect(error.errorCode == number)
        #expect((error as NSError).code == number)
        #expect((error as NSError).domain == "NetworkKit.ResponseError")
        #expect(cause(of: error) as? Failure == Failure(number: 1))
        #expect(!error.localizedDescription.isEmpty)
    }

    @Test(arguments: [100, 200, 204, 302, 304])
    func successHasNoErrorWithoutACause(code: Int) {
        #expect(StatusCode(rawValue: code).makeError(cause: nil) == nil)
        #expect(StatusCode(rawValue: code).makeError(cause: Failure())?.errorKey == "Unknown")
    }

    /// A user's `switch` over all eleven cases, without a `default`.
    private func cause(of error: ResponseError) -> Error? {
        switch error {
        case .badRequest(let cause), .unauthorized(let cause), .forbidden(let cause), .notFound(let cause),
            .conflict(let cause), .unprocessableEntity(let cause), .internalServerError(let cause),
            .serviceUnavailable(let cause), .otherClientError(let cause), .otherServerError(let cause),
            .unknown(let cause):
            return cause
        }
    }

    @Test func textsAreSafeToShow() {
        let cause = Failure(number: 4711)
        let errors: [BaseNetworkError] = [
            ResponseError.unknown(cause: cause), ResponseError.unauthorized(cause: cause),
            RequestError.invalidURL(cause: cause), RequestError.missingServerProvider,
            SerializationError.failedToDecodeResponseData(cause: cause), SerializationError.unexpectedEmptyResponse,
        ]
        let keys = errors.map { $0.errorKey }
        #expect(
            keys[2...] == [
                "InvalidURL", "MissingServerProvider", "InvalidObject", "EmptyResponse",
            ]
        )
        for error in errors {
            #expect(error.localizedDescription.hasSuffix("."))
            #expect(!error.localizedDescription.contains("4711"))
        }
        let unavailable = "The service is not available. Please try again later."
        #expect(ResponseError.serviceUnavailable(cause: nil).localizedDescription == unavailable)
        #expect(ResponseError.unauthorized(cause: nil).errorDescription == "You are not logged in.")
    }

    @Test func domainsAndCodes() {
        #expect((RequestError.invalidURL(cause: Failure()) as NSError).code == 0)
        #expect((RequestError.missingServerProvider as NSError).code == 1)
        #expect((RequestError.missingServerProvider as NSError).domain == "NetworkKit.RequestError")
        #expect((SerializationError.failedToDecodeResponseData(cause: nil) as NSError).code == 0)
        #expect((SerializationError.unexpectedEmptyResponse as NSError).code == 1)
        #expect((SerializationError.unexpectedEmptyResponse as NSError).domain == "NetworkKit.SerializationError")
    }
}
