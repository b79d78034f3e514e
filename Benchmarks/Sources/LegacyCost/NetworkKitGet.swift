import NetworkKit

final class NetworkKitGet: GetContestant, ServerProvider {
    let name = "NetworkKit"
    let baseURL: URL
    private let path: String

    init(_ url: URL) {
        baseURL = url.server
        path = url.path
    }

    func get() async throws -> Int {
        let dispatcher = NetworkDispatcher(serverProvider: self)
        return try await withCheckedThrowingContinuation { continuation in
            dispatcher.future(from: BasicRequest(method: .get, path: path))
                .response { continuation.resume(returning: $0.data?.count ?? 0) }
                .error { continuation.resume(throwing: $0) }
                .send()
        }
    }
}
