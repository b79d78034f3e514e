import Foundation
import Testing

/// Counts the blocks of the document: each is compiled in this folder, or stands in the table of `Blocks.md`.
struct BlocksTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private func numbers(_ pattern: String, in text: String) throws -> [Int] {
        let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            Range(match.range(at: 1), in: text).flatMap { Int(text[$0]) }
        }
    }

    @Test func theSamplesAndTheTableHaveEachBlockOnce() throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let samples = try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            try numbers(#"^ *// Block ([0-9]+)(?=$|:)"#, in: String(contentsOf: file, encoding: .utf8))
        }
        let table = try String(contentsOf: folder.appendingPathComponent("Blocks.md"), encoding: .utf8)
        let rows = try numbers(#"^\| ([0-9]+) \| .*$"#, in: table)
        let repaired = try numbers(#"^\| ([0-9]+) \| .* \| compiled [^|]+\|$"#, in: table)
        // Each sample stands once, and each row too.
        #expect(samples.count == Set(samples).count)
        #expect(rows.count == Set(rows).count)
        #expect(Set(samples).union(rows) == Set(1...34))
        // A block that is in both was repaired, and the table says how.
        #expect(Set(samples).intersection(rows) == Set(repaired))
    }
}
