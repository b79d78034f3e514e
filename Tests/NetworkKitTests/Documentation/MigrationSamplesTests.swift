import NetworkKit
import PiuPiuFutures
import PiuPiuTesting
import Testing

// The samples in MovingFromNetworkKit.md, line by line; those for Swift 6 are in NetworkKitSwift6Tests.

private class MigratingController: PostsController {
    let client = plainDispatcher()

    func show(_ value: Any) {
        journal("show", value)
    }

    func fetchPost() async throws -> Post {
        let response = try await dispatcher.future(from: request).fetchResult()
        if let error = response.error { throw error }
        return try response.decode(Post.self)
    }

    func bothModules() async throws -> [Int] {
        let old: NetworkKit.ResponseFuture<Int> = NetworkKit.ResponseFuture { future in future.succeed(with: 1) }
        let new: PiuPiuFutures.ResponseFuture<Int> = old.piuPiuFuture()
        let back = NetworkKit.ResponseFuture(new)
        return [try await new.fetchResult(), try await back.fetchResult()]
    }

    func awaitPromise() async throws {
        switch try await dispatcher.promise(from: request).fetchResult() {
        case .success(let response): show(response.statusCode)
        case .failure(let response): show(response.error)
        }
    }

    func awaitClient() async throws {
        let urlRequest = URLRequest(url: server.url(request.path))
        do {
            let post = try await client.data(for: urlRequest).validated().decode(Post.self)
            show(post.title)
        } catch StatusCode.notFound {
            show("not found")
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct MigrationSamplesTests {
    @MainActor
    @Test func asyncTwins() async throws {
        let controller = try MigratingController()
        #expect(try await controller.fetchPost() == .hello)
        #expect(try await controller.bothModules() == [1, 1])
        try await controller.awaitPromise()
        try await controller.awaitClient()
        controller.request.path = "/missing"
        await #expect(throws: NetworkKit.ResponseError.self) { try await controller.fetchPost() }
        try await controller.awaitPromise()
        try await controller.awaitClient()
        let entries = controller.journal.entries
        #expect(entries == ["show ok", "show Hello", "show notFound(cause: nil)", "show not found"])
    }
}
