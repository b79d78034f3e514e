/// A credential for one request.
struct AuthenticationLease<Credential> {
    let credential: Credential
    /// The number of the credential's generation.
    let generation: Int
}

extension AuthenticationLease: Sendable where Credential: Sendable {}

/// The logic of an ``AuthenticationPolicy``: which credential a request uses, and when a refresh starts.
///
///     missing ── request ──▶ refreshing ── success ──▶ usable ── renewal is due ──▶ usable, renewing
///        ▲                    ▲      │                   │  ▲                          │    │
///        └───── failure ──────┼──────┘                   │  └── success, or failure ───┘    │
///                             └── refused or expired ────┴────────── refused or expired ────┘
///
/// - At most one refresh runs. It ends once: with a credential, an error, or at its time limit, which is an error, too.
/// - Each success starts a generation. A request that was refused with an older generation uses the current one.
/// - The machine owns waiters until an action returns them. It returns each once: when the refresh ends, or when the waiter is
///   cancelled, which leaves the refresh running.
/// - A failure returns all waiters and drops the credential, unless the credential is still usable (then nothing waits). A
///   dropped credential is never used again, but the next refresh receives it: it may contain the refresh token.
/// - If a request was sent with the dropped credential and is refused after the failure, it fails with the same error. Only a
///   request that arrives after the failure starts another refresh.
/// - Setting a credential from outside starts a generation, too. The running refresh is over: the machine ignores its result,
///   and its waiters get the new credential.
/// - Removing the credential leads to `missing` and ends the refresh, too. Its waiters fail, and so do requests that were sent
///   before and are refused later, even if another credential is set in the meantime, which may be another user's.
///
/// There are therefore never more refreshes than requests that arrive while none runs, and never two at once.
struct AuthenticationMachine<Credential, Waiter> {
    typealias Instant = ContinuousClock.Instant

    typealias Lease = AuthenticationLease<Credential>

    /// A request's need.
    enum Demand {
        /// A credential for a request that was not sent yet.
        case first
        /// Another credential, because the server refused the one of a generation.
        case again(after: Int)
    }

    /// A refresh to start.
    struct Refresh {
        let number: Int
        /// The last credential, which may have been dropped.
        let old: Credential?
    }

    enum Answer {
        /// Use the credential, and start the refresh, if any.
        case use(Lease, Refresh?)
        /// Fail with the error of the refresh that this request shares.
        case fail(any Error)
        /// Wait for a refresh, with ``wait(_:id:for:at:)``.
        case wait
    }

    enum WaitAction {
        /// The waiter was added; start the refresh, if any.
        case wait(Refresh?)
        /// There is no reason to wait any more.
        case resume(Waiter, Result<Lease, any Error>, Refresh?)
    }

    private enum Condition {
        /// There is no credential yet, or it was dropped.
        case missing
        case usable
        /// The server refused the credential.
        case refused
    }

    private var condition: Condition
    private var credential: Credential?
    private(set) var generation = 0
    private var expiresAt: Instant?
    private var renewsAt: Instant?
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    /// The number of the running refresh; `nil` if none runs.
    private(set) var refreshNumber: Int?
    private var lastRefresh = 0
    private var lastSuccess = 0
    /// The error with which the credential was dropped.
    private var failure: (any Error)?
    /// The first generation after the last removal; requests of older generations get no other credential.
    private var oldestGeneration = 0
    /// The last waiter that got its number before the removal.
    private var lastRemovedWaiter = 0
    /// A credential from outside a refresh, until its lifetime is known.
    private(set) var unmeasured: Credential?

    private let margin: Duration
    private let hasLifetimes: Bool

    /// The shortest time between two renewals after a failure.
    static var shortestPause: Duration { .seconds(1) }
    /// The maximum lifetime; longer ones are limited to it.
    static var longest: Duration { .seconds(1_000_000_000) }

    /// Creates a machine.
    ///
    /// - Parameters:
    ///   - credential: The first credential; `nil` if a refresh has to get it.
    ///   - margin: The time before its expiry at which a credential is renewed; a negative margin counts as zero.
    ///   - hasLifetimes: Whether credentials expire.
    init(credential: Credential?, margin: Duration = .zero, hasLifetimes: Bool = false) {
        self.credential = credential
        condition = credential == nil ? .missing : .usable
        unmeasured = hasLifetimes ? credential : nil
        self.hasLifetimes = hasLifetimes
        self.margin = min(max(.zero, margin), Self.longest)
    }

    /// The number of waiters.
    var waiterCount: Int { waiters.count }

    // MARK: Requests

    /// Answers a request.
    mutating func lease(_ demand: Demand, at now: Instant) -> Answer {
        if case .again(let refused) = demand, refused < oldestGeneration {
            return .fail(AuthenticationError(.credentialRemoved))
        }
        if case .again(let refused) = demand, refused == generation, condition == .usable { condition = .refused }
        if condition == .usable, let credential, !isOver(expiresAt, at: now) {
            let isDue = renewsAt != nil && isOver(renewsAt, at: now)
            return .use(Lease(credential: credential, generation: generation), isDue ? begin() : nil)
        }
        if case .again = demand, refreshNumber == nil, condition == .missing, let failure { return .fail(failure) }
        return .wait
    }

