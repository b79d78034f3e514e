// swift-format-ignore-file: NeverForceUnwrap

import NetworkKit
import Testing

/// Who keeps what alive, and the mock.
@Suite(.timeLimit(.minutes(5)))
struct MemorySamplesTests {
    @MainActor
    @Test func strongCallbacks() async throws {
        let controller = try MemoryController()
        controller.request.path = "/posts/all"
        controller.strongCallbacks()
        await controller.journal.wait(for: #"show ["Hello"]"#)
    }

    @MainActor
    @Test func forceUnwrapping() async throws {
        let controller = try MemoryController()
        controller.forceUnwrap()
        await controller.journal.wait(for: "Success")
        #expect(controller.textField.text == "Success")
    }

    @MainActor
    @Test func strongReference() async throws {
        let controller = try MemoryController()
        controller.request.path = "/posts/all"
        controller.strongReference()
        await controller.journal.wait()
        #expect(controller.journal.entries == [#"show ["Hello"]"#, "completion"])
        #expect(controller.postResponseFuture == nil)
    }

    @MainActor
    @Test func aCycleEndsWithTheFuture() async throws {
        weak var weakController: MemoryController?
        do {
            let controller = try MemoryController()
            weakController = controller
            controller.cycle()
            await controller.journal.wait(for: "show \(Post.json.utf8.count) bytes")
        }
        // In NetworkKit, nothing of this was ever released.
        await MainActor.drain()
        #expect(weakController == nil)
    }

    @MainActor
    @Test func weakReference() async throws {
        let controller = try MemoryController()
        controller.weakReference()
        #expect(controller.weakResponseFuture != nil)
        await controller.journal.wait()
        await MainActor.drain()
        #expect(controller.weakResponseFuture == nil)
    }

    @MainActor
    @Test func lostReference() async throws {
        let controller = try MemoryController()
        controller.lostReference()
        await MainActor.drain()
        #expect(controller.journal.entries.isEmpty)
        #expect(controller.server.requests.isEmpty)
    }

    @MainActor
    @Test func mock() async throws {
        let controller = try MemoryController()
        try controller.mock(Post.hello)
        await controller.journal.wait(for: "Hello from jsonplaceholder.typicode.com")
    }
}

private class MemoryController: PostsController {
    func strongCallbacks() {
        // Block 33
        dispatcher.future(from: request).then({ response -> SuccessResponse<[Post]> in
            // [weak self] not needed as `self` is not called
            let posts = try response.decode([Post].self)
            return SuccessResponse<[Post]>(data: posts, response: response)
        }).response({ response in
            self.show(response.data)
        }).send()
    }

    func forceUnwrap() {
        // Block 34
        dispatcher.future(from: request).success({ response in
            // We are foce unwrapping a text field.
            let textField = self.textField!

            // If we dealocated textField by the time the
            // response comes back, a crash will occur
            textField.text = "Success"
            self.journal(textField.text ?? "")
        }).send()
    }

    func strongReference() {
        // Block 35
        self.postResponseFuture = dispatcher.future(from: request).then({ response in
            // [weak self] not needed as `self` is not called
            let posts = try response.decode([Post].self)
            return SuccessResponse<[Post]>(data: posts, response: response)
        }).response({ [weak self] response in
            // [weak self] needed as `self` is called
            self?.show(response.data)
        }).completion({ [weak self] in
            // [weak self] needed as `self` is called
            self?.postResponseFuture = nil
            self?.journal("completion")
        })

        // Perform other logic, add delay, do whatever you would do that forced you
        // to store a reference to this ResponseFuture in the first place

        self.postResponseFuture?.send()
    }

    func cycle() {
        // Block 36
        self.strongResponseFuture = dispatcher.future(from: request).success({ response in
            // Both the `ResponseFuture` and `self` are held on by each other.
            // `self` will never be dealocated and neither will the future!
            self.show(response.data)
        }).send()
    }

    func weakReference() {
        // Block 37
        self.weakResponseFuture = dispatcher.future(from: request).completion({
            // Always triggered
            self.journal("completion")
        }).send()

        // This ResponseFuture may or may not be nil at this point.
        // This depends on if the system is holding on to the
        // ResponseFuture as it is awaiting a response.
        // but the callbacks will always be triggered.
    }

    func lostReference() {
        let expectation = Expectation(journal: journal)
        // Block 38
        self.weakResponseFuture = dispatcher.future(from: request).completion({
            // [weak self]
            expectation.fulfill()
        })

        // WHOOPS!!!!
        // Our object is already nil because we have not established a strong reference to it.
        // The `send()` method will do nothing and no callback will be triggered.

        self.weakResponseFuture?.send()
    }

    func mock(_ codable: Post) throws {
        // Block 39
        let url = URL(string: "https://jsonplaceholder.typicode.com")!
        let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
        let request = BasicRequest(method: .get, path: "/posts")
        try dispatcher.setMockData(codable)

        /// The url specified is not actually called.
        dispatcher.future(from: request).response({ response in
            let post = try response.decode(Post.self)
            self.journal(post.title, "from", response.urlRequest.url?.host ?? "")
        }).send()
    }
}

/// As that of XCTest.
private class Expectation {
    let journal: Journal

    init(journal: Journal) {
        self.journal = journal
    }

    func fulfill() {
        journal("fulfill")
    }
}
