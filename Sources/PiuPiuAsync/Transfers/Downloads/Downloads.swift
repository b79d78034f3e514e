/// Many downloads, as one sequence of events.
///
/// ```swift
/// for try await event in dispatcher.downloads(of: [(request, fileURL), (otherRequest, otherFileURL)]) {
///     switch event {
///     case .progress(let progress): print("\(progress.filesFinished) of \(progress.fileCount)")
///     case .saved(let response, _): print(response.data.path)
///     case .failed(let error, let index): print("file \(index): \(error)")
///     case .finished(let progress): print("\(progress.bytesReceived) bytes")
///     }
/// }
/// ```
///
/// The downloads start when the first event is requested, in the order of the list and a few at a time. The first event
/// is the progress at the start, and the last one is ``DownloadsEvent/finished(_:)``. A failed file does not stop the
/// others, unless the caller asks for that. Each started file has one result: a slow reader misses progress, but no
/// results. A file that exists already and is skipped has no result, but counts in the progress. While 256 results are
/// unread, no further file starts, so that a stalled reader does not fill the memory.
///
/// Leaving the loop cancels the downloads. Cancelling the iterating task cancels them too, and the loop throws
/// `CancellationError` when all of them have ended completely; it drops unread results, but their files stay.
/// Each iteration starts all downloads again.
///
/// The sequence does not retain its dispatcher: cancelling the dispatcher ends it with `CancellationError`, and releasing or
/// shutting it down with ``TransportError/Code/shutDown``.
public struct Downloads: AsyncSequence, Sendable {
    /// An event of the downloads.
    public typealias Element = DownloadsEvent

    /// Downloads one file and reports its progress.
    typealias Operation = @Sendable (DownloadItem, TransferReporter) async throws -> Response<URL>

    /// The configuration that all runs of a list share.
    struct Plan: Sendable {
        var items: @Sendable () -> [DownloadItem]
        var maximumInFlight: Int
        var stopsAtFirstFailure: Bool
        var interval = Duration.milliseconds(100)
        /// Returns whether to skip a file; `nil` to download all files.
        var skips: (@Sendable (DownloadItem) async -> Bool)?
        var clock: TransferClock
        var operation: Operation
    }

    private var plan: Plan

    init(_ plan: Plan) {
        self.plan = plan
    }

    /// Returns the same downloads with another interval between progress events.
    ///
    /// - Parameter interval: The minimum time between progress events, 100 milliseconds by default; zero for every
    ///   change.
    /// - Returns: The downloads.
    public func progress(every interval: Duration) -> Downloads {
        var copy = self
        // Clocks cannot sleep for much longer than a century.
        copy.plan.interval = Swift.max(.zero, Swift.min(interval, .seconds(1 << 32)))
        return copy
    }

    /// Creates an iterator; its first event starts the downloads.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(DownloadsRun(plan))
    }

    /// The iterator over the events of the downloads.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let run: DownloadsRun

        fileprivate init(_ run: DownloadsRun) {
            self.run = run
        }

        /// Waits for the next event.
        ///
        /// - Returns: An event; `nil` after the last one.
        /// - Throws: ``TransferError`` with the code `duplicateDestination` before anything is sent; the error of the
        ///   first file that failed if that stops the others; `CancellationError` if the task or the dispatcher was
        ///   cancelled; ``TransportError/Code/shutDown`` if the dispatcher was released or shut down.
        public mutating func next() async throws -> DownloadsEvent? {
            try await run.next(isolation: #isolation)
        }

        /// Waits for the next event without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: An event; `nil` after the last one.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> DownloadsEvent? {
            try await run.next(isolation: actor)
        }
    }
}

@available(*, unavailable)
extension Downloads.AsyncIterator: Sendable {}

/// An event of ``Downloads``.
public enum DownloadsEvent: Sendable {
    /// The downloads made progress.
    case progress(DownloadsProgress)
    /// A file was saved; its URL is the body of the response, and `index` is its position in the list.
    case saved(Response<URL>, index: Int)
    /// The download of a file failed; `index` is its position in the list.
    case failed(any Error, index: Int)
    /// All files were saved, skipped or failed; this is the last event.
    case finished(DownloadsProgress)
}

