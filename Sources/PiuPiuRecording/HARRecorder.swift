import PiuPiuAsync

/// Records exchanges without secrets into a ``HAR``, from which a ``HARReplayer`` can answer later.
///
/// ```swift
/// let recorder = HARRecorder()
/// let dispatcher = URLRequestDispatcher(interceptors: [recorder])
/// _ = try await dispatcher.data(for: request)
/// try await recorder.save(to: fileURL)
/// ```
///
/// The recorder records what it sees at its place among the interceptors: inside a retry policy every attempt, outside
/// of it the final result. It records the request before adapters change it, because a replayer at the same place
/// receives it in that form. Each redirect that a `RedirectPolicy` inside of it follows becomes an entry of its own,
/// with only the status, the URLs and `Location`. To record redirects in full, put the policy outside of the recorder
/// and set `URLRequestDispatcher.Configuration.redirects` to `nil`.
///
/// Bodies are recorded as they pass, at the reader's pace. A body that is larger than the limit, or that is not read to
/// its end, is truncated and marked, and replaying it fails. An exchange that fails is recorded with the status 0 and
/// the reason, as browsers do; it is not replayed.
public final class HARRecorder: Interceptor {
    private struct State {
        /// The entries by the order in which the exchanges started; the redirects of an exchange precede its response.
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
    ///   - har: An earlier recording to continue; secrets are removed from it.
    ///   - destination: The file to save the recording to after every exchange, which takes longer as the recording
    ///     grows; `nil` to save only with ``save(to:)``.
    ///   - redaction: The rules for what is a secret.
    ///   - maximumBody: The maximum number of bytes to record of a body; 16 MiB by default.
    ///   - maximumSize: The maximum size of the recording, in bytes of URLs, header fields and bodies; 128 MiB by
    ///     default. ``skippedCount`` counts the exchanges that do not fit.
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

    /// The exchanges recorded so far, in the order in which they started, without those in progress.
    public var har: HAR {
        let (entries, skipped) = state.withLock { ($0.entries, $0.skipped) }
        return HAR(
            entries: entries.sorted { $0.key < $1.key }.flatMap(\.value),
            comment: skipped == 0 ? nil : "\(skipped) exchanges are missing, because the recording reached its limit."
        )
    }

    /// The number of exchanges in progress; a stream counts until it is read to its end or abandoned.
    public var underWayCount: Int { state.withLock { $0.underWay } }

    /// The number of exchanges that were not recorded because they did not fit.
    public var skippedCount: Int { state.withLock { $0.skipped } }

    /// Writes the recording to a file atomically.
    ///
    /// Cancelling the calling task has no effect.
    ///
    /// - Parameter file: The file. An existing file is replaced; missing directories are created.
    /// - Throws: `TransferError` if the file cannot be written.
    public func save(to file: URL) async throws {
        // The writer reads the recording when it starts to write, so that an older state never replaces a newer one.
        try await writer.write(to: file) { self.har }
    }

    /// Records an exchange.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: What `next` returns.
    /// - Throws: The errors of `next`; `TransferError` if the recording is to be saved after every exchange and cannot
    ///   be written. A stream ends with that error.
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
            // The exchange's error takes precedence; the next save reports the error of the disk.
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

/// Writes a recording, one version after the other, on a queue of its own so that a slow disk blocks no other task.
private actor HARWriter {
    private let queue = FileQueue()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func write(to file: URL, _ har: @Sendable () -> HAR) throws {
        try har().write(to: file)
    }
}

extension HAR.Entry {
    /// The approximate memory use of the entry.
    fileprivate var cost: Int {
        let headers = (Array(request.headers) + Array(response.headers)).reduce(0) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
        let bodies = (request.postData?.text?.utf8.count ?? 0) + (response.content.text?.utf8.count ?? 0)
        return 256 + request.url.utf8.count + headers + bodies
    }
}

extension HARRecorder: Redacted {
    /// The counts and the size, without the recorded exchanges.
    package var shown: KeyValuePairs<String, Any> {
        state.withLock { ["began": $0.began, "underWay": $0.underWay, "skipped": $0.skipped, "size": $0.size] }
    }
}
