import PiuPiuAsync
import TestSupport
import Testing
@testable import PiuPiuTesting

/// What of an answer reaches the caller.
struct MockMessageTests {
    private func message(
        _ answer: MockAnswer,
        method: String = "GET",
        acceptEncoding: String? = nil,
        maximumHead: Int = 1000
    ) throws -> MockMessage {
        var request = URLRequest(method, Fixture.url)
        if let acceptEncoding { request.setValue(acceptEncoding, forHTTPHeaderField: "Accept-Encoding") }
        let options = RequestOptions(maximumHead: maximumHead)
        return MockMessage(
            answer,
            to: try PreparedRequest(TransportRequest(request, options: options), userAgent: nil)
        )
    }

    private func body(_ message: MockMessage) -> String {
        message.pieces.map { String(decoding: $0.data, as: UTF8.self) }.joined(separator: "|")
    }

    private func end(_ message: MockMessage) -> String {
        switch message.end {
        case .complete: "complete"
        case .failure(let error): "\(error)"
        case .broken(let code): "\(code)"
        case .hang: "hang"
        }
    }

    @Test func aLengthIsAnnouncedWhereTheEndIsGood() throws {
        let pieces: [MockAnswer.Piece] = ["abc", "de"]
        #expect(try message(MockAnswer(.ok, pieces: pieces)).expectedLength == 5)
        #expect(try message(MockAnswer(.ok)).expectedLength == 0)
        #expect(try message(MockAnswer(.ok, pieces: pieces, ending: .hang)).expectedLength == nil)
        let chunked = MockAnswer(.ok, headers: ["Transfer-Encoding": "chunked"], pieces: pieces)
        #expect(try message(chunked).expectedLength == nil)
        #expect(body(try message(chunked)) == "abc|de")
    }

    @Test(arguments: [
        (5, "abc|de", "complete"), (4, "abc|d", "complete"), (3, "abc", "complete"), (0, "", "complete"),
        (6, "abc|de", "truncatedBody"),
    ])
    func aContentLengthIsKeptTo(length: Int, body: String, end: String) throws {
        let answer = MockAnswer(.ok, headers: ["Content-Length": "\(length)"], pieces: ["abc", "de"])
        let message = try message(answer)
        #expect(message.expectedLength == Int64(length))
        #expect(self.body(message) == body)
        #expect(self.end(message) == end)
    }

    @Test func whatComesAfterTheLastByteIsNotWaitedFor() throws {
        let answer = MockAnswer(.ok, headers: ["Content-Length": "3"], pieces: ["abc"], ending: .hang)
        #expect(end(try message(answer)) == "complete")
        let longer = MockAnswer(.ok, headers: ["Content-Length": "4"], pieces: ["abc"], ending: .hang)
        #expect(end(try message(longer)) == "hang")
    }

    @Test func aLengthOfCompressedBytesSaysNothing() throws {
        let answer = MockAnswer(.ok, headers: ["Content-Length": "2", "Content-Encoding": "gzip"], body: "hello")
        let decoded = try message(answer)
        #expect(decoded.expectedLength == nil)
        #expect(body(decoded) == "hello")
        #expect(end(decoded) == "complete")
        // A client that asks for the coding gets the bytes as they are.
        #expect(body(try message(answer, acceptEncoding: "gzip")) == "he")
    }

    @Test(arguments: [("GET", 204), ("GET", 304), ("HEAD", 200), ("HEAD", 404)])
    func someResponsesHaveNoBody(method: String, statusCode: Int) throws {
        let headers: HTTPHeaderFields = ["Content-Length": "5"]
        let answer = MockAnswer(StatusCode(rawValue: statusCode), headers: headers, body: "hello")
        let message = try message(answer, method: method)
        #expect(body(message) == "")
        #expect(message.expectedLength == 0)
        #expect(end(message) == "complete")
    }

    @Test(arguments: [-1, 0, 99, 100, 101, 199, 1000])
    func aHeadHasAFinalStatusCodeOfThreeDigits(statusCode: Int) throws {
        let message = try message(MockAnswer(StatusCode(rawValue: statusCode), body: "hello"))
        #expect(message.head(for: Fixture.request, ExchangeMetrics()) == nil)
        #expect(body(message) == "")
        #expect(end(message) == "malformedHead")
    }

    @Test(arguments: [["5", "6"], [""], ["-5"], ["+5"], ["5, 5"], ["0x5"], ["1234567890123456789"]])
    func lengthsThatMakeNoSenseAreRefused(lengths: [String]) throws {
        var answer = MockAnswer(.ok, body: "hello")
        for length in lengths { answer.headers.append(name: "content-length", value: length) }
        #expect(end(try message(answer)) == "malformedHead")
    }

    @Test func theSameLengthTwiceIsALength() throws {
        let headers: HTTPHeaderFields = ["Content-Length": "5", "content-length": "5"]
        #expect(end(try message(MockAnswer(.ok, headers: headers, body: "hello"))) == "complete")
    }

    @Test func aHeadHasALimit() throws {
        // "HTTP/1.1 200 CRLF", "A: …CRLF" and CRLF.
        let answer = MockAnswer(.ok, headers: ["A": String(repeating: "x", count: 100)])
        #expect(end(try message(answer, maximumHead: 122)) == "complete")
        #expect(end(try message(answer, maximumHead: 121)) == "headTooLarge")
    }

    @Test func anEndWithoutAHeadIsALostConnection() throws {
        var answer = MockAnswer(.ok, body: "hello")
        answer.statusCode = nil
        let message = try message(answer)
        #expect(message.head(for: Fixture.request, ExchangeMetrics()) == nil)
        #expect(end(message) == "connectionLost")
        #expect(body(message) == "")
        #expect(end(try self.message(.hang)) == "hang")
        #expect(end(try self.message(.failure(CancellationError()))) == "CancellationError()")
    }
}
