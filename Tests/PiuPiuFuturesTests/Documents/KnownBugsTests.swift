import PiuPiuFutures
import Testing

/// That the tables of ``KnownBug`` and the tests agree.
///
/// A test bears its numbers in a comment in front of it, such as `// K4, B21, rule 3`, and the tables name the test.
struct KnownBugsTests {
    private static let module = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let core = module.deletingLastPathComponent()

    /// The test functions of a file, with the comments in front of them.
    private static func tests(in file: URL) throws -> [String: String] {
        let declaration = #/\bfunc (\w+)\(/#
        var tests: [String: String] = [:]
        var before: [String] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            let text = line.trimmingCharacters(in: .whitespaces)
            // An empty line stands between two functions.
            if text.isEmpty { before = [] } else { before.append(text) }
            guard let match = text.firstMatch(of: declaration), before.contains(where: { $0.contains("@Test") }) else {
                continue
            }
            tests[String(match.1)] = before.filter { $0.hasPrefix("// ") }.joined(separator: " ")
            before = []
        }
        return tests
    }

    private static func numbers(in comment: String, _ pattern: Regex<(Substring, Substring)>) -> [Int] {
        comment.matches(of: pattern).compactMap { Int($0.1) }
    }

    @Test func everyNumberHasAnEntry() {
        #expect(KnownBug.all.map(\.number) == Array(1...24))
        #expect(KnownBug.rules.map(\.number) == Array(1...20))
        for entry in KnownBug.all + KnownBug.rules {
            #expect(!entry.text.isEmpty)
            #expect(!entry.tests.isEmpty)
            #expect((Array(entry.tests.values) + Array(entry.core.values)).allSatisfy { !$0.isEmpty })
        }
    }

    @Test func everyTestThatIsNamedIsThere() throws {
        for entry in KnownBug.all + KnownBug.rules {
            let files =
                entry.tests.map { (Self.module.appending(path: $0), $1) }
                + entry.core.map { (Self.core.appending(path: $0), $1) }
            for (file, names) in files {
                let tests = try Self.tests(in: file)
                for name in names { #expect(tests[name] != nil, "\(file.lastPathComponent) has no test \(name)") }
            }
        }
    }

    @Test func commentsAndTablesSayTheSame() throws {
        let paths =
            FileManager.default.enumerator(atPath: Self.module.path(percentEncoded: false))?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
        #expect(paths.count > 20)
        for (table, pattern) in [(KnownBug.all, #/\bK(\d+)/#), (KnownBug.rules, #/[Rr]ule (\d+)/#)] {
            var said: [Int: [String: [String]]] = [:]
            for path in paths {
                for (name, comment) in try Self.tests(in: Self.module.appending(path: path)) {
                    for number in Self.numbers(in: comment, pattern) {
                        said[number, default: [:]][path, default: []].append(name)
                    }
                }
            }
            for entry in table {
                let listed = entry.tests.mapValues { $0.sorted() }
                #expect(said[entry.number]?.mapValues { $0.sorted() } == listed, "\(entry.number): \(entry.text)")
                said[entry.number] = nil
            }
            #expect(said.isEmpty, "no such number")
        }
    }
}
