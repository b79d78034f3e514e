import PiuPiuFutures

/// `ResponseFuture`, which the others are compared with.
final class ResponseFutureGet: GetContestant, ServerProvider {
    let name = "ResponseFuture"
    let baseURL: URL?
    private let path: String
    private let dispatcher = URLRequestDispatcher()

    init(_ url: URL) {
        baseURL = url.server
        path = url.path
    }

    func get() async throws -> Int {
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: self)
        return try await withCheckedThrowingContinuation { continuation in
            serializer.dataFuture(from: BasicRequest(method: .get, path: path))
                .success { continuation.resume(returning: $0.data?.count ?? 0) }
                .error { continuation.resume(throwing: $0) }
                .completion { withExtendedLifetime(serializer) {} }
                .send()
        }
    }
}
