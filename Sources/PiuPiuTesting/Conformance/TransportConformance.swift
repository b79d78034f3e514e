import PiuPiuAsync

/// The requirements for every `HTTPTransport`, as a list of named cases that a test runs one by one.
///
/// The suite includes its own server and needs no test framework. In Swift Testing, one parameterized test is enough:
///
/// ```swift
/// @Suite(.serialized)
/// struct TransportTests {
///     let suite = TransportConformance { try SocketTransport(configuration: $0) }
///
///     @Test(arguments: TransportConformance.cases)
///     func conforms(_ example: TransportConformance.Case) async throws {
///         try await suite.run(example)
///     }
/// }
/// ```
///
/// Replace `SocketTransport` with your transport, and run the cases one after the other, as `.serialized` does, because
/// some of them measure time. If the transport is known to fail a case, list the case in ``knownGaps`` with the reason.
/// The suite reports a gap that no longer exists as a failure, so that the list stays correct.
///
/// For a transport that needs no network, such as a mock, provide your own ``ConformancePeer``, and run only the cases
/// of the kind `Case.Kind.semantics`.
public struct TransportConformance: Sendable {
    /// A case that a transport is known to fail.
    public struct Gap: Sendable, Hashable {
        /// The `Case.name` of the case.
        public var name: String
        /// The reason why the transport fails.
        public var reason: String
        /// Whether the case is run and has to fail; otherwise it is skipped.
        ///
        /// Skip only cases that end the process or fail intermittently.
        public var isRun: Bool

        /// Creates a gap.
        ///
        /// - Parameters:
        ///   - name: The name of the case.
        ///   - reason: The reason why the transport fails.
        ///   - isRun: Whether the case is run and has to fail.
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

    /// The cases that the transport is known to fail.
    public let knownGaps: [Gap]
    /// The maximum duration of a case.
    public let timeLimit: Duration
    private let makeBench: @Sendable () throws -> ConformanceBench

    /// Creates a suite for a transport that uses the network.
    ///
    /// The transport sends requests to `http` URLs of 127.0.0.1, where a `LoopbackServer` listens.
    ///
    /// - Parameters:
    ///   - knownGaps: The cases that the transport is known to fail.
    ///   - timeLimit: The maximum duration of a case. Most cases take milliseconds, and none takes longer than about two
    ///     seconds, unless the machine is very busy.
    ///   - makeTransport: Creates a transport. The suite calls it at least once in each case, with configurations that may
    ///     differ.
    public init(
        knownGaps: [Gap] = [],
        timeLimit: Duration = .seconds(300),
        makeTransport: @escaping @Sendable (_ configuration: TransportConfiguration) throws -> any HTTPTransport
    ) {
        self.init(peer: LoopbackPeer.init, knownGaps: knownGaps, timeLimit: timeLimit) { configuration, _ in
            try makeTransport(configuration)
        }
    }

    /// Creates a suite for a transport that communicates with its own peer.
    ///
    /// - Parameters:
    ///   - makePeer: Creates a peer. The suite calls it once in each case.
    ///   - knownGaps: The cases that the transport is known to fail.
    ///   - timeLimit: The maximum duration of a case.
    ///   - makeTransport: Creates a transport that communicates with the peer. The suite calls it at least once in each case.
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
    /// - Throws: ``ConformanceFailure`` if the transport fails, if it passes despite a known gap, if a known gap names
    ///   no case, or if the case takes too long; `CancellationError` if the task is cancelled; the errors of the
    ///   closures passed to the initializer.
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
        // This also ends everything that is still running in a case that took too long.
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
