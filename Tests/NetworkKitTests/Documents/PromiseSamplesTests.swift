import NetworkKit
import Testing

/// The callbacks of promises.
@Suite(.timeLimit(.minutes(5)))
struct PromiseSamplesTests {
    @MainActor
    @Test(arguments: [
        ("/posts/1", "success Hello"), ("/missing", "failure gone"), ("/posts/all", "error"), ("/empty", "error"),
    ])
    func fullExample(path: String, outcome: String) async throws {
        let controller = try PromiseController()
        controller.request.path = path
        controller.fullExample()
        #expect(await controller.journal.wait() == [outcome, "completion"])
        #expect(controller.journal.offMain.isEmpty)
    }

    @MainActor
    @Test(arguments: [("/posts/1", "response 200"), ("/missing", "error NotFound")])
    func converted(path: String, outcome: String) async throws {
        let controller = try PromiseController()
        controller.request.path = path
        controller.convert()
        #expect(await controller.journal.wait() == [outcome, "completion"])
    }

    @MainActor
    @Test func callbacks() async throws {
        let controller = try PromiseController()
        let succeeding = controller.successCallback()
        let failing = controller.failureCallback()
        let futures = [controller.errorCallback(), controller.completionCallback()]
        let transformed = controller.thenCallback()
        await MainActor.drain()
        #expect(controller.server.requests.isEmpty)

        succeeding.send()
        failing.send()
        for future in futures { future.send() }
        transformed.send()
        let wanted: Set = ["success", "failure 404", "completion", "post Hello"]
        for entry in wanted { await controller.journal.wait(for: entry) }
        #expect(Set(controller.journal.entries) == wanted)
    }

    @MainActor
    @Test func thenFailure() async throws {
        let controller = try PromiseController()
        controller.request.path = "/missing"
        controller.thenFailureCallback()
        await controller.journal.wait(for: "failure NotFound")
    }
}

private class PromiseController: PostsController {
    func fullExample() {
        // Block 25
        dispatcher.make(request).then({ response -> Post in
            // The `then` callback transforms a successful response
            return try response.decode(Post.self)
        }).thenFailure({ response -> ServerErrorDetails in
            // The `thenFailure` callback transforms a failed response
            return try response.decode(ServerErrorDetails.self)
        }).success({ post in
            // Handles any success responses.
            // In this case the object returned in the `then` method.
            self.journal("success", post.title)
        }).failure({ serverError in
            // Handles any graceful errors.
            // In this case the object returned in the `thenFailure` method.
            self.journal("failure", serverError.reason)
        }).error({ error in
            // Handles any ungraceful errors.
            // This includes deserialization errors, unwraping failures, and anything else that is thrown
            // in a `make`, `success`, `error`, `then` or `thenFailure` block in any chained ResponseFuture.
            self.journal("error")
        }).completion({
            // The completion callback guaranteed to be called once
            // for every time the `send` or `start` method is triggered on the callback.
            self.journal("completion")
        }).send()
    }

    func convert() {
        // Block 26
        dispatcher.make(request).future({ failedResponse in
            // Sice a `SimplePromse` does not handle `failure` callbacks,
            // we have to transform this to an `Error` object.
            // This is triggered when a failed response is recieved
            // But it always transforms the `FutreResponse` to a `Promse`.

            // You can simply return the response error or return something a little more custom
            // NOTE: You may want to use `dispatcher.future(from: request)` instead.
            return failedResponse.error
        }).response({ response in
            // A success response. Because we used a ResponseFuture, this returns a `SuccessResponse`.
            // However we can have a bit more control, if we use `dispatcher.future(from: request)` directly.
            self.journal("response", response.statusCode.rawValue)
        }).error({ error in
            // This handles all errors thrown during the request creation process and
            // the error returned in the `promise` callback.
            self.journal("error", (error as? ResponseError)?.errorKey ?? "")
        }).completion({
            // Always triggered once for every time we call `start()`
            self.journal("completion")
        }).send()
    }

    func successCallback() -> ResponsePromise<Data?, Data?> {
        // Block 27
        dispatcher.make(request).success({ response in
            // When everything succeeds including the network call and deserialization
            // Anything we throw here will be handled in the `error` callback.
            self.journal("success")
        })
    }

    func failureCallback() -> ResponsePromise<Data?, Data?> {
        let request = get("/missing")
        // Block 28
        return dispatcher.make(request).failure({ response in
            // Triggered when network call fails gracefully.
            self.journal("failure", response.statusCode.rawValue)
        })
    }

    func errorCallback() -> ResponseFuture<Response<Data?>> {
        // Block 29
        dispatcher.future(from: request).error({ error in
            // Any errors thrown in a `make`, `future`, `success`, `failure`, `then`, or `thenFailure`
            // callback will trigger this callback.
            self.journal("error")
        })
    }

    func completionCallback() -> ResponseFuture<Response<Data?>> {
        // Block 30
        dispatcher.future(from: request).completion({
            // The completion callback guaranteed to be called once
            // for every time the `send` or `start` method is triggered on the callback.
            self.journal("completion")
        })
    }

    func thenCallback() -> ResponseFuture<Post> {
        // Block 31
        dispatcher.future(from: request).then({ response -> Post in
            // The `then` callback transforms a successful response
            // You can return any object here and this will be reflected on the success callback.
            return try response.decode(Post.self)
        }).response({ post in
            // Handles any success responses.
            // In this case the object returned in the `then` method.
            self.journal("post", post.title)
        })
    }

    func thenFailureCallback() {
        // Block 32
        dispatcher.make(request).thenFailure({ response -> ResponseError in
            // The `thenFailure` callback transforms a failed response.
            // You can return any object here and this will be reflected on the failure callback.
            return response.error
        }).failure({ responseError in
            // Handles any failed responses.
            // In this case the object returned in the `thenFailure` method.
            self.journal("failure", responseError.errorKey)
        }).send()
    }
}
