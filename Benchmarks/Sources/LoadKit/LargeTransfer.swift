import Foundation

/// One large body, and by how much memory grew at its largest.
struct LargeTransfer {
    let kind: String
    let file: String
    let length: Int
    let pause: Duration

    init(_ arguments: Arguments) throws {
        kind = try arguments.text("kind")
        file = kind == "read" ? "" : try arguments.text("file")
        length = try arguments.number("length", 0)
        pause = .milliseconds(try arguments.number("pause-ms", 0))
    }

    func run<Tested: TransferClient>(_ client: Tested, _ address: Address) async throws -> Report {
        // What the first request costs once is not the transfer's.
        _ = try? await client.text(Address(address.url.deletingLastPathComponent().absoluteString + "warm"))
        Usage.resetPeak()
        let before = Usage.residentBytes
        let processorTime = Usage.processorTime
        let start = ContinuousClock.now
        try await withTaskExecutorPreference(client.executors.first) { try await transfer(client, address) }
        let wall = (ContinuousClock.now - start) / .milliseconds(1)
        let used = Usage.processorTime - processorTime
        let growth = Double(Usage.peakBytes - before) / 1_048_576
        try await client.shutdown()
        return Report().with("transfer_ms", wall).with("transfer_cpu_ms", used * 1000).with("growth_mib", growth)
    }

    private func transfer<Tested: TransferClient>(_ client: Tested, _ address: Address) async throws {
        switch kind {
        case "download": try await client.download(address, to: file)
        case "upload": try await client.upload(file, to: address)
        default:
            let received = try await client.read(address, pause: pause)
            guard received == length else { throw LoadError("\(received) bytes in place of \(length)") }
        }
    }
}
