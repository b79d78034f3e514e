import PiuPiuFutures

/// Runs closures on the calling thread, nested only to a limited depth.
///
/// A composition can call, end and release another composition. A chain can have any length, but the stack has a limit.
///
/// | Closures that are running on the thread | A new closure |
/// |---|---|
/// | none | runs at once, then everything that was deferred |
/// | fewer than the limit | runs at once |
/// | as many as the limit | is deferred until the first closure has returned |
///
/// A deferred closure therefore still runs on the same thread, before the outermost call returns. The limit is 100, and
/// higher on threads with a large stack.
enum NestedCalls {
    private struct Calls {
        let limit: Int
        var depth = 0
        var deferred: [(() -> Void)?] = []
        var next = 0

        mutating func popFirst() -> (() -> Void)? {
            guard next < deferred.count else { return nil }
            defer { next += 1 }
            return deferred[next].take()
        }
    }

    /// The key of a thread's calls, which are on the thread's stack; `nil` if the system has no more keys.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private static var current: UnsafeMutablePointer<Calls>? {
        key.flatMap { pthread_getspecific($0) }?.assumingMemoryBound(to: Calls.self)
    }

    /// Runs a closure on this thread, at once unless too many closures are already running.
    static func run(_ work: @escaping () -> Void) {
        guard let calls = current, calls.pointee.depth >= calls.pointee.limit else { return nest(work) }
        calls.pointee.deferred.append(work)
    }

    /// Runs the closures that this thread has deferred, because it is about to wait.
    static func runDeferred() { while let work = current?.pointee.popFirst() { work() } }

    /// Releases a value that can own a chain of other values.
    static func release<Value>(_ value: inout Value?) {
        var last = [value.take()]
        run { last.removeAll() }
    }

    /// Calls a function that calls other functions, nested to any depth.
    ///
    /// The caller needs the result, so the call cannot be deferred. If the nesting is too deep, the function runs on a new
    /// thread with a large stack while this thread waits.
    static func call<Input, Output>(
        _ function: @escaping @Sendable (Input) throws -> Output,
        _ input: Input
    ) throws -> Output {
        guard let calls = current, calls.pointee.depth >= calls.pointee.limit else {
            return try nest { try function(input) }
        }
        let work = Operand { try function(input) }
        let output = Locked(Operand<Void, Output> { throw FutureError.unresolved })
        // The new thread needs nothing from this one, so the wait ends with the function.
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result = Result { try nest(limit: 1000) { try work(()) } }
            output.withLock { $0 = Operand { try result.get() } }
            end.signal()
        }
        thread.stackSize = 16 * 1024 * 1024
        thread.start()
        end.wait()
        return try output.withLock { $0 }(())
    }

    /// Runs a closure one level deeper; after the outermost closure, runs the deferred ones.
    private static func nest<Output>(limit: Int = 100, _ body: () throws -> Output) rethrows -> Output {
        if let calls = current {
            calls.pointee.depth += 1
            defer { calls.pointee.depth -= 1 }
            return try body()
        }
        guard let key else { return try body() }
        var calls = Calls(limit: limit)
        return try withUnsafeMutablePointer(to: &calls) { calls in
            pthread_setspecific(key, calls)
            defer {
                runDeferred()
                pthread_setspecific(key, nil)
            }
            return try body()
        }
    }
}
