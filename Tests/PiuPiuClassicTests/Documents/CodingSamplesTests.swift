import PiuPiuClassic
import Testing

@Suite(.timeLimit(.generous))
final class CodingSamplesTests: PostsController {
    private let jsonString = #"{"name":"Kevin Malone"}"#
    private let myCodable = Post.hello
    private let myData = Data("Kevin".utf8)

    private func echo(_ request: BasicRequest) async throws -> Response<Data?> {
        try await dispatcher.future(from: request).fetchResult()
    }

    @Test func encodingAString() async throws {
        // Block 16
        var request = BasicRequest(method: .post, path: "/users")
        request.setJSONBody(string: jsonString, encoding: .utf8)

        let response = try await echo(request)
        #expect(try response.decodeString() == jsonString)
        #expect(response.httpResponse.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func encodingAJSONObject() async throws {
        // Block 17
        let jsonObject: [String: Any?] = [
            "id": "123",
            "name": "Kevin Malone",
        ]

        var request = BasicRequest(method: .post, path: "/users")
        try request.setJSONBody(jsonObject: jsonObject)

        let object = try await echo(request).decodeJSONObject() as? [String: String]
        #expect(object == ["id": "123", "name": "Kevin Malone"])
    }

    @Test func encodingAnEncodable() async throws {
        // Block 18
        var request = BasicRequest(method: .post, path: "/posts")
        try request.setJSONBody(encodable: myCodable)

        #expect(try await echo(request).decode(Post.self) == .hello)
    }

    @Test func settingTheData() async throws {
        // Block 19
        var request = BasicRequest(method: .post, path: "/users")
        request.httpBody = myData

        #expect(try await echo(request).unwrapData() == myData)
    }

    @Test func wrappingTheEncoding() async throws {
        let myCodable = self.myCodable
        // Block 20
        dispatcher.future(from: {
            var request = BasicRequest(method: .post, path: "/posts")
            try request.setJSONBody(myCodable)
            return request
        }).error({ error in
            // Any error thrown while creating the request will trigger this callback.
            self.journal("error")
        }).send()

        #expect(await server.waitForRequests(1))
        #expect(server.requests.first?.method == "POST")
        dispatcher.future(from: {
            var request = BasicRequest(method: .post, path: "/posts")
            try request.setJSONBody(Double.nan)
            return request
        }).error({ error in
            self.journal("error")
        }).send()
        #expect(await journal.wait(for: "error") == ["error"])
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["/posts/1", "/empty"])
    func unwrappingData(_ path: String) async {
        let request = get(path)
        let print = { (data: Data) in self.journal("printed") }
        // Block 21
        dispatcher.future(from: request).response({ response in
            let data = try response.unwrapData()

            // do something with data.
            print(data)
        }).error({ error in
            // Triggered when the data object is not there.
            self.journal("printed", "nothing")
        }).send()

        await journal.wait(for: path == "/empty" ? "printed nothing" : "printed")
    }

    @Test func decodingAString() async {
        let print = { (string: String) in self.journal(string.count) }
        // Block 22
        dispatcher.future(from: request).response({ response in
            let string = try response.decodeString(encoding: .utf8)

            // do something with string.
            print(string)
        }).error({ error in
            // Triggered when decoding fails.
        }).send()

        await journal.wait(for: "35")
    }

    @Test(arguments: ["/posts", "/posts/1"])
    func decodingADecodable(_ path: String) async {
        let request = get(path)
        let print = { (posts: [Post]) in self.show(posts) }
        // Block 23
        dispatcher.future(from: request).response({ response in
            let posts = try response.decode([Post].self)

            // do something with the decodable object.
            print(posts)
        }).error({ error in
            // Triggered when decoding fails.
            self.journal("error")
        }).send()

        await journal.wait(for: path == "/posts" ? #"show ["Hello"] true"# : "error")
    }
}
