#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine

/// An actor that drives libcurl on its own thread.
///
/// The thread is the actor's executor, so isolated methods use the engines without a lock. The hot path doesn't need a
/// job: commands arrive through the executor's queue, and the thread resumes the caller's task.
///
///     running ── shutDown ──▶ draining ── last exchange ends ──▶ stopped
///        └───────────────── invalidate ─────────────────────────▶ stopped
actor CurlEventLoop: TransportLoop {
    /// The time the thread stays awake after its last exchange, in nanoseconds.
    private static let linger: Int64 = 50_000

    /// The maximum number of connections per engine, if a loop has several engines.
    ///
    /// To find a free connection, or the one that an exchange releases, libcurl searches all connections of its multi
    /// handle: with 5,000, that took a third of the total time.
    static let connectionsPerEngine = 512

    /// The maximum number of engines per loop, whatever the limits.
    private static let maximumEngines = 64

    nonisolated let executor: EventLoopExecutor<EventLoopCommand>
    private let poller: Poller
    private var groups: EngineGroups
    private var events: [Poller.Event] = []
    private var shutdown = LoopShutdown()
    private var work = LoopWork<EventLoopCommand>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a loop and starts its thread.
    ///
    /// The thread keeps the loop alive until it is stopped.
    ///
    /// - Throws: `TransportError` with the code `outOfResources`.
    init(
        name: String,
        limits: ConnectionLimits,
        profile: ConnectionProfile,
        library: CurlLibrary,
        connectionsPerEngine: Int = CurlEventLoop.connectionsPerEngine
    ) throws {
        executor = try EventLoopExecutor<EventLoopCommand>()
        let poller = try Poller(
            wakeDescriptor: executor.wakeDescriptor,
            reportsEveryClose: library.reportsEveryClose
        )
        self.poller = poller
        let count = min(limits.perHost, limits.total) / connectionsPerEngine
        let shares = limits.shares(min(count, Self.maximumEngines))
        groups = try EngineGroups(profile, shares: shares, connectionsPerEngine: connectionsPerEngine) {
            profile,
            place,
            share in
            try CurlMulti(
                poller: poller,
                place: place,
                of: shares.count,
                limits: share,
                settings: profile.settings,
                library: library
            )
        }
        try EventLoopThread.start(name) { self.run() }
    }

    nonisolated func submit(_ command: LoopCommand) -> Bool { executor.submit(.loop(command)) }

    nonisolated var isCurrent: Bool { executor.isCurrent }

    nonisolated func taskExecutor(report: @escaping @Sendable (Duration) -> Void) -> any TaskExecutor {
        LoopTaskExecutor(executor, report: report)
    }

    var exchangeCount: Int { groups.engines.reduce(0) { $0 + $1.exchangeCount } }

    var socketCount: Int { poller.socketCount }

    // MARK: The thread

    private nonisolated func run() {
        executor.bindToCurrentThread()
        let rest = assumeIsolated { $0.turnUntilStopped() }
        executor.passOn(rest + executor.stop(), refuse: Self.refuse)
    }

    /// Runs the loop to its end, and returns what it took and did not perform.
    private func turnUntilStopped() -> [EventLoopExecutor<EventLoopCommand>.Item] {
        repeat {
            work.perform(from: executor, noteTime: noteTime, perform)
        } while turn()
        return work.takeAll()
    }

    private func perform(_ command: EventLoopCommand) {
        switch command {
        case .start(let start):
            if shutdown.isRunning { self.start(start.exchange) } else { Self.refuse(command) }
        case .loop(.cancel(let ticket)):
            for engine in groups.engines { engine.cancel(ticket) }
        case .loop(.resume(let ticket, let direction)):
            noteTime(Reactor.clock())
            for engine in groups.engines { engine.resume(ticket, direction) }
        case .loop(.retire): groups.noteRetirement()
        case .loop(.shutDown(let waiter)): shutdown.begin(waiter)
        case .loop(.invalidate):
            shutdown.begin()
            for engine in groups.engines { engine.cancelAll() }
        }
    }

    private func start(_ exchange: CurlExchange) {
        do {
            let engine = try groups.engine(for: exchange.profile)
            engine.start(exchange)
        } catch {
            exchange.finish(.failure(ExchangeFailure(.outOfResources)))
        }
    }

    /// Runs one turn of the loop, and returns whether the loop continues.
    private func turn() -> Bool {
        for engine in groups.engines { engine.serve() }
        groups.removeRetired()
        guard shutdown.isRunning || exchangeCount > 0 else {
            stop()
            return false
        }
        let isJustIdle = groups.engines.reduce(false) { $1.takeIsJustIdle() || $0 }
        if isJustIdle, exchangeCount == 0, !work.hasRunJobs { executor.linger(nanoseconds: Self.linger) }
        let sleeps = work.isEmpty && executor.prepareToSleep()
        poller.wait(milliseconds: sleeps ? waitTime() : 0, into: &events)
        if sleeps { executor.noteAwake() }
        noteTime(Reactor.clock())
        for event in events { groups[event.engine]?.take(event) }
        for engine in groups.engines { engine.endTurn() }
        return true
    }

    /// The timeout for `epoll_wait`, in milliseconds; -1 for none.
    private func waitTime() -> Int32 {
        Reactor.timeout(until: groups.engines.reduce(Int64.max) { min($0, $1.dueAt) })
    }

    private func noteTime(_ now: Int64) {
        for engine in groups.engines { engine.noteTime(now) }
    }

    private func stop() {
        groups.removeAll()
        shutdown.end()
    }

    private static func refuse(_ command: EventLoopCommand) {
        switch command {
        case .start(let start): start.exchange.finish(.failure(ExchangeFailure(.shutDown)))
        case .loop(let command): command.refuse()
        }
    }
}
#endif
