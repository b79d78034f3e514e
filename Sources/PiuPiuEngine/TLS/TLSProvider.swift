#if os(Linux)
import Synchronization

/// Loads the contexts of settings, and keeps them as long as they may be used.
///
/// | Settings | `current(now:)` |
/// |---|---|
/// | authorities in memory, no files | the same context always, once it is loaded |
/// | authorities in files | the same context until their lifetime is over |
/// | authorities in a folder, or with the lifetime 0 | `nil` always: each connection loads |
/// | an identity in files | `nil` always; the authorities are kept as above |
/// | revocation lists | `nil` always |
package final class TLSProvider: Sendable {
    private struct State {
        var context: TLSContext?
        var trust: TLSTrust?
        /// Until when both may be used, by the monotonic clock in nanoseconds.
        var end = Int64.min
    }

    private let settings: TLSSettings
    private let state = Mutex(State())
    /// Lets one thread load what others can use, too.
    private let loading = Mutex(())

    /// Creates a provider that has loaded nothing.
    ///
    /// - Parameter settings: The settings.
    package init(_ settings: TLSSettings) {
        self.settings = settings
    }

    /// Returns the context for a new connection, and never reads a file.
    ///
    /// - Parameter now: The monotonic clock in nanoseconds.
    /// - Returns: The context; `nil` if ``load(now:)`` has to be called on a worker's thread.
    package func current(now: Int64) -> TLSContext? {
        state.withLock { now < $0.end ? $0.context : nil }
    }

    /// Loads a context for a new connection.
    ///
    /// This reads files and takes milliseconds.
    ///
    /// - Parameter now: The monotonic clock in nanoseconds.
    /// - Returns: The context, which is ``current(now:)`` from now on if it may be kept.
    /// - Throws: A report of what cannot be loaded.
    package func load(now: Int64) throws(TLSReport) -> TLSContext {
        if case .failure(let failure) = OpenSSLLibrary.shared { throw TLSReport(.library, failure.reason) }
        guard keepsTrust else { return try TLSContext(settings, trust: try newTrust()) }
        return try loading.withLock { _ throws(TLSReport) in
            // Another thread may have loaded it meanwhile.
            if let context = current(now: now) { return context }
            let kept = state.withLock { now < $0.end ? $0.trust : nil }
            let trust = if let kept { kept } else { try newTrust() }
            let context = try TLSContext(settings, trust: trust)
            state.withLock {
                $0.context = keepsContext ? context : nil
                guard kept == nil else { return }
                $0.trust = trust
                let (end, isTooFar) = now.addingReportingOverflow(lifetime)
                $0.end = isTooFar ? .max : end
            }
            return context
        }
    }

    /// How long authorities may be kept, in nanoseconds.
    private var lifetime: Int64 { settings.verifiesServer ? settings.authorities.lifetime : .max }

    private var keepsTrust: Bool { lifetime > 0 && settings.revocationLists == nil }

    private var keepsContext: Bool { keepsTrust && settings.identity?.isInFiles != true }

    private func newTrust() throws(TLSReport) -> TLSTrust? {
        settings.verifiesServer ? try TLSTrust(settings) : nil
    }
}
#endif
