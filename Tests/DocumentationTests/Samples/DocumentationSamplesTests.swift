import PiuPiuAsync
import SuiteSupport
import Testing

/// Every Swift sample that is printed anywhere also stands, line by line, in a test file, which is compiled.
struct DocumentationSamplesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.appending(path: "../../..").standardizedFileURL

    /// The paths of all files that hold samples, from the root of the repository.
    private static let markdown: [String] = {
        let catalogs = ["PiuPiuAsync", "PiuPiuFutures", "PiuPiuCurl", "PiuPiuRecording", "PiuPiuTesting"].map {
            "Sources/\($0)/\($0).docc"
        }
        let legacy = ["NetworkKit", "PiuPiuClassic", "Futuristics"].map { "Sources/Legacy/\($0)/\($0).docc" }
        return ["README.md", "MIGRATION.md", "CHANGELOG.md"]
            + (catalogs + legacy).flatMap { files(in: $0, extension: "md") }
    }()

    /// The modules that PiuPiuAsync re-exports, and it itself.
    private static let rooms = [
        "PiuPiuValues", "PiuPiuCore", "PiuPiuExchange", "PiuPiuSockets", "PiuPiuURLSession", "PiuPiuPolicies",
        "PiuPiuWebSocket", "PiuPiuAsync",
    ]

    private static let sources = files(in: "Sources", extension: "swift")

    /// The lines of the compiled files, without indentation and empty lines.
    private static let compiled: [[String]] = {
        let folders =
            ["PiuPiuFuturesTests", "PiuPiuRecordingTests", "PiuPiuTestingTests"]
            .map { $0 + "/Documentation" } + ["DocumentationTests/Samples"]
        // The tests of the older systems hold the samples of their sections in MIGRATION.md.
        let legacyFolders = [
            "LegacyCodeTests", "NetworkKitTests", "NetworkKitSwift6Tests", "PiuPiuClassicTests",
            "PiuPiuClassicSwift6Tests", "FuturisticsTests", "FuturisticsSwift6Tests",
        ]
        return (folders + legacyFolders)
            .flatMap { files(in: "Tests/\($0)", extension: "swift") }
            .filter { !$0.hasSuffix("/DocumentationSamplesTests.swift") }
            .map { normalized(lines(of: $0)) }
    }()

    @Test(arguments: markdown)
    func samplesOfMarkdownAreCompiled(path: String) {
        expectCompiled(Self.samples(in: Self.lines(of: path)), path)
    }

    @Test func samplesOfCommentsAreCompiled() {
        for path in Self.sources {
            let comments = Self.lines(of: path).compactMap { line -> String? in
                let line = line.trimmingCharacters(in: .whitespaces)
                return line.hasPrefix("///") ? String(line.dropFirst(3)) : nil
            }
            let samples = Self.samples(in: comments)
            expectCompiled(samples, path)
        }
    }

    @Test func samplesAreFound() {
        func count(_ paths: [String]) -> Int { paths.reduce(0) { $0 + Self.samples(in: Self.lines(of: $1)).count } }
        #expect(count(["README.md"]) >= 2)
        #expect(count(["MIGRATION.md"]) >= 2)
        #expect(count(Self.markdown) >= 30)
    }

    @Test func readmeBeginsWithAClient() throws {
        let lines = Self.lines(of: "README.md")
        let start = try #require(lines.firstIndex(of: "```swift"))
        #expect(start < 14)
        let sample = try #require(Self.samples(in: lines).first)
        #expect(sample.count <= 12)
        #expect(sample.first?.contains("URLRequestDispatcher(baseURL: server)") == true)
        #expect(lines.count <= 220)
    }

    @Test(arguments: [
        ("PiuPiuAsync", 90), ("PiuPiuFutures", 7), ("PiuPiuTransforms", 8), ("PiuPiuCurl", 0), ("PiuPiuRecording", 5),
        ("PiuPiuTesting", 12),
    ])
    func landingPageLinksEveryPublicType(module: String, atLeast count: Int) throws {
        let page = Self.lines(of: "Sources/\(module)/\(module).docc/\(module).md")
        let declaration = try Regex(#"^public (?:final class|struct|enum|actor|protocol) (\w+)"#)
        var types: Set<String> = []
        let rooms = module == "PiuPiuAsync" ? Self.rooms : [module]
        for path in Self.sources where rooms.contains(where: { path.hasPrefix("Sources/\($0)/") }) {
            for line in Self.lines(of: path) {
                guard let match = line.firstMatch(of: declaration), let name = match[1].substring else { continue }
                types.insert(String(name))
            }
        }
        #expect(types.count > count)
        for type in types.sorted() {
            #expect(page.contains("- ``\(type)``"), "\(type) is not among the topics")
        }
    }

    // MARK: Reading

    private func expectCompiled(_ samples: [[String]], _ path: String) {
        for sample in samples {
            let sample = Self.normalized(sample)
            let isCompiled = Self.compiled.contains { Self.contains($0, sample) }
            #expect(isCompiled, "\(path): no file of Tests/…/Documentation has this sample: \(sample.prefix(3))")
        }
    }

    /// Whether a run of lines equals the sample.
    private static func contains(_ lines: [String], _ sample: [String]) -> Bool {
        guard let first = sample.first, lines.count >= sample.count else { return sample.isEmpty }
        return (0...(lines.count - sample.count)).contains { start in
            lines[start] == first && lines[start..<(start + sample.count)].elementsEqual(sample)
        }
    }

    private static func normalized(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The contents of each fence that is marked as Swift.
    private static func samples(in lines: [String]) -> [[String]] {
        var samples: [[String]] = []
        var sample: [String]?
        for line in lines {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if let current = sample {
                if trimmed == "```" {
                    samples.append(current)
                    sample = nil
                } else {
                    sample = current + [line]
                }
            } else if trimmed.lowercased().hasPrefix("```swift") {
                sample = []
            }
        }
        // A fence that is not closed runs to the end, and is found nowhere.
        if let sample { samples.append(sample + ["(no end)"]) }
        return samples
    }

    private static func lines(of path: String) -> [String] {
        let data = FileManager.default.contents(atPath: root.appending(path: path).path(percentEncoded: false))
        guard let data else {
            Issue.record("\(path) cannot be read")
            return []
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    private static func files(in path: String, extension suffix: String) -> [String] {
        let folder = root.appending(path: path).path(percentEncoded: false)
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix("." + suffix) }.sorted().map { path + "/" + $0 }
    }
}
