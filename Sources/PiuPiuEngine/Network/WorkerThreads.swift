#if os(Linux)
import CShims
import Glibc

/// A few threads for blocking work, such as name lookups, which cannot be interrupted, and file access.
///
/// Threads start when there is work, wait some time for more, and end. Work that finds no thread waits, first come, first
/// served.
// `@unchecked` is sound because the state is only used while the mutex is held. It is a POSIX mutex because a condition needs
// one.
package final class WorkerThreads: @unchecked Sendable {
    /// Work that may block.
    package typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Work?] = []
        /// The index of the first work in `waiting` that was not taken.
        var first = 0
        var threads = 0
        /// The number of threads that wait for work, or were woken and have not taken any.
        var idle = 0

        var count: Int { waiting.count - first }

        mutating func take() -> Work? {
            guard first < waiting.count else { return nil }
            let work = waiting[first]
            // The work's captures are released after it has run.
            waiting[first] = nil
            first += 1
            if first == waiting.count || first >= 64 {
                waiting.removeFirst(first)
                first = 0
            }
            return work
        }
    }

    private let maximumCount: Int
    private let idleTime: Int64
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state = State()

    /// Creates a group without threads; an idle thread ends after `idleTime` nanoseconds.
    package init(maximumCount: Int, idleTime: Int64 = 10_000_000_000) {
        self.maximumCount = max(1, maximumCount)
        self.idleTime = max(0, idleTime)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The realtime clock can be changed.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    // Each thread retains the group, so no thread is left here.
    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// The number of threads.
    package var threadCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return state.threads
    }

    /// Runs work on a thread.
    ///
    /// - Parameter work: The work, which may block, but must not wait for other work of the group.
    /// - Returns: `false` if there is no thread and none can be started; the work then never runs.
    package func run(_ work: @escaping Work) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if state.idle <= state.count, state.threads < maximumCount, startThread() { state.threads += 1 }
        guard state.threads > 0 else { return false }
        state.waiting.append(work)
        if state.idle > 0 { pthread_cond_signal(condition) }
        return true
    }

    private func startThread() -> Bool {
        let context = Unmanaged.passRetained(self)
        let code = cs_start_thread("PiuPiu worker", context.toOpaque()) { context in
            guard let context else { return }
            Unmanaged<WorkerThreads>.fromOpaque(context).takeRetainedValue().runAll()
        }
        if code != 0 { context.release() }
        return code == 0
    }

    private func runAll() {
        while let work = next() { work() }
    }

    /// Waits for work; returns `nil` if there was none for the idle time, after which the thread no longer counts.
    private func next() -> Work? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let work = state.take() { return work }
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = Int64(end.tv_nsec) + idleTime % 1_000_000_000
        end.tv_sec += Int(idleTime / 1_000_000_000 + nanoseconds / 1_000_000_000)
        end.tv_nsec = Int(nanoseconds % 1_000_000_000)
        state.idle += 1
        var code = Int32(0)
        while state.count == 0, code == 0 { code = pthread_cond_timedwait(condition, mutex, &end) }
        state.idle -= 1
        let work = state.take()
        if work == nil { state.threads -= 1 }
        return work
    }
}
#endif
