// swift-format-ignore-file: NeverForceUnwrap

import PiuPiuClassic
import PiuPiuTesting
import Testing

@Suite(.timeLimit(.generous))
final class MemorySamplesTests: PostsController {
    private final class TextField {
        var text = ""
    }

    private var textField: TextField? = TextField()
    private var postResponseFuture: ResponseFuture<SuccessResponse<[Post]>>?
    private var strongResponseFuture: ResponseFuture<Response<Data?>>?
    private weak var weakResponseFuture: ResponseFuture<Response<Data?>>?

    @Test func strongCallbacks() async {
        let request = get("/posts")
        // Block 24
        dispatcher.future(from: request).then({ response -> [Post] in
            // [weak self] not needed as `self` is not called
            return try response.decode([Post].self)
        }).response({ posts in
            // [weak self] not needed but may be added. There is a temporary reference which will hold on to self while the request is being made.
            self.show(posts)
        }).send()

        await journal.wait(for: #"show ["Hello"] true"#)
    }

    @Test func whatNotToDo() async {
        let textField = self.textField
        // Block 25
        dispatcher.future(from: request).success({ response in
            // We are foce unwrapping a text field! DO NOT DO THIS!
            let textField = self.textField!

            // If we dealocated textField by the time the
            // response comes back, a crash will occur
            textField.text = "Success"
            self.journal("success")
        }).send()

        await journal.wait(for: "success")
        #expect(textField?.text == "Success")
    }

    @Test func aStrongReference() async {
        let request = get("/posts")
        // Block 26
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

        #expect(await journal.wait(for: "completion") == [#"show ["Hello"] true"#, "completion"])
        #expect(postResponseFuture == nil)
    }

    // The document says that this leaks; here, the handlers are released after they ran.
    @Test func aStrongReferenceWithoutWeakSelf() async throws {
        weak var released: MemorySamplesTests?
        do {
            let owner = try MemorySamplesTests()
            released = owner
            owner.keepAFuture()
            await owner.journal.wait(for: "show 35 true")
            #expect(owner.strongResponseFuture?.status == .success)
        }
        // The handlers are released on the main thread, after the last of them.
        await MainThread.run {}
        while released != nil { await Task.yield() }
    }

    func keepAFuture() {
        // Block 27
        self.strongResponseFuture = dispatcher.future(from: request).response({ response in
            // Both the `ResponseFuture` and `self` are held on by each other.
            // `self` will never be dealocated and neither will the future!
            self.show(response.data)
        }).send()
    }

    @Test func aWeakReference() async {
        // Block 28
        self.weakResponseFuture = dispatcher.future(from: request).completion({
            // Always triggered
            self.journal("completion")
        }).send()

        // This ResponseFuture may or may not be nil at this point.
        // This depends on if the system is holding on to the
        // ResponseFuture as it is awaiting a response.
        // but the callbacks will always be triggered.
        #expect(await journal.wait(for: "completion") == ["completion"])
    }

    func sendNothing() {
        let expectation = journal
        // Block 29
        self.weakResponseFuture = dispatcher.future(from: request).completion({
            // [weak self]
            expectation.fulfill()
        })

        // WHOOPS!!!!
        // Our object is already nil because we have not established a strong reference to it.
        // The `send()` method will do nothing and no callback will be triggered.

        self.weakResponseFuture?.send()
    }

    @Test func aWeakReferenceThatIsNotSent() async {
        sendNothing()
        #expect(weakResponseFuture == nil)
        _ = try? await dispatcher.future(from: request).fetchResult()
        #expect(server.requests.count == 1)
        #expect(journal.entries.isEmpty)
    }
}
