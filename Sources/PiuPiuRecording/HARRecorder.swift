import PiuPiuAsync

/// Records exchanges without secrets into a ``HAR``, from which a ``HARReplayer`` can answer requests later.
///
/// ```swift
/// let recorder = HARRecorder()
/// let dispatcher = URLRequestDispatcher(interceptors: [recorder])
/// _ = try await dispatcher.data(for: request)
/// try await recorder.save(to: fileURL)
/// ```
///
/// As an interceptor, the recorder records the exchanges at its place in the chain: inside a retry policy every attempt,
/// outside of it the final result. It records the request before adapters change it, because a replayer at the same place
/// receives it in that form. Each redirect that a `RedirectPolicy` inside of it follows becomes a separate entry with only the
/// status, the URLs and `Location`. To record redirects in full, put the policy outside of the recorder and set
/// `URLRequestDispatcher.Configuration.redirects` to `nil`.
///
/// Secrets are replaced: in a request by `<redacted>`, and in a response by a text of the same length and alphabet, so that a
/// program that logs in with a token from a page also does so in a replay; see ``HARRedaction``.
///
/// Bodies are recorded as they pass, at the reader's pace. A body that is larger than the limit, or that is not read to
/// its end, is truncated and marked, and replaying it fails. An exchange that fails is recorded with the status 0 and
/// the reason, as browsers do; it is not replayed.
///
/// As an observer, the recorder records the heads and the timeline of every exchange, without bodies: each attempt and each
/// redirect, with the connection that it used, including failed and cancelled ones. The header fields are those of the request
/// that reaches the transport, without the fields that observers and the transport add.
///
/// ```swift
/// let recorder = HARRecorder()
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [recorder]
/// let dispatcher = URLRequestDispatcher(configuration: configuration, interceptors: [recorder])
/// ```
///
/// If it is both, as here, each exchange has one entry, with the observed timeline and the bodies that passed. An attempt that
/// was replaced by another one is not replayed. A response that came from no exchange of the call, for example one from a
/// cache, has an entry without a connection.
public final class HARRecorder: Interceptor, ExchangeObserver {
    private let redaction: HARRedaction
    private let standIns: SecretStandIns
    private let maximumBody: Int
    private let maximumMessage: Int
    private let destination: URL?
    private let writer = HARWriter()
    private let store: Locked<HARStore>
    private let isSaveWanted = Locked(false)

    /// `false`: all callers are treated alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - har: An earlier recording to continue; secrets are removed from it.
    ///   - destination: The file to save the recording to after every exchange, which takes longer as the recording grows;
    ///     `nil` to save only with ``save(to:)``. Exchanges that are only observed are saved soon after their end; an error of
    ///     the disk is then not reported.
    ///   - redaction: The rules for what is a secret.
    ///   - maximumBody: The maximum number of bytes to record of a body; 16 MiB by default.
    ///   - maximumMessage: The maximum number of bytes to record of a message of a WebSocket, for a recorder that is an observer;
    ///     16 KiB by default. 0 records only the sizes of messages.
    ///   - maximumSize: The maximum size of the recording, in bytes of URLs, header fields and bodies; 128 MiB by
    ///     default. ``skippedCount`` counts the exchanges that do not fit.
    public init(
        continuing har: HAR = HAR(),
        savingTo destination: URL? = nil,
        redaction: HARRedaction = .default,
        maximumBody: Int = 16 * 1024 * 1024,
        maximumMessage: Int = 16 * 1024,
        maximumSize: Int = 128 * 1024 * 1024
    ) {
        self.redaction = redaction
        standIns = SecretStandIns()
        self.maximumBody = max(0, maximumBody)
        self.maximumMessage = max(0, maximumMessage)
        self.destination = destination
        var store = HARStore(limit: max(0, maximumSize))
        for entry in har.redacted(redaction, standIns).entries { store.add([entry]) }
        self.store = Locked(store)
    }

    /// The exchanges recorded so far, in the order in which they started, without those in progress.
    public var har: HAR {
        // Secrets are removed here, because an observer must not take that long.
        let complete = store.withLock { $0.complete }
        let entries = complete.mapValues { redacted($0.entry, $0.sensitiveHeaders, sent: $0.sent) }
        let (all, skipped) = store.withLock { store in
            store.replace(with: entries)
            return (store.all, store.skipped)
        }
        return HAR(
            entries: all,
            comment: skipped == 0 ? nil : "\(skipped) exchanges are missing, because the recording reached its limit."
        )
    }

