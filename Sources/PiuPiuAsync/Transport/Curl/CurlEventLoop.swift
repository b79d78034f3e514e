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

    /// How many connections an engine has at most, where there are several.
    ///
    /// libcurl looks for a free connection, and for the one that an exchange gives back, by asking each of its multi handle:
    /// with 5,000, that took a third of all the time.
    static let connectionsPerEngine = 512

    /// How many engines a loop has at most, whatever the limits.
    private static let maximumEngines = 64

    nonisolated let executor: EventLoopExecutor
    private let poller: Poller
    private let engines: [CurlMulti]
    private let connectionsPerEngine: Int
    private var events: [Poller.Event] = []
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
        library: CurlLibrary,
        connectionsPerEngine: Int = CurlEventLoop.connectionsPerEngine
    ) throws {
        self.connectionsPerEngine = connectionsPerEngine
        executor = try EventLoopExecutor()
        let poller = try Poller(
            wakeDescriptor: executor.wakeDescriptor,
            tellsOfEveryClose: library.tellsOfEveryClose
        )
        self.poller = poller
        let count = min(limits.perHost, limits.total) / connectionsPerEngine
        let shares = limits.shares(min(count, Self.maximumEngines))
        engines = try shares.enumerated().map { place, share in
            try CurlMulti(
                poller: poller,
                place: place,
                of: shares.count,
                limits: share,
                settings: settings,
                library: library
            )
        }
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
    var exchangeCount: Int { engines.reduce(0) { $0 + $1.exchangeCount } }

    /// How many sockets are open.
    var socketCount: Int { poller.socketCount }

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
            noteTime()
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
            if state == .running { engine().start(start.exchange) } else { Self.refuse(command) }
        case .cancel(let ticket):
            for engine in engines { engine.cancel(ticket) }
        case .resume(let ticket, let direction):
            noteTime()
            for engine in engines { engine.resume(ticket, direction) }
        case .shutDown(let continuation):
            if state == .running { state = .draining }
            if let continuation { drainWaiters.append(continuation) }
        case .invalidate:
            state = .draining
            for engine in engines { engine.cancelAll() }
        }
    }

    /// Serves what is due.
    ///
    /// - Returns: Whether the loop goes on.
    private func turn() -> Bool {
        for engine in engines { engine.serve() }
        guard state == .running || exchangeCount > 0 else {
            stop()
            return false
        }
        let isJustIdle = engines.reduce(false) { $1.takeIsJustIdle() || $0 }
        if isJustIdle, exchangeCount == 0 { executor.linger(nanoseconds: Self.linger) }
        poller.wait(milliseconds: executor.prepareToSleep() ? waitTime() : 0, into: &events)
        noteTime()
        for event in events { engines[event.engine].take(event) }
        for engine in engines { engine.endTurn() }
        return true
    }

    /// How long there is nothing to do but for what comes in, in milliseconds; -1 for ever.
    private func waitTime() -> Int32 {
        let next = engines.reduce(Int64.max) { min($0, $1.dueAt) }
        guard next != .max else { return -1 }
        // Rounded up, so that what is waited for is due when the wait is over.
        return Int32(clamping: max(0, (next - CurlMulti.clock() + 999_999) / 1_000_000))
    }

    private func noteTime() {
        let now = CurlMulti.clock()
        for engine in engines { engine.noteTime(now) }
    }

    /// Who takes the next exchange: the first that has room, so that few exchanges find the connections of those before
    /// them, or else the one that has least to do.
    private func engine() -> CurlMulti {
        guard engines.count > 1 else { return engines[0] }
        var best = engines[0]
        for engine in engines where best.exchangeCount >= connectionsPerEngine {
            if engine.exchangeCount < best.exchangeCount { best = engine }
        }
        return best
    }

    private func stop() {
        state = .stopped
        for engine in engines { engine.destroy() }
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
