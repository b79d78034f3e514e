import PiuPiuAsync

/// One transfer, measured from inside: wall time, processor time, and by how much memory grew at its largest.
///
/// Usage: Transfers download URL FILE | upload URL FILE | read URL PAUSE_MS
@main
struct Transfers {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let url = URL(string: arguments[2]) else {
            print("usage: Transfers download URL FILE | upload URL FILE | read URL PAUSE_MS")
            exit(64)
        }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        configuration.connections = ConnectionLimits(perHost: 512, total: 512)
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        // What the first request costs once is not the transfer's.
        _ = try? await dispatcher.data(from: url.deletingLastPathComponent().appending(path: "warm"))
        let before = Memory.peak(resetting: true)
        let start = ContinuousClock.now
        let cpu = clock()
        var bytes: Int64 = 0
        var largestCount: Int64 = 0
        switch arguments[1] {
        case "download":
            let file = URL(filePath: arguments[3])
            for try await event in dispatcher.download(for: URLRequest(url: url, method: .get), to: file) {
                if case .progress(let progress) = event { bytes = progress.bytesReceived }
            }
        case "upload":
            let file = URL(filePath: arguments[3])
            let response = try await dispatcher.upload(for: URLRequest(url: url, method: .put), from: .file(file))
                .response().validated()
            bytes = Int64(response.urlRequest.httpBody?.count ?? 0)
        case "hold":
            var held: [ResponseBody] = []
            for _ in 0..<(Int(arguments[3]) ?? 1) {
                held.append(try await dispatcher.stream(for: URLRequest(url: url, method: .get)).data)
            }
            try await Task.sleep(for: .seconds(1))
            bytes = Int64(held.count)
        default:
            let pause = Duration.milliseconds(Int(arguments[3]) ?? 0)
            let body = try await dispatcher.stream(for: URLRequest(url: url, method: .get)).data
            for try await chunk in body {
                bytes += Int64(chunk.count)
                largestCount = max(largestCount, Int64(chunk.count))
                if pause > .zero { try await Task.sleep(for: pause) }
            }
        }
        let wall = (ContinuousClock.now - start) / .milliseconds(1)
        let used = Double(clock() - cpu) / Double(CLOCKS_PER_SEC) * 1000
        let growth = Double(Memory.peak(resetting: false) - before) / 1_048_576
        print(
            String(
                format: "{\"wall_ms\":%.1f,\"cpu_ms\":%.1f,\"growth_mib\":%.2f,\"bytes\":%ld,\"chunk\":%ld}",
                wall,
                used,
                growth,
                bytes,
                largestCount
            )
        )
    }
}

enum Memory {
    /// The most that was resident, in bytes, since the process began or since it was reset.
    static func peak(resetting: Bool) -> Int {
        if resetting { try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8) }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1024
    }
}
