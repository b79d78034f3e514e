import PiuPiuAsync
import PiuPiuTesting

/// Stands in for a dispatcher in samples that name servers which do not exist: a mock answers by the path.
final class OfflineDispatcher: DataDispatcher, DownloadDispatcher {
    typealias Configuration = URLRequestDispatcher.Configuration

    let base: URLRequestDispatcher

    init(configuration: Configuration = Configuration(), interceptors: [any Interceptor] = []) {
        let transport = MockTransport { request in
            let path = request.urlRequest.url?.path ?? ""
            switch (request.urlRequest.httpMethod ?? "GET", path) {
            case ("DELETE", _): return MockAnswer(.noContent)
            case (_, "/token"):
                return MockAnswer(.ok, body: #"{"access_token":"42","token_type":"Bearer","expires_in":60}"#)
            case (_, "/inbox"): return MockAnswer(.ok, body: #"{"messages":["Hello"]}"#)
            case (_, "/v1/login"): return MockAnswer(.ok, body: #"{"token":"42"}"#)
            case ("GET", "/v1/posts"), ("GET", "/posts"): return MockAnswer(.ok, body: #"[{"id":1,"title":"Hello"}]"#)
            case ("GET", "/busy"): return MockAnswer(.serviceUnavailable)
            default: return MockAnswer(.ok, body: #"{"id":1,"title":"Hello"}"#)
            }
        }
        base = URLRequestDispatcher(configuration: configuration, interceptors: interceptors, transport: transport)
    }

    convenience init(
        baseURL: URL,
        interceptors: [any Interceptor] = [],
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configuration.baseURL = baseURL
        configure(&configuration)
        self.init(configuration: configuration, interceptors: interceptors)
    }

    var configuration: Configuration { base.configuration }
    var requestDefaults: RequestDefaults { base.requestDefaults }

    func data(for request: URLRequest) async throws -> Response<Data?> {
        try await base.data(for: request)
    }

    func data(for request: URLRequest, options: RequestOptions) async throws -> Response<Data?> {
        try await base.data(for: request, options: options)
    }

    func download(for request: URLRequest, to destination: URL, options: DownloadOptions) -> Transfer<URL> {
        base.download(for: request, to: destination, options: options)
    }

    func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?> {
        base.upload(for: request, from: body)
    }
}
