import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct StatusCodeTests {
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
    func knownNumbersHaveAName(_ pair: (StatusCode, Int)) {
        #expect(pair.0.rawValue == pair.1)
        #expect(StatusCode(rawValue: pair.1) == pair.0)
        #expect(!"\(pair.0)".hasPrefix("other"))
    }

    @Test func aCodeOfANumberMatchesTheNameInASwitch() {
        func text(_ code: StatusCode) -> String {
            switch code {
            case .ok, .notModified: "good"
            case .tooManyRequests: "too many"
            case .other(499), .other(529): "another"
            case let code where code.type == .serverError: "server"
            default: "default"
            }
        }
        #expect(text(.other(429)) == "too many")
        #expect(text(StatusCode(rawValue: 200)) == "good")
        #expect(text(.other(304)) == "good")
        #expect([499, 529].map { text(.init(rawValue: $0)) } == ["another", "another"])
        #expect(text(.badGateway) == "server")
        #expect(text(.notFound) == "default")
        if case .other(404) = StatusCode.notFound {} else { Issue.record("404 is not 404") }
    }

    @Test(arguments: [(StatusCode?.some(.other(404)), "missing"), (.ok, "good"), (.gone, "other"), (nil, "none")])
    func anOptionalCodeMatchesToo(_ pair: (StatusCode?, String)) {
        let text =
            switch pair.0 {
            case .notFound: "missing"
            case .ok?: "good"
            case nil: "none"
            default: "other"
            }
        #expect(text == pair.1)
    }

    @Test func aCodeIsAsSmallAsItsNumber() {
        #expect(MemoryLayout<StatusCode>.size == MemoryLayout<Int>.size)
        #expect(_isPOD(StatusCode.self))
    }

    @Test(arguments: [(StatusCode.notFound, "notFound"), (.continue, "continue"), (.other(299), "other(299)")])
    func theDescriptionIsTheName(_ pair: (StatusCode, String)) {
        #expect("\(pair.0)" == pair.1)
        #expect(StatusCode(rawValue: pair.0.rawValue).description == pair.1)
    }

    @Test func aCatchClauseCanNameACode() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch StatusCode.notFound {
                return "not found"
            } catch StatusCode.other(429) {
                return "too many"
            } catch {
                return "other"
            }
        }
        let head = Fixture.head(.notFound)
        #expect(caught(UnacceptableResponseError(.statusCode, response: head)) == "not found")
        #expect(caught(UnacceptableResponseError(.contentType, response: head)) == "other")
        #expect(caught(UnacceptableResponseError(.statusCode, response: Fixture.head(.gone))) == "other")
        #expect(caught(UnacceptableResponseError(.statusCode, response: Fixture.head(.tooManyRequests))) == "too many")
        #expect(caught(TransferError(.unacceptableStatus, response: head)) == "not found")
        #expect(caught(TransferError(.sizeMismatch, response: head)) == "other")
        #expect(caught(HTTPError.clientError(.notFound)) == "not found")
        #expect(caught(TransportError(.truncatedBody, response: head)) == "other")
        #expect(caught(CancellationError()) == "other")
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
