import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// The lines of standard error, here written to a file.
struct StandardErrorLogTests {
    private static let date = Date(timeIntervalSinceReferenceDate: 0)

    /// Returns the lines that are in a file after something wrote to it.
    private static func lines(_ write: (Int32) -> Void) throws -> [String] {
        let url = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let descriptor = open(url.path(percentEncoded: false), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try #require(descriptor >= 0)
        write(descriptor)
        close(descriptor)
        let lines = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        return lines.dropLast().map { String($0) }
    }

    @Test func aLineBeginsWithTheTimeAndTheLevel() throws {
        let lines = try Self.lines { LoggingObserver.write("event=call", .notice, at: Self.date, to: $0) }
        #expect(lines == ["time=2001-01-01T00:00:00Z level=notice event=call"])
    }

    @Test func linesOfThreadsDoNotMix() throws {
        let lines = try Self.lines { descriptor in
            DispatchQueue.concurrentPerform(iterations: 64) { number in
                let text = String(repeating: "\(number) ", count: 100)
                for _ in 0..<50 { LoggingObserver.write(text, .info, at: Self.date, to: descriptor) }
            }
        }
        #expect(lines.count == 64 * 50)
        let expected = (0..<64).map {
            "time=2001-01-01T00:00:00Z level=info " + String(repeating: "\($0) ", count: 100)
        }
        #expect(Set(lines) == Set(expected))
    }

    @Test(arguments: ["a", "é", "日", "🦆"])
    func aLineFitsIntoOneWriteOfAPipe(_ character: Character) throws {
        let lines = try Self.lines { descriptor in
            for length in 4040...4060 {
                let text = String(repeating: "-", count: length % 7) + String(repeating: character, count: length)
                LoggingObserver.write(text, .info, at: Self.date, to: descriptor)
            }
        }
        #expect(lines.count == 21)
        for line in lines {
            #expect((4092...4095).contains(line.utf8.count) || character == "a")
            #expect(line.utf8.count <= 4095)
            #expect(line.last == character)
        }
    }

    @Test func aDescriptorThatCannotBeWrittenIsIgnored() {
        LoggingObserver.write("event=call", .info, at: .distantFuture, to: -1)
    }
}
