import PiuPiuAsync

/// Fetches URLs from the command line.
@main
struct Fetch {
    static func main() async {
        let arguments: Arguments
        do {
            arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Output.problem(FetchError(error.code, error.description, advice: "Try: Fetch --help"))
            exit(error.code.rawValue)
        }
        // A reader of the output that leaves does not end a download.
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        let code = await run(arguments, interruption)
        withExtendedLifetime(interruption) { exit(code.rawValue) }
    }

    private static func run(_ arguments: Arguments, _ interruption: Interruption) async -> ExitCode {
        switch arguments.action {
        case .help:
            Output.result(Help.text)
            return .success
        case .version:
            Output.result(version)
            return .success
        case .demonstrate: return await interruption.cancelling { await Demonstration.run() }
        case .fetch:
            do {
                let session = try Session(arguments, environment: ProcessInfo.processInfo.environment)
                return await interruption.cancelling { await session.run() }
            } catch {
                let failure = FetchError(error)
                Output.problem(failure)
                return failure.code
            }
        }
    }

    private static var version: String {
        let transport: String
        #if os(Linux)
        transport = "\(SocketTransport.capabilities)".replacing("; ", with: "\n  ").replacing(
            ": ",
            with: ":\n  ",
            maxReplacements: 1
        )
        #else
        transport = "URLSession"
        #endif
        return "Fetch 2.0, with PiuPiu 2.0\n\(transport)"
    }
}
