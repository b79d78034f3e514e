import PiuPiuAsync
import PiuPiuTesting

/// Runs a few command lines against a server of its own, and checks what comes of them.
struct Demonstration {
    private typealias Step = (title: String, run: @Sendable (Demonstration) async throws -> Void)

    private static let steps: [Step] = [
        ("JSON, with the head of the response and the times", { try await $0.json() }),
        ("Several downloads at once", { try await $0.downloads() }),
        ("A download that breaks, and continues", { try await $0.brokenDownload() }),
        ("An upload", { try await $0.upload() }),
    ]

    let site: Site
    let folder: URL

    /// Runs all steps, and removes what they leave.
    static func run() async -> ExitCode {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "fetch-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        let site: Site
        do {
            site = try Site()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            Output.problem(FetchError(.other, "The server cannot be started: \(error)"))
            return .other
        }
        defer { site.server.stop() }
        return await Demonstration(site: site, folder: folder).run()
    }

    private func run() async -> ExitCode {
        for (index, step) in Self.steps.enumerated() {
            Output.result("\(index == 0 ? "" : "\n")\(index + 1). \(step.title)")
            do {
                try await step.run(self)
            } catch is CancellationError {
                return .cancelled
            } catch {
                Output.problem(FetchError(.other, "Step \(index + 1) (\(step.title)) failed: \(error)"))
                return .other
            }
        }
        Output.result("\nAll \(Self.steps.count) steps were as they must be. Try: Fetch --help")
        return .success
    }

    private func json() async throws {
        try await fetch(["-i", "--timings"], ["/data.json"])
    }

    private func downloads() async throws {
        let paths = Site.files.map { "/\($0)" }
        try await fetch(["--output-dir", folder.path], paths)
        for name in Site.files { try require(try content(name) == site.content, "\(name) is the server's") }
        try require(try names() == Site.files.sorted(), "nothing else is in the folder")
    }

    private func brokenDownload() async throws {
        let options = ["--resume", "--output-dir", folder.path, "-O"]
        try await fetch(options, ["/broken.bin"], expecting: .partial)
        try require(!(try names().contains("broken.bin")), "there is no half a file")
        try await fetch(options, ["/broken.bin"])
        try require(try content("broken.bin") == site.content, "the file is the server's")
        let ranges = site.server.requests(for: "/broken.bin").map { $0.header("Range") }
        try require(ranges.count == 2 && ranges.last == "bytes=\(site.brokenAfter)-", "only the rest was asked for")
        try require(try names() == (Site.files + ["broken.bin"]).sorted(), "the part is gone")
    }

    private func upload() async throws {
        let file = folder.appending(path: "upload.bin")
        try site.content.write(to: file)
        try await fetch(["-T", file.path], ["/upload"])
        try require(site.server.requests(for: "/upload").map(\.body) == [site.content], "the server has the file")
    }

    /// Runs a command line, after showing it.
    private func fetch(_ options: [String], _ paths: [String], expecting expected: ExitCode = .success) async throws {
        let urls = paths.map { site.server.url($0).absoluteString }
        let shown = (["Fetch"] + options + urls).map { $0.replacing(folder.path, with: "folder") }
        Output.result("$ " + shown.joined(separator: " "))
        let words = options + ["--noproxy", "*", "--max-time", "60"] + urls
        let code = try await Session(Arguments(words), environment: [:]).run()
        if code == .cancelled { throw CancellationError() }
        try require(code == expected, "the exit status is \(expected.rawValue), not \(code.rawValue)")
    }

    private func content(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    /// What is in the folder, hidden or not.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func require(_ condition: Bool, _ expectation: String) throws {
        if !condition { throw Disappointment(description: "expected that \(expectation)") }
    }
}

/// Something was not as it must be.
struct Disappointment: Error, CustomStringConvertible {
    let description: String
}
