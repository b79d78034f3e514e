import LoadKit
import PiuPiuAsync

/// PiuPiu's WebSockets, over HTTP/1.1.
struct PiuPiuSockets: SocketClient {
    private let dispatcher: URLRequestDispatcher
    private let options: WebSocketOptions

    init(_ settings: ClientSettings) {
        self.init(Self.dispatcher(settings))
    }

    init(_ dispatcher: URLRequestDispatcher) {
        self.dispatcher = dispatcher
        var options = WebSocketOptions()
        options.http2 = .never
        self.options = options
    }

    static func dispatcher(_ settings: ClientSettings) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.connections = ConnectionLimits(
            perHost: 1,
            total: settings.connections + 8,
            streamsPerHost: settings.connections
        )
        configuration.transport.eventLoops = settings.loops
        configuration.transport.proxy = .none
        return URLRequestDispatcher(configuration: configuration)
    }

    func withSocket<Result: Sendable>(
        _ address: Address,
        _ body: @escaping @Sendable (WebSocket) async throws -> Result
    ) async throws -> Result {
        try await dispatcher.withWebSocket(for: URLRequest(url: address.url), options: options, body)
    }

    func open(_ address: Address) async throws -> WebSocket? {
        try await dispatcher.webSocket(for: URLRequest(url: address.url), options: options)
    }

    func echo(_ message: [UInt8], on socket: WebSocket, until end: ContinuousClock.Instant) async throws -> Int {
        let message = Data(message)
        var count = 0
        repeat {
            try await socket.send(message)
            guard case .binary(let echo)? = try await socket.receive(), echo.count == message.count else {
                throw LoadError("the echo is not the message")
            }
            count += 1
        } while ContinuousClock.now < end
        return count
    }

    func wait(_ socket: WebSocket) async throws { _ = try await socket.receive() }

    func shutdown() async { await dispatcher.shutdown() }
}

/// The same, with the tasks of the load on its own event loops.
struct PiuPiuSocketsOnTheLoop: SocketClient {
    private let sockets: PiuPiuSockets
    let executors: [any TaskExecutor]

    init(_ settings: ClientSettings) {
        let dispatcher = PiuPiuSockets.dispatcher(settings)
        sockets = PiuPiuSockets(dispatcher)
        executors = dispatcher.taskExecutors
    }

    func withSocket<Result: Sendable>(
        _ address: Address,
        _ body: @escaping @Sendable (WebSocket) async throws -> Result
    ) async throws -> Result {
        try await sockets.withSocket(address, body)
    }

    func open(_ address: Address) async throws -> WebSocket? { try await sockets.open(address) }

    func echo(_ message: [UInt8], on socket: WebSocket, until end: ContinuousClock.Instant) async throws -> Int {
        try await sockets.echo(message, on: socket, until: end)
    }

    func wait(_ socket: WebSocket) async throws { try await sockets.wait(socket) }

    func shutdown() async { await sockets.shutdown() }
}
