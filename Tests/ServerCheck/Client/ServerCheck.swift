import CheckKit
import PiuPiuAsync

/// PiuPiu as the client that is checked; `Scripts/check-servers` runs it.
@main
struct ServerCheck: CheckedClient {
    private let dispatcher: URLRequestDispatcher

    static func main() async throws {
        try await CheckProgram(Self.self).run()
    }

    init(_ orders: Orders) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.certificateAuthorityFile = orders.authority.map { URL(filePath: $0) }
        configuration.transport.http2 = orders.usesHTTP2 ? .automatic : .never
        configuration.connections = ConnectionLimits(perHost: orders.parallel)
        configuration.timeouts.total = .seconds(orders.seconds)
        dispatcher = URLRequestDispatcher(configuration: configuration)
    }

    func send(_ order: Order) async throws -> (status: Int, body: String) {
        guard let url = URL(string: order.url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, method: order.isPost ? .post : .get)
        for field in order.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        if order.isPost { request.httpBody = Data(order.path.utf8) }
        let response = try await dispatcher.data(for: request)
        return (response.statusCode.rawValue, String(decoding: response.data ?? Data(), as: UTF8.self))
    }

    func shutdown() async throws {
        await dispatcher.shutdown()
    }

    static func kind(of error: any Error) -> String {
        guard let error = error as? TransportError else { return "\(type(of: error))" }
        return error.isSafeToRetry ? "\(error.code),safe-to-retry" : "\(error.code)"
    }
}
