import Foundation
import Testing

/// That the migration guide has every name and that its samples are compiled.
struct MigrationTests {
    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
    private static let module = "Sources/Legacy/Futuristics"

    private static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8).components(separatedBy: "\n")
    }

    private static func files(in path: String, _ suffix: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: root.appendingPathComponent(path).path)?
            .compactMap { $0 as? String }
        return (all ?? []).filter { $0.hasSuffix(suffix) }.map { path + "/" + $0 }
    }

    /// The lines about this module.
    private static func guide() throws -> [String] {
        try lines(of: module + "/Futuristics.docc/MovingFromFuturistics.md")
    }

    private static func normalized(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func samples(in lines: [String]) -> [[String]] {
        var samples: [[String]] = []
        var sample: [String]?
        for line in normalized(lines) {
            if line == "```swift" {
                sample = []
            } else if line == "```" {
                if let sample { samples.append(sample) }
                sample = nil
            } else {
                sample?.append(line)
            }
        }
        return samples
    }

    private static func expectCompiled(_ samples: [[String]]) throws {
        let folders = ["FuturisticsTests", "FuturisticsSwift6Tests"].map { "Tests/\($0)/Documentation" }
        let compiled = try folders.flatMap { files(in: $0, ".swift") }.map { normalized(try lines(of: $0)) }
        for sample in samples {
            let isCompiled = compiled.contains { file in
                file.indices.contains { file[$0...].starts(with: sample) }
            }
            #expect(isCompiled, "\(sample)")
        }
    }

    @Test func everySampleOfTheGuideIsCompiled() throws {
        let samples = Self.samples(in: try Self.guide())
        #expect(samples.count == 10)
        try Self.expectCompiled(samples)
    }

    @Test func everySampleOfTheModuleIsCompiled() throws {
        var count = 0
        for path in Self.files(in: Self.module, ".swift") {
            let comments = try Self.lines(of: path).map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("///") }.map { String($0.dropFirst(3)) }
            let samples = Self.samples(in: comments)
            count += samples.count
            try Self.expectCompiled(samples)
        }
        let page = Self.samples(in: try Self.lines(of: Self.module + "/Futuristics.docc/Futuristics.md"))
        try Self.expectCompiled(page)
        #expect(count == 3)
        #expect(page.count == 2)
    }

    /// The names that stand in backticks in the guide's table of names.
    private static func documented() throws -> String {
        try guide().drop { $0 != "## Every name of Futuristics" }.dropFirst().prefix { !$0.hasPrefix("## ") }
            .filter { $0.hasPrefix("|") }.joined(separator: "\n")
    }

    @Test func everyNameOfFuturisticsHasARow() throws {
        let table = try Self.documented()
        let names = [
            "Promise<T>", "promise.future", "promise.isPending", "Promise()", "promise.fulfill(_:)",
            "promise.reject(_:)",
            "promise.resolve { }", "promise.resolveWith { }", "promise.ensureResolution()", "Future<T>", "future.state",
            "FutureState", ".Pending", ".Fulfilled(T)", ".Rejected(ErrorType)", "FutureState.isPending",
            "future.onSuccess { }", "future.onFailure { }", "future.finally { }", "future.onSuccess(context) { }",
            ".onFailure(context) { }", ".finally(context) { }", "future.onSuccess(on: queue) { }", ".onFailure(on:)",
            ".finally(on:)", "future.result()", "FutureError.stillPending", "ExecutionContext", "onMainQueue",
            "onMainQueue(closure)", "onMainQueue(after: delay)(closure)", "onBackgroundQueue(closure)",
            "onBackgroundQueue(after: delay)(closure)", "onQueue(queue)(closure)", "onQueue(queue, closure:)",
            "onQueue(queue, after: delay)(closure)", "f >>> g", #"value \|> f"#, #"value \|> g"#, #"future \|> g"#,
            "await(first, second)", "await(futures)", "awaitResult(future)", "future.await()",
        ]
        for name in names { #expect(table.contains("`\(name)`"), "\(name) has no row") }
    }

    @Test func everyPublicNameOfTheModuleHasARow() throws {
        let table = try Self.documented()
        let declaration = try Regex(
            #"^(?:public |@\w+(?:\(.*?\))? |final |convenience )*(?:func|var|let|typealias|class|enum|struct|case) `?([A-Za-z]+|>>>|\|>)"#,
            as: (Substring, Substring).self
        )
        var names: Set<String> = []
        for path in Self.files(in: Self.module, ".swift") {
            for line in try Self.lines(of: path).map({ $0.trimmingCharacters(in: .whitespaces) })
            where line.contains("public ") || (path.contains("/FutureState.") || path.contains("/FutureError.")) {
                if let match = line.firstMatch(of: declaration) { names.insert(String(match.output.1)) }
            }
        }
        #expect(names.count > 25)
        for name in names {
            #expect(table.contains(name == "|>" ? #"\|>"# : name), "\(name) has no row")
        }
    }

    @Test func thePageOfTheModuleLinksEveryType() throws {
        let page = try Self.lines(of: Self.module + "/Futuristics.docc/Futuristics.md")
        let declaration = try Regex(
            #"^public (?:final class|enum|struct|typealias) (\w+)"#,
            as: (Substring, Substring).self
        )
        var count = 0
        for path in Self.files(in: Self.module, ".swift") {
            for line in try Self.lines(of: path) {
                guard let match = line.firstMatch(of: declaration) else { continue }
                count += 1
                #expect(page.contains("- ``\(match.output.1)``"))
            }
        }
        #expect(count == 7)
    }
}
