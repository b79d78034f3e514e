#if os(Linux)
import PiuPiuEngine

/// The jobs and commands that a loop has taken and not yet performed.
package struct LoopWork<Command: Sendable> {
    private var items: [EventLoopExecutor<Command>.Item] = []

    package init() {}

    /// Whether jobs of tasks ran in this turn.
    package private(set) var hasRunJobs = false

    /// Whether nothing waits for the next turn.
    package var isEmpty: Bool { items.isEmpty }

    /// Performs what has arrived, on the loop's thread.
    ///
    /// What jobs submit meanwhile is performed too, so that their requests are sent in this turn, until the jobs have had their
    /// share of it.
    ///
    /// - Parameters:
    ///   - executor: The loop's executor.
    ///   - noteTime: Records the current time.
    ///   - perform: Performs a command.
    package mutating func perform(
        from executor: EventLoopExecutor<Command>,
        noteTime: (Int64) -> Void,
        _ perform: (Command) -> Void
    ) {
        hasRunJobs = false
        if items.isEmpty { executor.takeItems(&items) }
        guard !items.isEmpty else { return }
        var share = JobShare(now: Reactor.clock())
        noteTime(share.lastEnd)
        repeat {
            // Popping from the end moves an item; iterating would copy it.
            items.reverse()
            var isOther = false
            while let item = items.popLast() {
                switch consume item {
                case .command(let command):
                    perform(command)
                    isOther = true
                case .job(let job):
                    job.runSynchronously(on: executor.asUnownedSerialExecutor())
                    isOther = true
                case .task(let job, let taskExecutor):
                    if isOther { share.pass(until: Reactor.clock()) }
                    isOther = false
                    executor.run(job, on: taskExecutor)
                    hasRunJobs = true
                    let duration = share.spend(until: Reactor.clock())
                    // The commands of the job begin now.
                    noteTime(share.lastEnd)
                    if let duration {
                        taskExecutor.report(duration)
                        isOther = true
                    }
                    if share.isUsedUp {
                        items.reverse()
                        return
                    }
                }
            }
            if items.capacity > 4096 { items = [] }
            guard hasRunJobs else { return }
            if isOther { share.pass(until: Reactor.clock()) }
        } while !share.isUsedUp && executor.takeMoreItems(&items)
    }

    /// Removes and returns everything.
    package mutating func takeAll() -> [EventLoopExecutor<Command>.Item] {
        defer { items = [] }
        return items
    }
}
#endif
