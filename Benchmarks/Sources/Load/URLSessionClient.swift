import CTrust
import LoadKit
import PiuPiuAsync

/// Foundation's own client.
///
/// Whether it offers HTTP/2 cannot be set; the report says what was spoken.
struct URLSessionClient: Client {
    private let session: URLSession
    private let body: Data

    init(_ settings: ClientSettings) {
        if let file = settings.certificateFile { ct_trust(file) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = settings.connections
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration)
        body = Data(settings.body)
    }

    func get(_ address: Address) async throws -> Int { try await data(URLRequest(url: address.url)).count }

    func post(_ address: Address) async throws -> Int {
        var request = URLRequest(url: address.url)
        request.httpMethod = "POST"
        request.httpBody = body
        return try await data(request).count
    }

    func decode(_ address: Address) async throws -> Int {
        try JSONDecoder().decode([Record].self, from: await data(URLRequest(url: address.url))).count
    }

    func text(_ address: Address) async throws -> String {
        String(decoding: try await data(URLRequest(url: address.url)), as: UTF8.self)
    }

    func shutdown() { session.invalidateAndCancel() }

    private func data(_ request: URLRequest) async throws -> Data {
        let (data, response) = try await session.data(for: request)
        try LoadError.check(status: (response as? HTTPURLResponse)?.statusCode)
        return data
    }
}
