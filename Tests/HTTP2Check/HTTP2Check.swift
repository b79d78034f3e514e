import PiuPiuAsync
import TestSupport

/// Sends many requests over HTTP/2 to servers that nobody here wrote, and compares what it got with the servers' logs.
///
///     HTTP2Check [POSTS]
@main
enum HTTP2Check {
    static func main() async throws {
        let posts = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
        var isClean = true
        for server in CheckedServer.allCases {
            for streams in [1000, 10] {
                let running = try await server.start(streamsPerConnection: streams)
                let title = "\(server.rawValue), \(streams) streams a connection, \(posts) POSTs, 50 at a time"
                isClean = try await Check(title, running).run(posts: posts) && isClean
            }
            for (count, size) in [(2_000, 4), (200, 20)] {
                let running = try await server.start(streamsPerConnection: 100_000)
                let title = "\(server.rawValue), \(count) requests at once, heads of \(size) KB"
                isClean = try await Check(title, running).run(gets: count, size: size) && isClean
            }
        }
        if !isClean { exit(1) }
    }
}
