/// A call of a dispatcher: the state that its requests share on the way through the interceptors to the transport and back.
///
///     begun ── attempt 1 ── attempt 2 ── … ──▶ ended, once: with a response, an error or a cancellation
///
/// - The dispatcher creates the call before anything else happens, and ends it. Every ``TransportRequest`` has one: a request
///   that an interceptor creates begins a new call.
/// - The terms of the call never change. Other limits that a request gets on the way apply to that request only.
/// - Attempts are only added, one after another. Work that runs in parallel to the call, or for several calls, uses a
///   ``fork()``; the creator of the fork adds its attempts to the call when the work ends.
/// - Cancelling a call cancels the task in which it runs. The call keeps no task and no continuation, so its requests can keep
///   it alive.
package final class Call: Sendable {
    /// The terms at the beginning of the call.
    let terms: Terms
    /// The context in which the call was made.
    package let context: Context
    /// The attempts; empty while there is only the first.
    ///
    /// Guarded by the lock that the call shares with others, which makes `nonisolated(unsafe)` sound.
    private nonisolated(unsafe) var made: [Attempt]
    /// Whether a policy gave up because a further attempt would end after the deadline; guarded by the same lock.
    private nonisolated(unsafe) var isShort = false
    /// How often the transport sent an unprocessed request again; guarded by the same lock.
    private nonisolated(unsafe) var restarts: Restarts
    /// The number of attempts before the fork.
    private let inheritedCount: Int
    /// The URL that was parsed last, or `nil` if no policy asked for it; guarded by the same lock.
    private nonisolated(unsafe) var parsed: Parsed?

    /// Begins a call, in the context of the current task.
    package init(_ terms: Terms) {
        self.terms = terms
        context = Self.current
        made = []
        restarts = Restarts()
        inheritedCount = 1
    }

    private init(_ terms: Terms, _ context: Context, _ inherited: [Attempt], _ restarts: Restarts = Restarts()) {
        self.terms = terms
        self.context = context
        self.restarts = restarts
        made = inherited
        inheritedCount = max(1, inherited.count)
    }

    // MARK: The target

    private final class Parsed: Sendable {
        let url: URL
        let target: RequestTarget

        init(_ url: URL, _ target: RequestTarget) {
            self.url = url
            self.target = target
        }
    }

    /// Returns the target of a URL, which is parsed once for all policies and the transport.
    ///
    /// Redirects and adapters may change the URL on the way. With `keeping`, the target is stored, because it is likely to be
    /// needed again. Throws the reason why nothing can be sent to the URL.
    func target(of url: URL, keeping: Bool) throws(RequestTarget.Refusal) -> RequestTarget {
        if let parsed = LockStripes.withLock(of: self, { parsed }), parsed.url == url { return parsed.target }
        let target = try RequestTarget(url)
        guard keeping else { return target }
        let new = Parsed(url, target)
        // Release the previous value outside the lock.
        let old = LockStripes.withLock(of: self) {
            let old = parsed
            parsed = new
            return old
        }
        withExtendedLifetime(old) {}
        return target
    }

    // MARK: Attempts

    /// The attempts so far, oldest first; never empty.
    var attempts: [Attempt] {
        let made = LockStripes.withLock(of: self) { self.made }
        return made.isEmpty ? [.first] : made
    }

    /// The current attempt, without creating the list.
    package var attempt: Attempt { LockStripes.withLock(of: self) { made.last ?? .first } }

    /// The attempts, if there were several.
    package var severalAttempts: [Attempt]? {
        let made = LockStripes.withLock(of: self) { self.made }
        return made.count > 1 ? made : nil
    }

    /// Begins another attempt.
    func begin(_ cause: Attempt.Cause) {
        LockStripes.withLock(of: self) { made.begin(cause) }
    }

    /// Whether more time would have allowed a further attempt.
    package var lacksTime: Bool { LockStripes.withLock(of: self) { isShort } }

    /// Records that only the deadline prevents a further attempt.
    package func giveUpForLackOfTime() {
        LockStripes.withLock(of: self) { isShort = true }
    }

    /// Decides whether the transport sends a request of the call again, and counts that; `nil` if a policy has to decide.
    func restart(after cause: Restarts.Cause) -> Restarts.Plan? {
        let fraction = Double.random(in: 0...1)
        return LockStripes.withLock(of: self) { restarts.next(after: cause, fraction: fraction) }
    }

    /// Creates a call for work that runs in parallel to this one, with the attempts so far.
    ///
    /// `work` is the work that several calls wait for; `nil` if only this call does.
    package func fork(for work: Work? = nil) -> Call {
        var terms = terms
        // Several calls have several reporters.
        if work != nil, terms.reporter != nil { terms.reporter = nil }
        let (made, restarts) = LockStripes.withLock(of: self) { (self.made, self.restarts) }
        return Call(terms, work.map(context.within) ?? context, made, restarts)
    }

    /// Creates a call with separate attempts, for another request with the same limits.
    package func withNewAttempts() -> Call { Call(terms, context, []) }

    /// Creates a call with other terms, which is kept only to describe this one.
    func describing(_ terms: Terms) -> Call { Call(terms, context, LockStripes.withLock(of: self) { made }) }

    /// Adds the attempts and restarts of a fork, which may be of another call.
    package func add(attemptsOf fork: Call) {
        for attempt in fork.attempts.dropFirst(fork.inheritedCount) { begin(attempt.cause) }
        let added = LockStripes.withLock(of: fork) { fork.restarts }
        LockStripes.withLock(of: self) { restarts.add(added) }
    }
}