    /// Whether the credential was removed after a generation had started.
    func wasRemoved(_ generation: Int) -> Bool { generation < oldestGeneration }

    /// Returns an identifier for a waiter.
    mutating func newWaiter() -> Int {
        lastWaiter &+= 1
        return lastWaiter
    }

    /// Adds a waiter, if there is still a reason to wait.
    mutating func wait(_ waiter: Waiter, id: Int, for demand: Demand, at now: Instant) -> WaitAction {
        if id <= lastRemovedWaiter {
            return .resume(waiter, .failure(AuthenticationError(.credentialRemoved)), nil)
        }
        switch lease(demand, at: now) {
        case .use(let lease, let refresh): return .resume(waiter, .success(lease), refresh)
        case .fail(let error): return .resume(waiter, .failure(error), nil)
        case .wait:
            waiters[id] = waiter
            return .wait(begin())
        }
    }

    /// Removes a cancelled waiter; the refresh continues, even without waiters.
    mutating func cancel(_ id: Int) -> Waiter? {
        waiters.removeValue(forKey: id)
    }

    /// Records that the server refused a generation, for a request that cannot be sent again.
    mutating func refuse(_ refused: Int) {
        if refused == generation, condition == .usable { condition = .refused }
    }

    // MARK: The refresh

    private mutating func begin() -> Refresh? {
        guard refreshNumber == nil else { return nil }
        lastRefresh &+= 1
        refreshNumber = lastRefresh
        return Refresh(number: lastRefresh, old: credential)
    }

    /// Ends a refresh with a credential, and returns the waiters in their order.
    ///
    /// A refresh that reached its time limit may still succeed. The machine uses its credential unless another refresh has
    /// started since: the server may have replaced the refresh token.
    mutating func succeed(
        _ number: Int,
        with new: Credential,
        lifetime: Duration?,
        at now: Instant
    ) -> (waiters: [Waiter], lease: Lease)? {
        guard number == lastRefresh, number != lastSuccess else { return nil }
        refreshNumber = nil
        lastSuccess = number
        credential = new
        condition = .usable
        generation &+= 1
        failure = nil
        unmeasured = nil
        setLifetime(lifetime, at: now)
        return (takeWaiters(), Lease(credential: new, generation: generation))
    }

    /// Ends a refresh with an error, and returns the waiters in their order.
    mutating func fail(_ number: Int, with error: any Error, at now: Instant) -> [Waiter] {
        guard number == refreshNumber else { return [] }
        refreshNumber = nil
        if condition == .usable, let expiresAt, !isOver(expiresAt, at: now) {
            // The renewal failed before the expiry. The next chance is after half of the remaining time.
            renewsAt = now.advanced(by: max(now.duration(to: expiresAt) / 2, Self.shortestPause))
        } else {
            condition = .missing
            failure = error
        }
        return takeWaiters()
    }

    // MARK: From outside

    /// Replaces the credential, ends the refresh, and returns the waiters in their order.
    mutating func set(_ new: Credential) -> (waiters: [Waiter], lease: Lease) {
        reset(to: new)
        return (takeWaiters(), Lease(credential: new, generation: generation))
    }

    /// Removes the credential, ends the refresh, and returns the waiters in their order, which all fail.
    mutating func remove() -> [Waiter] {
        reset(to: nil)
        oldestGeneration = generation
        lastRemovedWaiter = lastWaiter
        return takeWaiters()
    }

    private mutating func reset(to new: Credential?) {
        refreshNumber = nil
        // Ignore a later result of the refresh.
        lastSuccess = lastRefresh
        generation &+= 1
        credential = new
        condition = new == nil ? .missing : .usable
        failure = nil
        unmeasured = hasLifetimes ? new : nil
        (expiresAt, renewsAt) = (nil, nil)
    }

    private mutating func takeWaiters() -> [Waiter] {
        defer { waiters = [:] }
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Expiry

    /// Sets the lifetime of a credential from outside a refresh; its first request determines it.
    mutating func measure(_ lifetime: Duration?, of measured: Int = 0, at now: Instant) {
        guard unmeasured != nil, measured == generation else { return }
        unmeasured = nil
        setLifetime(lifetime, at: now)
    }

    private mutating func setLifetime(_ lifetime: Duration?, at now: Instant) {
        guard let lifetime, lifetime < Self.longest else {
            (expiresAt, renewsAt) = (nil, nil)
            return
        }
        let rest = max(.zero, lifetime)
        expiresAt = now.advanced(by: rest)
        // Don't renew a credential in the first half of its life: otherwise, a short-lived one would be renewed all the time.
        renewsAt = now.advanced(by: max(rest - margin, rest / 2))
    }

    private func isOver(_ instant: Instant?, at now: Instant) -> Bool {
        instant.map { now >= $0 } ?? false
    }
}

extension AuthenticationMachine: Sendable where Credential: Sendable, Waiter: Sendable {}
extension AuthenticationMachine.Refresh: Sendable where Credential: Sendable {}
extension AuthenticationMachine.Answer: Sendable where Credential: Sendable {}
extension AuthenticationMachine.WaitAction: Sendable where Credential: Sendable, Waiter: Sendable {}
