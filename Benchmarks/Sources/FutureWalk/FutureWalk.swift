import PiuPiuFutures

/// Drops, cancels and sends futures of every operator, at each point of their lives.
///
/// Run it in release configuration: `swift run -c release FutureWalk`. It is a program and not a test, because
/// testability changes what the optimiser does. The last line is "N walks, N failures". The status is 0 if there was no
/// failure. A walk that takes longer than a minute ends the program. The argument `verbose` prints the name of each walk
/// before it begins.
@main
enum FutureWalk {
    static func main() async {
        let watchdog = Watchdog(limit: .seconds(60), isVerbose: CommandLine.arguments.contains("verbose"))
        await run(watchdog)
        try? FileManager.default.removeItem(at: Source.folder)
        for api in PublicAPI.unwalked {
            watchdog.begin(api.rawValue)
            watchdog.fail("nothing walks it")
        }
        print("\(watchdog.count) walks, \(watchdog.failures) failures")
        exit(watchdog.count > 0 && watchdog.failures == 0 ? 0 : 1)
    }

    // Not on the main actor, where the handlers run.
    @concurrent private static func run(_ watchdog: Watchdog) async {
        for statement in PlainStatements.all {
            watchdog.begin(statement.name)
            if let problem = await statement.run() { watchdog.fail(problem) }
        }
        for source in Source.all {
            await walk(source.name, source.features, watchdog) { await source.walk($0, $1) }
            for outer in Operator.all { await walk(outer, over: source, watchdog) }
        }
        for inner in Operator.all {
            for outer in Operator.all { await walk(outer, over: inner.applied(to: .waiting), watchdog) }
        }
        for link in LongChains.operators { await walkLongChain([link], link.name, watchdog) }
        await walkLongChain(LongChains.operators, "all operators in turn", watchdog)
    }

    private static func walkLongChain(_ links: [Operator], _ name: String, _ watchdog: Watchdog) async {
        for treatment in LongChains.Treatment.allCases {
            watchdog.begin("\(name), \(LongChains.length) links: \(treatment)")
            let stage = Stage()
            if let problem = await LongChains.walk(treatment, links, on: stage) { watchdog.fail(problem) }
            await stage.close()
        }
    }

    /// Treats an operator's future in every way.
    private static func walk(_ outer: Operator, over source: Source, _ watchdog: Watchdog) async {
        let name = "\(source.name) . \(outer.name)"
        await walk(name, source.features.union(outer.features), watchdog) { treatment, stage in
            await outer.walk(treatment, stage) { source.make(stage) }
        }
    }

    private static func walk(
        _ name: String,
        _ features: Set<Feature>,
        _ watchdog: Watchdog,
        _ treat: (Treatment, Stage) async -> String?
    ) async {
        for treatment in Treatment.allCases where treatment.needs.isSubset(of: features) {
            watchdog.begin("\(name): \(treatment.rawValue)")
            let stage = Stage(fails: treatment == .failing)
            if let problem = await treat(treatment, stage) { watchdog.fail(problem) }
            // Returns when nothing of it is left.
            await stage.close()
        }
    }
}

extension Operator {
    /// The operator over a source, as a source for others.
    func applied(to source: Source) -> Source {
        Source(api, source.features.union(features), variant, make: { step(source.make($0), $0) }, value: { $0 })
    }
}

extension PublicAPI {
    /// What no walk uses.
    static var unwalked: [PublicAPI] {
        let walked = Source.all.map(\.api) + Operator.all.map(\.api) + Treatment.walked
        return allCases.filter { !walked.contains($0) }
    }
}
