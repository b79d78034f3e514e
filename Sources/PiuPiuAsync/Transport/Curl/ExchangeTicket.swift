#if os(Linux)
import Synchronization

/// Stands for one exchange between the caller's task and the event loop, and settles the race between handing the
/// exchange over and cancelling it.
///
///     new ── submit ──▶ submitted ── cancel ──▶ cancelled (the canceller tells the loop)
///     new ── cancel ──▶ cancelled ── submit ──▶ cancelled (the submitter tells the loop)
///
/// Either way the loop hears of the exchange first and of the cancel after.
final class ExchangeTicket: Sendable {
    private static let new = 0
    private static let submitted = 1
    private static let cancelled = 2

    private let state = Atomic<Int>(ExchangeTicket.new)

    /// Notes that the loop has the exchange.
    ///
    /// - Returns: Whether it was cancelled before, so that the caller has to tell the loop.
    func submit() -> Bool {
        !state.compareExchange(expected: Self.new, desired: Self.submitted, ordering: .acquiringAndReleasing).exchanged
    }

    /// Notes that the task was cancelled.
    ///
    /// - Returns: Whether the loop has the exchange, so that the caller has to tell the loop.
    func cancel() -> Bool {
        state.exchange(Self.cancelled, ordering: .acquiringAndReleasing) == Self.submitted
    }
}

/// An exchange on its way to the event loop.
struct ExchangeStart: Sendable {
    // Safe because the caller does not touch it any more: it only keeps it, so that its memory is freed where it was got.
    nonisolated(unsafe) let exchange: CurlExchange
}

/// Waits for the outcome of an exchange; checked in debug builds only, because the check costs an allocation a request.
#if DEBUG
typealias ExchangeContinuation = CheckedContinuation<ExchangeOutcome, Never>

@inline(__always)
func withExchangeContinuation(_ body: (ExchangeContinuation) -> Void) async -> ExchangeOutcome {
    await withCheckedContinuation { (continuation: ExchangeContinuation) in body(continuation) }
}
#else
typealias ExchangeContinuation = UnsafeContinuation<ExchangeOutcome, Never>

@inline(__always)
func withExchangeContinuation(_ body: (ExchangeContinuation) -> Void) async -> ExchangeOutcome {
    await withUnsafeContinuation { (continuation: ExchangeContinuation) in body(continuation) }
}
#endif

/// How the bytes of a transfer come and go, and who is told of them.
final class ExchangeStreams: Sendable {
    /// Where the response's body goes; `nil` where it is collected.
    let inbound: InboundBody?
    let reporter: TransferReporter?
    /// Tells the loop that there is something to send, or that there will never be.
    let wakeSending: @Sendable () -> Void

    init(inbound: InboundBody?, reporter: TransferReporter?, wakeSending: @escaping @Sendable () -> Void) {
        self.inbound = inbound
        self.reporter = reporter
        self.wakeSending = wakeSending
    }
}
#endif
