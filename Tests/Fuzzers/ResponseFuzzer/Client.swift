#if os(Linux)
import PiuPiuAsync

/// How a call ended, as its caller sees it.
enum CallResult: Sendable {
    /// A whole response; the body is `nil` if the way of reading does not tell.
    case success(head: ResponseHead?, path: String, body: [UInt8]?)
    /// The beginning of a body, which was then given up.
    case beginning(head: ResponseHead?, path: String, body: [UInt8])
    case failure(any Error)

    /// The result of a call that may throw.
    static func of(_ call: () async throws -> CallResult) async -> CallResult {
        do {
            return try await call()
        } catch {
            return .failure(error)
        }
    }

    /// A name for what happened, for the count at the end.
    var name: String {
        switch self {
        case .success: "success"
        case .beginning: "givenUp"
        case .failure(let error as TransportError): error.code.description
        case .failure(let error as TransferError): error.code.description
        case .failure(is CancellationError): "cancelled"
        case .failure(is FencedTransport.Refusal): "elsewhere"
        case .failure(let error): "untyped \(type(of: error))"
        }
    }
}

/// Sends requests to the fuzzer's server only, because a redirect may name any other.
struct FencedTransport: HTTPTransport {
    struct Refusal: Error {}

    let base: any HTTPTransport
    var scheme = "http"
    var host = "127.0.0.1"
    let port: Int

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let url = request.urlRequest.url
        guard url?.scheme == scheme, url?.host() == host, url?.port == port else { throw Refusal() }
        return try await base.send(request)
    }

    func shutdown() async {
        await base.shutdown()
    }

    func invalidateAndCancel() {
        base.invalidateAndCancel()
    }
}

/// Sends the requests of one lane, on a dispatcher of its own.
struct Client: Sendable {
    let dispatcher: URLRequestDispatcher
    private let origin: String
    private let file: URL

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - port: Where the server is.
    ///   - authority: The authority of its certificate; `nil` without TLS.
    ///   - folder: Where downloads go.
    ///   - name: What tells its files from those of others.
    /// - Throws: What keeps the transport from being made.
    init(port: Int, authority: URL?, folder: URL, name: String) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        configuration.transport.certificateAuthorityFile = authority
        configuration.connections = ConnectionLimits(perHost: 3, total: 3)
        configuration.timeouts = Timeouts(queue: .seconds(20), connect: .seconds(8), idle: .seconds(8))
        let scheme = authority == nil ? "http" : "https"
        let base = PlatformTransport.make(configuration.transport)
        dispatcher = URLRequestDispatcher(
            configuration: configuration,
            transport: FencedTransport(base: base, scheme: scheme, port: port)
        )
        origin = "\(scheme)://127.0.0.1:\(port)"
        file = folder.appending(path: name)
    }

    private func request(_ path: String, id: UInt64, method: Plan.Method = .get) throws -> URLRequest {
        guard let url = URL(string: origin + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        request.setValue("\(id)", forHTTPHeaderField: "X-Id")
        if method == .post { request.httpBody = Data("a body that is sent \(id)".utf8) }
        return request
    }

    /// Asks for a good response.
    func askPlainly(id: UInt64) async -> CallResult {
        await .of { try await data(for: request("/g/\(id)", id: id)) }
    }

    /// Makes the call of a plan.
    func perform(_ plan: Plan) async -> CallResult {
        await .of {
            let request = try request(
                (plan.isRedirected ? "/r/" : "/n/") + "\(plan.id)",
                id: plan.id,
                method: plan.method
            )
            switch plan.way {
            case .data: return try await data(for: request)
            case .cancelled: return try await cancelled(after: plan.amount) { try await data(for: request) }
            case .download: return try await download(request)
            case .stream, .streamSlowly, .streamPartly: return try await stream(request, plan)
            case .streamCancelled: return try await cancelled(after: plan.amount) { try await stream(request, plan) }
            }
        }
    }

    private func data(for request: URLRequest) async throws -> CallResult {
        let response = try await dispatcher.data(for: request)
        return .success(
            head: response.head,
            path: Self.path(response.urlRequest),
            body: response.data.map { Array($0) } ?? []
        )
    }

    private func download(_ request: URLRequest) async throws -> CallResult {
        try? FileManager.default.removeItem(at: file)
        let response = try await dispatcher.download(for: request, to: file).response()
        let path = Self.path(response.urlRequest)
        guard response.statusCode != .notModified else { return .success(head: response.head, path: path, body: nil) }
        return .success(head: response.head, path: path, body: Array(try Data(contentsOf: response.data)))
    }

    private func stream(_ request: URLRequest, _ plan: Plan) async throws -> CallResult {
        let response = try await dispatcher.stream(for: request)
        let path = Self.path(response.urlRequest)
        var body: [UInt8] = []
        var chunks = 0
        for try await chunk in response.data {
            body += chunk
            chunks += 1
            if plan.way == .streamPartly, chunks > plan.amount / 3 {
                return .beginning(head: response.head, path: path, body: body)
            }
            // A slow reader is what this is about.
            if plan.way == .streamSlowly, chunks < 20 { try await Task.sleep(for: .microseconds(300)) }
        }
        return .success(head: response.head, path: path, body: body)
    }

    private func cancelled(
        after amount: Int,
        _ call: @Sendable @escaping () async throws -> CallResult
    ) async throws -> CallResult {
        let task = Task { try await call() }
        // Cancels at any moment of the call, another one each time.
        if amount > 0 { try await Task.sleep(for: .microseconds(60 * amount)) }
        task.cancel()
        return try await task.value
    }

    private static func path(_ request: URLRequest) -> String {
        request.url?.path(percentEncoded: true) ?? ""
    }
}
#endif
