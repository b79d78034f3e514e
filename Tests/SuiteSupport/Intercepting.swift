import PiuPiuAsync
import PiuPiuTesting
import TestSupport

/// A scripted transport with a clock.
package struct ClockedTransport: HTTPTransport {
    package let base: ScriptedTransport
    package let clock: TransferClock?

    package init(_ clock: ManualClock, _ script: @escaping ScriptedTransport.Script) {
        base = ScriptedTransport(script)
        self.clock = TransferClock(clock)
    }

    package func send(_ request: TransportRequest) async throws -> TransportResponse { try await base.send(request) }
    package func shutdown() async { await base.shutdown() }
    package func invalidateAndCancel() { base.invalidateAndCancel() }
}

/// An interceptor that does what a closure does.
package struct Intercepting: Interceptor {
    package let body: @Sendable (TransportRequest, InterceptorChain) async throws -> TransportResponse
    package let distinguishesCallers: Bool
    package let interceptsEachHop: Bool

    package init(
        distinguishesCallers: Bool = true,
        eachHop interceptsEachHop: Bool = false,
        _ body: @escaping @Sendable (TransportRequest, InterceptorChain) async throws -> TransportResponse
    ) {
        self.distinguishesCallers = distinguishesCallers
        self.interceptsEachHop = interceptsEachHop
        self.body = body
    }

    package func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        try await body(request, next)
    }
}

extension Coalescing {
    /// Returns when a number of calls wait.
    package func waiters(_ count: Int) async {
        while waiterCount != count {
            // Unlike a yield, a pause lets tasks of a lower priority run.
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}

extension ScriptedTransport {
    /// Returns when nothing is under way.
    package func idle() async {
        while exchangeCount != 0 { await Task.yield() }
    }
}
