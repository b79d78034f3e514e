import Foundation
import Testing

/// That the blocks of the document, the compiled samples and the table agree.
struct BlocksTests {
    private static let count = 7

    private static func lines(of file: String) throws -> [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    private static func numbers(in file: String, _ pattern: String) throws -> [Int] {
        let expression = try Regex(pattern, as: (Substring, Substring).self)
        return try lines(of: file).compactMap { $0.firstMatch(of: expression).flatMap { Int($0.output.1) } }
    }

    @Test func everyBlockIsCompiled() throws {
        let compiled = try Self.numbers(in: "DocumentSamplesTests.swift", #"^ *// Block (\d+)$"#)
        #expect(compiled.sorted() == Array(1...Self.count))
    }

    @Test func everyBlockStandsInTheTable() throws {
        #expect(try Self.numbers(in: "Blocks.md", #"^\| (\d+) \|"#) == Array(1...Self.count))
    }
}
