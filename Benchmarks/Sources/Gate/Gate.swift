import CAllocations
import LoadKit
import PiuPiuAsync
import PiuPiuFutures

/// Counts what the hot paths ask of the allocator, which hardly differs from run to run and from machine to machine.
///
/// Usage: Gate PORT     the port of a StubServer on this machine
@main
struct Gate {
    static func main() async throws {
        guard let port = CommandLine.arguments.last.flatMap({ Int($0) }),
            let url = URL(string: "http://127.0.0.1:\(port)/0")
        else { throw LoadError("Usage: Gate PORT") }
        // Not on the main thread, where each would wake two threads.
        try await Task.detached {
            try await requests(url)
            try await count("future with three thens", 2000) { times in
                let contestant = PiuPiuFutureChain()
                for number in 0..<times {
                    guard try await contestant.run(number) == number + 4 else { throw LoadError("a wrong value") }
                }
            }
        }.value
    }

    private static func requests(_ url: URL) async throws {
        let client = PiuPiuRequests(url)
        try await count("GET of 500 bytes", 2000) { times in
            for _ in 0..<times {
                guard try await client.get().data?.count == 500 else { throw LoadError("a wrong body") }
            }
        }
        // A head remembers its fields, so each one is asked once.
        var heads: [ResponseHead] = []
        for _ in 0..<1200 {
            guard let head = try await client.get().head else { throw LoadError("no head") }
            heads.append(head)
        }
        var position = 0
        try await count("fields of a head", 200) { times in
            for head in heads[position..<(position + times)] {
                guard head.headers["Content-Length"] == "500" else { throw LoadError("a wrong field") }
            }
            position += times
        }
        await client.dispatcher.shutdown()
    }

    /// Five batches after one that warms up; the median, because now and then a buffer grows or a timer is set.
    private static func count(_ path: String, _ times: Int, _ operation: (Int) async throws -> Void) async throws {
        try await operation(times)
        var counts: [Double] = []
        var bytes: [Double] = []
        for _ in 0..<5 {
            let before = (ca_count(), ca_bytes())
            try await operation(times)
            counts.append(Double(ca_count() - before.0) / Double(times))
            bytes.append(Double(ca_bytes() - before.1) / Double(times))
        }
        Report().with("path", path).with("allocations", counts.sorted()[2]).with("bytes", bytes.sorted()[2])
            .with("spread", (counts.max() ?? 0) - (counts.min() ?? 0)).print()
    }
}

private struct PiuPiuRequests {
    let dispatcher: URLRequestDispatcher
    private let url: URL

    init(_ url: URL) {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        dispatcher = URLRequestDispatcher(configuration: configuration)
        self.url = url
    }

    func get() async throws -> Response<Data?> { try await dispatcher.data(for: URLRequest(url: url, method: .get)) }
}

private struct PiuPiuFutureChain {
    func run(_ number: Int) async throws -> Int {
        try await ResponseFuture { try await ChainStep.first(number) }
            .then { try ChainStep.next($0) }
            .then { try ChainStep.next($0) }
            .then { try ChainStep.next($0) }
            .fetchResult()
    }
}
