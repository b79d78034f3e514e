// swift-format-ignore-file: NeverForceUnwrap

import PiuPiuFutures
import PiuPiuTesting
import Testing

@MainActor
private class UIViewController {}

// 3-1
private class ViewController: UIViewController {
    private let dispatcher = URLRequestDispatcher()

    func dataFuture(from request: URLRequest) -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(from: request)
    }
}

/// "Usage" and "Advanced Usage" of the document of 1.11.1.
@Suite(.timeLimit(.generous))
final class UsageSamplesTests: DocumentedTests {
    // 3-2
    private func makeARequest(to path: String = "/posts/1") {
        let url = URL(string: "https://jsonplaceholder.typicode.com\(path)")!
        let request = URLRequest(url: url, method: .get)

        dispatcher.dataFuture(from: request)
            .success { response in
                let httpResponse = try response.makeHTTPResponse()

                if let error = httpResponse.httpError {
                    throw error
                } else {
                    self.post = try response.decode(Post.self)
                }
            }
            .error { error in
                self.journal(error)
            }
            .completion {
                self.journal("completion")
            }
            .send()
    }

    @Test func makingARequest() async {
        makeARequest()
        #expect(await journal.wait(for: "completion") == ["completion"])
        #expect(post == .hello)
        makeARequest(to: "/missing")
        #expect(await journal.wait(for: "completion") == ["\(HTTPError.clientError(.notFound))", "completion"])
    }

    // 3-3
    @Test func asyncAwait() async {
        let postURL = URL(string: "https://jsonplaceholder.typicode.com/posts/1")!
        let postRequest = URLRequest(url: postURL, method: .get)

        Task {
            do {
                let postResponse = try await dispatcher.dataFuture(from: postRequest)
                    .decoded(Post.self)
                    .fetchResult()

                let userURL = URL(string: "https://jsonplaceholder.typicode.com/users/\(postResponse.data.userId)")!
                let userRequest = URLRequest(url: userURL, method: .get)
                let userResponse = try await dispatcher.dataFuture(from: userRequest)
                    .decoded(User.self)
                    .fetchResult()

                show(post: postResponse.data, user: userResponse.data)
            } catch {
                show(error)
            }
        }

        await journal.wait(for: "show Hello Ada")
        #expect(server.requests.map(\.target) == ["/posts/1", "/users/7"])
    }

    // 3-4
    private func separateConcerns() {
        let completionExpectation = expectation

        dispatcher
            .dataFuture {
                let url = URL(string: "https://jsonplaceholder.typicode.com/posts")!
                return URLRequest(url: url, method: .get)
            }
            .then { response -> Post in
                let httpResponse = try response.makeHTTPResponse()

                if let error = httpResponse.httpError {
                    throw error
                }

                return try response.decode(Post.self)
            }
            .updated { task in
                #expect(task.countOfBytesReceived >= 0)
            }
            .success { post in
                self.journal(post.title)
            }
            .error { error in
                self.journal(type(of: error))
            }
            .completion {
                completionExpectation.fulfill()
            }
            .send()
    }

    @Test func separatingConcerns() async {
        separateConcerns()
        #expect(await journal.wait(for: "fulfill") == ["DecodingError", "fulfill"])
        server.route("GET", "/posts", .json(#"{"id":1,"userId":7,"title":"Hello","body":""}"#))
        separateConcerns()
        #expect(await journal.wait(for: "fulfill") == ["Hello", "fulfill"])
    }

    // 3-5
    func getPost(id: Int) -> ResponseFuture<HTTPResponse<Post>> {
        let url = URL(string: "https://jsonplaceholder.typicode.com/posts/1")!
        let request = URLRequest(url: url, method: .get)

        return getHTTPResponse(from: request)
            .then(on: DispatchQueue.global(qos: .background)) { httpResponse -> HTTPResponse<Post> in
                return try httpResponse.decoded(Post.self)
            }
    }

    private func getHTTPResponse(from request: URLRequest) -> ResponseFuture<HTTPResponse<Data?>> {
        return dispatcher.dataFuture(from: request)
            .then { response -> HTTPResponse<Data?> in
                let httpResponse = try response.makeHTTPResponse()

                if let error = httpResponse.httpError {
                    throw error
                }

                return httpResponse
            }
    }

    // 3-6
    @Test func methodChaining() async throws {
        let print = journal

        getPost(id: 1)
            .success { response in
                let post = response.data

                print(post)

            }
            .error { error in
                self.journal(error)
            }
            .completion {
                self.journal("completion")
            }
            .send()

        #expect(await journal.wait(for: "completion") == ["\(Post.hello)", "completion"])
        let missing = getHTTPResponse(from: get("/missing"))
        await #expect(throws: HTTPError.clientError(.notFound)) { try await missing.fetchResult() }
    }

    // Not sent: a dispatcher as it comes may use a proxy of the environment.
    @Test func aViewController() {
        #expect(ViewController().dataFuture(from: get("/posts/1")).status == .created)
    }
}

// 3-7
extension ResponseFuture where Success == Response<Data?> {
    /// This method handles common HTTP errors and returns an HTTP response.
    fileprivate var validHTTPResponse: ResponseFuture<HTTPResponse<Data?>> {
        return then(HTTPResponse<Data?>.self) { response -> HTTPResponse<Data?> in
            let httpResponse = try response.makeHTTPResponse()

            if let error = httpResponse.httpError {
                throw error
            }

            return httpResponse
        }
    }
}

/// "Extensions (recommended)" of the document of 1.11.1; the same as 0-6.
@Suite(.timeLimit(.generous))
final class ExtensionSamplesTests: DocumentedTests {
    // 3-8
    func getPost(id: Int) -> ResponseFuture<HTTPResponse<Post>> {
        let url = URL(string: "https://jsonplaceholder.typicode.com/posts/1")!
        let request = URLRequest(url: url, method: .get)

        return dispatcher.dataFuture(from: request)
            .validHTTPResponse
            .decoded(Post.self)
    }

    func getUser(id: Int) -> ResponseFuture<HTTPResponse<User>> {
        let url = URL(string: "https://jsonplaceholder.typicode.com/users/1")!
        let request = URLRequest(url: url, method: .get)

        return dispatcher.dataFuture(from: request)
            .validHTTPResponse
            .decoded(User.self)
    }

    @Test func extensions() async throws {
        #expect(try await getPost(id: 1).fetchResult().data == .hello)
        let user = try await getUser(id: 1).fetchResult()
        #expect(user.data.name == "Ada")
        #expect(user.statusCode == .ok)
        let missing = dispatcher.dataFuture(from: get("/missing")).validHTTPResponse
        await #expect(throws: HTTPError.clientError(.notFound)) { try await missing.fetchResult() }
    }
}
