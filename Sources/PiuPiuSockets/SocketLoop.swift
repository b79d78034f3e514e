#if os(Linux)
import Glibc
import PiuPiuEngine

/// An actor that drives the sockets of a ``SocketTransport`` on its own thread.
///
/// The thread is the actor's executor, so isolated methods use the engine without a lock. The hot path needs no job: commands
/// arrive through the executor's queue, and the thread resumes the caller's task.
///
///     running ── shutDown ──▶ draining ── last exchange ends ──▶ stopped
///        └───────────────── invalidate ─────────────────────────▶ stopped
actor SocketLoop: TransportLoop {
    typealias Executor = EventLoopExecutor<SocketCommand>

    /// The time the thread stays awake after its last exchange, in nanoseconds.
    private static let linger: Int64 = 50_000

    nonisolated let executor: Executor
    private let engine: SocketEngine
    private var shutdown = LoopShutdown()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a loop and starts its thread, which keeps the loop alive until it is stopped.
    ///
    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - limits: The loop's share of the connection limits.
    ///   - names: The name lookups and the address cache, shared by all loops of a transport.
    /// - Throws: ``TransportError`` with the code `outOfResources`.
    init(name: String, limits: ConnectionLimits, names: SocketNames) throws {
        let executor = try Executor()
        self.executor = executor
        do throws(SystemError) {
            let reactor = try Reactor(wakeDescriptor: executor.wakeDescriptor)
            engine = SocketEngine(reactor, limits: limits, names: names) { [weak executor] in
                executor?.submit($0) ?? false
            }
        } catch {
            throw TransportError(.outOfResources, underlyingDescription: String(cString: strerror(error.number)))
        }
        try EventLoopThread.start(name) { self.run() }
    }

    nonisolated func submit(_ command: LoopCommand) -> Bool { executor.submit(.loop(command)) }

    var exchangeCount: Int { engine.exchangeCount }

    var socketCount: Int { engine.reactor.socketCount }

    // MARK: The thread

    private nonisolated func run() {
        executor.bindToCurrentThread()
        assumeIsolated { $0.turnUntilStopped() }
        let rest = executor.stop()
        for case .command(let command) in rest { Self.refuse(command) }
        for case .job(let job) in rest { executor.enqueue(ExecutorJob(job)) }
    }

    private func turnUntilStopped() {
        let unowned = executor.asUnownedSerialExecutor()
        var batch: [Executor.Item] = []
        repeat {
            executor.takeItems(&batch)
            guard !batch.isEmpty else { continue }
            engine.reactor.noteTime()
            // Popping from the end moves an item; iterating would copy it.
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

    private func perform(_ command: SocketCommand) {
        switch command {
        case .start(let start):
            if shutdown.isRunning { engine.start(start.exchange) } else { Self.refuse(command) }
        case .prepared(let preparation): engine.take(preparation)
        case .loop(.cancel(let ticket)): engine.cancel(ticket)
        case .loop(.resume(let ticket, let direction)): engine.resume(ticket, direction)
        case .loop(.retire): engine.closeRetired()
        case .loop(.shutDown(let waiter)): shutdown.begin(waiter)
        case .loop(.invalidate):
            shutdown.begin()
            engine.cancelAll()
        }
    }

    /// Runs one turn of the loop, and returns whether the loop continues.
    private func turn() -> Bool {
        // Time limits are checked after the sockets are read, because the data may have arrived in time.
        engine.flush()
        guard shutdown.isRunning || engine.exchangeCount > 0 else {
            stop()
            return false
        }
        if engine.takeIsJustIdle(), engine.exchangeCount == 0 { executor.linger(nanoseconds: Self.linger) }
        engine.reactor.wait(milliseconds: executor.prepareToSleep() ? Reactor.timeout(until: engine.dueAt) : 0)
        engine.endTurn()
        return true
    }

    private func stop() {
        engine.closeAllIdle()
        engine.closeShared()
        shutdown.end()
    }

    private static func refuse(_ command: SocketCommand) {
        switch command {
        case .start(let start): start.exchange.finish(.failure(ExchangeFailure(.shutDown)))
        case .loop(let command): command.refuse()
        case .prepared: break
        }
    }
}

/// A command that another thread sends to a ``SocketLoop``.
enum SocketCommand: Sendable {
    /// Start an exchange.
    case start(SocketStart)
    /// Continue the exchanges that waited for this preparation.
    case prepared(SocketPreparation)
    /// A command about a started exchange, or about the loop.
    case loop(LoopCommand)
}

/// An exchange on its way to the event loop.
struct SocketStart: Sendable {
    // Safe because the caller no longer uses the exchange. It only keeps a reference, so that the memory is freed on its own
    // thread.
    nonisolated(unsafe) let exchange: SocketExchange
}
#endif
