#if os(Linux)
/// Opens connections to the addresses of a host, one after another, until one of them is connected (RFC 8305).
///
/// It is a value without clocks and sockets. The caller performs the actions of a list in order, and afterwards reports their
/// results, including immediate ones.
///
/// The addresses of both versions of IP take turns, beginning with the first address (§4). The next address is tried after the
/// delay (§5), or at once if an attempt failed. At most ``maximumOpen`` attempts run at a time; further addresses wait until
/// one of them fails.
///
/// | State | Event | Actions | Next state |
/// |---|---|---|---|
/// | waiting | start, with addresses | open the first; wake if there is another | racing |
/// | waiting | start, without addresses | lost | over |
/// | waiting | cancel | none | over |
/// | racing | connected, of an open attempt | close all others; won | over |
/// | racing | failed, addresses left | open the next; wake if there is another | racing |
/// | racing | failed, no addresses left, others open | none | racing |
/// | racing | failed, nothing left | lost | over |
/// | racing | timer, due | open the next; wake if there is another | racing |
/// | racing | timer, too early | wake at the right time | racing |
/// | racing | timer, nothing to try | none | racing |
/// | racing | cancel | close all | over |
/// | any | connected or failed, of an attempt that is not open | none | unchanged |
/// | over | any | none | over |
///
/// With a delay of 0, "open the next" opens all.
package struct ConnectionRace: Sendable {
    /// An action that the caller performs.
    package enum Action: Sendable, Hashable {
        /// Begin to connect to an address; the attempt ends with ``ConnectionRace/connected(_:)`` or
        /// ``ConnectionRace/failed(_:_:now:)``.
        case open(Int, SocketAddress)
        /// Close the socket of an attempt, and report nothing more about it.
        case close(Int)
        /// Call ``ConnectionRace/timer(now:)`` at this time, which replaces the previous one.
        case wake(at: Int64)
        /// The connection of this attempt is the one to use.
        case won(Int)
        /// No address can be used; the failure is the most informative one.
        case lost(OpenFailure)
    }

    /// The largest number of attempts that run at a time.
    package static let maximumOpen = 16

    private enum State: Sendable {
        case waiting, racing, over
    }

    /// The addresses in the order in which they are tried; the number of an attempt is the index of its address.
    package let addresses: [SocketAddress]
    private let delay: Int64
    private var state = State.waiting
    private var next = 0
    private var open: [Int] = []
    private var wakesAt: Int64?
    private var failure: OpenFailure?

    /// Creates a race between addresses, best first, with a delay between two attempts in nanoseconds.
    package init(addresses: [SocketAddress], delay: Int64) {
        self.addresses = Self.interleaved(addresses)
        self.delay = max(0, delay)
    }

    /// Whether the race ended, with a result or by cancellation.
    package var isOver: Bool { state == .over }

    /// Starts the race, and returns the next actions; `now` is in nanoseconds.
    package mutating func start(now: Int64) -> [Action] {
        guard state == .waiting else { return [] }
        state = .racing
        return goOn(now)
    }

    /// Records that an attempt is connected, and returns the next actions.
    package mutating func connected(_ attempt: Int) -> [Action] {
        guard state == .racing, open.contains(attempt) else { return [] }
        let others = open.filter { $0 != attempt }.map { Action.close($0) }
        end()
        return others + [.won(attempt)]
    }

    /// Records that an attempt failed and that its socket is closed, and returns the next actions.
    package mutating func failed(_ attempt: Int, _ failure: OpenFailure, now: Int64) -> [Action] {
        guard state == .racing, let place = open.firstIndex(of: attempt) else { return [] }
        open.remove(at: place)
        if self.failure.map({ $0.weight <= failure.weight }) ?? true { self.failure = failure }
        return goOn(now)
    }

    /// Records that the time of ``Action/wake(at:)`` has come, and returns the next actions.
    package mutating func timer(now: Int64) -> [Action] {
        guard state == .racing, let wakesAt else { return [] }
        return now < wakesAt ? [.wake(at: wakesAt)] : goOn(now)
    }

    /// Ends the race without a result, and returns the next actions.
    package mutating func cancel() -> [Action] {
        guard state != .over else { return [] }
        let all = open.map { Action.close($0) }
        end()
        return all
    }

    private mutating func end() {
        state = .over
        open = []
        wakesAt = nil
    }

    private mutating func goOn(_ now: Int64) -> [Action] {
        var actions: [Action] = []
        while mayOpen {
            actions.append(.open(next, addresses[next]))
            open.append(next)
            next += 1
            guard delay == 0 else { break }
        }
        wakesAt = nil
        if open.isEmpty {
            let failure = failure ?? .noAddress
            end()
            return [.lost(failure)]
        }
        if mayOpen {
            let (time, isOverflow) = now.addingReportingOverflow(delay)
            let wake = isOverflow ? .max : time
            wakesAt = wake
            actions.append(.wake(at: wake))
        }
        return actions
    }

    private var mayOpen: Bool { next < addresses.count && open.count < Self.maximumOpen }

    /// Returns the addresses reordered so that both versions of IP take turns, beginning with that of the first.
    private static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
        let first = addresses.filter { $0.family == addresses.first?.family }
        let others = addresses.filter { $0.family != addresses.first?.family }
        var result: [SocketAddress] = []
        for index in 0..<max(first.count, others.count) {
            if index < first.count { result.append(first[index]) }
            if index < others.count { result.append(others[index]) }
        }
        return result
    }
}
#endif
