import PiuPiuAsync

/// Sends GET requests and prints rate, latency and CPU time as a line of JSON.
///
/// Usage: Load IN_FLIGHT COUNT URL [CA_FILE]
@main
struct Load {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let inFlight = Int(arguments[1]), let count = Int(arguments[2]),
            let url = URL(string: arguments[3])
        else { throw Usage() }
        let environment = ProcessInfo.processInfo.environment
        var configuration = URLRequestDispatcher.Configuration()
        configuration.connections.perHost = environment["CONNECTIONS"].flatMap { Int($0) } ?? inFlight
        configuration.connections.total = max(256, inFlight)
        configuration.transport.eventLoops = environment["LOOPS"].flatMap { Int($0) } ?? 1
        if arguments.count > 4 { configuration.transport.certificateAuthorityFile = URL(filePath: arguments[4]) }
        let load = Load(dispatcher: URLRequestDispatcher(configuration: configuration), url: url, inFlight: inFlight)

        try await load.run(inFlight * 4)
        let before = Usage.processorTime()
        let elapsed = try await ContinuousClock().measure { try await load.run(count) }
        let processor = Usage.processorTime() - before
        let seconds = elapsed / .seconds(1)
        print(
            #"{"client":"PiuPiu","in_flight":\#(inFlight),"count":\#(count),"rate":\#(Int(Double(count) / seconds)),"#
                + #""latency_us":\#(Self.text(seconds / Double(count) * Double(inFlight) * 1e6)),"#
                + #""cpu_us":\#(Self.text(processor / Double(count) * 1e6))}"#
        )
        await load.dispatcher.shutdown()
    }

    let dispatcher: URLRequestDispatcher
    let url: URL
    let inFlight: Int

    func run(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<min(inFlight, count) {
                let share = count / inFlight + (worker < count % inFlight ? 1 : 0)
                group.addTask {
                    for _ in 0..<share {
                        let response = try await dispatcher.data(for: URLRequest(url: url, method: .get))
                        guard response.head?.statusCode == .ok, response.data != nil else { throw Failure() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func text(_ value: Double) -> String { String(format: "%.2f", value) }
}

struct Failure: Error {}

struct Usage: Error {
    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
