/// Locks that many small objects share: the address of an object determines its lock.
///
/// With numbers instead of addresses, each object would use the next lock. A new object often gets the address of a freed
/// one, whose lock is still in the processor's cache.
///
/// They are for objects that exist once for each request: a separate ``Locked`` would be another object, and a mutex to
/// create and to destroy. The state stays in the object. Once other code has the object, only the closures that it passes to
/// ``withLock(of:_:)`` may use the state.
///
/// The rules of ``Locked`` apply, and one more: never take a second lock inside a closure, because it can be the same one.
@usableFromInline
package enum LockStripes {
    @inlinable static var count: Int { 64 }
    /// The distance between two locks in bytes, so that they share no cache line: those of Apple's processors are the
    /// longest.
    @inlinable static var stride: Int { 128 }

    /// The locks, which exist until the process ends.
    // `nonisolated(unsafe)` is sound because the pointer never changes, and its memory is used only as mutexes.
    @usableFromInline
    nonisolated(unsafe) static let locks: UnsafeMutableRawPointer = {
        // A mutex is largest on macOS, with 64 bytes.
        precondition(MemoryLayout<pthread_mutex_t>.size <= stride)
        let locks = UnsafeMutableRawPointer.allocate(byteCount: count * stride, alignment: stride)
        for index in 0..<count {
            let lock = (locks + index * stride).initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
        }
        return locks
    }()

    /// Returns the index of the lock for an address.
    ///
    /// Addresses are multiples of 16. Objects of one kind are often at regular distances, and threads of Linux have areas of
    /// memory that begin at multiples of 64 MiB.
    @inlinable
    static func index(of address: UInt) -> Int {
        Int(truncatingIfNeeded: (address >> 4) ^ (address >> 10) ^ (address >> 26)) & (count - 1)
    }

    /// Runs a closure with the lock of an object; the closure must be short and must not suspend.
    @inlinable
    @inline(__always)
    package static func withLock<Result>(of object: AnyObject, _ body: () -> Result) -> Result {
        let lock = (locks + index(of: UInt(bitPattern: ObjectIdentifier(object))) * stride)
            .assumingMemoryBound(to: pthread_mutex_t.self)
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}
