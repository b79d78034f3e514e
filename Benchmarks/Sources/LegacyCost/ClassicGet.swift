import PiuPiuClassic

final class ClassicGet: GetContestant, ServerProvider {
    let name = "PiuPiuClassic"
    let baseURL: URL?
    private let path: String
    private let session = URLRequestDispatcher()

    init(_ url: URL) {
        baseURL = url.server
        path = url.path
    }

    func get() async throws -> Int {
        let dispatcher = RequestDispatcher(serverProvider: self, dataDispatcher: session)
        return try await withCheckedThrowingContinuation { continuation in
            dispatcher.future(from: BasicRequest(method: .get, path: path))
                .response { continuation.resume(returning: $0.data?.count ?? 0) }
                .error { continuation.resume(throwing: $0) }
                .send()
        }
    }
}
