/// A value that is only reachable under a lock.
///
/// This box is the only lock of the project. It is a POSIX mutex in the same piece of memory as the value:
/// `Synchronization.Mutex` reports races that do not exist under ThreadSanitizer on Linux, and Foundation's `NSLock` needs
/// four more allocations there, and more than twice the time.
///
/// Three laws: never resume a continuation inside ``withLock(_:)``, never hold the lock across a `with…Continuation`
/// call, and never call foreign code inside it.
///
/// A function belongs into a structure: one that is the whole state gets another layer with each access.
@frozen
@usableFromInline
package struct Locked<State>: @unchecked Sendable {
    // `@unchecked` is sound because every access to the state holds the mutex. All of it can be inlined, because generic
    // code of another module is slow otherwise.
    @usableFromInline
    typealias Storage = ManagedBuffer<State, pthread_mutex_t>

    @usableFromInline
    final class OwnedStorage: Storage {
        deinit { _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) } }
    }

    @usableFromInline
    let storage: Storage

    /// Creates a box.
    ///
    /// - Parameter state: The first value, which is made where it stays.
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

    /// Runs a closure that has the value to itself.
    ///
    /// - Parameter body: The work; it must be short and must not suspend.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        // The addresses are stable for as long as the storage lives, which is used once more afterwards.
        let (value, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer { storage.withUnsafeMutablePointerToElements { _ = pthread_mutex_unlock($0) } }
        return try body(&value.pointee)
    }
}

extension Locked: CustomReflectable {
    /// A mirror without the value: `dump` would read it without the lock, and print what it hides.
    @usableFromInline
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
