import Foundation
import Testing

/// Compares the numbers of compiled blocks with the table of blocks that are not compiled.
struct BlocksTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let blockCount = 32

    private static func numbers(of pattern: String, in text: String) throws -> [Int] {
        let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        let range = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: range).compactMap { match in
            Range(match.range(at: 1), in: text).flatMap { Int(text[$0]) }
        }
    }

    @Test func everyBlockIsCompiledOrHasAReason() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix("SamplesTests.swift") }
        var compiled: [Int] = []
        for file in files {
            let text = try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
            compiled += try Self.numbers(of: #"^ *// Block ([0-9]+)$"#, in: text)
        }
        let table = try String(contentsOf: Self.folder.appendingPathComponent("Blocks.md"), encoding: .utf8)
        let left = try Self.numbers(of: #"^\| ([0-9]+) \| no \| .+ \|$"#, in: table)
        let changed = try Self.numbers(of: #"^\| ([0-9]+) \| (?:repaired|extended) \| .+ \|$"#, in: table)

        #expect((compiled + left).sorted() == Array(1...Self.blockCount))
        #expect(Set(changed).isSubset(of: compiled))
        #expect(Set(changed).count == changed.count)
    }
}
