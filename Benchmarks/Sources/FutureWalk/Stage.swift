import PiuPiuFutures

/// What one walk controls and observes: where its futures wait, what their handlers were told, and what is still alive.
final class Stage: Sendable {
    /// What the sources of all walks succeed with.
    static let value = 7
    /// What the futures that are joined to them succeed with.
    static let otherValue = 2

    /// The gate at which the source waits.
    let gate = Gate()
    /// The gate at which the future that an operator adds waits.
    let otherGate = Gate()
    /// Whether the source fails.
    let fails: Bool
    /// How often a completion handler ran.
    let completions = Tally()
    private let made = Tally()
    private let released = Tally()
    private let kept = Locked<[any Sendable]>([])
    private let events = Locked<[String]>([])
    private let sources = Locked<[@Sendable () -> Void]>([])

    init(fails: Bool = false) {
        self.fails = fails
    }

    /// What the handlers were told, in order.
    var log: [String] { events.withLock { $0 } }

    // MARK: Futures

    /// A future that waits at the gate.
    func source() -> ResponseFuture<Int> {
        let token = token()
        let future = ResponseFuture<Int> { [gate, fails] () async throws in
            _ = token
            try await gate.wait()
            if fails { throw WalkError() }
            return Self.value
        }
        onCancelSource { [weak future] in future?.cancel() }
        return future
    }

    /// A future for an operator to add, which waits at the other gate.
    func other() -> ResponseFuture<Int> {
        let token = token()
        return ResponseFuture<Int> { [otherGate] () async throws in
            _ = token
            try await otherGate.wait()
            return Self.otherValue
        }
    }

    /// A future for an operator to add, which fails.
    func failingOther() -> ResponseFuture<Int> {
        other().then { _ in throw WalkError() }
    }

    /// Says what ``cancelSource()`` does.
    func onCancelSource(_ cancel: @escaping @Sendable () -> Void) {
        sources.withLock { $0.append(cancel) }
    }

    /// Cancels the innermost future.
    func cancelSource() {
        for cancel in sources.withLock({ $0 }) { cancel() }
    }

    // MARK: Handlers

    /// Sets every handler of a future.
    func watch<Success: Sendable>(_ future: ResponseFuture<Success>) -> ResponseFuture<Success> {
        let token = token()
        return
            future
            .updated { [self] _ in
                _ = token
                add("updated")
            }
            .success { [self] _ in
                _ = token
                add("success")
            }
            .error { [self] _ in add("error") }
            .cancellation { [self] in add("cancellation") }
            .completion { [self] in
                _ = token
                add("completion")
                completions.add()
            }
    }

    private func add(_ event: String) {
        events.withLock { $0.append(event) }
    }

    // MARK: What is alive

    /// Something that counts until it is released.
    func token() -> Token {
        made.add()
        return Token(released)
    }

    /// Keeps something alive until ``letGo()``, such as a dispatcher, which futures do not keep alive.
    func keep(_ object: any Sendable) {
        kept.withLock { $0.append(object) }
    }

    /// Releases what it kept.
    func letGo() {
        let objects = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        withExtendedLifetime(objects) {}
    }

    /// Lets everything end, and returns when all tokens are released.
    func close() async {
        gate.open()
        otherGate.open()
        letGo()
        await released.reach(made.count)
    }
}

/// Counts when it is released.
final class Token: Sendable {
    private let released: Tally

    fileprivate init(_ released: Tally) {
        self.released = released
    }

    deinit {
        released.add()
    }
}

/// What sources fail with.
struct WalkError: Error {}