extension Call {
    /// The settings of a request, except its method, URL, header fields and body in memory.
    package struct Terms: Sendable {
        var options: RequestOptions
        var deadline: ContinuousClock.Instant?
        /// When the call began; `nil` if no dispatcher made it.
        var beganAt: ContinuousClock.Instant?
        var body: RequestBody?
        var reporter: TransferReporter?
        /// The tunnel to open; `nil` for an ordinary request.
        var tunnel: Tunnel?
        var attemptLimit: AttemptLimit?
        var cookieJars: [ObjectIdentifier] = []

        package init(
            options: RequestOptions,
            deadline: ContinuousClock.Instant? = nil,
            beganAt: ContinuousClock.Instant? = nil,
            body: RequestBody? = nil,
            reporter: TransferReporter? = nil
        ) {
            self.options = options
            self.deadline = deadline
            self.beganAt = beganAt
            self.body = body
            self.reporter = reporter
        }
    }

    /// Work that can make calls, and that other calls wait for: a refresh of a credential, or a shared exchange.
    package struct Work: Sendable {
        /// The identity of a policy, which keeps no policy alive, but its address from being another's.
        package final class Owner: Sendable {
            package init() {}
        }

        /// The policy.
        let owner: Owner
        /// The number that the policy gave the work.
        let number: Int
        /// Whether calls in the work may wait for the exchange of another call, which may itself wait for the work.
        let sharesExchanges: Bool

        package init(owner: Owner, number: Int, sharesExchanges: Bool) {
            self.owner = owner
            self.number = number
            self.sharesExchanges = sharesExchanges
        }
    }

    /// The context in which a call is made.
    package struct Context: Sendable {
        /// Whether another origin named the target, as the first page of a list names the next.
        ///
        /// The transport treats this like a redirect from another origin: it must not lead to a Unix socket.
        var isForeign = false
        /// Whether redirects to another origin are forbidden, because it would get the body or supply the response.
        var staysAtOrigin = false
        /// The work that the call is a part of, outermost first.
        package var work: [Work] = []

        /// Returns the context inside a piece of work.
        ///
        /// The program named the target of a refresh, whichever request was the first to need it.
        func within(_ work: Work) -> Context {
            Context(isForeign: isForeign && work.sharesExchanges, work: self.work + [work])
        }

        /// Whether a call is part of a piece of work.
        package func isPart(of number: Int, of owner: Work.Owner) -> Bool {
            work.contains { $0.owner === owner && $0.number == number }
        }

        /// Whether a call may share an exchange without the risk of waiting for itself.
        package func mayShare(in owner: Work.Owner) -> Bool {
            work.allSatisfy { $0.sharesExchanges && $0.owner !== owner }
        }
    }

    /// The context of the calls that the current task makes.
    ///
    /// Only this value of calls is task-local: code of users runs between this library and the next call, such as a function
    /// that refreshes a credential, or their own dispatcher around another one.
    @TaskLocal static var current = Context()

    /// Runs a function in a piece of work; tasks that it creates belong to the work.
    package static func inside<Result>(_ work: Work, _ body: () -> Result) -> Result {
        $current.withValue(current.within(work), operation: body)
    }

    /// Runs a function whose calls stay at their origin.
    package static func stayingAtOrigin<Result>(_ body: () async throws -> Result) async throws -> Result {
        var context = current
        context.staysAtOrigin = true
        return try await $current.withValue(context, operation: body)
    }

    /// Runs a function whose calls may have targets that another origin named.
    package static func leading<Result>(
        elsewhere isForeign: Bool,
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard isForeign, !current.isForeign else { return try await body() }
        return try await $current.withValue(Context(isForeign: true, work: current.work), operation: body)
    }
}

extension Call: Redacted {
    /// The number of attempts.
    package var shown: KeyValuePairs<String, Any> { ["attempts": attempts.count] }
}
