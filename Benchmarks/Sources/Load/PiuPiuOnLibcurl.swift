#if os(Linux)
import LoadKit
import PiuPiuAsync

/// PiuPiu with the transport over libcurl.
struct PiuPiuOnLibcurl: TransferClient {
    private let client: PiuPiuClient

    init(_ settings: ClientSettings) {
        let limits = ConnectionLimits(perHost: settings.connections, total: settings.connections)
        var configuration = TransportConfiguration(connections: limits, proxy: .none)
        configuration.http2 = settings.allowsHTTP2 ? .always : .never
        configuration.eventLoops = settings.loops
        configuration.certificateAuthorityFile = settings.certificateFile.map { URL(filePath: $0) }
        do {
            let transport = try CurlTransport(configuration: configuration)
            client = PiuPiuClient(URLRequestDispatcher(transport: transport), settings)
        } catch {
            fatalError("\(error)")
        }
    }

    func get(_ address: Address) async throws -> Int { try await client.get(address) }
    func post(_ address: Address) async throws -> Int { try await client.post(address) }
    func decode(_ address: Address) async throws -> Int { try await client.decode(address) }
    func text(_ address: Address) async throws -> String { try await client.text(address) }
    func download(_ address: Address, to path: String) async throws { try await client.download(address, to: path) }
    func upload(_ path: String, to address: Address) async throws { try await client.upload(path, to: address) }
    func read(_ address: Address, pause: Duration) async throws -> Int { try await client.read(address, pause: pause) }
    func shutdown() async { await client.shutdown() }
}
#endif
