import PiuPiuAsync

/// The environment of a case: a peer and the transports, all closed together.
struct ConformanceBench: Sendable {
    let peer: any ConformancePeer
    private let make: @Sendable (TransportConfiguration) throws -> any HTTPTransport
    private let transports = Locked<[any HTTPTransport]>([])

    init(
        peer: any ConformancePeer,
        make: @escaping @Sendable (TransportConfiguration) throws -> any HTTPTransport
    ) {
        self.peer = peer
        self.make = make
    }

    /// The server of the peer, for a peer that has one.
    var server: LoopbackServer {
        get throws {
            guard let server = peer.server else {
                throw Disagreement(expected: "a peer with a server, for a case of the kind wire", seen: "there is none")
            }
            return server
        }
    }

    /// The first transport of the case.
    var transport: any HTTPTransport {
        get throws {
            if let first = transports.withLock({ $0.first }) { return first }
            return try makeTransport()
        }
    }

    /// Creates a transport without a proxy that allows many connections.
    func makeTransport(
        _ configure: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> any HTTPTransport {
        var configuration = TransportConfiguration(
            connections: ConnectionLimits(perHost: 64, total: 256),
            proxy: .none
        )
        configure(&configuration)
        let transport = try make(configuration)
        transports.withLock { $0.append(transport) }
        return transport
    }

    /// Creates a request for a path of the peer.
    func request(
        _ path: String = "/",
        _ method: String = "GET",
        headers: [String: String] = [:],
        _ configure: (inout TransportRequest) -> Void = { _ in }
    ) -> TransportRequest {
        TransportRequest(to: peer.url(path), method, headers: headers, configure)
    }

    /// Sets the answer for a path, sends a request for it and returns the response.
    func response(
        to method: String = "GET",
        with steps: [PeerStep],
        headers: [String: String] = [:],
        _ configure: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> TransportResponse {
        peer.answer("/", with: steps)
        return try await transport.send(request("/", method, headers: headers, configure))
    }

    /// Sends a request and returns it as the peer received it.
    func sent(
        _ method: String = "GET",
        target: String = "/",
        headers: [String: String] = [:],
        _ configure: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> PeerRequest {
        let path = String(target.prefix { $0 != "?" })
        peer.answer(path, with: .response(body: "ok"))
        let response = try await transport.send(request(target, method, headers: headers, configure))
        try expect("the status", response.head.statusCode, is: .ok)
        return try expectValue("a request at the peer", peer.requests(for: path).last)
    }

    /// Sends several requests, so that the transport has time for all pending work.
    func letTurnsPass(_ transport: any HTTPTransport) async throws {
        // Uses another origin, because the transport may have no connection left to the peer.
        let other = try LoopbackServer()
        other.route("/", .response(body: "ok"))
        for _ in 0..<10 { _ = try await transport.send(TransportRequest(to: other.url("/"))) }
        other.stop()
    }

    /// Sends fifty requests over another transport, so that the others have time for all pending work.
    func letTimePass() async throws {
        peer.answer("/turn", with: .response(body: "ok"))
        let other = try makeTransport()
        for _ in 0..<50 { _ = try await other.send(request("/turn")) }
        await other.shutdown()
    }

    /// Closes the transports and the peer.
    func close() {
        for transport in transports.withLock({ $0 }) { transport.invalidateAndCancel() }
        peer.close()
    }
}

extension TransportRequest {
    /// Creates a request without time limits.
    init(
        to url: URL,
        _ method: String = "GET",
        headers: [String: String] = [:],
        _ configure: (inout TransportRequest) -> Void = { _ in }
    ) {
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = method
        for (name, value) in headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        self.init(urlRequest)
        configure(&self)
    }
}

extension TransportResponse {
    /// The body as text; `nil` if there is none.
    var text: String? {
        body.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the streamed body; a transport may also have collected it.
    func streamed() throws -> ResponseBody {
        if let stream {
            try expect(body == nil, "no body beside the stream")
            return stream
        }
        return ResponseBody(body ?? Data())
    }
}
