import PiuPiuAsync
import Testing

/// Every Swift sample of the documentation stands, line by line, in a file beside this one, which is compiled.
@Suite struct DocumentationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.appending(path: "../../..").standardizedFileURL

    @Test func samplesAreCompiled() throws {
        let compiled = try Self.files(in: Self.folder, ".swift").map { Self.trimmed(try Self.lines(of: $0)) }
        var count = 0
        for file in try Self.files(in: Self.root, ".md")
            + Self.files(in: Self.root.appending(path: "Sources"), ".swift")
        {
            for sample in Self.samples(in: try Self.lines(of: file)) {
                count += 1
                #expect(compiled.contains { $0.firstRange(of: sample) != nil }, "\(file.path()): \(sample.first ?? "")")
            }
        }
        #expect(count == 3)
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static func files(in folder: URL, _ suffix: String) throws -> [URL] {
        let paths = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".build/") }.sorted().map {
            folder.appending(path: $0)
        }
    }

    private static func trimmed(_ lines: some Sequence<String>) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The contents of each fence that is marked as Swift, in Markdown and in comments.
    private static func samples(in lines: [String]) -> [[String]] {
        let bare = trimmed(lines.map { $0.replacing(/^\s*\/\/\/ ?/, with: "") })
        return bare.indices.filter { bare[$0] == "```swift" }.map { start in
            Array(bare[(start + 1)...].prefix { $0 != "```" })
        }
    }
}
