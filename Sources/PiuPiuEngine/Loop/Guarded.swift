#if os(Linux)
import Glibc

/// A value under a POSIX mutex, which the thread sanitizer supports, unlike the one of `Synchronization`.
///
/// It is for state that threads change often. While the mutex is held, it releases no object that the value held and calls no
/// foreign code.
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
