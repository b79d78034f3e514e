import PiuPiuAsync

/// The state of a recorder: the recorded exchanges, and those in progress.
///
/// A pass is a request that passes the recorder as an interceptor. It has its own entries only if, during the pass, no exchange
/// of its call was observed that explains its end. Otherwise, each exchange has an entry, and the pass adds the bodies to the
/// one that answered it.
///
///     pass ── no exchange ─────────────────────────────▶ add
///       └── exchange … exchange ── response ── claim ──▶ finish
///                                └─ failure ───────────▶ fail
///
/// A pass holds its exchanges. An observed exchange is complete when it has ended, with a response, with a failure or by
/// cancellation, and no pass holds it any more.
struct HARStore: Sendable {
    /// A request that passes the recorder.
    private struct Pass {
        let call: ObjectIdentifier?
        /// The exchanges of its call that began during the pass.
        var exchanges: [Int] = []
        /// The exchanges of the attempt that answered the pass: redirects, and the answer.
        var chain: [Int] = []
    }

    /// The start of the next recorded exchange: its index in the recording, and the time.
    struct Start {
        let number: Int
        let date: Date
    }

    /// The entries by the order in which the exchanges started; the redirects of a pass precede its response.
    private var entries: [Int: [HAR.Entry]] = [:]
    /// Observed exchanges that have no entry yet.
    private var observations: [Int: HARObservation] = [:]
    /// The observed exchanges in progress.
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// The last observed exchange in progress of each call, which is the one that becomes a WebSocket.
    private var lastOfCall: [ObjectIdentifier: Int] = [:]
    private var passes: [Int: Pass] = [:]
    /// The passes by their call, if it is observed.
    private var passesOfCall: [ObjectIdentifier: [Int]] = [:]
    private(set) var began = 0
    private(set) var skipped = 0
    private(set) var size = 0
    private let limit: Int
    /// The same moment on two clocks, of which only the second never goes back.
    private let epoch = (date: Date(), instant: ContinuousClock.now)

    /// Creates an empty store with a maximum size, in the unit of ``HAR/Entry/cost``.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of exchanges in progress.
    var underWay: Int {
        observations.values.count { !$0.isComplete } + passes.values.count { $0.exchanges.isEmpty }
    }

    /// The entries, in the order in which the exchanges started.
    var all: [HAR.Entry] { entries.sorted { $0.key < $1.key }.flatMap(\.value) }

    private mutating func next() -> Start {
        defer { began += 1 }
        return Start(number: began, date: now)
    }

    // MARK: Passes

    /// Begins a pass of a call, which is `nil` if it is not observed, and returns its start.
    mutating func beginPass(_ call: ObservedCall?) -> Start {
        let start = next()
        let call = call.map { ObjectIdentifier($0) }
        passes[start.number] = Pass(call: call)
        if let call { passesOfCall[call, default: []].append(start.number) }
        return start
    }

    private mutating func endPass(_ number: Int) {
        guard let pass = passes.removeValue(forKey: number) else { return }
        if let call = pass.call {
            passesOfCall[call]?.removeAll { $0 == number }
            if passesOfCall[call]?.isEmpty == true { passesOfCall[call] = nil }
        }
        for exchange in pass.exchanges {
            observations[exchange]?.holds -= 1
            settle(exchange)
        }
    }

    /// Adds the entries of a pass, which ends, or of an earlier recording.
    mutating func add(_ new: [HAR.Entry], pass: Int? = nil) {
        if let pass { endPass(pass) }
        guard makeRoom(for: new.reduce(0) { $0 + $1.cost }) else { return }
        entries[pass ?? next().number] = new
    }

