#if os(Linux)
import PiuPiuAsync

/// A command that another thread sends to an event loop.
enum EventLoopCommand: Sendable {
    /// Start an exchange.
    case start(ExchangeStart)
    /// Cancel an exchange that was started.
    case cancel(ExchangeTicket)
    /// Resume a paused exchange in one direction.
    case resume(ExchangeTicket, TransferDirection)
    /// Close the connections of retired profiles when their last exchange ends.
    case retire
    /// Refuse new exchanges, wait for those in flight to end, then stop.
    case shutDown(CheckedContinuation<Void, Never>?)
    /// Refuse new exchanges, cancel those in flight, then stop.
    case invalidate
}

/// An exchange on its way to the event loop.
struct ExchangeStart: Sendable {
    // Safe because the caller no longer uses it. The caller keeps a reference so that the memory is freed where it was
    // allocated.
    nonisolated(unsafe) let exchange: CurlExchange
}
#endif
