import PiuPiuAsync

/// Downloads and uploads from the command line, with a progress bar.
@main
struct Fetch {
    static func main() async {
        let arguments: Arguments
        do {
            arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Output.problem("\(error)")
            Output.note("Try: swift run Fetch --help")
            exit(Outcome.usage.rawValue)
        }
        // A reader of the output that leaves does not end the transfer.
        signal(SIGPIPE, SIG_IGN)
        let work = Task { await run(arguments) }
        let interruption = Interruption { work.cancel() }
        let outcome = await work.value
        withExtendedLifetime(interruption) { exit(outcome.rawValue) }
    }

    private static func run(_ arguments: Arguments) async -> Outcome {
        switch arguments.command {
        case .help:
            Output.result(Arguments.help)
            return .success
        case .demonstrate:
            return await Demonstration.run()
        case .download(let url, let path):
            return await errand(arguments) { await $0.download(url, to: path, resumes: arguments.resumes) }
        case .upload(let path, let url):
            return await errand(arguments) { await $0.upload(path, to: url) }
        }
    }

    private static func errand(_ arguments: Arguments, _ run: (Errand) async -> Outcome) async -> Outcome {
        let dispatcher = URLRequestDispatcher()
        let outcome = await run(Errand(dispatcher: dispatcher, method: arguments.method, headers: arguments.headers))
        await dispatcher.shutdown()
        return outcome
    }
}
