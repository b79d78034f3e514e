import Futuristics
import PiuPiuFutures

final class FuturisticsGet: GetContestant {
    let name = "Futuristics"
    private let url: URL
    private let dispatcher = URLRequestDispatcher()

    init(_ url: URL) {
        self.url = url
    }

    func get() async throws -> Int {
        let future = Future(dispatcher.dataFuture(from: URLRequest(url: url, method: .get)))
        return try await withCheckedThrowingContinuation { continuation in
            future
                .onSuccess(onMainQueue) { continuation.resume(returning: $0.data?.count ?? 0) }
                .onFailure(onMainQueue) { continuation.resume(throwing: $0) }
        }
    }
}
