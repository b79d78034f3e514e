#if os(Linux)
import CShims
import Glibc
import PiuPiuEngine

/// An actor that drives the sockets of a ``SocketTransport`` on its own thread.
///
/// The thread is the actor's executor, so isolated methods use the engine without a lock. The hot path needs no job: commands
/// arrive through the executor's queue, and the thread resumes the caller's task.
///
///     running ── shutDown ──▶ draining ── last exchange ends ──▶ stopped
///        └───────────────── invalidate ─────────────────────────▶ stopped
actor SocketLoop {
    typealias Executor = EventLoopExecutor<SocketCommand>

    private enum State {
        case running, draining, stopped
    }

    /// The time the thread stays awake after its last exchange, in nanoseconds.
    private static let linger: Int64 = 50_000

    nonisolated let executor: Executor
    private let engine: SocketEngine
    private var state = State.running
    private var drainWaiters: [CheckedContinuation<Void, Never>] = []

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
        // Foundation's `Thread` doesn't report a failure to start. The thread retains the loop until it ends.
        let context = Unmanaged.passRetained(self)
        let code = cs_start_thread(name, context.toOpaque()) { context in
            guard let context else { return }
            Unmanaged<SocketLoop>.fromOpaque(context).takeRetainedValue().run()
        }
        guard code == 0 else {
            context.release()
            throw TransportError(.outOfResources, underlyingDescription: String(cString: strerror(code)))
        }
    }

    /// The number of exchanges in flight or waiting.
    var exchangeCount: Int { engine.exchangeCount }

    /// The number of open sockets.
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
            if state == .running { engine.start(start.exchange) } else { Self.refuse(command) }
        case .cancel(let ticket): engine.cancel(ticket)
        case .resume(let ticket, let direction): engine.resume(ticket, direction)
        case .prepared(let preparation): engine.take(preparation)
        case .retire: engine.closeRetired()
        case .shutDown(let continuation):
            if state == .running { state = .draining }
            if let continuation { drainWaiters.append(continuation) }
        case .invalidate:
            state = .draining
            engine.cancelAll()
        }
    }

    /// Runs one turn of the loop, and returns whether the loop continues.
    private func turn() -> Bool {
        // Time limits are checked after the sockets are read, because the data may have arrived in time.
        engine.flush()
        guard state == .running || engine.exchangeCount > 0 else {
            stop()
            return false
        }
        if engine.takeIsJustIdle(), engine.exchangeCount == 0 { executor.linger(nanoseconds: Self.linger) }
        engine.reactor.wait(milliseconds: executor.prepareToSleep() ? waitTime() : 0)
        engine.endTurn()
        return true
    }

    /// The timeout for a wait, in milliseconds; -1 for none.
    private func waitTime() -> Int32 {
        let next = engine.dueAt
        guard next != .max else { return -1 }
        // Rounded up, so that the awaited work is due when the wait ends.
        return Int32(clamping: max(0, (next - Reactor.clock() + 999_999) / 1_000_000))
    }

    private func stop() {
        state = .stopped
        engine.closeAllIdle()
        engine.closeShared()
        let waiters = drainWaiters
        drainWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private static func refuse(_ command: SocketCommand) {
        switch command {
        case .start(let start): start.exchange.finish(.failure(ExchangeFailure(.shutDown)))
        case .shutDown(let continuation): continuation?.resume()
        case .cancel, .resume, .prepared, .retire, .invalidate: break
        }
    }
}

/// A command that another thread sends to a ``SocketLoop``.
enum SocketCommand: Sendable {
    /// Start an exchange.
    case start(SocketStart)
    /// Cancel an exchange that was started.
    case cancel(ExchangeTicket)
    /// Resume a paused exchange in one direction.
    case resume(ExchangeTicket, TransferDirection)
    /// Continue the exchanges that waited for this preparation.
    case prepared(SocketPreparation)
    /// Close the connections of retired profiles when their last exchange ends.
    case retire
    /// Refuse new exchanges, wait for those in flight to end, then stop.
    case shutDown(CheckedContinuation<Void, Never>?)
    /// Refuse new exchanges, cancel those in flight, then stop.
    case invalidate
}

/// An exchange on its way to the event loop.
struct SocketStart: Sendable {
    // Safe because the caller no longer uses the exchange. It only keeps a reference, so that the memory is freed on its own
    // thread.
    nonisolated(unsafe) let exchange: SocketExchange
}
#endif
