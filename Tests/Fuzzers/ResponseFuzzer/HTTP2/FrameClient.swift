#if os(Linux)
import PiuPiuAsync

/// Sends the requests of a lane over HTTP/2.
struct FrameClient: Sendable {
    let dispatcher: URLRequestDispatcher
    private let port: Int

    init(_ server: FrameServer) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        configuration.transport.http2 = .always
        configuration.transport.certificateAuthorityFile = server.authority
        configuration.connections = ConnectionLimits(perHost: 3, total: 3)
        configuration.timeouts = Timeouts(queue: .seconds(20), connect: .seconds(15), idle: .seconds(15))
        let base = PlatformTransport.make(configuration.transport)
        let transport = FencedTransport(base: base, scheme: "https", host: "localhost", port: server.port)
        dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        port = server.port
    }

    /// Sends a request that gets a good response.
    func askPlainly(_ id: UInt64) async -> CallResult {
        await .of { try await data(for: request("/g/\(id)", .get)) }
    }

    func perform(_ plan: FramePlan) async -> CallResult {
        await .of {
            let request = try request("/n/\(plan.id)", plan.method)
            return plan.way == .data ? try await data(for: request) : try await stream(request, plan)
        }
    }

    private func request(_ path: String, _ method: Plan.Method) throws -> URLRequest {
        guard let url = URL(string: "https://localhost:\(port)\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        if method == .post { request.httpBody = Data("a body that is sent".utf8) }
        return request
    }

    private func data(for request: URLRequest) async throws -> CallResult {
        let response = try await dispatcher.data(for: request)
        return .success(head: response.head, path: "", body: response.data.map { Array($0) } ?? [])
    }

    private func stream(_ request: URLRequest, _ plan: FramePlan) async throws -> CallResult {
        let response = try await dispatcher.stream(for: request)
        var body: [UInt8] = []
        var chunks = 0
        for try await chunk in response.data {
            body += chunk
            chunks += 1
            if plan.way == .streamPartly, chunks > plan.amount / 3 {
                return .beginning(head: response.head, path: "", body: body)
            }
        }
        return .success(head: response.head, path: "", body: body)
    }
}
#endif
