import Futuristics
import PiuPiuFutures
import PiuPiuTesting

/// The client of the samples, with a server of our own behind it.
class NetworkClient {
    private static let server = Result {
        let server = try LoopbackServer()
        server.route("GET", "/bar", .response(headers: ["X-JSON": #"{"name":"Ada"}"#]))
        server.route("GET", "/broken", .response(headers: ["X-JSON": "{"]))
        return server
    }

    private let dispatcher: URLRequestDispatcher

    init() {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        dispatcher = URLRequestDispatcher(configuration: configuration)
    }

    func exectueRequest(_ request: URLRequest) -> Future<URLResponse> {
        Future { [dispatcher] in
            var request = request
            request.url = try Self.server.get().url(request.url?.path ?? "")
            return try await dispatcher.data(for: request).urlResponse
        }
    }

    func exectueRequest(_ request: URLRequest, completion: @escaping (URLResponse?, Error?) -> Void) {
        exectueRequest(request).onSuccess { completion($0, nil) }.onFailure { completion(nil, $0) }
    }
}

/// What the samples find around them: a plain class whose state belongs to the main thread.
class Screen {
    let journal = Journal()

    func jsonFromResponse(_ response: URLResponse?) throws -> Any {
        let text = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-JSON") ?? ""
        return try JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    func extractNameFromJSON(_ json: Any) throws -> String {
        guard let name = (json as? [String: String])?["name"] else { throw Failure(number: 1) }
        return name
    }

    func updateUIWithName(_ name: String) {
        journal("name", name, isOnMainQueue)
    }

    func displayName(_ name: String) {
        journal("name", name, isOnMainQueue)
    }

    func displayError(_ error: Error) {
        journal("error", isOnMainQueue)
    }

    func showLoadingUI() {
        journal("loading")
    }

    func hideLoadingUI() {
        journal("loaded", isOnMainQueue)
    }
}
