import LoadKit
import PiuPiuAsync

/// PiuPiu, with the tasks of the load on its own event loops.
struct PiuPiuOnTheLoop: TransferClient {
    private let client: PiuPiuClient
    let executors: [any TaskExecutor]

    init(_ settings: ClientSettings) {
        client = PiuPiuClient(settings)
        executors = client.dispatcher.taskExecutors
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
