#if os(Linux)
import Glibc
import PiuPiuAsync
import TestSupport

/// The part of the fuzzer that sends and receives, in a process that may crash.
struct Worker: Sendable {
    private let arguments: Arguments
    private let peer: Peer
    private let folder: URL
    private let reporter: Reporter
    private let front: HAProxyServer?

    /// The server.
    private enum Peer {
        case http1(RawServer)
        case http2(FrameServer)

        /// How many connections are open, as far as that is counted.
        var connectionCount: Int {
            if case .http1(let server) = self { server.connectionCount } else { 0 }
        }
    }

    /// Creates a worker with its server.
    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        if arguments.isHTTP2 {
            peer = .http2(try FrameServer())
            front = nil
        } else {
            // What is between the two turns a reset into an orderly end.
            guard let server = RawServer(isBehindRelay: arguments.usesTLS) else {
                throw ArgumentError("the server cannot be started")
            }
            peer = .http1(server)
            front = arguments.usesTLS ? try HAProxyServer(tlsInFrontOf: server.port) : nil
        }
        reporter = Reporter(printsAll: arguments.keepsGoing)
        folder = FileManager.default.temporaryDirectory.appending(path: "ResponseFuzzer-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func lane(_ index: Int, _ progress: Progress?) throws -> any FuzzLane {
        switch peer {
        case .http1(let server): try lane(index, server, progress)
        case .http2(let server):
            try FrameLane(index: index, seed: arguments.seed, server: server, progress: progress, reporter: reporter)
        }
    }

    private func lane(_ index: Int, _ server: RawServer, _ progress: Progress?) throws -> Lane {
        Lane(
            index: index,
            seed: arguments.seed,
            restrictions: arguments.restrictions,
            server: server,
            client: try Client(
                port: front?.port ?? server.port,
                authority: front == nil ? nil : Certificates.shared.get().authority,
                folder: folder,
                name: "\(index)"
            ),
            progress: progress,
            reporter: reporter
        )
    }

    /// Runs some plans one after the other on one dispatcher.
    ///
    /// - Returns: What was found first; `nil` for nothing.
    func run(_ plans: [Plan]) async throws -> Finding.Kind? {
        defer { try? FileManager.default.removeItem(at: folder) }
        guard case .http1(let server) = peer else { return nil }
        let lane = try lane(0, server, nil)
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

    /// Runs what some numbers stand for on one dispatcher.
    ///
    /// - Returns: What was found first; `nil` for nothing.
    func run(numbers: [Int]) async throws -> Finding.Kind? {
        defer { try? FileManager.default.removeItem(at: folder) }
        let lane = try lane(0, nil)
        watch([lane])
        var first: Finding.Kind?
        for number in numbers {
            let found = await lane.run(number: number)
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
                        await lane.run(number: number)
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
        let isDone = { peer.connectionCount == 0 && Self.descriptorCount <= descriptors + 4 }
        // Sockets close on other threads, without a notification: what is open after three seconds stays open.
        for _ in 0..<300 where !isDone() { try? await Task.sleep(for: .milliseconds(10)) }
        let open = Self.descriptorCount
        if !isDone() {
            progress.count(0, .leak)
            let text = "\(open) descriptors are open instead of \(descriptors), \(peer.connectionCount) connections"
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
    private func watch(_ lanes: [any FuzzLane]) {
        Thread.detachNewThread { [reporter, arguments] in
            while true {
                // A watchdog, which only has to notice what has not moved for seconds.
                Thread.sleep(forTimeInterval: 0.5)
                for lane in lanes {
                    let activity = lane.activity
                    guard let context = activity.context,
                        ContinuousClock.now - activity.since > .seconds(arguments.patience)
                    else { continue }
                    reporter.report(
                        Finding(kind: .hang, text: "a call has not ended after \(arguments.patience) seconds"),
                        context()
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
