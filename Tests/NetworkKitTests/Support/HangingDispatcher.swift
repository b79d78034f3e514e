import NetworkKit
import PiuPiuAsync
import TestSupport

/// A dispatcher whose requests go on until they are cancelled, or fail when they are let through.
final class HangingDispatcher: DataDispatcher {
    private final class Server: NetworkKit.ServerProvider, Sendable {
        let baseURL = Fixture.url
    }

    let gate = Gate()
    let cancels = Tally()
    private let server = Server()

    /// The module's dispatcher over this one.
    var network: NetworkDispatcher { NetworkDispatcher(serverProvider: server, dispatcher: self) }

    /// A future of a request.
    func future() -> NetworkKit.ResponseFuture<NetworkKit.Response<Data?>> {
        network.future(from: NetworkKit.BasicRequest(method: .get, path: "/"))
    }

    func data(for request: URLRequest) async throws -> PiuPiuAsync.Response<Data?> {
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
