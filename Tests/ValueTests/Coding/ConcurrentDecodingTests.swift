import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct ConcurrentDecodingTests {
    /// Notes whether it was made on the main actor's thread.
    private struct Placed: Decodable, Sendable {
        let wasOnMainActor: Bool

        init(from decoder: any Decoder) throws {
            wasOnMainActor = Placed.isOnMainActor()
        }

        private static func isOnMainActor() -> Bool {
            DispatchQueue.getSpecific(key: ConcurrentDecodingTests.key) == true
        }
    }

    private static let key = DispatchSpecificKey<Bool>()

    @MainActor
    @Test func aBodyIsDecodedAwayFromTheMainActor() async throws {
        DispatchQueue.main.setSpecific(key: Self.key, value: true)
        let response = Fixture.response("{}")
        #expect(try response.decode(Placed.self).wasOnMainActor)
        #expect(try await response.decodeConcurrently(Placed.self).wasOnMainActor == false)
        let http = try response.makeHTTPResponse()
        #expect(try await http.decodeConcurrently(Placed.self).wasOnMainActor == false)
    }

    @Test func failuresAreThose() async throws {
        await #expect(throws: DecodingError.self) {
            try await Fixture.response("[").decodeConcurrently([Int].self)
        }
        await #expect(throws: ResponseError.self) {
            try await Fixture.response(nil).decodeConcurrently([Int].self)
        }
    }
}
