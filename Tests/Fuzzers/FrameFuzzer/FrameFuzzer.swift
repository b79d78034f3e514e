import Foundation

/// Reads random and damaged frames of WebSocket.
///
///     FrameFuzzer 30                          for half a minute, with a seed of its own
///     FrameFuzzer --count 100000 --seed 1     a hundred thousand inputs, always the same
///     FrameFuzzer --seed 1 --only 4711        one of them again
///     FrameFuzzer --measure                   how long reading and writing take
///
/// The exit status is 0 if nothing was found.
@main
struct FrameFuzzer {
    private var seconds: Double?
    private var count = Int.max
    private var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    private var only: Int?
    private var measures = false

    static func main() {
        guard let fuzzer = FrameFuzzer(CommandLine.arguments.dropFirst()) else {
            print("usage: FrameFuzzer [SECONDS] [--count N] [--seed N] [--only N] [--measure]")
            exit(2)
        }
        exit(fuzzer.run() ? 0 : 1)
    }

    private init?(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--count":
                guard let number = rest.popFirst().flatMap(Int.init) else { return nil }
                count = number
            case "--seed":
                guard let number = rest.popFirst().flatMap(UInt64.init) else { return nil }
                seed = number
            case "--only":
                guard let number = rest.popFirst().flatMap(Int.init) else { return nil }
                only = number
            case "--measure": measures = true
            default:
                guard let number = Double(argument) else { return nil }
                seconds = number
            }
        }
        if count == .max, seconds == nil { seconds = 10 }
    }

    /// Returns whether nothing was found.
    private func run() -> Bool {
        if measures {
            FrameMeasurement.run()
            return true
        }
        print("# seed \(seed)")
        let fuzz = FrameFuzz(seed: seed)
        if let only {
            let finding = fuzz.check(only)
            print(fuzz.input(only).description)
            print(finding.map { "FINDING: \($0)" } ?? "nothing found")
            return finding == nil
        }
        let clock = ContinuousClock()
        let end = seconds.map { clock.now + .seconds($0) }
        var findings = 0
        var number = 0
        while number < count, findings < 10 {
            if number % 1024 == 0, let end, clock.now >= end { break }
            if let finding = fuzz.check(number) {
                print("FINDING: input \(number): \(finding)")
                findings += 1
            }
            number += 1
        }
        print("# \(number) inputs, \(findings) findings; \(fuzz.tally.text)")
        return findings == 0
    }
}
