#if os(Linux)
import PiuPiuAsync

/// Prints findings, not too many of the same.
final class Reporter: Sendable {
    private let counts = Locked<[String: Int]>([:])
    private let refusals = Locked<[String: Int]>([:])
    /// Whether more than twenty findings are printed.
    private let printsAll: Bool

    /// Creates a reporter.
    init(printsAll: Bool) {
        self.printsAll = printsAll
    }

    /// Notes that a legal response was refused.
    func noteRefusal(_ reason: String) {
        refusals.withLock { $0[reason, default: 0] += 1 }
    }

    /// Prints why legal responses were refused, the most frequent reasons first.
    func printRefusals() {
        let reasons = refusals.withLock { $0 }.sorted { $0.value > $1.value }
        for (reason, count) in reasons.prefix(12) { print("# legal, but refused: \(count) × \(reason)") }
        fflush(nil)
    }

    /// Prints a finding.
    ///
    /// - Parameters:
    ///   - finding: What happened.
    ///   - context: Where it happened, a line for each detail.
    func report(_ finding: Finding, _ context: [String]) {
        let group = finding.kind.rawValue + finding.text.filter { !$0.isNumber }
        let (same, all) = counts.withLock {
            $0[group, default: 0] += 1
            return ($0[group, default: 0], $0.values.reduce(0) { $0 + min($1, 3) })
        }
        guard same <= 3, all <= 20 || printsAll else { return }
        print((["", "FINDING \(finding.kind): \(finding.text)"] + context).joined(separator: "\n"))
        fflush(nil)
    }
}

/// One exchange after the other on a dispatcher, each judged.
final class Lane: FuzzLane {
    private let index: Int
    private let seed: UInt64
    private let server: RawServer
    private let client: Client
    private let progress: Progress?
    private let reporter: Reporter
    private let current = Locked(LaneActivity())
    private let restrictions: Plan.Restrictions

    var activity: LaneActivity { current.withLock { $0 } }
    var dispatcher: URLRequestDispatcher { client.dispatcher }

    /// Creates a lane.
    init(
        index: Int,
        seed: UInt64,
        restrictions: Plan.Restrictions,
        server: RawServer,
        client: Client,
        progress: Progress?,
        reporter: Reporter
    ) {
        self.index = index
        self.restrictions = restrictions
        self.seed = seed
        self.server = server
        self.client = client
        self.progress = progress
        self.reporter = reporter
    }

    /// Does what a number stands for.
    @discardableResult
    func run(number: Int) async -> Finding.Kind? {
        await run(Plan(number: number, seed: seed, restrictions))
    }

    /// Makes a plan's call, and a plain one if something may be left of it.
    ///
    /// - Returns: What was found first; `nil` for nothing.
    @discardableResult
    func run(_ plan: Plan) async -> Finding.Kind? {
        let exchange = Exchange(id: plan.id, plan: plan)
        let result = await call(exchange, plan) { await client.perform(plan) }
        progress?.count(index, result.name)
        var finding = Oracle.judge(result, exchange, decodes: plan.way != .download)
        if finding == nil, plan.isLegal, case .failure(let error) = result {
            let details = (error as? TransportError)?.debugDescription ?? "\(error)"
            finding = Finding(kind: .refused, text: details)
        }
        if let finding { report(finding, plan, [exchange], result) }
        countRefusal(result, exchange, plan)
        await settle(exchange, plan)
        guard !exchange.isClean || finding != nil || plan.number % 8 == 0 else { return nil }
        let later = await runPlainly(after: plan, exchange)
        return finding?.kind ?? later
    }

    /// Makes a plain call.
    ///
    /// - Parameters:
    ///   - plan: What came before it.
    ///   - earlier: What was sent then.
    /// - Returns: What was found; `nil` if it had its answer.
    func runPlainly(after plan: Plan, _ earlier: Exchange? = nil) async -> Finding.Kind? {
        let exchange = Exchange(id: plan.id + 1, plan: nil)
        let result = await call(exchange, plan) { await client.askPlainly(id: exchange.id) }
        var finding = Oracle.judge(result, exchange, decodes: true)
        if finding == nil, case .failure(let error) = result {
            let details = (error as? TransportError)?.debugDescription ?? "\(error)"
            finding = Finding(kind: .spoiled, text: details)
        }
        if let found = finding {
            finding = Finding(kind: found.kind, text: "the good request after it: \(found.text)")
        }
        if let finding { report(finding, plan, [earlier, exchange].compactMap(\.self), result) }
        return finding?.kind
    }

    private func call(_ exchange: Exchange, _ plan: Plan, _ body: () async -> CallResult) async -> CallResult {
        server.registry.add(exchange)
        let context: @Sendable () -> [String] = { [seed] in
            ["# seed \(seed), number \(plan.number), \(plan.origin)", Script.text(of: plan)]
        }
        current.withLock { $0 = LaneActivity(context: context) }
        let result = await body()
        current.withLock { $0.context = nil }
        server.registry.remove(exchange)
        return result
    }

    /// Waits until nothing more comes for an exchange that left its connection in doubt.
    ///
    /// No client can tell what comes late from the answer to its next request. A call that failed may have left its connection
    /// open, too: its response may have been whole before it was cancelled, or whole but not acceptable.
    private func settle(_ exchange: Exchange, _ plan: Plan) async {
        guard !exchange.isClean, server.isBehindRelay || plan.cuts.count > 1 || plan.bytes.count > 8192 else { return }
        // Nothing tells when the system has sent it, so this looks again and again. No verdict depends on the time, but
        // behind a relay: bytes that it holds up for longer than the pause below would be taken for the next answer's.
        for _ in 0..<4000 where exchange.attempts.contains(where: { !$0.isSettled }) {
            try? await Task.sleep(for: .microseconds(500))
        }
        try? await Task.sleep(for: server.isBehindRelay ? .milliseconds(20) : .milliseconds(1))
    }

    private func countRefusal(_ result: CallResult, _ exchange: Exchange, _ plan: Plan) {
        guard case .failure(let error) = result, error is TransportError, let last = exchange.attempts.last,
            case .complete(let message) = Reference.read(
                last.bytes,
                isHead: last.isHead,
                end: last.end,
                decodes: plan.way != .download
            ), message.fields != nil, message.end == last.bytes.count
        else { return }
        progress?.countRefusal(index)
        let details = (error as? TransportError)?.underlyingDescription ?? ""
        let entry = plan.isMutated ? "" : " (\(plan.origin))"
        reporter.noteRefusal("\(result.name) \(details.filter { !$0.isNumber && !$0.isNewline })\(entry)")
    }

    private func report(_ finding: Finding, _ plan: Plan, _ exchanges: [Exchange], _ result: CallResult) {
        progress?.count(index, finding.kind)
        let attempts = exchanges.flatMap(\.attempts).map {
            "\($0.path) \($0.sent) of \($0.bytes.count) bytes, then \($0.end)"
        }
        var body = ""
        if case .success(let head, let path, let bytes?) = result {
            body = "\(head?.statusCode.rawValue ?? 0) from \(path), "
            body += Escaping.lines(bytes.prefix(300), id: plan.id).prefix(6).joined(separator: " ")
        }
        reporter.report(
            finding,
            [
                "# seed \(seed), number \(plan.number), \(plan.origin); sent: \(attempts.joined(separator: "; "))",
                "# the caller got \(result.name) \(body)",
                Script.text(of: plan),
            ]
        )
    }
}
#endif
