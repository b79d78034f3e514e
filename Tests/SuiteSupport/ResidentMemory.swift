#if os(Linux)
import PiuPiuAsync
import Testing

/// The most memory this process has had in use since a moment.
package struct ResidentMemory {
    private let start: Int

    /// How much memory this process has, in bytes.
    package static func bytes() throws -> Int { try read("VmRSS") }

    /// Begins to measure.
    package init() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        start = try Self.bytes()
    }

    /// How many bytes more it was, at most, than in the beginning.
    package func growth() throws -> Int {
        try Self.read("VmHWM") - start
    }

    private static func read(_ name: String) throws -> Int {
        let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
}
#endif
