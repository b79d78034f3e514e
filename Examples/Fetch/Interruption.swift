import PiuPiuAsync

/// Turns Ctrl-C and SIGTERM into a cancellation, and a second one into the end of the process.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    /// Takes over the signals.
    ///
    /// - Parameter cancel: Called with the first of them, on a queue of its own.
    init(_ cancel: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "Fetch.Interruption")
        let isFirst = Locked(true)
        // Said to be sendable, so that it belongs to no actor: it runs on the queue.
        let handle: @Sendable () -> Void = {
            let wasFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard wasFirst else { _exit(ExitCode.cancelled.rawValue) }
            cancel()
        }
        sources = [SIGINT, SIGTERM].map { number in
            // A source only watches; what the signal would do otherwise has to be taken from it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: handle)
            source.activate()
            return source
        }
    }
}
