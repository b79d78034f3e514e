// swift-format-ignore-file: NeverForceUnwrap, NoEmptyTrailingClosureParentheses

import PiuPiuFutures
import PiuPiuTesting
import Testing

@MainActor
private final class UITextField {
    var text: String?
}

/// "Encoding", "Decoding" and "Memory Management" of the document of 1.11.1.
///
/// 3-23 to 3-26 are among the transforms, and 3-29 among the mocks.
@Suite(.timeLimit(.generous))
final class CodingSamplesTests: DocumentedTests {
    private var textField: UITextField!

    // 3-20
    @Test func encoding() throws {
        let jsonString = #"{"name":"Kevin Malone"}"#
        let myCodable = Post.hello
        var request = BasicRequest(method: .post, path: "/posts")

        request.setJSONBody(string: jsonString, encoding: .utf8)

        #expect(request.httpBody == Data(jsonString.utf8))

        let jsonObject: [String: Any?] = [
            "id": "123",
            "name": "Kevin Malone",
        ]

        try request.setJSONBody(jsonObject: jsonObject)

        let sent = try JSONDecoder().decode([String: String].self, from: #require(request.httpBody))
        #expect(sent == ["id": "123", "name": "Kevin Malone"])

        try request.setJSONBody(encodable: myCodable)

        #expect(try JSONDecoder().decode(Post.self, from: #require(request.httpBody)) == .hello)
        #expect(request.headers == ["Content-Type": "application/json"])
    }

    @Test func encodingIntoURLRequests() throws {
        let jsonString = #"{"name":"Kevin Malone"}"#
        let myCodable = Post.hello
        var request = URLRequest(url: server.url("/posts"), method: .post)

        request.setJSONBody(string: jsonString, encoding: .utf8)

        #expect(request.httpBody == Data(jsonString.utf8))

        let jsonObject: [String: Any?] = [
            "id": "123",
            "name": "Kevin Malone",
        ]

        try request.setJSONBody(jsonObject: jsonObject)

        #expect(request.httpBody?.isEmpty == false)

        try request.setJSONBody(encodable: myCodable)

        #expect(try JSONDecoder().decode(Post.self, from: #require(request.httpBody)) == .hello)
    }

    // 3-21
    @Test func encodingInAFuture() async {
        let post = Post.hello

        dispatcher.dataFuture() {
            let url = URL(string: "https://jsonplaceholder.typicode.com/posts/1")!
            var request = URLRequest(url: url, method: .post)
            try request.setJSONBody(post)
            return request
        }.error { error in
            self.journal(error)
        }.send()

        #expect(await server.waitForRequests(1))
        let sent = server.requests.first.map { try? JSONDecoder().decode(Post.self, from: $0.body) }
        #expect(sent == .hello)
    }

    @Test func encodingThatFails() async {
        dispatcher.dataFuture() {
            let url = URL(string: "https://jsonplaceholder.typicode.com/posts/1")!
            var request = URLRequest(url: url, method: .post)
            try request.setJSONBody(Double.nan)
            return request
        }.error { error in
            self.journal(type(of: error))
        }.send()

        await journal.wait(for: "EncodingError")
        #expect(server.requests.isEmpty)
    }

    // 3-22
    @Test(arguments: ["/posts", "/empty"])
    func decoding(path: String) async {
        let request = get(path)
        let print = journal

        dispatcher.dataFuture(from: request).success { response in
            let data = try response.unwrapData()

            // do something with data.
            print(data)
        }.error { error in
            self.journal(error)
        }.completion {
            self.journal("completion")
        }.send()

        let first = await journal.wait(for: "completion").first
        #expect(first?.hasSuffix(" bytes") == (path == "/posts"))

        dispatcher.dataFuture(from: request).success { response in
            let string = try response.decodeString(encoding: .utf8)

            // do something with string.
            print(string)
        }.error { error in
            self.journal(error)
        }.completion {
            self.journal("completion")
        }.send()

        let second = await journal.wait(for: "completion").first
        #expect(second?.hasPrefix("[{") == (path == "/posts"))

        dispatcher.dataFuture(from: request).success { response in
            let posts = try response.decode([Post].self)

            // do something with the decodable object.
            print(posts)
        }.error { error in
            self.journal(error)
        }.completion {
            self.journal("completion")
        }.send()

        let third = await journal.wait(for: "completion").first
        #expect((third == "\([Post.hello])") == (path == "/posts"))
    }

    // 3-27
    @Test func strongCallbacks() async {
        let request = get("/posts")

        dispatcher.dataFuture(from: request).then({ response -> [Post] in
            return try response.decode([Post].self)
        }).success({ posts in
            self.show(posts)
        }).send()

        await journal.wait(for: #"show ["Hello"]"#)
    }

    // 3-28, which is there to warn of it.
    @Test func forcedUnwrapping() async {
        let request = get("/posts")
        let field = UITextField()
        textField = field

        dispatcher.dataFuture(from: request).success({ response in
            let textField = self.textField!

            textField.text = "Success"
            self.journal("success")
        }).send()

        await journal.wait(for: "success")
        #expect(field.text == "Success")
    }
}
