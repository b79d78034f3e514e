import PiuPiuAsync

/// Takes jobs from a queue, works on several at a time, and reports each when it is done.
///
/// When its task is cancelled, it takes no more jobs, finishes those that it has, and returns. What can fail for a while is
/// sent again by the policy; a report has a key, so that a queue that has it already does not count it twice.
struct Worker {
    struct Job: Decodable, Sendable {
        var id: Int
        var text: String
    }

    struct Report: Encodable, Sendable {
        var result: String
    }

    private let api: URLRequestDispatcher

    init(queue: URL) {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = queue
        // Less than the ten seconds that `docker stop` gives a process by default.
        configuration.timeouts.total = .seconds(8)
        api = URLRequestDispatcher(configuration: configuration, interceptors: [RetryPolicy(retries: 4)])
    }

    /// Works until the task is cancelled.
    ///
    /// - Parameters:
    ///   - slots: How many jobs to work on at a time.
    ///   - work: What to do with a job.
    /// - Throws: The error of the queue, if it does not recover.
    func run(slots: Int, work: @escaping @Sendable (Job) async throws -> String) async throws {
        var running: [Task<Void, Never>] = []
        do {
            while !Task.isCancelled {
                if running.count >= slots { await running.removeFirst().value }
                guard let job = try await take() else { continue }
                // A task of its own and not a child: a cancellation ends the taking, not the work.
                running.append(Task { await finish(job, work) })
            }
        } catch is CancellationError {
            // A queue gives a job that it handed out, but that nobody reports, to the next worker.
        }
        for task in running { await task.value }
        await api.shutdown()
    }

    /// Waits for a job; `nil` if there is none for a while.
    private func take() async throws -> Job? {
        try await api.post("/take", query: ["wait": 5], headers: ["Idempotency-Key": UUID().uuidString])
    }

    private func finish(_ job: Job, _ work: @Sendable (Job) async throws -> String) async {
        do {
            let report = Report(result: try await work(job))
            try await api.put("/jobs/\(job.id)", headers: ["Idempotency-Key": "job-\(job.id)"], body: .json(report))
            print("job \(job.id) is done")
        } catch {
            print("job \(job.id) failed: \(error)")
        }
    }
}
