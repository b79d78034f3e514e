import PiuPiuAsync
import PiuPiuTesting

/// The server of the example: a queue that never runs dry, and that is overloaded at every third report.
struct Service {
    private let server: LoopbackServer

    var url: URL { server.baseURL }

    /// Starts the queue.
    ///
    /// - Parameter count: After how many jobs the process gets SIGTERM, as from `docker stop`.
    /// - Throws: An error if no port is free.
    init(signalAfter count: Int) throws {
        let server = try LoopbackServer()
        self.server = server
        server.route("POST", "/take") { _ in
            let id = server.requests(for: "/take").count
            // This request is answered only if the worker would still wait for it.
            if id > count {
                kill(getpid(), SIGTERM)
                return [.stall]
            }
            return [.json(#"{"id":\#(id),"text":"job number \#(id)"}"#)]
        }
        for id in 1...count {
            let overload = Step.response(status: 503, headers: ["Retry-After": "0"])
            let done = Step.response(status: 204)
            server.sequence("PUT", "/jobs/\(id)", id.isMultiple(of: 3) ? [[overload], [done]] : [[done]])
        }
        jobs = 1...count
    }

    private let jobs: ClosedRange<Int>

    /// What the queue was told.
    var summary: String {
        jobs.map { "job \($0): \(server.requests(for: "/jobs/\($0)").count)×" }.joined(separator: ", ")
    }

    /// Whether every job that was taken was reported, and only those of the overload twice.
    var isContent: Bool {
        jobs.allSatisfy { server.requests(for: "/jobs/\($0)").count == ($0.isMultiple(of: 3) ? 2 : 1) }
    }
}
