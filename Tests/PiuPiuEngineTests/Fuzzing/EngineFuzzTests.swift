import Foundation
import Testing

/// Fuzzes the engine a little; `Scripts/fuzz engine` does it for longer, guided by coverage.
struct EngineFuzzTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fuzzed: FuzzCase
        let count: Int
        var testDescription: String { fuzzed.name }
    }

    static let cases = FuzzCase.all.map { Case(fuzzed: $0, count: $0.name == "Opener" ? 60 : 250) }

    @Test("Chance breaks no promise", arguments: cases) func someInputs(_ some: Case) {
        let fuzzed = some.fuzzed
        for number in 0..<some.count {
            let input = fuzzed.input(number, seed: 1)
            guard let problem = fuzzed.problem(input) else { continue }
            let small = fuzzed.smallest(input, problem)
            Issue.record("FINDING in \(fuzzed.name), number \(number) of seed 1: \(problem)\n\(small)\n\(small.shown)")
            return
        }
    }

    @Test("What was found stays fixed", arguments: cases) func corpus(_ some: Case) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let fuzzers = tests.deletingLastPathComponent().appending(path: "Fuzzers")
        let folder = fuzzers.appending(path: "Corpus/engine/\(some.fuzzed.name)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names.sorted() {
            let problem = some.fuzzed.problem(Array(try Data(contentsOf: folder.appending(path: name))))
            #expect(problem == nil, "\(name)")
        }
    }
}
