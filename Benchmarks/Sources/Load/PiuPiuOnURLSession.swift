import CTrust
import LoadKit
import PiuPiuAsync

/// PiuPiu with `URLSession` below it; see ``URLSessionClient`` for what cannot be set.
struct PiuPiuOnURLSession: Client {
    private let client: PiuPiuClient

    init(_ settings: ClientSettings) {
        if let file = settings.certificateFile { ct_trust(file) }
        let limits = ConnectionLimits(perHost: settings.connections, total: settings.connections)
        let transport = URLSessionTransport(configuration: TransportConfiguration(connections: limits))
        client = PiuPiuClient(URLRequestDispatcher(transport: transport), settings)
    }

    func get(_ address: Address) async throws -> Int { try await client.get(address) }
    func post(_ address: Address) async throws -> Int { try await client.post(address) }
    func decode(_ address: Address) async throws -> Int { try await client.decode(address) }
    func text(_ address: Address) async throws -> String { try await client.text(address) }
    func shutdown() async { await client.shutdown() }
}
