#if os(Linux)
import PiuPiuEngine

extension FuzzCase {
    /// The race of connections, with a clock and a network of the story.
    static let race = FuzzCase(name: "Race", limit: 400) { random in
        choices(&random, upTo: 150)
    } check: { input throws(FuzzProblem) in
        var story = RaceStory(input)
        try story.run()
    }
}

/// Carries out what a race says as its user does: in order, and what comes of an action at once after all actions before it.
private struct RaceStory {
    /// What becomes of an attempt when it is made.
    enum Fate { case connected, failed, later }

    enum Outcome: Equatable { case won(Int), lost(OpenFailure) }

    static let reasons: [OpenFailure.Kind] = [
        .cannotConnect, .forbidden("no"), .outOfResources, .cannotApply("it"),
    ]

    var choices: FuzzChoices
    var race: ConnectionRace
    let given: [SocketAddress]
    let delay: Int64
    var now: Int64
    var queue: [ConnectionRace.Action] = []
    var open: [Int] = []
    var tried = Set<Int>()
    var wakesAt: Int64?
    var outcomes: [Outcome] = []
    var failures: [OpenFailure] = []
    var isCancelled = false

    init(_ input: [UInt8]) {
        choices = FuzzChoices(input)
        let count = choices.element(of: [0, 1, 2, 3, 5, 20, 40])
        let sixes = choices.below(256)
        given = (0..<count).compactMap { number in
            let isSix = sixes >> (number % 8) & 1 == 1
            return SocketAddress(literal: isSix ? "fd00::\(number + 1)" : "10.0.0.\(number + 1)", port: 80)
        }
        delay = choices.element(of: [10, 1, 0, 250_000_000, -1, .max])
        now = choices.element(of: [0, 1_000_000, .max - 5])
        race = ConnectionRace(addresses: given, delay: delay)
    }

    mutating func run() throws(FuzzProblem) {
        try checkOrder()
        if choices.below(8) == 1 { try stale() }
        try perform(race.start(now: now))
        while !choices.isOver {
            switch choices.below(8) {
            case 0, 1: try decide(isConnected: true)
            case 2, 3: try decide(isConnected: false)
            case 4: try pass(choices.element(of: [1, 5, 10, 1000, 250_000_000]))
            case 5: try stale()
            case 6: try early()
            default: if choices.below(4) == 1 { try cancel() }
            }
        }
        try end()
    }

    // MARK: Events

    private mutating func decide(isConnected: Bool) throws(FuzzProblem) {
        guard !open.isEmpty else { return }
        let attempt = open[choices.below(open.count)]
        if isConnected { return try perform(race.connected(attempt)) }
        try fail(attempt)
    }

    private mutating func fail(_ attempt: Int) throws(FuzzProblem) {
        open.removeAll { $0 == attempt }
        var failure = OpenFailure(choices.element(of: Self.reasons), what: "attempt \(attempt)")
        if choices.below(3) == 1 { failure.code = 101 }
        failures.append(failure)
        try perform(race.failed(attempt, failure, now: now))
    }

    /// Time passes, and the timer is served if it is due.
    private mutating func pass(_ time: Int64) throws(FuzzProblem) {
        let (sum, isOverflow) = now.addingReportingOverflow(time)
        now = isOverflow ? .max : sum
        guard let wake = wakesAt, wake <= now else { return }
        wakesAt = nil
        let (before, hadRoom) = (tried.count, open.count < ConnectionRace.maximumOpen)
        try perform(race.timer(now: now))
        let isIdle = before == tried.count && before < given.count && hadRoom && !race.isOver
        try demand(!isIdle, "the time has come, and nothing is tried")
    }

    /// The timer is served without a reason.
    private mutating func early() throws(FuzzProblem) {
        let before = tried.count
        let isEarly = wakesAt.map { now < $0 } ?? true
        try perform(race.timer(now: now))
        try demand(!isEarly || tried.count == before, "an address is tried before its time")
    }

    /// What is told of attempts that are not open changes nothing.
    private mutating func stale() throws(FuzzProblem) {
        let attempt = choices.below(given.count + 3) - 1
        guard !open.contains(attempt) else { return }
        let failure = OpenFailure(.cannotApply("stale"), what: "stale")
        let none = race.connected(attempt) + race.failed(attempt, failure, now: now)
        try demand(none.isEmpty, "an attempt that is not open counts")
    }

