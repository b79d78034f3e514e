import PiuPiuAsync

/// Runs jobs: sends their requests and puts the responses where they belong.
struct Runner: Sendable {
    let arguments: Arguments
    let dispatcher: URLRequestDispatcher
    let screen: Screen
    let ledger: Ledger
    /// The colours of standard output.
    let colours: Colours
    /// The files that the jobs save to.
    let claims: Locked<Claims>

    /// Runs jobs, a few at a time.
    ///
    /// - Parameter jobs: The jobs.
    /// - Returns: What went wrong first, in the order of the jobs; `nil` if nothing did.
    func run(_ jobs: [Job]) async -> FetchError? {
        // What is no file takes one body after the other.
        let isForFiles = jobs.allSatisfy { if case .file = $0.destination { true } else { false } }
        let limit = isForFiles ? arguments.parallel : 1
        var failures: [Int: FetchError] = [:]
        await withTaskGroup(of: (Int, FetchError?).self) { group in
            var waiting = jobs[...]
            func startNext() {
                guard !Task.isCancelled, let job = waiting.popFirst() else { return }
                group.addTask { (job.index, await run(job)) }
            }
            for _ in 0..<limit { startNext() }
            for await (index, failure) in group {
                failures[index] = failure
                startNext()
            }
        }
        if Task.isCancelled { return FetchError(CancellationError()) }
        return failures.min { $0.key < $1.key }?.value
    }

    /// Runs a job.
    ///
    /// - Parameter job: The job.
    /// - Returns: What went wrong; `nil` if nothing did. The user has been told.
    func run(_ job: Job) async -> FetchError? {
        let failure = await Job.$current.withValue(job.index) {
            do {
                switch job.destination {
                case .standardOutput where arguments.isWebSocket: try await talk(job)
                case .standardOutput: try await show(job)
                case .file(let file): try await download(job, to: file)
                case .channel(let channel, let path): try await pour(job, into: channel, path)
                }
                return nil as FetchError?
            } catch is CurlPrinter.Printed {
                return nil
            } catch {
                var failure = FetchError(error, sending: arguments.inputs)
                // That is what it does.
                if arguments.resumes, failure.code == .partial { failure.advice = nil }
                return failure
            }
        }
        if let failure, failure.code != .cancelled { screen.problem(failure) }
        if arguments.showsTimings, failure?.code != .cancelled {
            let entry = ledger.entry(job.index)
            let colours = screen.colours
            for line in Timings.lines(job.location, entry, width: Terminal.size.width, colours) { screen.styled(line) }
        }
        return failure
    }

    /// Waits for a transfer and shows its progress.
    ///
    /// - Parameters:
    ///   - transfer: The transfer.
    ///   - job: The job that it is a part of.
    /// - Returns: The response.
    /// - Throws: The error that ends the transfer.
    func follow<Body>(_ transfer: Transfer<Body>, _ job: Job) async throws -> Response<Body> {
        for try await event in transfer {
            switch event {
            case .progress(let progress): screen.show(job.index, progress.facing)
            case .finished(let response): return response
            }
        }
        throw CancellationError()
    }
}

extension TransferProgress {
    /// The same progress, with the direction in which bytes move now: an upload comes before its answer.
    var facing: TransferProgress {
        var progress = self
        if bytesReceived == 0, bytesToReceive == nil, bytesSent > 0 { progress.direction = .sending }
        return progress
    }
}
