#if os(Linux)
import Glibc

/// A value under a POSIX mutex, which the thread sanitizer knows; it does not know that of `Synchronization`.
///
/// It is for what threads change often. Nothing that the value held is released while the mutex is held, and nothing
/// foreign is called.
// `@unchecked` is sound because every access holds the mutex.
final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ value: Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
#endif
