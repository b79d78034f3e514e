import PiuPiuAsync
import PiuPiuTesting
import Testing

struct ShopTests {
    @Test func findsItems() async throws {
        let mock = MockTransport(answers: [try .json([Shop.Item(id: 7, name: "Cup")])])
        let server = try #require(URL(string: "https://shop.example.com"))
        let shop = try Shop(server: server, token: "42", transport: mock)

        let items = try await shop.items(named: "Cup")

        #expect(items.map(\.id) == [7])
        let request = try #require(mock.requests.first)
        #expect(request.path == "/v1/items")
        #expect(request["Authorization"] == "Bearer 42")
    }
}
