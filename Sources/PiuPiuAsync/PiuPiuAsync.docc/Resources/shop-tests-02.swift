import PiuPiuAsync
import PiuPiuTesting
import Testing

struct ShopTests {
    private func shop(_ mock: MockTransport) throws -> Shop {
        let server = try #require(URL(string: "https://shop.example.com"))
        return try Shop(server: server, token: "42", transport: mock)
    }

    @Test func findsItems() async throws {
        let mock = MockTransport(answers: [try .json([Shop.Item(id: 7, name: "Cup")])])

        let items = try await shop(mock).items(named: "Cup")

        #expect(items.map(\.id) == [7])
        let request = try #require(mock.requests.first)
        #expect(request.path == "/v1/items")
        #expect(request["Authorization"] == "Bearer 42")
    }

    @Test func missingItemsAreNil() async throws {
        let mock = MockTransport(answers: [MockAnswer(.notFound)])

        #expect(try await shop(mock).item(7) == nil)
    }

    @Test func anErrorOfTheServerIsThrown() async throws {
        let mock = MockTransport(answers: [MockAnswer(.forbidden)])

        await #expect(throws: UnacceptableResponseError.self) { try await shop(mock).items(named: "Cup") }
    }
}
