/// The executors of a dispatcher's event loops.
///
/// They are created when they are first asked for; most dispatchers have none.
final class LoopExecutors: Sendable {
    private let transport: (any LoopingTransport)?
    // `any TaskExecutor` is not available on all systems.
    private let executors = Locked<[any Executor]?>(nil)
    private let lastTurn = Locked(-1)

    init(_ transport: any HTTPTransport) {
        self.transport = transport as? any LoopingTransport
    }

    /// Whether a task that is not the current one may hold up the loop on which its request would wait.
    ///
    /// The loop could not tell the current task then that its time is over.
    var mayBeHeldUp: Bool {
        guard let transport, transport.hostsTasks else { return false }
        return transport.currentLoop == nil
    }

    /// The executor of the current loop, or else of the next one; `nil` without loops.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func current(_ observers: ObserverList?) -> (any TaskExecutor)? {
        let all = all(observers)
        guard all.count > 1 else { return all.first }
        return all[transport?.currentLoop ?? takeTurn(of: all.count)]
    }

    private func takeTurn(of count: Int) -> Int {
        lastTurn.withLock { turn in
            turn = (turn + 1) % count
            return turn
        }
    }

    /// The executors of all loops.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func all(_ observers: ObserverList?) -> [any TaskExecutor] {
        let executors = executors.withLock { executors in
            if let executors { return executors }
            let new: [any Executor] =
                (transport as? any TaskExecutingTransport)?.taskExecutors { observers?.report($0) } ?? []
            executors = new
            return new
        }
        return executors.compactMap { $0 as? any TaskExecutor }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DispatcherCore {
    /// The executor of the current loop, or else of the next one; `nil` without loops.
    package var taskExecutor: (any TaskExecutor)? { loops.current(observers) }

    /// The executors of all loops.
    package var taskExecutors: [any TaskExecutor] { loops.all(observers) }
}