    /// Finds the exchange that answered a pass.
    ///
    /// - Parameters:
    ///   - pass: The pass, which goes on.
    ///   - response: The response.
    /// - Returns: Whether there is one; otherwise, an interceptor created the response.
    mutating func claim(_ pass: Int, _ response: TransportResponse) -> Bool {
        guard let exchanges = passes[pass]?.exchanges else { return false }
        let (status, url) = (response.head.statusCode.rawValue, response.urlRequest.url?.withoutFragment)
        let answer = exchanges.last { exchange in
            guard let observation = observations[exchange] else { return false }
            return observation.statusCode == status && observation.url == url && !observation.isCancelled
        }
        guard let answer, let attempt = observations[answer]?.attempt else { return false }
        passes[pass]?.chain = exchanges.filter { $0 <= answer && observations[$0]?.attempt == attempt }
        for exchange in exchanges where observations[exchange]?.attempt != attempt {
            observations[exchange]?.isSuperseded = true
        }
        return true
    }

    /// Ends a pass that has an answer, and adds the request as it passed, and the response's body.
    mutating func finish(_ pass: Int, _ recorded: HARObservation.Recorded) {
        if let chain = passes[pass]?.chain, let first = chain.first, let last = chain.last {
            observations[first]?.recorded = .init(request: recorded.request)
            observations[last]?.recorded = .init(
                request: first == last ? recorded.request : nil,
                content: recorded.content,
                error: recorded.error
            )
        }
        endPass(pass)
    }

    /// Ends a pass that failed.
    ///
    /// - Parameters:
    ///   - pass: The pass.
    ///   - request: The request as it passed.
    /// - Returns: Whether an exchange has the failure. Otherwise, the pass goes on, and needs its own entry.
    mutating func fail(_ pass: Int, _ request: HAR.Request) -> Bool {
        guard let last = passes[pass]?.exchanges.last else { return false }
        if passes[pass]?.exchanges.count == 1 { observations[last]?.recorded = .init(request: request) }
        endPass(pass)
        return true
    }

    // MARK: Observed exchanges

    /// Begins an exchange.
    mutating func begin(_ exchange: ObservedExchange) {
        let start = next()
        let passes = passesOfCall[ObjectIdentifier(exchange.call)] ?? []
        observations[start.number] = HARObservation(exchange, at: start.date, holds: passes.count)
        numbers[ObjectIdentifier(exchange)] = start.number
        lastOfCall[ObjectIdentifier(exchange.call)] = start.number
        for pass in passes { self.passes[pass]?.exchanges.append(start.number) }
    }

    /// Records an event of an exchange, with its time since the start, and returns whether the exchange is complete.
    mutating func observe(_ event: ExchangeEvent, of exchange: ObservedExchange, at time: Duration) -> Bool {
        guard let number = numbers[ObjectIdentifier(exchange)] else { return false }
        observations[number]?.observe(event, at: time)
        guard case .exchangeEnded = event.kind else { return false }
        numbers[ObjectIdentifier(exchange)] = nil
        let call = ObjectIdentifier(exchange.call)
        if lastOfCall[call] == number { lastOfCall[call] = nil }
        return settle(number)
    }

    /// Records a message of the WebSocket that a call has opened.
    mutating func add(_ message: ObservedMessage, of call: ObservedCall, limit: Int) {
        guard let number = lastOfCall[ObjectIdentifier(call)] else { return }
        let time = now.timeIntervalSince1970
        observations[number]?.add(HAR.WebSocketMessage(message, at: time, limit: limit))
    }

    /// The date, by the clock that never goes back.
    private var now: Date {
        let (seconds, attoseconds) = epoch.instant.duration(to: .now).components
        return epoch.date + Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// Counts an exchange that has become complete, or removes it if there is no room.
    @discardableResult private mutating func settle(_ number: Int) -> Bool {
        guard let observation = observations[number], observation.isComplete else { return false }
        if !makeRoom(for: observation.cost) { observations[number] = nil }
        return true
    }

    /// The complete exchanges that have no entries yet.
    var complete: [Int: HARObservation] { observations.filter(\.value.isComplete) }

    /// Replaces complete exchanges by entries.
    mutating func replace(with new: [Int: HAR.Entry]) {
        for (number, entry) in new where observations.removeValue(forKey: number) != nil { entries[number] = [entry] }
    }

    private mutating func makeRoom(for cost: Int) -> Bool {
        guard cost <= limit - size else {
            skipped += 1
            return false
        }
        size += cost
        return true
    }
}
