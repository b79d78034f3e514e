import PiuPiuAsync

/// The client's part of the Autobahn test suite: it runs each case of a fuzzing server, and sends back each message.
///
/// The server judges the cases. The client reports only cases that do not open or exceed their time limit as faults; with
/// `--verbose`, it prints a line `case N …` for each.
struct Autobahn: Sendable {
    private let base: URL
    private let connector: Connector
    private let limit: Duration
    private let parallel: Int
    private let isVerbose: Bool
    private let waits: Bool
    private let only: Set<Int>

    init(_ arguments: Arguments, _ connector: Connector) {
        base = arguments.url
        self.connector = connector
        limit = .seconds(arguments.number("seconds", 60))
        parallel = arguments.number("parallel", 1)
        isVerbose = arguments.has("verbose")
        waits = arguments.has("wait")
        only = Set((arguments.text("only") ?? "").split(separator: ",").compactMap { Int($0) })
    }

    func run() async throws -> Bool {
        let count = try await countCases()
        let cases = (1...max(count, 1)).filter { $0 <= count && (only.isEmpty || only.contains($0)) }
        printLine("cases \(cases.count)")
        let faults = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<parallel {
                group.addTask {
                    var faults = 0
                    for index in stride(from: worker, to: cases.count, by: parallel) where await !run(cases[index]) {
                        faults += 1
                    }
                    return faults
                }
            }
            return await group.reduce(0, +)
        }
        await updateReports()
        printLine("end \(cases.count) cases, \(faults) faults")
        return faults == 0
    }

    private func countCases() async throws -> Int {
        let text = try await withTimeLimit(limit, "getCaseCount") {
            let socket = try await connector.open(url("getCaseCount"))
            let message = try await socket.receive()
            _ = try? await socket.close()
            return switch message {
            case .text(let text): text
            default: ""
            }
        }
        guard let count = Int(text) else { throw Arguments.Invalid(reason: "there is no count of cases: \(text)") }
        return count
    }

    /// Returns whether the case ended in time.
    private func run(_ number: Int) async -> Bool {
        do {
            let end = try await withTimeLimit(limit, "case \(number)") { try await echo(number) }
            if isVerbose { printLine("case \(number) \(end)") }
            return true
        } catch {
            printLine("case \(number) error \(error)")
            return false
        }
    }

    /// Returns how the case ended; most cases end with an error on purpose.
    private func echo(_ number: Int) async throws -> String {
        let socket = try await connector.open(url("runCase?case=\(number)&agent=PiuPiu"))
        do {
            for try await message in socket.messages { try await socket.send(message) }
            // Otherwise the release of the socket ends the connection.
            if waits { _ = await socket.waitForClosure() }
            return "closed \(socket.closure.map { "\($0)" } ?? "without a closure")"
        } catch let error as WebSocketError {
            return "ended \(error)"
        }
    }

    /// The server may close the connection without a closing handshake, because its run is at its end.
    private func updateReports() async {
        do {
            try await withTimeLimit(limit, "updateReports") {
                let socket = try await connector.open(url("updateReports?agent=PiuPiu"))
                for try await _ in socket.messages {}
            }
        } catch {
            if isVerbose { printLine("updateReports \(error)") }
        }
    }

    private func url(_ path: String) throws -> URL {
        let text = base.absoluteString
        guard let url = URL(string: text.hasSuffix("/") ? text + path : "\(text)/\(path)") else {
            throw URLError(.badURL)
        }
        return url
    }
}
