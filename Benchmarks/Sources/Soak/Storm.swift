import CMalloc
import LoadKit
import PiuPiuAsync

/// Ten rounds of 10,000 requests that are cancelled at random moments.
struct Storm {
    let server: ServerProcess

    func run() async throws -> [String] {
        var failures: [String] = []
        var descriptors: [Int] = []
        var memory: [Int] = []
        var inUse: [Int] = []
        for round in 0..<10 {
            let dispatcher = Soak.dispatcher(perHost: 200)
            let tally = await storm(dispatcher, count: 10_000)
            await dispatcher.shutdown()
            cm_trim()
            descriptors.append(Usage.descriptors)
            memory.append(Usage.residentBytes / 1024)
            inUse.append(Int(cm_allocated()) / 1024)
            print(
                "storm \(round): \(tally.cancelled) cancelled, \(tally.responses) responses, \(tally.other) others, "
                    + "slowest end \((tally.slowest / .milliseconds(1)).short) ms after its cancel, "
                    + "\(descriptors[round]) descriptors, \(memory[round]) KiB resident, \(inUse[round]) KiB allocated"
            )
            if tally.other > 0 { failures.append("ends that are neither CancellationError nor a response") }
            if tally.cancelled + tally.responses != 10_000 { failures.append("requests that did not end once") }
            if tally.slowest > .seconds(1) { failures.append("an end later than a second after the cancel") }
        }
        // The first round starts what a process starts once: threads, their stacks, the scheduler's timers.
        if (descriptors.max() ?? 0) > descriptors[0] { failures.append("descriptors left open") }
        if inUse[9] - inUse[1] > 512 { failures.append("allocated memory grew from round to round") }
        if memory[9] - memory[1] > 8192 { failures.append("resident memory grew from round to round") }
        return failures
    }

    struct Tally {
        var cancelled = 0
        var responses = 0
        var other = 0
        var slowest = Duration.zero
    }

    private enum End {
        case cancelled, response, other
    }

    private func storm(_ dispatcher: URLRequestDispatcher, count: Int) async -> Tally {
        await withTaskGroup(of: (End, Duration).self) { group in
            for index in 0..<count {
                let path = ["/fast", "/slow", "/never"][index % 3]
                let delay = Duration.microseconds(Int.random(in: 0...200_000))
                group.addTask {
                    let request = Task { try await dispatcher.data(from: server.url(path)) }
                    try? await Task.sleep(for: delay)
                    let cancel = ContinuousClock.now
                    request.cancel()
                    let end: End
                    do {
                        _ = try await request.value
                        end = .response
                    } catch {
                        end = error is CancellationError ? .cancelled : .other
                    }
                    return (end, cancel.duration(to: .now))
                }
            }
            return await group.reduce(into: Tally()) { tally, result in
                switch result.0 {
                case .cancelled: tally.cancelled += 1
                case .response: tally.responses += 1
                case .other: tally.other += 1
                }
                tally.slowest = max(tally.slowest, result.1)
            }
        }
    }
}
