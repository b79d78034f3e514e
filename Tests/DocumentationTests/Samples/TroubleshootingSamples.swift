import PiuPiuAsync

/// The samples of the article on troubleshooting.
struct TroubleshootingSamples {
    private func look(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        do {
            let response = try await dispatcher.data(for: request)
            print(response.statusCode.rawValue, response.metrics ?? "no times")
            print(response.history, response.attempts)
        } catch let error as TransportError {
            print(error, error.code, error.underlyingDescription ?? "")
            print(error.attempts, error.bytesReceived, error.isSafeToRetry)
        }
    }

    private func log() -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [LoggingObserver(bodies: .upTo(500))]
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        return dispatcher
    }
}
