import PiuPiuFutures

/// The server of requests that have a path only.
final class Provider: ServerProvider {
    let baseURL: URL?

    init(_ baseURL: URL?) {
        self.baseURL = baseURL
    }
}
