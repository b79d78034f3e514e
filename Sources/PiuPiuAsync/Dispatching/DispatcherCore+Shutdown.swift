extension DispatcherCore {
    /// Refuses new requests and lets those in progress finish.
    package func close() {
        let (isOver, departures) = lifecycle.withLock { ($0.close(), $0.takeDepartures()) }
        if isOver { transport.invalidateAndCancel() }
        for leave in departures { leave() }
    }

    /// How long a shutdown waits for cancelled work, which may ignore its cancellation.
    private static var patience: Duration { .seconds(5) }

    /// Refuses new requests, waits for those in progress, and returns when their connections are closed.
    ///
    /// After the grace period, the remaining requests are cancelled. A billion seconds or more is no limit.
    func shutdown(gracePeriod: Duration) async {
        close()
        let outcome = FirstOutcome<Void>()
        // The tasks may briefly outlive the shutdown, and must not retain the interceptors.
        let (lifecycle, transport, clock) = (lifecycle, transport, clock)
        // A longer period would overflow the clock, and means no limit.
        let period = gracePeriod < .seconds(1_000_000_000) ? gracePeriod : nil
        let timer = period.map { period in
            let end = (clock?.instant ?? .now).advanced(by: max(.zero, period))
            return Task {
                try await Self.sleep(until: end, clock)
                Self.cancelAll(lifecycle, transport)
                try await Self.sleep(until: end + Self.patience, clock)
                outcome.conclude(())
            }
        }
        // If a call or the transport ignores its cancellation, this task is abandoned.
        Task {
            await withCheckedContinuation { continuation in
                if lifecycle.withLock({ $0.wait(continuation) }) { continuation.resume() }
            }
            await transport.shutdown()
            outcome.conclude(())
        }
        await outcome.value()
        timer?.cancel()
    }

    static func sleep(until instant: ContinuousClock.Instant, _ clock: TransferClock?) async throws {
        if let clock {
            try await clock.sleep(until: instant)
        } else {
            try await ContinuousClock().sleep(until: instant)
        }
    }

    /// Refuses new requests and cancels those in progress.
    package func invalidateAndCancel() { Self.cancelAll(lifecycle, transport) }

    /// Does the same because the dispatcher is released, which later errors mention.
    func release() { Self.cancelAll(lifecycle, transport, isRelease: true) }

    private static func cancelAll(
        _ lifecycle: Locked<Lifecycle>,
        _ transport: any HTTPTransport,
        isRelease: Bool = false
    ) {
        let calls = lifecycle.withLock { $0.invalidate(isRelease: isRelease) }
        transport.invalidateAndCancel()
        for cancel in calls { cancel() }
    }
}
