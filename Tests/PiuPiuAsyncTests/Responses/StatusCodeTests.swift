import Testing

@testable import PiuPiuAsync

@Suite struct StatusCodeTests {
    @Test func everyNumberSurvives() {
        for number in [-1, 0, 99, 600, 999, .min, .max] + Array(100..<600) {
            #expect(StatusCode(rawValue: number).rawValue == number)
        }
    }

    @Test(arguments: [
        (StatusCode.ok, 200), (.created, 201), (.imUsed, 226), (.continue, 100), (.notModified, 304),
        (.badRequest, 400), (.unprocessableEntity, 422), (.tooManyRequests, 429), (.unavailableForLegalReasons, 451),
        (.internalServerError, 500), (.httpVersionNotSupported, 505), (.networkAuthenticationRequired, 511),
    ])
    func knownNumbersHaveANamedCase(_ pair: (StatusCode, Int)) {
        #expect(pair.0.rawValue == pair.1)
        if case .other = StatusCode(rawValue: pair.1) { Issue.record("\(pair.1) has no named case") }
    }

    @Test func codesAreComparedByTheirNumbers() {
        #expect(StatusCode.other(200) == .ok)
        #expect(StatusCode.other(200).hashValue == StatusCode.ok.hashValue)
        #expect(StatusCode.ok != .created)
        #expect(StatusCode.ok < .notFound)
        #expect([StatusCode.notFound, .ok, .other(299)].sorted() == [.ok, .other(299), .notFound])
    }

    @Test(arguments: [
        (99, StatusCodeType.invalid), (100, .informational), (199, .informational), (200, .success), (299, .success),
        (300, .redirect), (399, .redirect), (400, .clientError), (499, .clientError), (500, .serverError),
        (599, .serverError), (600, .invalid), (-404, .invalid), (.max, .invalid),
    ])
    func theTypeIsTheFirstDigit(_ pair: (Int, StatusCodeType)) {
        #expect(StatusCode(rawValue: pair.0).type == pair.1)
    }

    @Test func successfulTypesAreThoseWithoutError() {
        let types: [StatusCodeType] = [.informational, .success, .redirect, .clientError, .serverError, .invalid]
        #expect(types.map(\.isSuccessful) == [true, true, true, false, false, false])
    }

    @Test(
        arguments: [
            (StatusCode.continue, nil), (.ok, nil), (.found, nil), (.notFound, HTTPError.clientError(.notFound)),
            (.badGateway, .serverError(.badGateway)), (.other(999), .invalidStatusCode(.other(999))),
            (.other(0), .invalidStatusCode(.other(0))),
        ] as [(StatusCode, HTTPError?)]
    )
    func theErrorFollowsTheType(_ pair: (StatusCode, HTTPError?)) {
        #expect(pair.0.httpError == pair.1)
    }

    @Test(arguments: [404, 200, 999, 0, -1, .max, .min])
    func theTextIsFoundations(_ number: Int) {
        let text = StatusCode(rawValue: number).localizedDescription
        #expect(text == HTTPURLResponse.localizedString(forStatusCode: number))
        #expect(!text.isEmpty)
    }

    @Test func itIsCodedAsASingleInteger() throws {
        #expect(try JSONEncoder().encode([StatusCode.notFound, .other(999)]) == Data("[404,999]".utf8))
        #expect(try JSONDecoder().decode([StatusCode].self, from: Data("[404,999]".utf8)) == [.notFound, .other(999)])
    }

    @Test(arguments: ["[1.5]", "[\"404\"]", "[1e99]", "[null]", "[99999999999999999999]"])
    func whatIsNoIntegerIsADecodingError(_ json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([StatusCode].self, from: Data(json.utf8))
        }
    }
}
