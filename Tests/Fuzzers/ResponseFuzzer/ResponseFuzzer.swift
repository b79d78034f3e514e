import PiuPiuAsync

/// Sends mutated HTTP/1.1 responses to PiuPiu and compares what callers get with what was sent.
@main
enum ResponseFuzzer {
    static func main() async {
        #if os(Linux)
        do {
            let seed = UInt64(Date().timeIntervalSince1970 * 1000)
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), defaultSeed: seed)
            exit(try await run(arguments))
        } catch let error as ArgumentError {
            print("ResponseFuzzer: \(error.text)\n\n\(Arguments.usage)")
        } catch {
            print("ResponseFuzzer: \(error)")
        }
        exit(2)
        #else
        print("The fuzzer runs on Linux only.")
        #endif
    }

    #if os(Linux)
    /// Does what the arguments say.
    ///
    /// - Returns: The exit status: 0 if nothing was found.
    private static func run(_ arguments: Arguments) async throws -> Int32 {
        if let path = arguments.worker {
            guard let progress = Progress(path: path) else { throw ArgumentError("\(path) cannot be mapped") }
            try await Worker(arguments).run(progress)
            return 0
        }
        if let file = arguments.file {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return status(try await Worker(arguments).run(Script.plans(in: text, name: file, id: 2)))
        }
        if let number = arguments.only {
            print(arguments.text(of: number))
            let worker = try Worker(arguments)
            guard arguments.isHTTP2 else { return status(try await worker.run(plans(number, arguments))) }
            return status(try await worker.run(numbers: numbers(to: number, arguments)))
        }
        if let number = arguments.minimize {
            var minimizer = Minimizer(plans: plans(number, arguments))
            return try minimizer.run() ? 0 : 1
        }
        return try Supervisor(arguments: arguments).run() ? 0 : 1
    }

    /// A status for each kind of finding, for the process that started this one.
    private static func status(_ kind: Finding.Kind?) -> Int32 {
        kind.map { 10 + Int32(Finding.Kind.allCases.firstIndex(of: $0) ?? 0) } ?? 0
    }

    /// An exchange, after those that its lane had before it.
    private static func plans(_ number: Int, _ arguments: Arguments) -> [Plan] {
        numbers(to: number, arguments).map { Plan(number: $0, seed: arguments.seed, arguments.restrictions) }
    }

    /// A number, and those that its lane works through before it.
    private static func numbers(to number: Int, _ arguments: Arguments) -> [Int] {
        (0...arguments.after).reversed().map { number - $0 * arguments.lanes }.filter { $0 >= 0 }
    }
    #endif
}