extension DownloadDispatcher {
    /// Saves many responses to files, a few at a time.
    ///
    /// The list is read to its end when the first event is requested, because destinations are compared before anything
    /// is sent: two equal ones throw a ``TransferError`` with the code `duplicateDestination`.
    ///
    /// - Parameters:
    ///   - items: The requests and the URLs of their files.
    ///   - maximumInFlight: How many downloads run at the same time; 4 by default, and at least 1. The dispatcher's limits
    ///     for connections apply too.
    ///   - options: The options of the downloads whose item has none.
    ///   - skipsExisting: How to recognise a file that exists already, which is not downloaded; `nil` to download all files.
    ///   - stopsAtFirstFailure: Whether a failed file cancels the others. The sequence then throws its error after its event.
    /// - Returns: The downloads, a sequence of ``DownloadsEvent``, which start when they are iterated.
    public func downloads<Items: Sequence & Sendable>(
        of items: Items,
        maximumInFlight: Int = 4,
        options: DownloadOptions = DownloadOptions(),
        skipsExisting: ExistingFileCheck? = nil,
        stopsAtFirstFailure: Bool = false
    ) -> Downloads where Items.Element == DownloadItem {
        downloads({ Array(items) }, maximumInFlight, options, skipsExisting, stopsAtFirstFailure)
    }

    /// Saves many responses to files, a few at a time.
    ///
    /// - Parameters:
    ///   - items: Pairs of a request and the URL of its file, such as `zip(requests, fileURLs)`.
    ///   - maximumInFlight: How many downloads run at the same time; 4 by default, and at least 1.
    ///   - options: The options of the downloads.
    ///   - skipsExisting: How to recognise a file that exists already, which is not downloaded; `nil` to download all files.
    ///   - stopsAtFirstFailure: Whether a failed file cancels the others. The sequence then throws its error after its event.
    /// - Returns: The downloads, a sequence of ``DownloadsEvent``, as for a list of ``DownloadItem``.
    public func downloads<Items: Sequence & Sendable>(
        of items: Items,
        maximumInFlight: Int = 4,
        options: DownloadOptions = DownloadOptions(),
        skipsExisting: ExistingFileCheck? = nil,
        stopsAtFirstFailure: Bool = false
    ) -> Downloads where Items.Element == (URLRequest, URL) {
        let items: @Sendable () -> [DownloadItem] = { items.map { DownloadItem($0, to: $1) } }
        return downloads(items, maximumInFlight, options, skipsExisting, stopsAtFirstFailure)
    }

    private func downloads(
        _ items: @escaping @Sendable () -> [DownloadItem],
        _ maximumInFlight: Int,
        _ options: DownloadOptions,
        _ skipsExisting: ExistingFileCheck?,
        _ stopsAtFirstFailure: Bool
    ) -> Downloads {
        let clock = (self as? any CoreDispatching)?.core.clock
        let transfer: @Sendable (DownloadItem) -> Transfer<URL>? = { [weak self] item in
            self?.download(for: item.request, to: item.destination, options: item.options ?? options)
        }
        var plan = Downloads.Plan(
            items: items,
            maximumInFlight: max(1, maximumInFlight),
            stopsAtFirstFailure: stopsAtFirstFailure,
            clock: clock ?? TransferClock(ContinuousClock())
        ) { item, reporter in
            guard let transfer = transfer(item) else { throw TransportError.dispatcherReleased }
            return try await transfer.response(reporting: reporter)
        }
        if let skipsExisting {
            plan.skips = { item in await skipsExisting.accepts(item.destination, item.options ?? options) }
        }
        return Downloads(plan)
    }
}

extension Downloads: Redacted {
    /// The limit, without the requests.
    package var shown: KeyValuePairs<String, Any> { ["maximumInFlight": plan.maximumInFlight] }
}

extension Downloads.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the downloads in progress.
    package var shown: KeyValuePairs<String, Any> { [:] }
}

extension DownloadsEvent: Redacted {
    /// The progress, the response without its body, or the error.
    public var description: String {
        switch self {
        case .progress(let progress): "progress(\(progress))"
        case .saved(let response, let index): "saved(\(response), index: \(index))"
        case .failed(let error, let index): "failed(\(error), index: \(index))"
        case .finished(let progress): "finished(\(progress))"
        }
    }

    /// The same as the description.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
