import PiuPiuAsync

/// Records what passes into a ``HAR``, without secrets, to be answered from it later by a ``HARReplayer``.
///
/// ```swift
/// let recorder = HARRecorder()
/// let dispatcher = URLRequestDispatcher(interceptors: [recorder])
/// _ = try await dispatcher.data(for: request)
/// try await recorder.save(to: fileURL)
/// ```
///
/// It records what it sees at its place among the interceptors: inside of a policy that tries again, every attempt; outside,
/// what came of them. The request is written as it was before adapters changed it, because a replayer at the same place
/// gets it like that. Redirects that a `RedirectPolicy` inside of it followed are an entry each, of which only the
/// status, the URLs and `Location` are known; put the policy outside, with
/// `URLRequestDispatcher.Configuration.redirects` set to `nil`, to record all of them in full.
///
/// Bodies are taken down while they pass, at the reader's pace. One that is larger than the limit, or that was not read to
/// its end, is cut off and marked, and is refused when it is to be replayed. An exchange that fails is recorded with the
/// status 0 and the reason, as browsers do; it is not replayed.
public final class HARRecorder: Interceptor {
    private struct State {
        /// By the order in which the exchanges began; the redirects of one come before its response.
        var entries: [Int: [HAR.Entry]] = [:]
        var began = 0
        var underWay = 0
        var skipped = 0
        var size = 0

        mutating func add(_ new: [HAR.Entry], number: Int, limit: Int) {
            let cost = new.reduce(0) { $0 + $1.cost }
            guard cost <= limit - size else { return skipped += 1 }
            size += cost
            entries[number] = new
        }
    }

    private let redaction: HARRedaction
    private let maximumBody: Int
    private let maximumSize: Int
    private let destination: URL?
    private let writer = HARWriter()
    private let state = Locked(State())

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - har: What was recorded before, to go on with; secrets are taken out of it.
    ///   - destination: Where the recording is saved after every exchange, which takes longer as it grows; `nil` for
    ///     ``save(to:)`` only.
    ///   - redaction: What is a secret.
    ///   - maximumBody: How much of a body is recorded, in bytes; 16 MiB by default.
    ///   - maximumSize: How much is recorded, in bytes of URLs, header fields and bodies; 128 MiB by default. What does not
    ///     fit is counted in ``skippedCount``.
    public init(
        continuing har: HAR = HAR(),
        savingTo destination: URL? = nil,
        redaction: HARRedaction = .default,
        maximumBody: Int = 16 * 1024 * 1024,
        maximumSize: Int = 128 * 1024 * 1024
    ) {
        self.redaction = redaction
        self.maximumBody = max(0, maximumBody)
        self.maximumSize = max(0, maximumSize)
        self.destination = destination
        let entries = har.redacted(redaction).entries
        state.withLock { state in
            for entry in entries {
                state.add([entry], number: state.began, limit: self.maximumSize)
                state.began += 1
            }
        }
    }

    /// What was recorded so far, in the order in which the exchanges began; those under way are missing.
    public var har: HAR {
        let (entries, skipped) = state.withLock { ($0.entries, $0.skipped) }
        return HAR(
            entries: entries.sorted { $0.key < $1.key }.flatMap(\.value),
            comment: skipped == 0 ? nil : "\(skipped) exchanges are missing, because the recording reached its limit."
        )
    }

    /// How many exchanges are under way; a stream is until it was read to its end or given up.
    public var underWayCount: Int { state.withLock { $0.underWay } }

    /// How many exchanges were not recorded, because they did not fit.
    public var skippedCount: Int { state.withLock { $0.skipped } }

    /// Writes the recording to a file, which is complete or not there at all.
    ///
    /// Cancelling the calling task has no effect.
    ///
    /// - Parameter file: The file; one that is there already is replaced, missing folders are made.
    /// - Throws: `TransferError` where the file cannot be written.
    public func save(to file: URL) async throws {
        // What is written is looked at when its turn has come, so that no older state replaces a newer one.
        try await writer.write(to: file) { self.har }
    }

    /// Records an exchange.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: What `next` returns.
    /// - Throws: What `next` throws; `TransferError` where the recording is to be saved after every exchange and cannot
    ///   be. A stream ends with that error.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        let number = state.withLock { state in
            defer { state.began += 1 }
            state.underWay += 1
            return state.began
        }
        var exchange = HARExchange(request, limit: maximumBody)
        var response: TransportResponse
        do {
            response = try await next(await exchange.observingBody())
        } catch {
            add(exchange.entries(failure: error), number, request)
            // It is the exchange's error that counts; the next save tells of the disk's.
            try? await saveIfWanted()
            throw error
        }
        exchange.hasHead()
        guard let stream = response.stream else {
            let body = HARTakenBody(response.body ?? Data(), limit: maximumBody)
            add(exchange.entries(response, body: body), number, request)
            try await saveIfWanted()
            return response
        }
        let recorded = response
        response.stream = stream.observed(
            by: HARTap(limit: maximumBody) { [exchange] body in
                self.add(exchange.entries(recorded, body: body), number, request)
            } afterEnd: {
                try await self.saveIfWanted()
            }
        )
        return response
    }

    private func add(_ entries: [HAR.Entry], _ number: Int, _ request: TransportRequest) {
        var entries = entries
        for index in entries.indices {
            redaction.apply(to: &entries[index], sensitiveHeaders: request.options.sensitiveHeaders)
        }
        state.withLock { [maximumSize] state in
            state.underWay -= 1
            state.add(entries, number: number, limit: maximumSize)
        }
    }

    private func saveIfWanted() async throws {
        if let destination { try await save(to: destination) }
    }
}

/// Writes a recording, one version after the other, where a slow disk holds up nobody else.
private actor HARWriter {
    private let queue = FileQueue()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func write(to file: URL, _ har: @Sendable () -> HAR) throws {
        try har().write(to: file)
    }
}

extension HAR.Entry {
    /// About how much memory it takes.
    fileprivate var cost: Int {
        let headers = (Array(request.headers) + Array(response.headers)).reduce(0) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
        let bodies = (request.postData?.text?.utf8.count ?? 0) + (response.content.text?.utf8.count ?? 0)
        return 256 + request.url.utf8.count + headers + bodies
    }
}

extension HARRecorder: Redacted {
    /// How much was recorded, and nothing of it.
    package var shown: KeyValuePairs<String, Any> {
        state.withLock { ["began": $0.began, "underWay": $0.underWay, "skipped": $0.skipped, "size": $0.size] }
    }
}
