import PiuPiuAsync

/// A transport that does something else than the one below it.
struct Alteration: HTTPTransport {
    typealias Send = @Sendable (TransportRequest, any HTTPTransport) async throws -> TransportResponse

    let base: any HTTPTransport
    var alteredSend: Send
    var alteredShutdown: @Sendable (any HTTPTransport) async -> Void = { await $0.shutdown() }
    var alteredInvalidation: @Sendable (any HTTPTransport) -> Void = { $0.invalidateAndCancel() }

    init(of base: any HTTPTransport, send: @escaping Send = { try await $1.send($0) }) {
        self.base = base
        alteredSend = send
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await alteredSend(request, base) }
    func shutdown() async { await alteredShutdown(base) }
    func invalidateAndCancel() { alteredInvalidation(base) }
}
