import Synchronization

/// The executors of a dispatcher's event loops.
///
/// They are created when they are first asked for; most dispatchers have none.
final class LoopExecutors: Sendable {
    // `any TaskExecutor` is not available on all systems.
    private let executors = Locked<[any Executor]?>(nil)
    private let next = Atomic<Int>(0)
    private let isHosting = Atomic<Bool>(false)

    /// Whether tasks may run on the loops, and hold them up.
    var areInUse: Bool { isHosting.load(ordering: .relaxed) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func all(of transport: any HTTPTransport, _ observers: ObserverList?) -> [any TaskExecutor] {
        let executors = executors.withLock { executors in
            if let executors { return executors }
            let new: [any Executor] =
                (transport as? any TaskExecutingTransport)?.taskExecutors { observers?.report($0) } ?? []
            executors = new
            return new
        }
        if !executors.isEmpty { isHosting.store(true, ordering: .relaxed) }
        return executors.compactMap { $0 as? any TaskExecutor }
    }

    /// The index of the loop after the last one that this returned.
    func takeNext(of count: Int) -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue & .max % count }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DispatcherCore {
    /// The executor of the current loop, or else of the next one; `nil` without loops.
    package var taskExecutor: (any TaskExecutor)? {
        let all = taskExecutors
        guard all.count > 1 else { return all.first }
        return all[(transport as? any TaskExecutingTransport)?.currentLoop ?? loops.takeNext(of: all.count)]
    }

    /// The executors of all loops.
    package var taskExecutors: [any TaskExecutor] { loops.all(of: transport, observers) }
}

extension DispatcherCore {
    /// Whether a task that is not this one may hold up the loop on which a request waits.
    ///
    /// The loop cannot tell the caller then that its time is over.
    var mayBeHeldUp: Bool {
        guard loops.areInUse, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return false }
        return (transport as? any TaskExecutingTransport)?.currentLoop == nil
    }
}
