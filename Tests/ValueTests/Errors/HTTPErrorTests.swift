import PiuPiuAsync
import SuiteSupport
import Testing

struct HTTPErrorTests {
    private static let errors: [HTTPError] = [
        .clientError(.notFound), .serverError(.badGateway), .invalidStatusCode(.other(999)),
    ]

    @Test(arguments: errors)
    func theTextIsThatOfTheStatusCode(_ error: HTTPError) {
        #expect(error.errorDescription == error.statusCode.localizedDescription)
        #expect((error as any Error).localizedDescription == error.statusCode.localizedDescription)
    }

    // Without a `default`: these are the documented cases, and no others.
    @Test(arguments: errors)
    func aSwitchOverTheDocumentedCasesIsComplete(_ error: HTTPError) {
        let code =
            switch error {
            case .clientError(let code): code
            case .serverError(let code): code
            case .invalidStatusCode(let code): code
            }
        #expect(code == error.statusCode)
    }

    @Test(arguments: errors)
    func theReasonHasTheNumber(_ error: HTTPError) throws {
        #expect(try #require(error.failureReason).contains("\(error.statusCode.rawValue)"))
    }
}
