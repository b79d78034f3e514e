#if os(Linux)
import Foundation
import Glibc

/// Runs workers in processes of their own, finds out what ended one that crashed, and goes on behind it.
struct Supervisor {
    /// How a worker says that a call did not end.
    static let hangStatus: Int32 = 3

    enum Ending: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    let arguments: Arguments

    /// Runs this program again.
    ///
    /// - Parameters:
    ///   - words: Its arguments.
    ///   - isSilent: Whether what it prints is thrown away.
    /// - Returns: How it ended.
    /// - Throws: What keeps it from being started.
    static func start(_ words: [String], isSilent: Bool = false) throws -> Ending {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = words
        var environment = ProcessInfo.processInfo.environment
        // Makes the use of freed memory visible.
        environment["MALLOC_PERTURB_"] = environment["MALLOC_PERTURB_"] ?? "165"
        environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
        process.environment = environment
        if isSilent {
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
            ? .signal(process.terminationStatus) : .exit(process.terminationStatus)
    }

    private var commonWords: [String] {
        ["--seed", "\(arguments.seed)", "--lanes", "\(arguments.lanes)"]
            + (arguments.restrictions.hasNoFolds ? ["--without-folds"] : []) + (arguments.isHTTP2 ? ["--http2"] : [])
            + (arguments.usesTLS ? ["--tls"] : [])
            + ["--patience", "\(arguments.patience)"] + (arguments.keepsGoing ? ["--keep-going"] : [])
    }

    /// Runs everything.
    ///
    /// - Returns: Whether nothing was found.
    func run() throws -> Bool {
        print("# seed \(arguments.seed)")
        fflush(nil)
        let start = ContinuousClock.now
        let known = try runCorpus()
        let path = FileManager.default.temporaryDirectory.appending(path: "ResponseFuzzer-\(getpid()).progress").path()
        defer { unlink(path) }
        guard let progress = Progress(path: path) else { throw ArgumentError("\(path) cannot be mapped") }
        var (crashes, hangs) = (0, 0)
        while true {
            var words = commonWords + ["--worker", path]
            if let seconds = arguments.seconds {
                let spent = (ContinuousClock.now - start) / .seconds(1)
                guard spent < seconds else { break }
                words += ["--seconds", "\(seconds - spent)"]
            }
            if arguments.count != nil || arguments.seconds == nil { words += ["--count", "\(arguments.limit)"] }
            let ending = try Self.start(words)
            guard ending != .exit(0) else { break }
            if ending == .exit(Self.hangStatus) {
                hangs += 1
            } else {
                crashes += 1
                try explain(ending, progress)
            }
            // What they were doing is given up.
            for lane in 0..<arguments.lanes where progress.isAtWork(lane) { progress.end(lane) }
            guard progress.findings + crashes + hangs < 20 || arguments.keepsGoing, crashes < 200 else { break }
        }
        let findings = known + progress.findings + crashes + hangs
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let ends = progress.ends
        let failures = ends.filter { $0.name != "success" && $0.name != "givenUp" }
        let successes = progress.responses - failures.reduce(0) { $0 + $1.count }
        print(
            "\n# \(String(format: "%.1f", seconds)) s; \(progress.refusals) whole responses were refused;",
            "\(crashes) crashes, \(hangs) hangs, \(known) files of the corpus with findings;",
            progress.kinds.map { "\($0.kind) \($0.count)" }.joined(separator: ", ")
        )
        print(
            "\(progress.responses) responses, \(successes) succeeded,",
            "\(progress.responses - successes) errors",
            "(\(failures.map { "\($0.name) \($0.count)" }.joined(separator: ", "))), \(findings) findings"
        )
        return findings == 0
    }

    /// Sends the responses of earlier findings.
    ///
    /// - Returns: How many files have one again.
    private func runCorpus() throws -> Int {
        guard let corpus = arguments.corpus else { return 0 }
        let files = try FileManager.default.contentsOfDirectory(atPath: corpus).filter { $0.hasSuffix(".txt") }.sorted()
        var findings = 0
        for file in files {
            if arguments.restrictions.hasNoFolds, file.hasPrefix("fold") { continue }
            let ending = try Self.start(commonWords + ["--file", "\(corpus)/\(file)"])
            guard ending != .exit(0) else { continue }
            findings += 1
            print("FINDING in \(file): \(ending)")
            fflush(nil)
        }
        print("# \(files.count) files of the corpus")
        fflush(nil)
        return findings
    }

    /// Tells which exchange ended a worker: each that was under way is tried alone.
    private func explain(_ ending: Ending, _ progress: Progress) throws {
        let suspects = (0..<arguments.lanes).filter(progress.isAtWork).map {
            $0 + progress.rounds(of: $0) * arguments.lanes
        }
        print("\nFINDING crash: the process ended with \(ending); under way: \(suspects)")
        for suspect in suspects {
            let words = commonWords + ["--only", "\(suspect)", "--after", "\(arguments.after)"]
            guard case .signal(let signal) = try Self.start(words, isSilent: true) else { continue }
            print("# alone it ends with signal \(signal): seed \(arguments.seed), number \(suspect)")
            print(arguments.text(of: suspect))
            break
        }
        fflush(nil)
    }
}
#endif
