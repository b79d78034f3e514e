#if os(Linux)
import CShims
import Glibc

/// Waits for sockets and timers on the thread of an event loop, and keeps the buffers that its connections share.
///
/// Only that thread uses a reactor, without a lock.
package final class Reactor {
    /// The most bytes to read at a time.
    package static let inputSize = 256 * 1024

    private struct Slot {
        var pollable: Pollable?
        /// Distinguishes a socket from an earlier one in the same place, whose events may still be in the buffer.
        var generation: UInt32 = 0
    }

    private let descriptor: Int32
    private let wakeDescriptor: Int32
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var events = [epoll_event](repeating: epoll_event(), count: 256)
    private var timers = DeadlineHeap<Pollable>()
    /// Objects that have more to do, although the system will not report an event for them.
    private var unfinished: [Pollable] = []

    /// The current time as last recorded, in nanoseconds.
    // Exclusive access is checked in debug builds only: the loop's thread alone reads and writes it, as a whole.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package private(set) var now: Int64
    /// The number of turns that have begun.
    private var turn = 0
    /// The last turn in which the system reported all sockets that had events, and all of them were served.
    private var lastWholeTurn = 0
    /// When the system was last asked for events.
    private var askedAt: Int64 = 0
    private var isServing = false
    /// The buffer for received bytes until they are passed on.
    package let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Reactor.inputSize, alignment: 64)
    /// The buffer for bytes that are written together.
    package let output = OutputBuffer()
    package let tlsInput = TLSInput()
    /// The buffer for the fields of an HTTP/2 head.
    package private(set) lazy var fields = FieldBlock()
    /// Whether ``input`` contains bytes that are still being passed on, so nothing may be read into it.
    var isInputInUse = false
    /// Objects that send at the end of the turn.
    private var unsent: [Pollable] = []

    /// The number of watched sockets.
    package private(set) var socketCount = 0

    /// Creates a reactor that an eventfd wakes; throws the system's error number.
    package init(wakeDescriptor: Int32) throws(SystemError) {
        descriptor = cs_epoll_create()
        guard descriptor >= 0 else { throw SystemError(errno) }
        self.wakeDescriptor = wakeDescriptor
        now = Self.clock()
        guard control(EPOLL_CTL_ADD, wakeDescriptor, UInt32(CS_READABLE), .max) else { throw SystemError(errno) }
    }

    deinit {
        Glibc.close(descriptor)
        input.deallocate()
    }

    /// The monotonic clock, in nanoseconds.
    package static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The timeout of a wait that ends at a time, in milliseconds; -1 for none, if the time is `Int64.max`.
    ///
    /// It is rounded up, so that the awaited work is due when the wait ends.
    package static func timeout(until time: Int64) -> Int32 {
        time == .max ? -1 : Int32(clamping: max(0, (time - clock() + 999_999) / 1_000_000))
    }

    /// Records the current time, which the caller has read, for the work that follows.
    package func note(_ time: Int64) { now = time }

    // MARK: Sockets

    /// Begins to watch a socket, and returns whether the system could.
    package func add(_ pollable: Pollable, _ socket: Int32, _ interest: Pollable.Interest) -> Bool {
        let place = freeSlots.popLast() ?? slots.count
        if place == slots.count { slots.append(Slot()) }
        slots[place].generation &+= 1
        slots[place].pollable = pollable
        pollable.place = place
        pollable.watched = socket
        pollable.registered = interest
        guard control(EPOLL_CTL_ADD, socket, interest.events, token(place)) else {
            release(pollable)
            return false
        }
        socketCount += 1
        return true
    }

    /// Changes the events to wait for, and returns whether the system could.
    @discardableResult
    package func watch(_ pollable: Pollable, _ interest: Pollable.Interest) -> Bool {
        guard let place = pollable.place, interest != pollable.registered else { return true }
        let before = pollable.registered
        pollable.registered = interest
        // epoll keeps reporting the end of a connection, whatever the interest; so an object without interest is not watched at
        // all.
        switch (before.isEmpty, interest.isEmpty) {
        case (false, true): return control(EPOLL_CTL_DEL, pollable.watched, 0, 0)
        case (true, false): return control(EPOLL_CTL_ADD, pollable.watched, interest.events, token(place))
        default: return control(EPOLL_CTL_MOD, pollable.watched, interest.events, token(place))
        }
    }

    /// Replaces an object by another one, which takes over its socket.
    package func replace(_ old: Pollable, with new: Pollable) {
        guard let place = old.place else { return }
        timers.remove(old)
        (new.place, new.watched, new.registered) = (place, old.watched, old.registered)
        old.place = nil
        slots[place].pollable = new
    }

    /// Stops watching a socket, which the caller closes afterwards.
    package func remove(_ pollable: Pollable) {
        timers.remove(pollable)
        guard pollable.place != nil else { return }
        if !pollable.registered.isEmpty { control(EPOLL_CTL_DEL, pollable.watched, 0, 0) }
        release(pollable)
        socketCount -= 1
    }

    private func release(_ pollable: Pollable) {
        guard let place = pollable.place else { return }
        pollable.place = nil
        slots[place].pollable = nil
        freeSlots.append(place)
    }

    private func token(_ place: Int) -> UInt64 { UInt64(slots[place].generation) << 32 | UInt64(place) }

    // MARK: Timers

    /// Sets the time to call ``Pollable/timerFired()``, in place of an earlier one.
    package func schedule(_ pollable: Pollable, at time: Int64) { timers.schedule(pollable, at: time) }

    /// Cancels the timer.
    package func unschedule(_ pollable: Pollable) { timers.remove(pollable) }

    /// When the next timer is due, or 0 if there is work left; `Int64.max` for never.
    package var dueAt: Int64 { unfinished.isEmpty && unsent.isEmpty ? timers.first?.dueAt ?? .max : 0 }

    /// Serves an object again in the next turn, although the system will not report an event for its socket.
    package func serveAgain(_ pollable: Pollable) { unfinished.append(pollable) }

    /// Lets an object send at the end of the turn, after all its events.
    func sendLater(_ pollable: Pollable) { unsent.append(pollable) }

    /// Sends everything that was put off.
    ///
    /// Bytes that are put off during the call wait for the next call, so that one connection does not keep the others waiting.
    package func sendAll() {
        guard !unsent.isEmpty else { return }
        let list = unsent
        unsent.removeAll(keepingCapacity: true)
        for pollable in list where pollable.place != nil { pollable.flush() }
    }

    // MARK: A turn

    /// A point in the order of turns.
    package struct Moment {
        fileprivate let turn: Int
    }

    /// The current point in the order of turns.
    package var moment: Moment { Moment(turn: turn) }

    /// Whether all sockets were polled since a moment, so a socket without a reported event has not changed since then.
    package func hasLooked(since moment: Moment) -> Bool {
        // Within a turn, reported events may not have been passed on yet. After a job of a task that took long, anything may have
        // happened.
        !isServing && lastWholeTurn > moment.turn && now - askedAt < 1_000_000
    }

    /// Waits for events, and serves them and the timers that are due.
    ///
    /// - Parameters:
    ///   - milliseconds: The timeout; 0 to return at once, -1 to wait without limit.
    ///   - awake: Called after the wait, before anything is served.
    package func wait(milliseconds: Int32, awake: () -> Void = {}) {
        turn += 1
        isServing = true
        let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
        awake()
        defer {
            isServing = false
            // If the buffer is full, there may have been more events.
            if count >= 0, Int(count) < events.count { lastWholeTurn = turn }
        }
        note(Self.clock())
        askedAt = now
        for index in 0..<max(0, Int(count)) {
            let (token, happened) = (events[index].data.u64, events[index].events)
            guard token != .max else {
                var value: UInt64 = 0
                _ = read(wakeDescriptor, &value, 8)
                continue
            }
            let slot = slots[Int(token & 0xFFFF_FFFF)]
            guard slot.generation == UInt32(token >> 32), let pollable = slot.pollable else { continue }
            let isBroken = happened & (UInt32(CS_ERROR) | UInt32(CS_HANGUP)) != 0
            pollable.ready(
                Pollable.Readiness(
                    isReadable: happened & UInt32(CS_READABLE) != 0 || isBroken,
                    isWritable: happened & UInt32(CS_WRITABLE) != 0 || isBroken,
                    isBroken: isBroken
                )
            )
        }
        if !unfinished.isEmpty {
            let list = unfinished
            unfinished.removeAll(keepingCapacity: true)
            for pollable in list where pollable.place != nil {
                pollable.ready(Pollable.Readiness(isReadable: true, isWritable: false, isBroken: false))
            }
        }
        while let pollable = timers.first, pollable.dueAt <= now {
            timers.remove(pollable)
            pollable.timerFired()
        }
    }

    @discardableResult
    private func control(_ operation: Int32, _ socket: Int32, _ events: UInt32, _ token: UInt64) -> Bool {
        cs_epoll_ctl(descriptor, operation, socket, events, token) == 0
    }
}

/// An error number of the system.
package struct SystemError: Error, Hashable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }
}
#endif
