#if os(Linux)
import Glibc
import PiuPiuAsync

/// The part of the fuzzer that sends and receives, in a process that may crash.
struct Worker: Sendable {
    private let arguments: Arguments
    private let server: RawServer
    private let folder: URL
    private let reporter: Reporter

    /// Creates a worker with its server.
    init(_ arguments: Arguments) throws {
        guard let server = RawServer() else { throw ArgumentError("the server cannot be started") }
        self.arguments = arguments
        self.server = server
        reporter = Reporter(printsAll: arguments.keepsGoing)
        folder = FileManager.default.temporaryDirectory.appending(path: "ResponseFuzzer-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func lane(_ index: Int, _ progress: Progress?) throws -> Lane {
        let client = try Client(port: server.port, folder: folder, name: "\(index)")
        return Lane(
            index: index,
            seed: arguments.seed,
            server: server,
            client: client,
            progress: progress,
            reporter: reporter
        )
    }

    /// Runs some plans one after the other on one dispatcher.
    ///
    /// - Returns: What was found first; `nil` for nothing.
    func run(_ plans: [Plan]) async throws -> Finding.Kind? {
        defer { try? FileManager.default.removeItem(at: folder) }
        let lane = try lane(0, nil)
        watch([lane])
        var first: Finding.Kind?
        if let last = plans.last { first = await lane.runPlainly(after: Plan(number: 0, id: last.id + 2)) }
        for plan in plans {
            let found = await lane.run(plan)
            first = first ?? found
        }
        await lane.dispatcher.shutdown()
        return first
    }

    /// Runs all lanes from where they stand, to the end of the run.
    func run(_ progress: Progress) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let lanes = try (0..<arguments.lanes).map { try lane($0, progress) }
        watch(lanes)
        let deadline = arguments.seconds.map { ContinuousClock.now + .seconds($0) }
        let descriptors = Self.descriptorCount
        let early = Locked(0)
        await withTaskGroup { group in
            for (index, lane) in lanes.enumerated() {
                group.addTask { [arguments] in
                    while ContinuousClock.now < deadline ?? .now + .seconds(1) {
                        let number = index + progress.rounds(of: index) * arguments.lanes
                        guard number < arguments.limit, arguments.keepsGoing || progress.findings < 20 else { return }
                        progress.begin(index)
                        await lane.run(Plan(number: number, seed: arguments.seed, arguments.restrictions))
                        progress.end(index)
                        // After the first rounds, in which pools and buffers grow.
                        if index == 0, progress.rounds(of: 0) == 300 { early.withLock { $0 = Self.residentBytes } }
                    }
                }
            }
        }
        for lane in lanes { await lane.dispatcher.shutdown() }
        reporter.printRefusals()
        await judgeResources(descriptors: descriptors, memory: early.withLock { $0 }, progress)
    }

    private func judgeResources(descriptors: Int, memory: Int, _ progress: Progress) async {
        for _ in 0..<200 where server.connectionCount > 0 { try? await Task.sleep(for: .milliseconds(10)) }
        let open = Self.descriptorCount
        if server.connectionCount > 0 || open > descriptors + 4 {
            progress.count(0, .leak)
            let text = "\(open) descriptors are open instead of \(descriptors), \(server.connectionCount) connections"
            reporter.report(Finding(kind: .leak, text: text), [])
        }
        let now = Self.residentBytes
        print(
            "# memory: \(memory >> 20) MiB early, \(now >> 20) MiB at the end; descriptors: \(descriptors), then \(open)"
        )
        guard memory > 0, now > memory * 2 + 128 << 20 else { return }
        progress.count(0, .leak)
        reporter.report(Finding(kind: .leak, text: "memory grew from \(memory) to \(now) bytes"), [])
    }

    /// Ends the process if a call does not end.
    private func watch(_ lanes: [Lane]) {
        Thread.detachNewThread { [reporter, arguments] in
            while true {
                Thread.sleep(forTimeInterval: 0.5)
                for lane in lanes {
                    let activity = lane.activity
                    guard let plan = activity.plan, ContinuousClock.now - activity.since > .seconds(arguments.patience)
                    else {
                        continue
                    }
                    reporter.report(
                        Finding(kind: .hang, text: "a call has not ended after \(arguments.patience) seconds"),
                        ["# seed \(arguments.seed), number \(plan.number), \(plan.origin)", Script.text(of: plan)]
                    )
                    _exit(Supervisor.hangStatus)
                }
            }
        }
    }

    private static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    private static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }
}
#endif
