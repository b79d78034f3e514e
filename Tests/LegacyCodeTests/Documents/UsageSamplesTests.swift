// swift-format-ignore-file: NeverForceUnwrap

// Block 3
import Foundation
import PiuPiuFutures
import PiuPiuTesting
import Testing

@MainActor
private class UIViewController {}

// Block 4
private class ViewController: UIViewController {
    private let dispatcher = URLRequestDispatcher()

    func future(from request: URLRequest) -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(from: request)
    }
}

/// "Usage" of the document of 1.10.
private class UsageSamples: DocumentSamples {
    // Block 5
    func makeARequest() {
        let url = URL(string: "https://jsonplaceholder.typicode.com/posts/1")!
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
                print(error)
            }
            .completion {
                self.note(self.post?.title ?? "nothing")
                self.note("completion")
            }
            .send()
    }

    // Block 6
    func separateConcerns() {
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
                self.note(post.title)
            }
            .error { error in
                self.note(type(of: error))
            }
            .completion {
                completionExpectation.fulfill()
            }
            .send()
    }

    // Block 7
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

    // Block 8
    func useIt() {
        getPost(id: 1)
            .success { response in
                let post = response.data

                print(post)
                self.note(post.title)
            }
            .error { error in
                self.note(error)
            }
            .completion {
                self.note("completion")
            }
            .send()
    }
}

// Block 9
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

private class ExtensionSamples: DocumentSamples {
    // Block 10
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
}

@Suite(.timeLimit(.minutes(10))) struct UsageSamplesTests {
    @Test func usage() async {
        let made = await DocumentSamples.run(until: "completion", UsageSamples.self) { $0.makeARequest() }
        #expect(made == ["Hello", "completion"])
        let separated = await DocumentSamples.run(until: "fulfill", UsageSamples.self) { $0.separateConcerns() }
        #expect(separated == ["DecodingError", "fulfill"])
        let used = await DocumentSamples.run(until: "completion", UsageSamples.self) { $0.useIt() }
        #expect(used == ["Hello", "completion"])
    }

    @Test func extensions() async throws {
        let samples = ExtensionSamples()
        #expect(try await samples.getPost(id: 1).fetchResult().data.title == "Hello")
        #expect(try await samples.getUser(id: 1).fetchResult().data.name == "Ada")
    }

    // Not sent: a dispatcher as it comes may use a proxy of the environment.
    @Test @MainActor func aViewController() {
        #expect(ViewController().future(from: request()).status == .created)
    }
}