    private mutating func cancel() throws(FuzzProblem) {
        let isOver = race.isOver
        let actions = race.cancel()
        isCancelled = isCancelled || !isOver
        let closed = actions.compactMap { if case .close(let attempt) = $0 { attempt } else { nil } }
        try demand(closed.count == actions.count, "a cancelled race does more than to close")
        try perform(actions)
        try demand(open.isEmpty, "an attempt is open after it was cancelled")
        try demand(race.isOver, "a race goes on after it was cancelled")
        let more = race.start(now: now) + race.timer(now: now) + race.cancel()
        try demand(more.isEmpty, "something is to be done after the end")
    }

    /// Time passes until every address was tried, or as many as may be; then all that were not decided fail.
    private mutating func end() throws(FuzzProblem) {
        var rounds = 0
        while !race.isOver {
            rounds += 1
            try demand(rounds < 500, "it does not end")
            if open.count < ConnectionRace.maximumOpen, tried.count < given.count {
                guard let wake = wakesAt else { throw FuzzProblem(text: "addresses are left, and nobody is woken") }
                now = max(now, wake)
                try pass(0)
            } else if let attempt = open.first {
                try fail(attempt)
            }
        }
        try demand(open.isEmpty, "an attempt is open after the end")
        try demand(outcomes.count == (isCancelled ? 0 : 1), "it does not end once")
        let more = race.start(now: now) + race.timer(now: now) + race.cancel()
        try demand(more.isEmpty, "something is to be done after the end")
    }

    // MARK: Actions

    private mutating func perform(_ actions: [ConnectionRace.Action]) throws(FuzzProblem) {
        let isNested = !queue.isEmpty
        queue += actions
        guard !isNested else { return }
        while let action = queue.first {
            try perform(action)
            queue.removeFirst()
        }
        if race.isOver { try demand(open.isEmpty, "an attempt is open after the end") }
        try demand(open.count <= ConnectionRace.maximumOpen, "more attempts are open than may be")
    }

    private mutating func perform(_ action: ConnectionRace.Action) throws(FuzzProblem) {
        try demand(outcomes.isEmpty, "something is to be done after the end")
        switch action {
        case .open(let attempt, let address):
            try demand(tried.insert(attempt).inserted, "an address is tried twice")
            try demand(race.addresses.indices.contains(attempt), "there is no such address")
            try demand(race.addresses[attempt] == address, "an attempt has another's address")
            open.append(attempt)
            switch choices.element(of: [Fate.later, .later, .connected, .failed]) {
            case .connected: try perform(race.connected(attempt))
            case .failed: try fail(attempt)
            case .later: break
            }
        // An attempt that failed at once has no socket any more.
        case .close(let attempt): open.removeAll { $0 == attempt }
        case .wake(let time):
            let limit = now.addingReportingOverflow(max(0, delay))
            try demand(time >= now || wakesAt == time, "somebody is woken in the past")
            try demand(limit.overflow || time <= limit.partialValue, "somebody is woken too late")
            wakesAt = time
        case .won(let attempt):
            try demand(open == [attempt], "not only the one that won is open")
            outcomes.append(.won(attempt))
            open = []
        case .lost(let failure):
            try demand(open.isEmpty && tried.count == given.count, "it is lost although there is hope")
            try checkReason(failure)
            outcomes.append(.lost(failure))
        }
    }

    /// The failure that says most is told, and of several such the last.
    private func checkReason(_ failure: OpenFailure) throws(FuzzProblem) {
        func weight(_ failure: OpenFailure) -> Int {
            failure.kind == .cannotConnect && failure.code == 101
                ? -1 : Self.reasons.firstIndex(of: failure.kind) ?? -1
        }
        guard let most = failures.map(weight).max() else { return }
        try demand(failure == failures.last { weight($0) == most }, "the failure is not the one that says most")
    }

    /// Every address is there once, and both versions of IP take turns as long as there are some of both.
    private func checkOrder() throws(FuzzProblem) {
        let order = race.addresses
        try demand(Set(order) == Set(given) && order.count == given.count, "the addresses are others")
        try demand(order.first == given.first, "the first address is another")
        let both = 2 * min(order.count { $0.isIPv6 }, order.count { $0.isIPv4 })
        for place in 0..<max(0, both - 1) {
            try demand(order[place].isIPv6 != order[place + 1].isIPv6, "both versions of IP do not take turns")
        }
        for isSix in [true, false] {
            let (some, others) = (order.filter { $0.isIPv6 == isSix }, given.filter { $0.isIPv6 == isSix })
            try demand(some == others, "the addresses of a version of IP are in another order")
        }
    }
}
#endif
