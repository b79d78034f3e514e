#if os(Linux)
import Synchronization

/// Loads the contexts of settings, and keeps them while they may be used.
///
/// | Settings | `current(now:)` |
/// |---|---|
/// | authorities in memory, no files | always the same context, once it is loaded |
/// | authorities in files | the same context until their lifetime ends |
/// | authorities in a folder, or with lifetime 0 | always `nil`: each connection loads |
/// | an identity in files | always `nil`; the authorities are kept as above |
/// | revocation lists | always `nil` |
package final class TLSProvider: Sendable {
    private struct State {
        var context: TLSContext?
        var trust: TLSTrust?
        /// The time until which both may be used, by the monotonic clock in nanoseconds.
        var end = Int64.min
    }

    private let settings: TLSSettings
    private let state = Mutex(State())
    /// Makes threads load one after another, so that later ones can use the result of the first.
    private let loading = Mutex(())

    /// Creates a provider that has loaded nothing.
    package init(_ settings: TLSSettings) {
        self.settings = settings
    }

    /// Returns the context for a new connection without reading files; `nil` if ``load(now:)`` must be called on a worker
    /// thread.
    ///
    /// The time is that of the monotonic clock in nanoseconds.
    package func current(now: Int64) -> TLSContext? {
        state.withLock { now < $0.end ? $0.context : nil }
    }

    /// Loads a context for a new connection.
    ///
    /// This reads files and takes milliseconds.
    ///
    /// - Parameter now: The monotonic clock in nanoseconds.
    /// - Returns: The context, which ``current(now:)`` returns from now on if it may be kept.
    /// - Throws: A report of the part that cannot be loaded.
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
