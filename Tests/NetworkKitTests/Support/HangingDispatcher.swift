import PiuPiuAsync
import TestSupport

/// A dispatcher whose requests go on until they are cancelled, or fail when they are let through.
final class HangingDispatcher: DataDispatcher {
    let gate = Gate()
    let cancels = Tally()

    func data(for request: URLRequest) async throws -> Response<Data?> {
        do {
            try await gate.wait()
        } catch {
            cancels.add()
            throw error
        }
        throw TransportError(.connectionLost)
    }
}

/// Whether an error is that of the exchange.
func isTransportError(_ error: (any Error)?) -> Bool { error is TransportError }
