import PiuPiuAsync

/// A transport that answers from a closure instead of from the network, and remembers what it was asked.
///
/// ```swift
/// let transport = ScriptedTransport { request in .scripted(200, for: request, body: "hello") }
/// let dispatcher = URLRequestDispatcher(transport: transport)
/// ```
///
/// It keeps the promises of ``HTTPTransport``: the script runs in a task that is cancelled with the caller and by
/// ``invalidateAndCancel()``, and what comes afterwards is refused with the code `shutDown`. A script that waits has to
/// notice its cancellation, as ``Gate/wait()`` does.
public final class ScriptedTransport: HTTPTransport {
    /// What the transport answers to a request.
    public typealias Script = @Sendable (TransportRequest) async throws -> TransportResponse

    private struct State {
        var requests: [TransportRequest] = []
        var exchanges: [Int: Task<TransportResponse, any Error>] = [:]
        var shutdownWaiters: [CheckedContinuation<Void, Never>] = []
        var isOpen = true
        var invalidationCount = 0
        var shutdownCount = 0
    }

    private let script: Script
    private let state = Locked(State())

    /// Creates a transport.
    ///
    /// - Parameter script: What it answers to a request; any number of calls may run at once.
    public init(_ script: @escaping Script) {
        self.script = script
    }

    /// The requests that arrived, in order.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// How many requests are being answered.
    public var exchangeCount: Int { state.withLock { $0.exchanges.count } }

    /// How often ``invalidateAndCancel()`` was called.
    public var invalidationCount: Int { state.withLock { $0.invalidationCount } }

    /// How often ``shutdown()`` was called.
    public var shutdownCount: Int { state.withLock { $0.shutdownCount } }

    /// Runs the script.
    ///
    /// - Parameter request: The request.
    /// - Returns: What the script returns.
    /// - Throws: What the script throws; `TransportError` with the code `shutDown` after the transport was closed.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let begun: (id: Int, task: Task<TransportResponse, any Error>)? = state.withLock { [script] state in
            guard state.isOpen else { return nil }
            state.requests.append(request)
            // Starting a task under the lock only enqueues it.
            let task = Task { try await script(request) }
            state.exchanges[state.requests.count] = task
            return (state.requests.count, task)
        }
        guard let (id, task) = begun else { throw TransportError(.shutDown, request: request.urlRequest) }
        defer { end(id) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Refuses new requests and returns when those being answered have ended.
    public func shutdown() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isOpen = false
                state.shutdownCount += 1
                if !state.exchanges.isEmpty { state.shutdownWaiters.append(continuation) }
                return state.exchanges.isEmpty
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Refuses new requests and cancels those being answered.
    public func invalidateAndCancel() {
        let tasks = state.withLock { state in
            state.isOpen = false
            state.invalidationCount += 1
            return Array(state.exchanges.values)
        }
        for task in tasks { task.cancel() }
    }

    private func end(_ id: Int) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.exchanges[id] = nil
            guard state.exchanges.isEmpty else { return [] }
            defer { state.shutdownWaiters = [] }
            return state.shutdownWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension TransportResponse {
    /// An answer to a request, made by hand.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - request: The request that is answered.
    ///   - headers: The header fields.
    ///   - body: The body as text.
    /// - Returns: The response.
    public static func scripted(
        _ statusCode: Int,
        for request: TransportRequest,
        headers: HTTPHeaderFields = [:],
        body: String? = nil
    ) -> TransportResponse {
        let url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
        return TransportResponse(
            head: ResponseHead(url: url, statusCode: StatusCode(rawValue: statusCode), headers: headers),
            body: body.map { Data($0.utf8) },
            urlRequest: request.urlRequest
        )
    }
}
