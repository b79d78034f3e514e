#if os(Linux)
import PiuPiuAsync

/// A dispatcher that gets groups of responses over HTTP/2, one group after the other.
final class FrameLane: FuzzLane {
    private let index: Int
    private let seed: UInt64
    private let server: FrameServer
    private let client: FrameClient
    private let progress: Progress?
    private let reporter: Reporter
    private let current = Locked(LaneActivity())

    var activity: LaneActivity { current.withLock { $0 } }
    var dispatcher: URLRequestDispatcher { client.dispatcher }

    init(index: Int, seed: UInt64, server: FrameServer, progress: Progress?, reporter: Reporter) throws {
        self.index = index
        self.seed = seed
        self.server = server
        client = try FrameClient(server)
        self.progress = progress
        self.reporter = reporter
    }

    /// Runs a group of requests at once, then a plain one.
    @discardableResult
    func run(number: Int) async -> Finding.Kind? {
        let plans = FramePlan.plans(group: number, seed: seed)
        current.withLock { [seed] in
            $0 = LaneActivity { ["# seed \(seed), number \(number)"] + plans.map(\.text) }
        }
        defer { current.withLock { $0.context = nil } }
        let exchanges = plans.map { FrameExchange(id: $0.id, plan: $0) }
        for exchange in exchanges { server.add(exchange) }
        let results = await withTaskGroup { group in
            for (place, plan) in plans.enumerated() {
                group.addTask { [client] in (place, await client.perform(plan)) }
            }
            return await group.reduce(into: [Int: CallResult]()) { $0[$1.0] = $1.1 }
        }
        var found: Finding.Kind?
        for (place, exchange) in exchanges.enumerated() {
            guard let result = results[place] else { continue }
            progress?.count(index, result.name)
            guard let finding = FrameOracle.judge(result, exchange, server) else { continue }
            found = found ?? finding.kind
            report(finding, number, result, exchange, exchanges, plans)
        }
        // What the server still sends for this group would meet the next one. Looking again each millisecond is enough here: no
        // verdict depends on it.
        for _ in 0..<200 where exchanges.contains(where: \.isUnfinished) {
            try? await Task.sleep(for: .milliseconds(1))
        }
        let later = plans.contains(where: \.isMutated) || number % 8 == 0 ? await runPlainly(number, plans) : nil
        for exchange in exchanges { server.remove(exchange) }
        return found ?? later
    }

    /// A request that has to succeed, although the first connection it gets may be the one that is about to end.
    private func runPlainly(_ number: Int, _ plans: [FramePlan]) async -> Finding.Kind? {
        let exchange = FrameExchange(id: FramePlan.plainID(after: number), plan: nil)
        server.add(exchange)
        defer { server.remove(exchange) }
        var result = await client.askPlainly(exchange.id)
        for _ in 0..<3 {
            guard case .failure = result else { break }
            // A request that did not arrive met the end of its connection.
            let isSpoiled = exchange.attempts.allSatisfy {
                server.sent($0).reader.verdict != .sound || server.sent($0).isClosed
            }
            guard isSpoiled else { break }
            result = await client.askPlainly(exchange.id)
        }
        var finding = FrameOracle.judge(result, exchange, server)
        if finding == nil, case .failure(let error) = result {
            finding = Finding(kind: .spoiled, text: (error as? TransportError)?.debugDescription ?? "\(error)")
        }
        guard let finding else { return nil }
        let text = "the good request after it: \(finding.text)"
        report(Finding(kind: finding.kind, text: text), number, result, exchange, [exchange], plans)
        return finding.kind
    }

    private func report(
        _ finding: Finding,
        _ number: Int,
        _ result: CallResult,
        _ exchange: FrameExchange,
        _ exchanges: [FrameExchange],
        _ plans: [FramePlan]
    ) {
        progress?.count(index, finding.kind)
        let attempts = exchanges.flatMap { exchange in
            exchange.attempts.map { attempt in
                let reader = server.sent(attempt).reader
                let state = reader.streams[attempt.stream]
                return "\(exchange.id): connection \(attempt.connection), \(reader.verdict), last stream "
                    + "\(reader.lastStream.map(String.init) ?? "-"); stream \(attempt.stream), "
                    + "\(state?.isComplete == true ? "complete" : "not complete"), \(state?.fault ?? "no fault")"
            }
        }
        let lines = ["# seed \(seed), number \(number), request \(exchange.id); the caller got \(result.name)"]
        reporter.report(finding, lines + attempts.map { "# \($0)" } + plans.map(\.text))
    }
}
#endif
