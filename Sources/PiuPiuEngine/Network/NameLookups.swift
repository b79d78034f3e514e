#if os(Linux)
import CShims
import Glibc

/// The name lookups of the whole process, on separate threads because the resolver cannot be interrupted.
///
/// ``LookupSchedule`` decides when each name gets a thread, so that names that hang do not keep others waiting.
package final class NameLookups: Sendable {
    /// Takes the result of a lookup, on any thread; it must not block.
    package typealias Completion = @Sendable (Result<[SocketAddress], LookupFailure>) -> Void
    /// Asks for the addresses of a name, and blocks until there is an answer.
    package typealias Question = @Sendable (String, AddressFamily) -> Result<[SocketAddress], LookupFailure>

    fileprivate struct Waiter: Sendable {
        let owner: ObjectIdentifier
        let port: UInt16
        let completion: Completion
    }

    private typealias Schedule = LookupSchedule<ObjectIdentifier, Waiter>

    private struct State {
        var schedule = Schedule()
        /// Whether a thread waits until the schedule is due.
        var isWatched = false

        /// When the schedule is due; `nil` ends the watch.
        mutating func nextWatch() -> Int64? {
            isWatched = schedule.dueAt != nil
            return schedule.dueAt
        }
    }

    /// The lookups of the process, with the system's resolver.
    package static let shared = NameLookups { NameLookup.addresses(of: $0, port: 0, family: $1) }

    private let state = Guarded(State())
    // The additional thread waits until the schedule is due.
    private let threads = WorkerThreads(maximumCount: Schedule.usualCount + Schedule.reserveCount + 1)
    private let question: Question

    /// Creates a group of lookups that call a question for each name.
    package init(_ question: @escaping Question) {
        self.question = question
    }

    /// The number of threads.
    package var threadCount: Int { threads.threadCount }

    /// Looks up a name; concurrent requests for the same name share one lookup.
    ///
    /// - Parameters:
    ///   - key: The name, and the port of the resulting addresses.
    ///   - owner: The owner of the request; see ``cancel(_:for:)``.
    ///   - completion: Takes the result; it is called once, unless the lookup is cancelled before.
    package func find(_ key: AddressCache.Key, for owner: ObjectIdentifier, _ completion: @escaping Completion) {
        let waiter = Waiter(owner: owner, port: key.port, completion: completion)
        state.withLock { $0.schedule.add(waiter, for: key.name, of: owner, now: Reactor.clock()) }
        beginLookups()
    }

    /// Ends the wait for a name; if no other request waits for it and its lookup has not begun, the lookup is dropped.
    ///
    /// - Parameters:
    ///   - key: The name and the port.
    ///   - owner: The owner of the request. Its completion may still be called if the lookup has just ended.
    package func cancel(_ key: AddressCache.Key, for owner: ObjectIdentifier) {
        let removed = state.withLock {
            $0.schedule.remove(from: key.name, now: Reactor.clock()) { $0.owner == owner && $0.port == key.port }
        }
        // Release the objects that completions hold after unlocking.
        withExtendedLifetime(removed) {}
    }

    // MARK: Threads

    /// Gives a thread to each lookup that may begin.
    private func beginLookups() {
        while let name = state.withLock({ $0.schedule.next(now: Reactor.clock()) }) {
            if !threads.run({ [self] in lookUp(name) }) {
                end(name, .failure(LookupFailure(.outOfResources, code: EAI_MEMORY)))
            }
        }
        let isToBeWatched = state.withLock { state in
            guard !state.isWatched, state.schedule.dueAt != nil else { return false }
            state.isWatched = true
            return true
        }
        // Without a thread, no lookup runs that could delay a name.
        if isToBeWatched, !threads.run({ [self] in watch() }) { state.withLock { $0.isWatched = false } }
    }

    private func lookUp(_ name: Schedule.Name) {
        end(name, question(name.host, name.family))
        beginLookups()
    }

    private func end(_ name: Schedule.Name, _ result: Result<[SocketAddress], LookupFailure>) {
        let waiters = state.withLock { $0.schedule.end(name, now: Reactor.clock()) }
        for waiter in waiters {
            waiter.completion(result.map { $0.map { $0.withPort(waiter.port) } })
        }
    }

    /// Waits until the schedule is due, repeatedly, until no name waits for a time.
    private func watch() {
        // If this is the only thread, it must not wait; the ends of lookups start the next ones.
        guard threads.threadCount > 1 else { return state.withLock { $0.isWatched = false } }
        while let time = state.withLock({ $0.nextWatch() }) {
            var end = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil)
            beginLookups()
        }
    }
}

extension AddressCache.Key {
    fileprivate var name: LookupSchedule<ObjectIdentifier, NameLookups.Waiter>.Name {
        .init(host: host, family: family)
    }
}
#endif
