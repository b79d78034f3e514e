/// A call of a dispatcher: what its requests share on their way through the interceptors to the transport and back.
///
///     begun ── attempt 1 ── attempt 2 ── … ──▶ ended, once: with a response, an error or a cancellation
///
/// - The dispatcher makes the call before anything else happens, and ends it. Every ``TransportRequest`` has one: a request
///   that an interceptor creates begins a call of its own.
/// - What the call began with never changes. A request that gets other limits on the way keeps them to itself.
/// - Attempts are only added. What happens within the call happens one after the other; work that runs beside it, or for
///   several calls, is a ``fork()``, and whoever forked it takes its attempts over when it ends.
/// - Cancelling a call cancels the task in which it runs. The call keeps no task and nothing that waits, so that it can be
///   kept as long as its requests are.
final class Call: Sendable {
    /// What the call began with.
    let terms: Terms
    /// What the call was made for.
    let context: Context
    /// The attempts; empty as long as there is only the first.
    ///
    /// Under the lock that the call shares with others, which makes `nonisolated(unsafe)` sound.
    private nonisolated(unsafe) var made: [Attempt]
    /// Whether a policy gave up because a further attempt would end after the deadline, under the same lock.
    private nonisolated(unsafe) var isShort = false
    /// How often the transport sent a request again that was not processed, under the same lock.
    private nonisolated(unsafe) var restarts: Restarts
    /// How many of them were made before the fork.
    private let inheritedCount: Int
    /// The URL that was parsed last, under the same lock; `nil` if no policy asked for it.
    private nonisolated(unsafe) var parsed: Parsed?

