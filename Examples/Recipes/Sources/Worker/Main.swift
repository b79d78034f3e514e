import Interruption
import PiuPiuAsync

/// A worker that ends well: with SIGTERM it finishes its jobs, and loses none.
///
/// `Worker URL` works for a queue until it gets a signal. Without a URL, it works for a queue of its own on 127.0.0.1, which is
/// overloaded now and then; after five jobs, the program sends itself the signal. The exit status is 0 if no job was lost.
@main
struct Main {
    static func main() async throws {
        if let queue = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) {
            return try await work(for: queue)
        }
        let service = try Service(signalAfter: 5)
        try await work(for: service.url)
        print(service.summary)
        if !service.isContent { exit(1) }
    }

    private static func work(for queue: URL) async throws {
        let worker = Worker(queue: queue)
        try await withInterruption {
            try await worker.run(slots: 3) { job in
                // In place of work: it takes a while, and is not interrupted.
                try await Task.sleep(for: .milliseconds(100))
                return String(job.text.reversed())
            }
        }
        print("No more jobs are taken, and all are done.")
    }
}
