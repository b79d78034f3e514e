import PiuPiuAsync
import PiuPiuTesting

/// Shows downloads and an upload against a server of its own, and checks what arrives.
struct Demonstration {
    private typealias Step = (title: String, run: @Sendable (Demonstration) async throws -> Outcome)

    private static let steps: [Step] = [
        ("A download from a slow server", { try await $0.slowDownload() }),
        ("A download that breaks, and continues", { try await $0.brokenDownload() }),
        ("An upload", { try await $0.upload() }),
    ]

    let site: Site
    let folder: URL
    let errand: Errand

    /// Runs all steps, and removes what they leave.
    static func run() async -> Outcome {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "fetch-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        let site: Site
        do {
            site = try Site()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            Output.problem("The server cannot be started: \(error)")
            return .failure
        }
        defer { site.server.stop() }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        configuration.timeouts.total = .seconds(60)
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        let outcome = await Demonstration(site: site, folder: folder, errand: Errand(dispatcher: dispatcher)).run()
        await dispatcher.shutdown()
        return outcome
    }

    private func run() async -> Outcome {
        for (index, step) in Self.steps.enumerated() {
            Output.result("\(index == 0 ? "" : "\n")\(index + 1). \(step.title)")
            do {
                let outcome = try await step.run(self)
                guard outcome == .success else { return outcome }
            } catch {
                Output.problem("Step \(index + 1) (\(step.title)) failed: \(error)")
                return .failure
            }
        }
        Output.result("\nAll \(Self.steps.count) steps were as they must be.")
        return .success
    }

    private func slowDownload() async throws -> Outcome {
        let file = folder.appending(path: "slow.bin")
        let outcome = await errand.download(site.server.url("/slow.bin"), to: file.path, resumes: false)
        guard outcome == .success else { return outcome }
        try require(try Data(contentsOf: file) == site.content, "the file is the server's")
        try require(try names() == ["slow.bin"], "nothing else is in the folder")
        return .success
    }

    private func brokenDownload() async throws -> Outcome {
        let file = folder.appending(path: "broken.bin")
        let url = site.server.url("/broken.bin")
        let broken = await errand.download(url, to: file.path, resumes: true)
        guard broken != .cancelled else { return broken }
        try require(broken == .failure, "the first attempt fails")
        try require(!FileManager.default.fileExists(atPath: file.path), "there is no half a file")
        Output.note("Once more:")
        let outcome = await errand.download(url, to: file.path, resumes: true)
        guard outcome == .success else { return outcome }
        try require(try Data(contentsOf: file) == site.content, "the file is the server's")
        let ranges = site.server.requests(for: "/broken.bin").map { $0.header("Range") }
        try require(ranges.count == 2 && ranges.last == "bytes=\(site.brokenAfter)-", "only the rest was asked for")
        try require(try names() == ["broken.bin", "slow.bin"], "the part is gone")
        return .success
    }

    private func upload() async throws -> Outcome {
        let file = folder.appending(path: "upload.bin")
        try site.content.write(to: file)
        let outcome = await errand.upload(file.path, to: site.server.url("/upload"))
        guard outcome == .success else { return outcome }
        try require(site.server.requests(for: "/upload").map(\.body) == [site.content], "the server has the file")
        return .success
    }

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
