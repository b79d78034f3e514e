import AsyncHTTPClient
import Foundation
import LoadKit
import NIOCore
import NIOFoundationCompat
import NIOPosix
import NIOSSL
import Synchronization
import _NIOFileSystem

/// async-http-client, used as its documentation shows.
///
/// Over HTTP/2 it has one connection to a host for each client, so there are as many clients as connections, in turns.
struct AsyncHTTPClientPeer: TransferClient {
    private let clients: [HTTPClient]
    private let turn = Turn()
    private let group: MultiThreadedEventLoopGroup
    private let body: ByteBuffer
    private let timeout = TimeAmount.seconds(60)

    init(_ settings: ClientSettings) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: settings.loops)
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = settings.connections
        configuration.httpVersion = settings.allowsHTTP2 ? .automatic : .http1Only
        if let file = settings.certificateFile {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(file)
            configuration.tlsConfiguration = tls
        }
        clients = (0..<(settings.allowsHTTP2 ? settings.connections : 1)).map { [group] _ in
            HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        }
        body = ByteBuffer(bytes: settings.body)
    }

    func get(_ address: Address) async throws -> Int { try await buffer(address).readableBytes }

    func post(_ address: Address) async throws -> Int {
        var request = HTTPClientRequest(url: address.text)
        request.method = .POST
        request.body = .bytes(body)
        return try await buffer(request).readableBytes
    }

    func decode(_ address: Address) async throws -> Int {
        try JSONDecoder().decode([Record].self, from: await buffer(address)).count
    }

    func text(_ address: Address) async throws -> String { String(buffer: try await buffer(address)) }

    func download(_ address: Address, to path: String) async throws {
        let delegate = try FileDownloadDelegate(path: path)
        let request = try HTTPClient.Request(url: address.text)
        _ = try await client.execute(request: request, delegate: delegate).get()
    }

    func upload(_ path: String, to address: Address) async throws {
        try await FileSystem.shared.withFileHandle(forReadingAt: FilePath(path)) { file in
            var request = HTTPClientRequest(url: address.text)
            request.method = .PUT
            request.body = .stream(file.readChunks(), length: .known(try await file.info().size))
            let response = try await client.execute(request, timeout: timeout)
            try LoadError.check(status: Int(response.status.code), 200...299)
        }
    }

    func read(_ address: Address, pause: Duration) async throws -> Int {
        let response = try await client.execute(HTTPClientRequest(url: address.text), timeout: timeout)
        try LoadError.check(status: Int(response.status.code))
        var count = 0
        for try await buffer in response.body {
            count += buffer.readableBytes
            if pause > .zero { try await Task.sleep(for: pause) }
        }
        return count
    }

    func shutdown() async throws {
        for client in clients { try await client.shutdown() }
        try await group.shutdownGracefully()
    }

    private var client: HTTPClient { clients.count == 1 ? clients[0] : clients[turn.next() % clients.count] }

    private func buffer(_ address: Address) async throws -> ByteBuffer {
        try await buffer(HTTPClientRequest(url: address.text))
    }

    private func buffer(_ request: HTTPClientRequest) async throws -> ByteBuffer {
        let response = try await client.execute(request, timeout: timeout)
        try LoadError.check(status: Int(response.status.code))
        return try await response.body.collect(upTo: 16 << 20)
    }
}

private final class Turn: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
