import PiuPiuAsync
import SuiteSupport
import Testing

/// The map in ARCHITECTURE.md shows what the code has.
struct ArchitectureTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    private static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// The paths of the Swift files in a folder.
    private static func files(in folder: String) throws -> [String] {
        let path = root.appending(path: folder).path(percentEncoded: false)
        let files = try FileManager.default.subpathsOfDirectory(atPath: path)
        return files.filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }
    }

    @Test func everyFileThatIsNamedIsThere() throws {
        var count = 0
        for match in try Self.text(of: "ARCHITECTURE.md").matches(of: #/`(Sources/[^`]+)`/#) {
            let path = Self.root.appending(path: String(match.1)).path(percentEncoded: false)
            #expect(FileManager.default.fileExists(atPath: path), "\(match.1) is not there")
            count += 1
        }
        #expect(count > 15)
    }

    @Test(arguments: ["NetworkKit", "PiuPiuClassic", "Futuristics"])
    func olderSystemsAreThin(module: String) throws {
        let files = try Self.files(in: "Sources/Legacy/" + module)
        let lines = try files.map { try Self.text(of: $0).split(separator: "\n") }.joined()
        let code = lines.count { line in
            let text = line.drop { $0 == " " }
            return !text.isEmpty && !text.hasPrefix("//")
        }
        // The promises of PiuPiu 1.3 make its module the longest.
        #expect(code > 100 && code <= 700)
    }

    @Test func theClientOfAnAPIIsShort() throws {
        let lines = try Self.text(of: "Examples/APIClient/Blog.swift").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count < 60)
    }

    // A sequence of joined blocks is walked byte by byte, a hundred times slower than a copy of each block.
    @Test func noBytesAreJoinedOneByOne() throws {
        let modules = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Sources").path(percentEncoded: false)
        ).filter { $0.hasPrefix("PiuPiu") }
        #expect(modules.count > 12)
        for file in try modules.flatMap({ try Self.files(in: "Sources/" + $0) }) {
            #expect(!(try Self.text(of: file)).contains(#/\b(Data|\[UInt8\])\(.*\.joined\(\)\)/#), "\(file)")
        }
    }

    // Modules re-export what they build on, so that no import tells one that a file reaches too far; the manifest does.
    @Test(arguments: [
        ("PiuPiuBytes", []), ("PiuPiuEngine", ["PiuPiuBytes"]), ("PiuPiuValues", ["PiuPiuBytes"]),
        ("PiuPiuCore", ["PiuPiuValues"]), ("PiuPiuExchange", ["PiuPiuCore"]), ("PiuPiuPolicies", ["PiuPiuCore"]),
        ("PiuPiuWebSocket", ["PiuPiuCore"]),
        ("PiuPiuURLSession", ["PiuPiuExchange"]), ("PiuPiuSockets", ["PiuPiuEngine", "PiuPiuExchange"]),
    ])
    func roomsKnowOnlyThoseBelow(room: String, below: [String]) throws {
        let pattern = try Regex(#"^(?:@\w+ )?import (PiuPiu\w+)"#).anchorsMatchLineEndings()
        for file in try Self.files(in: "Sources/" + room) {
            for match in try Self.text(of: file).matches(of: pattern) {
                let name = match.output[1].substring.map(String.init) ?? ""
                #expect(below.contains(name), "\(file) imports \(name)")
            }
        }
    }

    // Whatever sends requests goes through `DispatcherCore.send`.
    @Test func thereIsOneWayToTheTransport() throws {
        let senders = try ["PiuPiuCore", "PiuPiuPolicies", "PiuPiuWebSocket", "PiuPiuAsync"].flatMap {
            try Self.files(in: "Sources/" + $0)
        }
        .filter { try Self.text(of: $0).contains(#/(transport|sender|base)\.send\(/#) }
        // The funnel, the end of a chain of interceptors, and what observers stand around.
        let expected = [
            "PiuPiuAsync/Dispatching/DispatcherCore.swift", "PiuPiuCore/Interception/Interceptor.swift",
            "PiuPiuCore/Observation/ObservingTransport.swift",
        ]
        #expect(senders.sorted() == expected.map { "Sources/" + $0 })
    }
}
