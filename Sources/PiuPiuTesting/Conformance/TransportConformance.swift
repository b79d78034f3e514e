import PiuPiuAsync

/// What every `HTTPTransport` has to do, as a list of named cases that a test runs one by one.
///
/// The suite brings its own server and needs no test framework. In Swift Testing one parametrised test is enough:
///
/// ```swift
/// @Suite(.serialized)
/// struct TransportTests {
///     let suite = TransportConformance { try CurlTransport(configuration: $0) }
///
///     @Test(arguments: TransportConformance.cases)
///     func conforms(_ example: TransportConformance.Case) async throws {
///         try await suite.run(example)
///     }
/// }
/// ```
///
/// Put your transport in the place of `CurlTransport`, and run the cases one after the other, as `.serialized`
/// does: some measure time. Where it is known not to pass, name the case in ``knownGaps``, with the reason. A gap that is
/// closed later is a failure, so that the list stays true.
///
/// A transport that needs no network, such as a mock, is run with a ``ConformancePeer`` of its own, and with the cases of
/// the kind `Case.Kind.semantics` only.
public struct TransportConformance: Sendable {
    /// A case in which a transport is known to fail.
    public struct Gap: Sendable, Hashable {
        /// The `Case.name` of the case.
        public var name: String
        /// Why the transport does not pass.
        public var reason: String
        /// Whether the case is run, and has to fail; where not, it counts as run.
        ///
        /// Leave out only what ends the process, or fails now and then.
        public var isRun: Bool

        /// Creates a gap.
        ///
        /// - Parameters:
        ///   - name: The name of the case.
        ///   - reason: Why the transport does not pass.
        ///   - isRun: Whether the case is run, and has to fail.
        public init(_ name: String, reason: String, isRun: Bool = true) {
            self.name = name
            self.reason = reason
            self.isRun = isRun
        }
    }

    /// All cases, in the order of their families.
    public static let cases: [Case] = [
        Case.requests, Case.refusals, Case.heads, Case.bodies, Case.withoutBody, Case.interimResponses, Case.framing,
        Case.encodings, Case.faults, Case.policies, Case.uploads, Case.uploadEnds, Case.streams, Case.streamEnds,
        Case.cancellation, Case.timeouts, Case.limits, Case.progress, Case.reuse, Case.shutdown,
    ].flatMap { $0 }

    /// The cases in which the transport is known to fail.
    public let knownGaps: [Gap]
    /// How long a case may take before it fails.
    public let timeLimit: Duration
    private let makeBench: @Sendable () throws -> ConformanceBench

    /// Creates a suite for a transport that uses the network.
    ///
    /// The transport is asked for `http` URLs of 127.0.0.1, where a `LoopbackServer` listens.
    ///
    /// - Parameters:
    ///   - knownGaps: The cases in which it is known to fail.
    ///   - timeLimit: How long a case may take. Most take milliseconds, none more than about two seconds on a machine that is
    ///     not very busy.
    ///   - makeTransport: Makes a new transport; called once or more in each case. The configuration is not always the same.
    public init(
        knownGaps: [Gap] = [],
        timeLimit: Duration = .seconds(300),
        makeTransport: @escaping @Sendable (_ configuration: TransportConfiguration) throws -> any HTTPTransport
    ) {
        self.init(peer: LoopbackPeer.init, knownGaps: knownGaps, timeLimit: timeLimit) { configuration, _ in
            try makeTransport(configuration)
        }
    }

    /// Creates a suite for a transport that speaks to a peer of its own.
    ///
    /// - Parameters:
    ///   - makePeer: Makes a peer; called once in each case.
    ///   - knownGaps: The cases in which the transport is known to fail.
    ///   - timeLimit: How long a case may take.
    ///   - makeTransport: Makes a new transport that speaks to the peer; called once or more in each case.
    public init<Peer: ConformancePeer>(
        peer makePeer: @escaping @Sendable () throws -> Peer,
        knownGaps: [Gap] = [],
        timeLimit: Duration = .seconds(300),
        makeTransport:
            @escaping @Sendable (_ configuration: TransportConfiguration, _ peer: Peer) throws -> any HTTPTransport
    ) {
        self.knownGaps = knownGaps
        self.timeLimit = timeLimit
        makeBench = {
            let peer = try makePeer()
            return ConformanceBench(peer: peer) { try makeTransport($0, peer) }
        }
    }

    /// Runs a case.
    ///
    /// Cancelling the calling task ends the case.
    ///
    /// - Parameter example: One of ``cases``.
    /// - Throws: ``ConformanceFailure`` where the transport does not pass, where it passes in spite of a known gap, where a
    ///   known gap names no case, and where the case takes too long; `CancellationError` where the task was cancelled;
    ///   what the closures of the initialiser throw.
    public func run(_ example: Case) async throws {
        if let unknown = knownGaps.first(where: { gap in !Self.cases.contains { $0.name == gap.name } }) {
            throw ConformanceFailure(
                example,
                expected: "known gaps that name cases",
                seen: "there is no case \(unknown.name)"
            )
        }
        guard let gap = knownGaps.first(where: { $0.name == example.name }) else { return try await attempt(example) }
        guard gap.isRun else { return }
        do {
            try await attempt(example)
        } catch is ConformanceFailure {
            return
        }
        throw ConformanceFailure(example, expected: "to fail, as the gap says: \(gap.reason)", seen: "it passes now")
    }

    private func attempt(_ example: Case) async throws {
        let bench = try makeBench()
        // Also what a case that took too long still holds ends with this.
        defer { bench.close() }
        do {
            try await withTimeLimit(timeLimit) { try await example.body(bench) }
        } catch let error as Disagreement {
            throw ConformanceFailure(example, expected: error.expected, seen: error.seen)
        } catch is TimeLimitExceeded {
            throw ConformanceFailure(example, expected: "an end within \(timeLimit)", seen: "it goes on")
        } catch  where !Task.isCancelled {
            throw ConformanceFailure(example, expected: example.summary, seen: "it threw \(String(reflecting: error))")
        }
    }
}
