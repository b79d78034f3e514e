import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing
@testable import PiuPiuTesting

/// The operators of futures of responses.
@Suite(.timeLimit(.generous)) struct ResponseOperatorTests {
    /// A number that notes where it was decoded.
    private struct Witness: Decodable, Sendable {
        let wasOnMain: Bool

        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Int.self)
            wasOnMain = DispatchQueue.isMain
        }
    }

    private static func future(_ body: String?) -> ResponseFuture<Response<Data?>> {
        ResponseFuture { () async throws in try .answer(body) }
    }

    /// Every operator that decodes, as whether it did so on the main queue.
    private static func decodings() -> [ResponseFuture<Bool>] {
        [
            future("7").decoded(Witness.self).then { $0.data.wasOnMain },
            future("7").makeHTTPResponse().decoded(Witness.self).then { $0.data.wasOnMain },
            future("7").makeHTTPResponse().safeDecoded(Witness.self).then { try $0.data.get().wasOnMain },
        ]
    }

    // K14
    @MainActor @Test func nothingIsDecodedOnTheMainActor() async throws {
        for future in Self.decodings() { #expect(try await future.fetchResult() == false) }
        // The same holds if handlers are waiting there, and if the response was there before.
        for future in Self.decodings() {
            #expect(await FutureEvents.all(of: future) == ["success false", "completion"])
        }
    }

    // K14, K8, rule 5
    @MainActor @Test func decodingDoesNotWaitForTheMainThread() throws {
        let done = DispatchSemaphore(value: 0)
        let values = Locked<[Bool]>([])
        Task.detached {
            for future in Self.decodings() {
                let value = try await future.fetchResult()
                values.withLock { $0.append(value) }
            }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 600) == .success)
        #expect(values.withLock { $0 } == [false, false, false])
    }

    @Test func anErrorOfTheDecoderIsTheErrorOrAValue() async throws {
        let wrong = Self.future("x")
        await #expect(throws: DecodingError.self) { try await wrong.decoded(Int.self).fetchResult() }
        let http = wrong.makeHTTPResponse()
        await #expect(throws: DecodingError.self) { try await http.decoded(Int.self).fetchResult() }
        let safe = try await http.safeDecoded(Int.self).fetchResult()
        #expect(safe.statusCode == .ok)
        #expect(throws: DecodingError.self) { try safe.data.get() }
    }

    // B31, rule 13
    @Test func withoutABodyThereIsNothingToDecode() async throws {
        let none = Self.future(nil)
        #expect(try await none.fetchResult().data == nil)
        await #expect(throws: ResponseError.unexpectedEmptyResponse) {
            try await none.decoded(Int.self).fetchResult()
        }
        await #expect(throws: ResponseError.unexpectedEmptyResponse) { try await none.decodedString().fetchResult() }
        let safe = try await none.makeHTTPResponse().safeDecoded(Int.self).fetchResult()
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try safe.data.get() }
    }

    // Rule 18
    @Test func theBodyIsCalledData() async throws {
        let body: Data? = try await Self.future("7").fetchResult().data
        #expect(body == Data("7".utf8))
        #expect(try await Self.future("7").makeHTTPResponse().fetchResult().data == body)
        #expect(try await Self.future("7").decodedString().fetchResult().data == "7")
        #expect(try await Self.future("7").decoded(Int.self).fetchResult().data == 7)
    }
}

extension Response where Body == Data? {
    /// A response made by hand.
    static func answer(_ body: String?) throws -> Response<Data?> {
        let url = try #require(URL(string: "https://example.com"))
        return try .makeMockResponse(with: URLRequest(url: url), data: body.map { Data($0.utf8) }, statusCode: .ok)
    }
}
