#if os(Linux)
import PiuPiuAsync

/// A command that another thread sends to an event loop.
enum EventLoopCommand: Sendable {
    /// Start an exchange.
    case start(ExchangeStart)
    /// A command about a started exchange, or about the loop.
    case loop(LoopCommand)
}

/// An exchange on its way to the event loop.
struct ExchangeStart: Sendable {
    // Safe because the caller no longer uses it. The caller keeps a reference so that the memory is freed where it was
    // allocated.
    nonisolated(unsafe) let exchange: CurlExchange
}
#endif
