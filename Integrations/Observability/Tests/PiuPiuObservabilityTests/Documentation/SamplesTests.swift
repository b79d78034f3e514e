import Foundation
import Logging
import PiuPiuAsync
import PiuPiuObservability
import PiuPiuTesting
import Testing
import Tracing

/// The samples of README.md and of the comments.
@Suite(.timeLimit(.minutes(2))) struct SamplesTests {
    @Test func together() async throws {
        let server = try LoopbackServer()
        server.route("/users/7", .response())
        let url = server.url("/users/7")
        let logger = Logger(label: "http") { _ in SwiftLogNoOpLogHandler() }

        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [LoggerObserver(logger), MetricsObserver(), TracingObserver()]
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        var options = RequestOptions()
        options.routeTemplate = "/users/{id}"
        let response = try await dispatcher.data(from: url, options: options)

        #expect(response.statusCode == .ok)
        #expect(server.requests.count == 1)
    }

    @Test func levels() {
        let logger = Logger(label: "http") { _ in SwiftLogNoOpLogHandler() }

        let observer = LoggerObserver(logger, levels: .init(success: .info, failure: .error))

        _ = observer
    }

    @Test func propagation() {
        let observer = TracingObserver { exchange in exchange.host.hasSuffix(".internal.example") }

        _ = observer
    }

    @Test func comments() {
        do {
            var configuration = URLRequestDispatcher.Configuration()
            configuration.observers = [TracingObserver()]
            let dispatcher = URLRequestDispatcher(configuration: configuration)
            _ = dispatcher
        }
        do {
            var configuration = URLRequestDispatcher.Configuration()
            configuration.observers = [MetricsObserver()]
            let dispatcher = URLRequestDispatcher(configuration: configuration)
            _ = dispatcher
        }
        do {
            var configuration = URLRequestDispatcher.Configuration()
            configuration.observers = [LoggerObserver(Logger(label: "http"))]
            let dispatcher = URLRequestDispatcher(configuration: configuration)
            _ = dispatcher
        }
    }

    // MARK: The samples stand in this file

    private static let folder = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    @Test func everySampleIsCompiled() throws {
        let files = try #require(FileManager.default.enumerator(atPath: Self.folder.appending(path: "Sources").path))
            .compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
            .map { "Sources/" + $0 }
        let compiled = try lines(URL(filePath: #filePath))
        var count = 0
        for file in files + ["README.md"] {
            for sample in try samples(Self.folder.appending(path: file)) {
                count += 1
                let isFound = compiled.indices.contains { compiled[$0...].starts(with: sample) }
                #expect(isFound, "\(file): \(sample.first ?? "")")
            }
        }
        #expect(count == 7)
    }

    private func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .map { $0.hasPrefix("///") ? $0.dropFirst(3).trimmingCharacters(in: .whitespaces) : $0 }
            .filter { !$0.isEmpty }
    }

    private func samples(_ file: URL) throws -> [[String]] {
        var samples: [[String]] = []
        var isSample = false
        for line in try lines(file) {
            if line.hasPrefix("```") {
                isSample = line == "```swift"
                if isSample { samples.append([]) }
            } else if isSample {
                samples[samples.count - 1].append(line)
            }
        }
        return samples
    }
}
