/// The pings that have no answer yet; a pure value.
///
/// A pong answers its ping and those before, because a server may answer only the last of several (RFC 6455 §5.5.3).
struct PingList<Waiter> {
    private struct Ping {
        let number: UInt64
        /// The task that waits; `nil` for a ping that keeps the connection alive.
        let waiter: Waiter?
        let sentAt: ContinuousClock.Instant
    }

    private var pings: [Ping] = []
    private var lastNumber: UInt64 = 0
    /// Pings whose tasks were cancelled before they were added.
    private var cancelled: Set<UInt64> = []

    /// The number of pings without an answer.
    var count: Int { pings.count }

    /// Reserves the number of the next ping.
    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// The payload of a ping.
    static func payload(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Adds a ping; returns `false` if its task was cancelled before.
    mutating func add(_ number: UInt64, _ waiter: Waiter?, now: ContinuousClock.Instant) -> Bool {
        guard cancelled.remove(number) == nil else { return false }
        pings.append(Ping(number: number, waiter: waiter, sentAt: now))
        return true
    }

    /// Whether a ping has no answer yet.
    func awaits(_ number: UInt64) -> Bool { pings.contains { $0.number == number } }

    /// Removes a ping whose task was cancelled, and returns the task if it waits.
    mutating func cancel(_ number: UInt64) -> Waiter? {
        guard let place = pings.firstIndex(where: { $0.number == number }) else {
            cancelled.insert(number)
            return nil
        }
        return pings.remove(at: place).waiter
    }

    /// Forgets a ping whose task no longer waits.
    mutating func forget(_ number: UInt64) { if !cancelled.isEmpty { cancelled.remove(number) } }

    /// Records a pong, and returns those who waited for it, with the time since each ping.
    mutating func pongArrived(_ payload: [UInt8], now: ContinuousClock.Instant) -> [(waiter: Waiter, time: Duration)] {
        guard payload.count == 8 else { return [] }
        let number = payload.reduce(0) { $0 << 8 | UInt64($1) }
        guard let place = pings.lastIndex(where: { $0.number == number }) else { return [] }
        let answered = pings[...place]
        pings.removeFirst(place + 1)
        return answered.compactMap { ping in ping.waiter.map { ($0, ping.sentAt.duration(to: now)) } }
    }

    /// Removes all pings, and returns those who wait.
    mutating func removeAll() -> [Waiter] {
        defer { pings = [] }
        return pings.compactMap(\.waiter)
    }
}
