import Foundation

/// The numbers of a document's code blocks: of those that the samples in a folder compile, and of those in its `Blocks.md`.
package struct DocumentBlocks {
    private let folder: URL

    /// Creates the blocks of the folder that has a file.
    package init(beside file: String = #filePath) {
        folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    }

    /// The numbers in comments such as `// Block 7`, file by file; the pattern is for what follows the number.
    package func compiled(end: String = "$") throws -> [Int] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try files.filter { $0.hasSuffix("SamplesTests.swift") }.flatMap {
            try numbers("^ *// Block ([0-9]+)\(end)", in: $0)
        }
    }

    /// The numbers of the table's rows; the pattern is for the cells behind the number.
    package func rows(_ rest: String = ".*") throws -> [Int] {
        try numbers(#"^\| ([0-9]+) \| \#(rest)$"#, in: "Blocks.md")
    }

    private func numbers(_ pattern: String, in file: String) throws -> [Int] {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            Range(match.range(at: 1), in: text).flatMap { Int(text[$0]) }
        }
    }
}
