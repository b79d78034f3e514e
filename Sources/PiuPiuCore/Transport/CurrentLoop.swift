/// The event loop that runs a job of the current task.
package enum CurrentLoop {
    /// What a loop's thread knows of itself.
    ///
    /// Only its own thread reads and writes a slot, so it needs no lock. The thread retains it from `bind()` to `unbind()`.
    private final class Slot {
        var executor: (any Executor)?
    }

    /// The key of a thread's slot; `nil` if the system has no more keys.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private static var slot: Unmanaged<Slot>? {
        key.flatMap { pthread_getspecific($0) }.map { Unmanaged<Slot>.fromOpaque($0) }
    }

    /// Makes the calling thread one of a loop, until ``unbind()``.
    package static func bind() {
        guard let key, slot == nil else { return }
        let slot = Unmanaged.passRetained(Slot())
        if pthread_setspecific(key, slot.toOpaque()) != 0 { slot.release() }
    }

    /// Ends what ``bind()`` began, on the same thread.
    package static func unbind() {
        guard let key, let slot else { return }
        pthread_setspecific(key, nil)
        slot.release()
    }

    /// The executor whose job the calling thread runs; `nil` if it runs none, or is not the thread of a loop.
    ///
    /// Setting it has an effect on the threads of loops only.
    package static var executor: (any Executor)? {
        get { slot?.takeUnretainedValue().executor }
        set { slot?.takeUnretainedValue().executor = newValue }
    }
}

extension Task where Failure == Never {
    /// Starts a task on the event loop on which the current task runs, or else on the global executor.
    ///
    /// The task serves the current one, and passes bytes to the same loop.
    package static func besideCaller(_ operation: sending @escaping @isolated(any) () async -> Success) -> Task {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            let executor = CurrentLoop.executor as? any TaskExecutor
        {
            return Task(executorPreference: executor, operation: operation)
        }
        return Task(operation: operation)
    }
}
