import PiuPiuAsync
import Testing

/// The map in ARCHITECTURE.md shows what the code has.
@Suite struct ArchitectureTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    private static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    @Test func everyStationIsDeclaredInItsFile() throws {
        let row = #/^\| `(\w+)` \| `(Sources/[^`]+\.swift)` \|/#
        var count = 0
        for line in try Self.text(of: "ARCHITECTURE.md").split(separator: "\n") {
            guard let match = line.firstMatch(of: row) else { continue }
            count += 1
            let source = try Self.text(of: String(match.2))
            let declaration = try Regex(#"(?m)^.*\b(?:actor|class|enum|protocol|struct) \#(match.1)\b"#)
            #expect(source.firstMatch(of: declaration) != nil, "\(match.2) does not declare \(match.1)")
        }
        #expect(count > 35)
    }

    @Test func everyFileThatIsNamedIsThere() throws {
        for match in try Self.text(of: "ARCHITECTURE.md").matches(of: #/`(Sources/[^`]+)`/#) {
            let path = Self.root.appending(path: String(match.1)).path(percentEncoded: false)
            #expect(FileManager.default.fileExists(atPath: path), "\(match.1) is not there")
        }
    }

    // Whatever sends requests goes through `DispatcherCore.send`.
    @Test func thereIsOneWayToTheTransport() throws {
        let folder = Self.root.appending(path: "Sources/PiuPiuAsync").path(percentEncoded: false)
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let senders = try files.filter { $0.hasSuffix(".swift") }.filter { file in
            try Self.text(of: "Sources/PiuPiuAsync/" + file).contains(#/(transport|sender|base)\.send\(/#)
        }
        // The funnel, the end of a chain of interceptors, and what observers stand around.
        let expected = [
            "Dispatching/DispatcherCore.swift", "Interception/Interceptor.swift",
            "Observation/ObservingTransport.swift",
        ]
        #expect(senders.sorted() == expected)
    }
}
