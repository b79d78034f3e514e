import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

/// Looks at the inputs of a target one after the other.
struct FuzzRun {
    /// How long an input may take; it takes a few milliseconds, a hundred under a sanitizer.
    private static let patience = Duration.seconds(20)

    private let target: FuzzTarget
    private let options: FuzzOptions
    private let journal: FuzzJournal

    init(_ target: FuzzTarget, _ options: FuzzOptions) throws {
        self.target = target
        self.options = options
        journal = try FuzzJournal(target.name)
    }

    /// Runs the corpus of earlier findings, then the inputs of the seed until the time is over or something is found.
    func run() async throws {
        for (name, input) in try corpus() {
            // How it is cut depends on chance.
            for seed in 1...20 as ClosedRange<UInt64> {
                guard let problem = try await problem(input, SeededRandom(seed: seed), -1) else { continue }
                record(problem, input, "in the corpus: \(name)")
                break
            }
        }
        let mutator = FuzzMutator(target)
        if let only = options.only {
            let (input, random) = mutator.input(only, seed: options.seed)
            if let problem = try await problem(input, random, only) { record(problem, input, "number \(only)") }
            return
        }
        let start = ContinuousClock.now
        let deadline = start + .seconds(options.seconds ?? 0)
        // The same inputs on every machine, unless a time is asked for.
        let least = target.seeds.count + (options.seconds == nil ? 40 : 0)
        var number = 0
        var memory: Int?
        let descriptors = Resources.descriptorCount
        while number < least || .now < deadline {
            let (input, random) = mutator.input(number, seed: options.seed)
            if let problem = try await problem(input, random, number) {
                let smaller = await smallest(input, random, problem)
                record(problem, smaller, "--seed \(options.seed) --only \(number), made smaller")
                return
            }
            number += 1
            // After the first inputs, in which caches grow.
            if memory == nil, ContinuousClock.now - start > (deadline - start) / 4 { memory = Resources.residentBytes }
        }
        guard options.seconds != nil else { return }
        judge(number, ContinuousClock.now - start, memory, descriptors)
    }

    private func judge(_ count: Int, _ time: Duration, _ memory: Int?, _ descriptors: Int) {
        let now = Resources.residentBytes
        let open = Resources.descriptorCount
        let rate = Int(Double(count) / (time / .seconds(1)))
        print(
            "# \(target.name): \(count) inputs, \(rate) a second; memory: \((memory ?? 0) >> 20) MiB early,",
            "\(now >> 20) MiB at the end; descriptors: \(descriptors), then \(open)"
        )
        #expect(open <= descriptors + 4)
        if let memory { #expect(now <= memory + memory / 2 + 64 << 20) }
    }

    /// What is wrong with an input; `nil` if nothing is.
    private func problem(_ input: [UInt8], _ random: SeededRandom, _ number: Int) async throws -> String? {
        try journal.note(target.name, seed: options.seed, number: number, input)
        let start = ContinuousClock.now
        var random = random
        do {
            try await target.check(input, &random)
        } catch let failure as FuzzFailure {
            return failure.description
        } catch {
            return "an unexpected error: \(type(of: error))"
        }
        return ContinuousClock.now - start < Self.patience ? nil : "it takes too long"
    }

    /// A part of an input that has the same problem.
    private func smallest(_ input: [UInt8], _ random: SeededRandom, _ problem: String) async -> [UInt8] {
        var input = input
        let deadline = ContinuousClock.now + .seconds(20)
        var size = max(1, input.count / 2)
        while size > 0 {
            var start = 0
            while start < input.count, ContinuousClock.now < deadline {
                var shorter = input
                shorter.removeSubrange(start..<min(start + size, shorter.count))
                if (try? await self.problem(shorter, random, -1)) == problem { input = shorter } else { start += size }
            }
            size /= 2
        }
        return input
    }

    private func record(_ problem: String, _ input: [UInt8], _ origin: String) {
        let name = "\(target.name)-\(String(StableHash.text(of: problem).prefix(8)))"
        let file = FileManager.default.temporaryDirectory.appending(path: "PiuPiuFuzz-found-\(name)")
        try? Data(input).write(to: file)
        let text = String(decoding: input.prefix(400), as: UTF8.self)
        Issue.record(
            "FINDING in \(target.name), \(origin): \(problem)\n\(text.debugDescription)\n\(input.count) bytes: \(file.path)"
        )
    }

    /// The inputs in which something was found before.
    private func corpus() throws -> [(name: String, input: [UInt8])] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.deletingLastPathComponent().appending(path: "Fuzzers/Corpus/parsers/\(target.name)")
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
        return try names.sorted().map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
    }
}

/// What the process uses; 0 if the system does not tell.
enum Resources {
    static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }
}
