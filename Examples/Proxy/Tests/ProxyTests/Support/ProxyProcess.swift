import Foundation
import PiuPiuAsync
import PiuPiuTesting
import Testing

/// A proxy in a process of its own, which ends with this object.
final class ProxyProcess: Sendable {
    /// The port that the proxy listens on.
    let port: Int
    /// Sends requests to the proxy.
    let client: URLRequestDispatcher
    private let process: Process
    private let ended: AsyncStream<Void>

    /// Starts a proxy, and returns when it listens.
    ///
    /// - Parameters:
    ///   - upstream: The URL to forward to.
    ///   - arguments: More arguments.
    /// - Throws: An error if the proxy does not start.
    init(to upstream: String, _ arguments: [String] = []) async throws {
        let process = Process()
        // Beside the program that runs the tests.
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "Proxy"
        )
        process.arguments = ["--upstream", upstream, "--port", "0"] + arguments
        process.environment = ["PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        self.process = process
        ended = stream
        let line = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    returning: String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                )
            }
        }
        let digits = line.split(separator: ":").last.map { $0.prefix { $0.isNumber } } ?? ""
        port = try #require(Int(digits), "The proxy printed \(line)")
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        configuration.timeouts = Timeouts(queue: nil, connect: nil, idle: .seconds(300), total: .seconds(300))
        configuration.redirects = nil
        configuration.options.decompression = .off
        client = URLRequestDispatcher(configuration: configuration)
    }

    /// Starts a proxy for a scripted server.
    convenience init(to server: LoopbackServer, _ arguments: [String] = ["--timeout", "300"]) async throws {
        try await self.init(to: "http://127.0.0.1:\(server.port)", arguments)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// A URL at the proxy.
    func url(_ path: String) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
    }

    /// Asks the process to end.
    func terminate() {
        process.terminate()
    }

    /// Waits until the process has ended, and returns its status.
    func status() async -> Int32 {
        for await _ in ended {}
        return process.terminationStatus
    }

    /// A number of `/proc/PID/status`, in bytes.
    func memory(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(line.split { !$0.isNumber }.last.flatMap { Int($0) }) * 1024
    }

    /// Waits until a count has stopped changing while the proxy answers other requests.
    ///
    /// - Parameter count: The count.
    /// - Returns: The count.
    /// - Throws: The errors of the client.
    func standstill(_ count: () -> Int) async throws -> Int {
        var last = -1
        while count() != last {
            last = count()
            for _ in 0..<200 { _ = try await client.data(from: url("/health")) }
        }
        return last
    }
}
