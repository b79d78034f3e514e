#if os(Linux)
import Synchronization

/// Identifies one exchange between the caller's task and the event loop.
///
/// It settles the race between submitting the exchange and cancelling it.
///
///     new ── submit ──▶ submitted ── cancel ──▶ cancelled (the canceller notifies the loop)
///     new ── cancel ──▶ cancelled ── submit ──▶ cancelled (the submitter notifies the loop)
///
/// In both cases, the loop receives the exchange first and the cancellation second.
package final class ExchangeTicket: Sendable {
    private static let new = 0
    private static let submitted = 1
    private static let cancelled = 2

    private let state = Atomic<Int>(ExchangeTicket.new)

    /// Creates the identity of a new exchange.
    package init() {}

    /// Records that the loop has the exchange, and returns whether it was already cancelled, so the caller must notify the
    /// loop.
    package func submit() -> Bool {
        !state.compareExchange(expected: Self.new, desired: Self.submitted, ordering: .acquiringAndReleasing).exchanged
    }

    /// Records that the task was cancelled, and returns whether the loop has the exchange, so the caller must notify the loop.
    package func cancel() -> Bool {
        state.exchange(Self.cancelled, ordering: .acquiringAndReleasing) == Self.submitted
    }
}

/// The continuation of an exchange; checked in debug builds only, because checks allocate on each request.
///
/// An exchange resumes it exactly once, when it ends or is refused: on its loop's thread, it first takes the continuation out
/// of the only place that holds it. Tests use debug builds, so all of them check this.
#if DEBUG
package struct ExchangeContinuation {
    fileprivate let base: CheckedContinuation<ExchangeOutcome, Never>
    fileprivate let order: Locked<Void>

    package func resume(returning outcome: ExchangeOutcome) {
        order.showOrder()
        base.resume(returning: outcome)
    }
}

package func withExchangeContinuation(_ body: (ExchangeContinuation) -> Void) async -> ExchangeOutcome {
    let order = Locked(())
    defer { order.showOrder() }
    return await withCheckedContinuation { body(ExchangeContinuation(base: $0, order: order)) }
}
#else
package typealias ExchangeContinuation = UnsafeContinuation<ExchangeOutcome, Never>

// Generic, so that it can be inlined into other modules without its types; otherwise, each request has one frame more.
@inlinable @inline(__always)
package func withExchangeContinuation<Outcome: Sendable>(
    _ body: (UnsafeContinuation<Outcome, Never>) -> Void
) async -> Outcome {
    await withUnsafeContinuation { body($0) }
}
#endif

/// The body streams and the progress reporter of a transfer.
package final class ExchangeStreams: Sendable {
    /// The destination of the response's body; `nil` if the body is collected.
    package let inbound: InboundBody?
    package let reporter: TransferReporter?
    /// Notifies the loop that there is more to send, or that there never will be.
    package let wakeSending: @Sendable () -> Void
    /// The tunnel that the request asks for, and the way from its end to the loop; `nil` for most requests.
    package let tunnel: (Tunnel, line: TunnelLine)?

    package init(
        inbound: InboundBody?,
        reporter: TransferReporter?,
        tunnel: (Tunnel, line: TunnelLine)? = nil,
        wakeSending: @escaping @Sendable () -> Void
    ) {
        self.tunnel = tunnel
        self.inbound = inbound
        self.reporter = reporter
        self.wakeSending = wakeSending
    }
}
#endif
