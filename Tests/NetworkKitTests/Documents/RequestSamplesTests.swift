// swift-format-ignore-file: NeverForceUnwrap

// Block 3
import NetworkKit
import Testing

// The samples of the document of NetworkKit, in its order, in the files of this folder. The numbers count its fenced
// blocks. Callbacks that the document leaves empty record that they ran. Blocks.md lists what is not there as printed.

class ViewController {}

// Block 4
extension ViewController: ServerProvider {
    var baseURL: URL {
        return URL(string: "https://example.com")!
    }
}

/// How requests are made and encoded.
@Suite(.timeLimit(.minutes(5)))
struct RequestSamplesTests {
    @Test func theServerProvider() throws {
        let url = try ViewController().url(from: BasicRequest(method: .get, path: "/posts"))
        #expect(url.absoluteString == "https://example.com/posts")
    }

    @MainActor
    @Test(arguments: ["/posts", "/missing", "/posts/all"])
    func sending(path: String) async throws {
        let controller = try SendingController()
        // The document's path is `/posts`; the others lead to an error response and to a body of another type.
        if path != "/posts" { controller.server.route("GET", "/posts", .redirect(to: path)) }
        controller.send()

        let entries = await controller.journal.wait()
        switch path {
        case "/posts": #expect(entries == ["response Hello", "completion"])
        case "/missing": #expect(entries == ["error NotFound", "completion"])
        default: #expect(entries == ["error InvalidObject", "completion"])
        }
        #expect(controller.journal.offMain.isEmpty)
    }

    @Test func encoding() throws {
        let myData = Data("{}".utf8)
        let jsonString = #"{"a":1}"#
        let myCodable = Post.hello
        let myMapCodable = MapPost(id: 3)

        do {
            // Block 6
            var request = BasicRequest(method: .post, path: "/users")
            request.httpBody = myData

            #expect(request.httpBody == myData)
            #expect(request.headers.isEmpty)
        }
        do {
            // Block 7
            var request = BasicRequest(method: .post, path: "/users")
            request.setJSONBody(string: jsonString)

            #expect(request.httpBody == Data(jsonString.utf8))
            #expect(request.headers == ["Content-Type": "application/json"])
        }
        do {
            // Block 8
            let jsonObject: [String: Any?] = [
                "id": "123",
                "name": "Kevin Malone",
            ]

            var request = BasicRequest(method: .post, path: "/users")
            try request.setJSONBody(jsonObject: jsonObject)

            let body = try JSONDecoder().decode([String: String].self, from: #require(request.httpBody))
            #expect(body == ["id": "123", "name": "Kevin Malone"])
        }
        do {
            // Block 9
            var request = BasicRequest(method: .post, path: "/users")
            request.setJSONBody(string: jsonString, encoding: .utf8)

            #expect(request.httpBody == Data(jsonString.utf8))
        }
        do {
            // Block 10
            var request = BasicRequest(method: .post, path: "/posts")
            try request.setJSONBody(encodable: myCodable)

            #expect(try JSONDecoder().decode(Post.self, from: #require(request.httpBody)) == myCodable)
        }
        do {
            // Block 11
            var request = BasicRequest(method: .post, path: "/posts")
            try request.setJSONBody(mapEncodable: myMapCodable)

            #expect(request.httpBody == Data(#"{"id":3}"#.utf8))
            #expect(request.headers == ["Content-Type": "application/json"])
        }
    }

    @MainActor
    @Test func encodingInAFuture() async throws {
        let controller = try SendingController()
        controller.wrapEncoding(Post.hello)
        #expect(await controller.journal.wait() == ["completion"])
        let body = try #require(controller.server.requests.first?.body)
        #expect(try JSONDecoder().decode(Post.self, from: body) == .hello)

        let failing = try SendingController()
        failing.wrapEncoding(Double.nan)
        #expect(await failing.journal.wait().last == "completion")
        #expect(failing.journal.entries.first?.hasPrefix("error ") == true)
        #expect(failing.server.requests.isEmpty)
    }
}

private class SendingController: PostsController {
    func send() {
        // Block 5
        let dispatcher = NetworkDispatcher(serverProvider: self)
        let request = BasicRequest(method: .get, path: "/posts")

        dispatcher.future(from: request).then({ response -> Post in
            // Handles any responses and transforms them to another type
            // This includes negative responses such as 400s and 500s

            if let error = response.error {
                // We throw the error so we can handle it in the `error` callback.
                // We can also handle the error response in a more custom way if we chose.
                throw error
            } else {
                return try response.decode(Post.self)
            }
        }).response({ post in
            // Handles any success responses.
            // In this case the object returned in the `then` method.
            self.journal("response", post.title)
        }).error({ error in
            // Handles any errors during the request process,
            // including all request creation errors and anything
            // thrown in the `then` or `success` callbacks.
            self.journal("error", (error as? BaseNetworkError)?.errorKey ?? "\(error)")
        }).completion({
            // The completion callback guaranteed to be called once
            // for every time the `start` method is triggered on the callback.
            self.journal("completion")
        }).start()
    }

    func wrapEncoding<T: Encodable>(_ myCodable: T) {
        // Block 12
        dispatcher.future(from: {
            var request = BasicRequest(method: .post, path: "/posts")
            try request.setJSONBody(myCodable)
            return request
        }).error({ error in
            // Any error thrown while creating the request will trigger this callback.
            self.journal("error", error)
        }).completion({ self.journal("completion") }).send()
    }
}
