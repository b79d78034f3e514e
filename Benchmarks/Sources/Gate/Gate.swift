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
        // Or it would depend on chance which threads are awake.
        ca_use_one_processor()
        ca_leave_out_libraries()
        // Not on the main thread, where each would wake two threads.
        try await Task.detached {
            try await requests(url)
            try await count("future with three thens", 2000) { number in
                guard try await chain(number) == number + 4 else { throw LoadError("a wrong value") }
            }
        }.value
    }

    private static func chain(_ number: Int) async throws -> Int {
        try await ResponseFuture { try await ChainStep.first(number) }
            .then { try ChainStep.next($0) }
            .then { try ChainStep.next($0) }
            .then { try ChainStep.next($0) }
            .fetchResult()
    }

    private static func requests(_ url: URL) async throws {
        let client = PiuPiuRequests(url)
        try await count("GET of 500 bytes", 5000) { _ in
            guard try await client.get().data?.count == 500 else { throw LoadError("a wrong body") }
        }
        // A head remembers its fields, so each one is asked once.
        var heads: [ResponseHead] = []
        for _ in 0..<1000 {
            guard let head = try await client.get().head else { throw LoadError("no head") }
            heads.append(head)
        }
        try await count("fields of a head", 500) { number in
            guard heads[number].headers["Content-Length"] == "500" else { throw LoadError("a wrong field") }
        }
        await client.dispatcher.shutdown()
    }

    /// The fewest that an operation needs, after as many that warm up.
    ///
    /// Waiting for what is done already saves an allocation or two, so the median depends on which thread is faster.
    /// What every operation allocates, the cheapest one allocates too.
    private static func count(_ path: String, _ times: Int, _ operation: (Int) async throws -> Void) async throws {
        for number in 0..<times { try await operation(number) }
        var counts: [Int] = []
        var bytes: [Int] = []
        counts.reserveCapacity(times)
        bytes.reserveCapacity(times)
        for number in 0..<times {
            let before = (ca_count(), ca_bytes())
            try await operation(times + number)
            counts.append(ca_count() - before.0)
            bytes.append(ca_bytes() - before.1)
        }
        counts.sort()
        bytes.sort()
        Report().with("path", path).with("allocations", counts[0]).with("bytes", bytes[0])
            .with("median", counts[times / 2]).with("most", counts.last ?? 0).print()
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
