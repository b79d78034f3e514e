/// The logic of a ``CircuitBreaker``: one circuit per key.
///
///     closed ── enough failures ──▶ open ── time is over, and a request comes ──▶ half-open
///        ▲                            ▲                                              │
///        │                            └──────────────── a probe fails ───────────────┤
///        └────────────────────── all probes succeed ─────────────────────────────────┘
///
/// Each change starts a generation, and the machine ignores the result of a call that began in an older one. If probes do not
/// end within the time for which the circuit was open, it gives them up and starts a new generation of probes.
struct CircuitBreakerMachine: Sendable {
    typealias Instant = ContinuousClock.Instant
    typealias State = CircuitBreaker.State

    /// The parameters, limited to valid ranges.
    struct Rules {
        let failureRate: Double
        let minimumCalls: Int
        /// The length of one bucket of the window.
        let bucket: Duration
        let openTime: Duration
        let longestOpenTime: Duration
        let growth: Double
        let jitter: Double
        let probes: Int

        init(
            failureRate: Double,
            minimumCalls: Int,
            window: Duration,
            openTime: Duration,
            longestOpenTime: Duration,
            growth: Double,
            jitter: Double,
            probes: Int
        ) {
            let longest = Duration.seconds(86_400_000)
            self.failureRate = failureRate < 1 ? max(0, failureRate) : 1
            self.minimumCalls = min(max(1, minimumCalls), 1_000_000)
            bucket = min(max(window, .milliseconds(10)), longest) / CallWindow.bucketCount
            self.openTime = min(max(.zero, openTime), longest)
            self.longestOpenTime = min(max(self.openTime, longestOpenTime), longest)
            self.growth = growth > 1 ? min(growth, 1000) : 1
            self.jitter = jitter > 0 ? min(jitter, 1) : 0
            self.probes = min(max(1, probes), 1_000_000)
        }

        /// Returns how long a circuit is open after a number of consecutive openings, with a random number from 0 up to 1 for
        /// the jitter.
        func openTime(after openings: Int, random: Double) -> Duration {
            guard openTime > .zero else { return .zero }
            let longest = longestOpenTime / .seconds(1)
            let seconds = openTime / .seconds(1) * pow(growth, Double(max(0, openings - 1)))
            return .seconds(min(seconds, longest) * (1 + jitter * random))
        }
    }

    private enum Phase {
        case closed
        case open(until: Instant)
        case halfOpen(until: Instant, succeeded: Int)

        var state: State {
            switch self {
            case .closed: .closed
            case .open: .open
            case .halfOpen: .halfOpen
            }
        }
    }

    private struct Circuit: LimitState {
        var phase = Phase.closed
        var generation: Int
        /// The number of calls of this generation in progress.
        var inProgress = 0
        var window = CallWindow()
        /// The time at which all calls in the window are too old.
        var isForgottenAt: Instant
        /// The number of openings since the circuit was closed.
        var openings = 0
        var openTime = Duration.zero

        var isInUse: Bool { inProgress > 0 }

        func isLikeNew(at now: Instant) -> Bool {
            if case .closed = phase { inProgress == 0 && isForgottenAt <= now } else { false }
        }

        mutating func change(to phase: Phase, generation: Int) -> Transition {
            defer {
                self.phase = phase
                self.generation = generation
                inProgress = 0
                window = CallWindow()
            }
            return Transition(from: self.phase.state, to: phase.state)
        }
    }

    /// A change of a circuit's state.
    struct Transition: Hashable {
        let from: State
        let to: State
    }

    private let rules: Rules
    private var circuits: LimitTable<Circuit>
    private var lastGeneration = 0
    /// The start of the first bucket.
    private var epoch: Instant?

    /// Creates circuits; keeps at most `capacity` of them.
    init(_ rules: Rules, capacity: Int = 1024) {
        self.rules = rules
        circuits = LimitTable(capacity: capacity)
    }

    /// The number of circuits.
    var circuitCount: Int { circuits.count }

    /// Returns the state of a circuit.
    mutating func state(of key: String) -> State {
        circuits.withExistingState(of: key) { $0.phase.state } ?? .closed
    }

    enum Decision: Sendable {
        /// Send the request, and call ``CircuitBreakerMachine/record(_:generation:isFailure:at:random:)`` at its end.
        case proceed(generation: Int, Transition?)
        case refuse(retryAfter: Duration)
    }

    /// Decides whether a request may be sent.
    mutating func acquire(_ key: String, at now: Instant) -> Decision {
        let rules = rules
        // The number of a new generation, if one starts.
        let generation = lastGeneration + 1
        let initial = Circuit(generation: generation, isForgottenAt: now)
        let decision: Decision = circuits.withState(of: key, at: now, initial: initial) { circuit in
            var transition: Transition?
            switch circuit.phase {
            case .closed: break
            case .open(let until):
                guard until <= now else { return .refuse(retryAfter: now.duration(to: until)) }
                let phase = Phase.halfOpen(until: now + circuit.openTime, succeeded: 0)
                transition = circuit.change(to: phase, generation: generation)
            case .halfOpen(let until, let succeeded):
                guard circuit.inProgress + succeeded >= rules.probes else { break }
                guard until <= now else { return .refuse(retryAfter: now.duration(to: until)) }
                let phase = Phase.halfOpen(until: now + circuit.openTime, succeeded: 0)
                _ = circuit.change(to: phase, generation: generation)
            }
            circuit.inProgress += 1
            return .proceed(generation: circuit.generation, transition)
        }
        if case .proceed(generation, _) = decision { lastGeneration = generation }
        return decision
    }

    /// Records how a call ended, and returns the change of state, if any.
    ///
    /// `isFailure` is `nil` if the result says nothing about the server; `random` is a number from 0 up to 1, for the jitter.
    mutating func record(
        _ key: String,
        generation: Int,
        isFailure: Bool?,
        at now: Instant,
        random: @autoclosure () -> Double
    ) -> Transition? {
        let rules = rules
        let next = lastGeneration + 1
        let start = epoch ?? now
        epoch = start
        let transition: Transition?? = circuits.withExistingState(of: key) { circuit in
            guard circuit.generation == generation else { return nil }
            circuit.inProgress = max(0, circuit.inProgress - 1)
            guard let isFailure else { return nil }
            switch circuit.phase {
            case .open: return nil
            case .closed:
                let position = Int(max(0, start.duration(to: now) / rules.bucket))
                circuit.window.add(isFailure: isFailure, at: position)
                circuit.isForgottenAt = now + rules.bucket * CallWindow.bucketCount
                let (total, failures) = (circuit.window.total, circuit.window.failures)
                guard isFailure, total >= rules.minimumCalls,
                    Double(failures) >= rules.failureRate * Double(total)
                else { return nil }
            case .halfOpen(let until, let succeeded):
                guard !isFailure else { break }
                guard succeeded + 1 >= rules.probes else {
                    circuit.phase = .halfOpen(until: until, succeeded: succeeded + 1)
                    return nil
                }
                circuit.openings = 0
                circuit.isForgottenAt = now
                return circuit.change(to: .closed, generation: next)
            }
            circuit.openings += 1
            circuit.openTime = rules.openTime(after: circuit.openings, random: random())
            return circuit.change(to: .open(until: now + circuit.openTime), generation: next)
        }
        guard let transition = transition ?? nil else { return nil }
        lastGeneration = next
        return transition
    }
}
