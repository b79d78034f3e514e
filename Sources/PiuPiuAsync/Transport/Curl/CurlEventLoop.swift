#if os(Linux)
import CurlShim
import Glibc

/// A thread that drives libcurl, and the actor whose isolation that thread is.
///
/// The actor's executor is the thread, so that isolated methods touch the engine without a lock. The hot path does not
/// even need a job: commands come through the executor's queue, and the caller's task is resumed from the thread.
///
///     running ── shutDown ──▶ draining ── last exchange ends ──▶ stopped
///        └───────────────── invalidate ─────────────────────────▶ stopped
actor CurlEventLoop {
    private enum State {
        case running, draining, stopped
    }

    /// How long the thread stays awake after its last exchange, in nanoseconds.
    private static let linger: Int64 = 50_000

    nonisolated let executor: EventLoopExecutor
    private let multi: CurlMulti
    private var state = State.running
    private var drainWaiters: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a loop and starts its thread.
    ///
    /// The thread keeps the loop alive until it is stopped.
    ///
    /// - Throws: ``TransportError`` with the code `outOfResources`.
    init(
        name: String,
        limits: ConnectionLimits,
        settings: CurlHandle.Settings,
        library: CurlLibrary
    ) throws {
        executor = try EventLoopExecutor()
        multi = try CurlMulti(
            wakeDescriptor: executor.wakeDescriptor,
            limits: limits,
            settings: settings,
            library: library
        )
        // Foundation's `Thread` does not say when there is none to be had. The thread holds the loop until it ends.
        let context = Unmanaged.passRetained(self)
        let code = pp_start_thread(name, context.toOpaque()) { context in
            guard let context else { return }
            Unmanaged<CurlEventLoop>.fromOpaque(context).takeRetainedValue().run()
        }
        guard code == 0 else {
            context.release()
            throw TransportError(.outOfResources, underlyingDescription: String(cString: strerror(code)))
        }
    }

    /// How many exchanges are in flight or waiting.
    var exchangeCount: Int { multi.exchangeCount }

    /// How many sockets are open.
    var socketCount: Int { multi.poller.socketCount }

    // MARK: The thread

    private nonisolated func run() {
        pp_block_sigpipe()
        executor.bindToCurrentThread()
        assumeIsolated { $0.turnUntilStopped() }
        let rest = executor.stop()
        for case .command(let command) in rest { Self.refuse(command) }
        for case .job(let job) in rest { executor.enqueue(ExecutorJob(job)) }
    }

    private func turnUntilStopped() {
        let unowned = executor.asUnownedSerialExecutor()
        var batch: [EventLoopExecutor.Item] = []
        repeat {
            executor.takeItems(&batch)
            guard !batch.isEmpty else { continue }
            multi.noteTime()
            // Taken from the end, because that moves an item, where a loop over them copies it.
            batch.reverse()
            while let item = batch.popLast() {
                switch consume item {
                case .job(let job): job.runSynchronously(on: unowned)
                case .command(let command): perform(command)
                }
            }
            if batch.capacity > 4096 { batch = [] }
        } while turn()
    }

    private func perform(_ command: EventLoopCommand) {
        switch command {
        case .start(let start):
            if state == .running { multi.start(start.exchange) } else { Self.refuse(command) }
        case .cancel(let ticket):
            multi.cancel(ticket)
        case .resume(let ticket, let direction):
            multi.resume(ticket, direction)
        case .shutDown(let continuation):
            if state == .running { state = .draining }
            if let continuation { drainWaiters.append(continuation) }
        case .invalidate:
            state = .draining
            multi.cancelAll()
        }
    }

    /// Serves what is due.
    ///
    /// - Returns: Whether the loop goes on.
    private func turn() -> Bool {
        multi.serve()
        guard state == .running || multi.exchangeCount > 0 else {
            stop()
            return false
        }
        if multi.takeIsJustIdle() { executor.linger(nanoseconds: Self.linger) }
        multi.turn(mayWait: executor.prepareToSleep())
        return true
    }

    private func stop() {
        state = .stopped
        multi.destroy()
        let waiters = drainWaiters
        drainWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private static func refuse(_ command: EventLoopCommand) {
        switch command {
        case .start(let start): start.exchange.finish(.failure(ExchangeFailure(code: .shutDown)))
        case .shutDown(let continuation): continuation?.resume()
        case .cancel, .resume, .invalidate: break
        }
    }
}
#endif
