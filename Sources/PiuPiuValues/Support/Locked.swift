/// A value that is accessible only under a lock.
///
/// This box is the project's only lock except ``LockStripes``. It is a POSIX mutex in the same allocation as the value:
/// under ThreadSanitizer on Linux, `Synchronization.Mutex` reports races that do not exist, and Foundation's `NSLock` needs
/// four more allocations there and takes more than twice the time.
///
/// Three rules: never resume a continuation inside ``withLock(_:)``, never hold the lock across a `with…Continuation`
/// call, and never call foreign code inside it.
///
/// Put a function value into a structure: if a function is the whole state, each access wraps it in another layer.
@frozen
@usableFromInline
package struct Locked<State>: @unchecked Sendable {
    // `@unchecked` is sound because every access to the state holds the mutex. Everything is inlinable, because
    // unspecialized generic code from another module is slow.
    @usableFromInline
    typealias Storage = ManagedBuffer<State, pthread_mutex_t>

    @usableFromInline
    final class OwnedStorage: Storage {
        deinit { _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) } }
    }

    @usableFromInline
    let storage: Storage

    /// Creates a box with an initial value, which is created in place.
    @inlinable
    package init(_ state: @autoclosure () -> sending State) {
        storage = OwnedStorage.create(minimumCapacity: 1) { storage in
            storage.withUnsafeMutablePointerToElements { mutex in
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, nil)
            }
            return state()
        }
    }

    /// Runs a closure with exclusive access to the value; the closure must be short and must not suspend.
    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        // The addresses are stable while the storage lives, and the `defer` below keeps it alive.
        let (value, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer { storage.withUnsafeMutablePointerToElements { _ = pthread_mutex_unlock($0) } }
        return try body(&value.pointee)
    }

    /// Shows the thread sanitizer that the work under the lock, and before it, happens before the code that follows.
    ///
    /// Call it in a task that was resumed with a value that another thread made. The order exists without this: the runtime's
    /// atomic operations ensure it. But if a continuation is resumed before its task has begun to wait, Swift 6.3.1 does not
    /// tell the sanitizer, which then reports the first access to an object in the value as a race. In release builds, it
    /// does nothing.
    ///
    /// Use a lock that only the task and the code that resumes it share: any other lock would hide races between other
    /// threads.
    @inlinable
    package func showOrder() {
        #if DEBUG
        storage.withUnsafeMutablePointerToElements { mutex in
            pthread_mutex_lock(mutex)
            pthread_mutex_unlock(mutex)
        }
        #endif
    }
}

extension Locked: CustomReflectable {
    /// A mirror without the value: `dump` would read the value without the lock, and print hidden contents.
    @usableFromInline
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
