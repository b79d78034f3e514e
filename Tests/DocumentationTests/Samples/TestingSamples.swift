import PiuPiuAsync
import PiuPiuTesting
import Testing

/// The samples of the article on testing.
struct TestingSamples {
    struct Item: Codable, Sendable { var id: Int; var name: String }

    struct Shop: Sendable {
        let api: any DataDispatcher

        func item(_ id: Int) async throws -> Item? {
            do {
                return try await api.get("/items/\(id)")
            } catch StatusCode.notFound {
                return nil
            }
        }
    }

    /// A shop with a server in memory.
    func makeShop(_ mock: MockTransport, retries: Int = 0) -> Shop {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = URL(string: "https://shop.example.com/v1")
        let retries = RetryPolicy(retries: retries, backoff: Backoff(base: .zero))
        return Shop(api: URLRequestDispatcher(configuration: configuration, interceptors: [retries], transport: mock))
    }

    @Test func missingItemsAreNil() async throws {
        let mock = MockTransport(answers: [MockAnswer(.notFound)])
        let shop = makeShop(mock)

        #expect(try await shop.item(7) == nil)
        #expect(mock.requests.map(\.path) == ["/v1/items/7"])
    }

    @Test func aBusyServerIsAskedAgain() async throws {
        let mock = MockTransport(answers: [MockAnswer(.serviceUnavailable), try .json(Item(id: 7, name: "Cup"))])
        let shop = makeShop(mock, retries: 1)

        #expect(try await shop.item(7)?.name == "Cup")
        #expect(mock.requests.count == 2)
    }

    @Test func aBrokenConnectionIsAnError() async throws {
        let mock = MockTransport(answers: [.failure(TransportError(.connectionLost))])
        let shop = makeShop(mock)

        let error = await #expect(throws: TransportError.self) { try await shop.item(7) }
        #expect(error?.code == .connectionLost)
    }

    @Test func aFailureOfTheServerIsAnError() async throws {
        let mock = MockTransport(answers: [MockAnswer(.internalServerError, body: #"{"message":"no luck"}"#)])
        let shop = makeShop(mock)

        let error = await #expect(throws: UnacceptableResponseError.self) { try await shop.item(7) }
        #expect(error?.statusCode == .internalServerError)
    }
}
