import PiuPiuAsync
import PiuPiuTesting
import Testing

/// The samples of the scripted server.
@Suite(.timeLimit(.generous)) struct ServerSamplesTests {
    @Test func aServerIsScripted() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/users", .json(#"[{"id":1}]"#))
        server.route("/slow", .send("HTTP/1.1 200 OK\r\n"), .hold("rest"), .reset)

        struct User: Codable { var id: Int }
        let dispatcher = URLRequestDispatcher()
        let users = try await dispatcher.data(from: server.url("/users")).decode([User].self)
        #expect(users.map(\.id) == [1])
        server.release("rest")
        await #expect(throws: TransportError.self) { try await dispatcher.data(from: server.url("/slow")) }
    }

    @Test func fieldsMayRepeat() {
        let headers: HeaderList = ["Set-Cookie": "a=1", "Set-Cookie": "b=2"]
        #expect(headers.count == 2)
    }
}
