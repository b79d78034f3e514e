import PiuPiuAsync
import SuiteSupport
import Testing

struct ResponseErrorTests {
    @Test(arguments: [
        (ResponseError.noResponse, "NoResponse"), (.notHTTPResponse, "NotHTTPResponse"),
        (.unexpectedEmptyResponse, "UnexpectedEmptyResponse"),
        (.failedToDecodeDataToString(encoding: .utf8), "FailedToDecodeDataToString"),
    ])
    func everyCaseHasAKeyAndAText(_ pair: (ResponseError, String)) throws {
        #expect(pair.0.errorKey == pair.1)
        let text = try #require(pair.0.errorDescription)
        #expect(text.hasSuffix("."))
        #expect((pair.0 as any Error).localizedDescription == text)
    }

    // Without a `default`: these are the documented cases, and no others.
    @Test func aSwitchOverTheDocumentedCasesIsComplete() {
        func key(_ error: ResponseError) -> String {
            switch error {
            case .noResponse: "NoResponse"
            case .notHTTPResponse: "NotHTTPResponse"
            case .unexpectedEmptyResponse: "UnexpectedEmptyResponse"
            case .failedToDecodeDataToString: "FailedToDecodeDataToString"
            }
        }
        #expect(key(.noResponse) == ResponseError.noResponse.errorKey)
    }
}
