import AsyncHTTPClient
import CheckKit
import NIOCore
import NIOSSL

/// async-http-client as the client that is checked; `Scripts/check-servers --peer` runs it.
@main
struct PeerCheck: CheckedClient {
    private let client: HTTPClient
    private let timeout: TimeAmount

    static func main() async throws {
        try await CheckProgram(Self.self).run()
    }

    init(_ orders: Orders) throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = orders.parallel
        configuration.httpVersion = orders.usesHTTP2 ? .automatic : .http1Only
        if let authority = orders.authority {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        timeout = .seconds(Int64(orders.seconds))
    }

    func send(_ order: Order) async throws -> (status: Int, body: String) {
        var request = HTTPClientRequest(url: order.url)
        for field in order.fields { request.headers.add(name: field.name, value: field.value) }
        if order.isPost {
            request.method = .POST
            request.body = .bytes(ByteBuffer(string: order.path))
        }
        let response = try await client.execute(request, timeout: timeout)
        return (Int(response.status.code), String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }

    func shutdown() async throws {
        try await client.shutdown()
    }

    static func kind(of error: any Error) -> String {
        error is HTTPClientError ? "\(error)".split(separator: " ").joined(separator: "_") : "\(type(of: error))"
    }
}