    /// Begins a call, in the context of the current task.
    ///
    /// - Parameter terms: What it begins with.
    init(_ terms: Terms) {
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

    /// Returns what a URL says, which is parsed once for all policies and the transport.
    ///
    /// - Parameters:
    ///   - url: The URL, which redirects and adapters may change on the way.
    ///   - keeping: Whether it is likely to be asked for again.
    /// - Returns: The target.
    /// - Throws: Why nothing can be sent there.
    func target(of url: URL, keeping: Bool) throws(RequestTarget.Refusal) -> RequestTarget {
        if let parsed = LockStripes.withLock(of: self, { parsed }), parsed.url == url { return parsed.target }
        let target = try RequestTarget(url)
        guard keeping else { return target }
        let new = Parsed(url, target)
        // The one before is released outside the lock.
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

    /// The attempt that is under way, without creating the list.
    var attempt: Attempt { LockStripes.withLock(of: self) { made.last ?? .first } }

    /// The attempts, if there were several.
    var severalAttempts: [Attempt]? {
        let made = LockStripes.withLock(of: self) { self.made }
        return made.count > 1 ? made : nil
    }

    /// Begins another attempt.
    ///
    /// - Parameter cause: Why it is made.
    func begin(_ cause: Attempt.Cause) {
        LockStripes.withLock(of: self) { made.begin(cause) }
    }

    /// Whether more time would have allowed a further attempt.
    var lacksTime: Bool { LockStripes.withLock(of: self) { isShort } }

    /// Records that only the deadline forbids a further attempt.
    func giveUpForLackOfTime() {
        LockStripes.withLock(of: self) { isShort = true }
    }

    /// Decides whether the transport sends a request of the call again, and counts that.
    ///
    /// - Parameter cause: Why its server has not processed it.
    /// - Returns: How it is sent again; `nil` if that is for a policy to decide.
    func restart(after cause: Restarts.Cause) -> Restarts.Plan? {
        let fraction = Double.random(in: 0...1)
        return LockStripes.withLock(of: self) { restarts.next(after: cause, fraction: fraction) }
    }

    /// Makes a call for work that runs beside this one.
    ///
    /// - Parameter work: What several calls wait for; `nil` if only this one does.
    /// - Returns: The call, with the attempts that were made before.
    func fork(for work: Work? = nil) -> Call {
        var terms = terms
        // Several calls have several reporters.
        if work != nil, terms.reporter != nil { terms.reporter = nil }
        let (made, restarts) = LockStripes.withLock(of: self) { (self.made, self.restarts) }
        return Call(terms, work.map(context.within) ?? context, made, restarts)
    }

    /// Makes a call with attempts of its own, for another request with the same limits.
    func anew() -> Call { Call(terms, context, []) }

    /// The call for those that keep it only to describe it, with other terms.
    func describing(_ terms: Terms) -> Call { Call(terms, context, LockStripes.withLock(of: self) { made }) }

    /// Adds the attempts and restarts that a fork made.
    ///
    /// - Parameter fork: The fork, of this call or another one.
    func add(attemptsOf fork: Call) {
        for attempt in fork.attempts.dropFirst(fork.inheritedCount) { begin(attempt.cause) }
        let added = LockStripes.withLock(of: fork) { fork.restarts }
        LockStripes.withLock(of: self) { restarts.add(added) }
    }
}

extension Call {
    /// What a request is sent with, besides its method, URL, header fields and body in memory.
    struct Terms: Sendable {
        var options: RequestOptions
        var deadline: ContinuousClock.Instant?
        /// When the call began; `nil` if no dispatcher made it.
        var beganAt: ContinuousClock.Instant?
        var body: RequestBody?
        var reporter: TransferReporter?
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

    /// Work in which calls can be made, and for which other calls wait: a refresh of a credential, or a shared exchange.
    struct Work: Sendable {
        /// The identity of a policy, which keeps no policy alive, but its address from being another's.
        final class Owner: Sendable {
            package init() {}
        }

        /// The policy.
        let owner: Owner
        /// The number that the policy gave the work.
        let number: Int
        /// Whether calls in it may wait for the exchange of another call, which may itself wait for the work.
        let sharesExchanges: Bool

        package init(owner: Owner, number: Int, sharesExchanges: Bool) {
            self.owner = owner
            self.number = number
            self.sharesExchanges = sharesExchanges
        }
    }

    /// What a call was made for.
    struct Context: Sendable {
        /// Whether another origin named the target, as that of the first page names the next.
        ///
        /// For the transport, that is like a redirect from another origin: it does not lead into a Unix socket.
        var isForeign = false
        /// Whether no redirect may lead to another origin, which would get the body, or give the answer.
        var staysAtOrigin = false
        /// The work that the call is a part of, outermost first.
        var work: [Work] = []

        /// The context inside a piece of work.
        ///
        /// Where a refresh leads was named by the program, whatever request was the first to need it.
        func within(_ work: Work) -> Context {
            Context(isForeign: isForeign && work.sharesExchanges, work: self.work + [work])
        }

        /// Whether a call is part of a piece of work.
        func isPart(of number: Int, of owner: Work.Owner) -> Bool {
            work.contains { $0.owner === owner && $0.number == number }
        }

        /// Whether a call may share an exchange without the risk that it waits for itself.
        func mayShare(in owner: Work.Owner) -> Bool {
            work.allSatisfy { $0.sharesExchanges && $0.owner !== owner }
        }
    }

    /// The context of the calls that the current task makes.
    ///
    /// The only thing about calls that is in a task: between this library and the next call is code of users, such as a
    /// function that refreshes a credential, or a dispatcher of theirs around another one.
    @TaskLocal static var current = Context()

    /// Runs a function in a piece of work; tasks that it creates belong to the work.
    static func inside<Result>(_ work: Work, _ body: () -> Result) -> Result {
        $current.withValue(current.within(work), operation: body)
    }

    /// Runs a function whose calls stay at their origin.
    static func stayingAtOrigin<Result>(_ body: () async throws -> Result) async throws -> Result {
        var context = current
        context.staysAtOrigin = true
        return try await $current.withValue(context, operation: body)
    }

    /// Runs a function whose calls may lead where another origin said.
    static func leading<Result>(
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
