import LoadKit

/// What other futures cost in time, beside a task.
///
/// Usage: PeerFutures seconds=S
@main
struct Main {
    static func main() async throws {
        let arguments = Arguments(CommandLine.arguments.dropFirst())
        try await ChainProgram([TaskContestant(), EventLoopContestant(), OpenCombineContestant()])
            .run(seconds: arguments.number("seconds", 0.3))
    }
}
