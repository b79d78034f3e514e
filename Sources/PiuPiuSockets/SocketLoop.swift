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
    private var work = LoopWork<SocketCommand>()

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

    nonisolated var isCurrent: Bool { executor.isCurrent }

    nonisolated func taskExecutor(report: @escaping @Sendable (Duration) -> Void) -> any TaskExecutor {
        LoopTaskExecutor(executor, report: report)
    }

    var exchangeCount: Int { engine.exchangeCount }

    var socketCount: Int { engine.reactor.socketCount }

    // MARK: The thread

    private nonisolated func run() {
        executor.bindToCurrentThread()
        let rest = assumeIsolated { $0.turnUntilStopped() }
        executor.passOn(rest + executor.stop(), refuse: Self.refuse)
    }

    /// Runs the loop to its end, and returns what it took and did not perform.
    private func turnUntilStopped() -> [Executor.Item] {
        repeat {
            work.perform(from: executor, noteTime: { engine.reactor.note($0) }, perform)
        } while turn()
        return work.takeAll()
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
        // A task on the loop would already have sent its next request.
        if engine.takeIsJustIdle(), engine.exchangeCount == 0, !work.hasRunJobs {
            executor.linger(nanoseconds: Self.linger)
        }
        let sleeps = work.isEmpty && executor.prepareToSleep()
        engine.reactor.wait(milliseconds: sleeps ? Reactor.timeout(until: engine.dueAt) : 0) {
            if sleeps { executor.noteAwake() }
        }
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
