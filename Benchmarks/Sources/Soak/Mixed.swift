import CMalloc
import LoadKit
import PiuPiuAsync

/// Very many GETs to servers that nobody here wrote, over HTTP/1.1, TLS and HTTP/2 in turns, one in ten of them cancelled.
///
/// Each URL is that of a file of 500 bytes or more; what comes must be complete.
struct Mixed {
    /// The environment's `SOAK_URLS`, separated by blanks; `SOAK_CA`, a file of authorities; and `SOAK_COUNT`.
    let urls: [URL]
    let authority: URL?
    let count: Int

    init?() {
        let environment = ProcessInfo.processInfo.environment
        urls = (environment["SOAK_URLS"] ?? "").split(separator: " ").compactMap { URL(string: String($0)) }
        guard !urls.isEmpty else { return nil }
        authority = environment["SOAK_CA"].map { URL(filePath: $0) }
        count = environment["SOAK_COUNT"].flatMap { Int($0) } ?? 1_000_000
    }

    func run() async throws -> [String] {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.connections = ConnectionLimits(perHost: 32)
        configuration.transport.proxy = .none
        configuration.transport.certificateAuthorityFile = authority
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        var lengths: [Int] = []
        for url in urls { lengths.append(try await dispatcher.data(from: url).data?.count ?? 0) }
        let expected = lengths
        var failures: [String] = []
        var memory: [Int] = []
        var descriptors: [Int] = []
        let rounds = 10
        for round in 0..<rounds {
            let begin = ContinuousClock.now
            let tally = await send(dispatcher, count / rounds, expected)
            cm_trim()
            memory.append(Usage.residentBytes / 1024)
            descriptors.append(Usage.descriptors)
            let seconds = begin.duration(to: .now) / .seconds(1)
            print(
                "mixed \(round): \(tally.complete) complete, \(tally.cancelled) cancelled, \(tally.wrong) wrong, "
                    + "\(tally.failed) failed, \(Int(Double(count / rounds) / seconds)) requests/s, "
                    + "\(descriptors[round]) descriptors, \(memory[round]) KiB resident, "
                    + "\(Int(cm_allocated()) / 1024) KiB allocated"
            )
            if tally.wrong > 0 { failures.append("responses that are not what was asked for") }
            if tally.failed > 0 { failures.append("requests that failed: \(tally.problem)") }
        }
        await dispatcher.shutdown()
        if memory[rounds - 1] - memory[1] > 8192 { failures.append("resident memory grew from round to round") }
        // Connections come and go, but there are never more than the limits allow.
        if (descriptors.max() ?? 0) > 32 * urls.count + 64 { failures.append("descriptors left open") }
        return failures
    }

    struct Tally: Sendable {
        var complete = 0
        var cancelled = 0
        var wrong = 0
        var failed = 0
        var problem = ""
    }

    /// Sends requests, 96 at a time.
    private func send(_ dispatcher: URLRequestDispatcher, _ count: Int, _ lengths: [Int]) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for lane in 0..<96 {
                group.addTask {
                    var tally = Tally()
                    for index in stride(from: lane, to: count, by: 96) {
                        let kind = index % urls.count
                        await one(dispatcher, urls[kind], lengths[kind], isCancelled: index % 10 == 9, &tally)
                    }
                    return tally
                }
            }
            return await group.reduce(into: Tally()) { sum, tally in
                sum.complete += tally.complete
                sum.cancelled += tally.cancelled
                sum.wrong += tally.wrong
                sum.failed += tally.failed
                if !tally.problem.isEmpty { sum.problem = tally.problem }
            }
        }
    }

    private func one(
        _ dispatcher: URLRequestDispatcher,
        _ url: URL,
        _ length: Int,
        isCancelled: Bool,
        _ tally: inout Tally
    ) async {
        do {
            let data: Data?
            if isCancelled {
                let request = Task { try await dispatcher.data(from: url).data }
                for _ in 0..<Int.random(in: 0...3) { await Task.yield() }
                request.cancel()
                data = try await request.value
            } else {
                data = try await dispatcher.data(from: url).data
            }
            if data?.count == length { tally.complete += 1 } else { tally.wrong += 1 }
        } catch is CancellationError {
            tally.cancelled += 1
        } catch {
            tally.failed += 1
            tally.problem = "\(error)"
        }
    }
}
