import PiuPiuAsync
import Testing

@Suite struct HTTPErrorTests {
    private static let errors: [HTTPError] = [
        .clientError(.notFound), .serverError(.badGateway), .invalidStatusCode(.other(999)),
    ]

    @Test(arguments: errors)
    func theTextIsThatOfTheStatusCode(_ error: HTTPError) {
        #expect(error.errorDescription == error.statusCode.localizedDescription)
        #expect((error as any Error).localizedDescription == error.statusCode.localizedDescription)
    }

    @Test(arguments: errors)
    func theReasonHasTheNumber(_ error: HTTPError) throws {
        #expect(try #require(error.failureReason).contains("\(error.statusCode.rawValue)"))
    }
}
