import PiuPiuAsync
import Testing

@Suite struct ResponseErrorTests {
    @Test(arguments: [
        (ResponseError.noResponse, "NoResponse"), (.notHTTPResponse, "NotHTTPResponse"),
        (.unexpectedEmptyResponse, "UnexpectedEmptyResponse"),
        (.failedToDecodeDataToString(encoding: .utf8), "FailedToDecodeDataToString"),
        (.unacceptableContentType(nil), "UnacceptableContentType"),
        (.unacceptableContentType("text/html"), "UnacceptableContentType"),
    ])
    func everyCaseHasAKeyAndAText(_ pair: (ResponseError, String)) throws {
        #expect(pair.0.errorKey == pair.1)
        let text = try #require(pair.0.errorDescription)
        #expect(text.hasSuffix("."))
        #expect((pair.0 as any Error).localizedDescription == text)
    }

    @Test func aLongContentTypeIsCut() throws {
        let error = ResponseError.unacceptableContentType(String(repeating: "a", count: 10_000))
        #expect(try #require(error.errorDescription).count < 200)
    }
}