    /// The number of exchanges in progress; a stream counts until it is read to its end or abandoned.
    public var underWayCount: Int { store.withLock { $0.underWay } }

    /// The number of exchanges that were not recorded because they did not fit.
    public var skippedCount: Int { store.withLock { $0.skipped } }

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
    /// - Returns: The response of `next`.
    /// - Throws: The errors of `next`; `TransferError` if the recording is to be saved after every exchange and cannot be
    ///   written. A stream ends with that error.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        let start = store.withLock { $0.beginPass(request.observedCall) }
        var exchange = HARExchange(request, limit: maximumBody, at: start.date)
        var response: TransportResponse
        do {
            response = try await next(await exchange.observingBody())
        } catch {
            let recorded = exchange.recordedRequest
            if !store.withLock({ $0.fail(start.number, recorded) }) {
                add(exchange.entries(failure: error), start, request)
            }
            // The exchange's error takes precedence; the next save reports the error of the disk.
            try? await saveIfWanted()
            throw error
        }
        exchange.hasHead()
        let isObserved = store.withLock { [response] in $0.claim(start.number, response) }
        let finish: @Sendable (TransportResponse, HARTakenBody) -> Void = { [exchange] response, body in
            guard isObserved else { return self.add(exchange.entries(response, body: body), start, request, response) }
            let recorded = HARObservation.Recorded(
                request: exchange.recordedRequest,
                content: exchange.content(response, body: body),
                error: body.error
            )
            self.store.withLock { $0.finish(start.number, recorded) }
        }
        guard let stream = response.stream else {
            finish(response, HARTakenBody(response.body ?? Data(), limit: maximumBody))
            try await saveIfWanted()
            return response
        }
        let recorded = response
        response.stream = stream.observed(
            by: HARTap(limit: maximumBody) { body in
                finish(recorded, body)
            } afterEnd: {
                try await self.saveIfWanted()
            }
        )
        return response
    }

    private func add(
        _ entries: [HAR.Entry],
        _ start: HARStore.Start,
        _ request: TransportRequest,
        _ response: TransportResponse? = nil
    ) {
        // The request that was answered includes additions of inner interceptors, such as the cookies of a jar.
        let sent = [request.urlRequest] + (response.map { [$0.urlRequest] } ?? [])
        let entries = entries.map { redacted($0, request.options.sensitiveHeaders, sent: sent) }
        store.withLock { $0.add(entries, pass: start.number) }
    }

    private func redacted(_ entry: HAR.Entry, _ sensitiveHeaders: [String], sent: [URLRequest]) -> HAR.Entry {
        var entry = entry
        redaction.apply(to: &entry, sensitiveHeaders: sensitiveHeaders, sent: sent, standIns)
        return entry
    }

    // MARK: Observing

    /// The number of bytes of a message to record.
    public var bodyLimit: Int { maximumMessage }

    /// Records an event of an exchange.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ExchangeEvent) {
        if case .webSocketMessage(let message) = event.kind {
            return store.withLock { $0.add(message, of: event.call, limit: maximumMessage) }
        }
        guard let exchange = event.exchange else { return }
        if case .exchangeStarted = event.kind { return store.withLock { $0.begin(exchange) } }
        let time = exchange.call.duration - exchange.call.startedAt.duration(to: exchange.startedAt)
        if store.withLock({ $0.observe(event, of: exchange, at: time) }) { saveSoon() }
    }

    // MARK: Saving

    private func saveIfWanted() async throws {
        if let destination { try await save(to: destination) }
    }

    /// Saves the recording in a new task; exchanges that end before it begins are saved together.
    ///
    /// The task is detached, because the thread that reports events must not wait for a disk, and no call's end may depend on
    /// it.
    private func saveSoon() {
        guard let destination, isSaveWanted.withLock({ $0.exchange(with: true) }) == false else { return }
        Task.detached { [self] in
            isSaveWanted.withLock { $0 = false }
            try? await save(to: destination)
        }
    }
}

/// Writes a recording, one version after another, on a separate queue so that a slow disk blocks no other task.
private actor HARWriter {
    private let queue = FileQueue()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func write(to file: URL, _ har: @Sendable () -> HAR) throws {
        try har().write(to: file)
    }
}

extension Bool {
    /// Sets a value, and returns the previous one.
    fileprivate mutating func exchange(with value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}

extension HARRecorder: Redacted {
    /// The counts and the size, without the recorded exchanges.
    package var shown: KeyValuePairs<String, Any> {
        store.withLock { ["began": $0.began, "underWay": $0.underWay, "skipped": $0.skipped, "size": $0.size] }
    }
}
