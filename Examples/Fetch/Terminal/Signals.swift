import PiuPiuAsync

/// Signals that Fetch handles itself, for as long as it runs.
enum Signals {
    /// Runs a closure whenever a signal comes, in place of what the system would do.
    ///
    /// What ignores a signal from its start, as by `nohup`, goes on to.
    ///
    /// - Parameters:
    ///   - number: The signal, which is watched only once.
    ///   - queue: Where the closure runs.
    ///   - handle: The closure.
    static func watch(_ number: Int32, on queue: DispatchQueue, _ handle: @escaping @Sendable () -> Void) {
        guard !isIgnored(number) else { return }
        let isWatched = DispatchSemaphore(value: 0)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handle)
        let tell: @Sendable () -> Void = { isWatched.signal() }
        source.setRegistrationHandler(handler: tell)
        source.activate()
        sources.withLock { $0.append(source) }
        // Until then, the system does what it would do, so that no signal is lost.
        isWatched.wait()
        #if canImport(Darwin)
        // There, a source only watches. On Linux it is the handler of the signal, which must stay.
        signal(number, SIG_IGN)
        #endif
    }

    /// They are never released: on Linux, a signal would stay blocked without its source.
    private static let sources = Locked<[any DispatchSourceSignal]>([])

    /// Whether the process ignores a signal.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
