import LoadKit
import PiuPiuAsync

/// PiuPiu with the transport of the platform.
struct PiuPiuClient: TransferClient {
    let dispatcher: URLRequestDispatcher
    private let body: Data

    init(_ settings: ClientSettings) {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.connections = ConnectionLimits(perHost: settings.connections, total: settings.connections)
        configuration.transport.eventLoops = settings.loops
        configuration.transport.http2 = settings.allowsHTTP2 ? .always : .never
        configuration.transport.proxy = .none
        configuration.transport.certificateAuthorityFile = settings.certificateFile.map { URL(filePath: $0) }
        self.init(URLRequestDispatcher(configuration: configuration), settings)
    }

    init(_ dispatcher: URLRequestDispatcher, _ settings: ClientSettings) {
        self.dispatcher = dispatcher
        body = Data(settings.body)
    }

    func get(_ address: Address) async throws -> Int { try await data(address).count }

    func post(_ address: Address) async throws -> Int {
        var request = URLRequest(url: address.url, method: .post)
        request.httpBody = body
        let response = try await dispatcher.data(for: request)
        try LoadError.check(status: response.head?.statusCode.rawValue)
        return response.data?.count ?? 0
    }

    func decode(_ address: Address) async throws -> Int {
        let request = URLRequest(url: address.url, method: .get)
        return try await dispatcher.data(for: request).validated().decode([Record].self).count
    }

    func text(_ address: Address) async throws -> String { String(decoding: try await data(address), as: UTF8.self) }

    func download(_ address: Address, to path: String) async throws {
        let request = URLRequest(url: address.url, method: .get)
        _ = try await dispatcher.download(for: request, to: URL(filePath: path)).response()
    }

    func upload(_ path: String, to address: Address) async throws {
        let request = URLRequest(url: address.url, method: .put)
        _ = try await dispatcher.upload(for: request, from: .file(URL(filePath: path))).response().validated()
    }

    func read(_ address: Address, pause: Duration) async throws -> Int {
        let response = try await dispatcher.stream(for: URLRequest(url: address.url, method: .get)).validated()
        var count = 0
        for try await chunk in response.data {
            count += chunk.count
            if pause > .zero { try await Task.sleep(for: pause) }
        }
        return count
    }

    func shutdown() async { await dispatcher.shutdown() }

    private func data(_ address: Address) async throws -> Data {
        let response = try await dispatcher.data(for: URLRequest(url: address.url, method: .get))
        try LoadError.check(status: response.head?.statusCode.rawValue)
        return response.data ?? Data()
    }
}
