import Foundation
import Testing

/// A rule of a state machine: what is done, and what follows from it.
struct RuleScript: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let settings: [[String]]
    /// The words of each step.
    let steps: [[String]]
    let effects: String

    /// Reads rules, each of which is a line with its name and indented lines with `[settings] steps -> effects`.
    static func rules(_ text: String) -> [RuleScript] {
        var rules: [(name: String, script: String)] = []
        for line in text.components(separatedBy: "\n") {
            guard line.hasPrefix(" ") else {
                rules.append((line, ""))
                continue
            }
            rules[rules.count - 1].script += line.drop { $0 == " " } + " "
        }
        return rules.map { RuleScript($0.name, $0.script) }
    }

    private init(_ name: String, _ script: String) {
        func words(_ text: Substring?) -> [[String]] {
            (text ?? "").split(separator: ",").map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
        }
        let halves = script.components(separatedBy: "-> ")
        let parts = halves[0].split(separator: "]", maxSplits: 1)
        testDescription = name
        settings = parts.count > 1 ? words(parts.first?.dropFirst()) : []
        steps = words(parts.last)
        effects = halves.count > 1 ? halves[1].trimmingCharacters(in: .whitespaces) : ""
    }

    /// The value of a setting, or the usual one.
    func setting<Value: LosslessStringConvertible>(_ name: String, _ usual: Value) -> Value {
        settings.first { $0[0] == name }.flatMap { Value($0[1]) } ?? usual
    }
}
