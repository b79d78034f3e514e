#if os(Linux)
import PiuPiuAsync

/// A plain `URLSession` with a delegate that writes down what it is told.
final class Probe: NSObject, URLSessionDataDelegate, Sendable {
    enum Event: Sendable {
        case response(Int, expected: Int64)
        case data(Data)
        case redirect(to: URL?)
        case challenge
        case newBody
        case metrics
        case end(URLError?)
    }

    typealias RedirectAnswer = @Sendable (URLRequest?) -> Void

    /// What to do with a redirect.
    let onRedirect: @Sendable (URLSessionTask, URLRequest, @escaping RedirectAnswer) -> Void
    /// Returns the stream to give if a new body is asked for.
    let newBody: @Sendable () -> InputStream?
    let disposition: URLSession.ResponseDisposition
    private let recorded = Locked<[Event]>([])
    private let news = DispatchSemaphore(value: 0)

    init(
        disposition: URLSession.ResponseDisposition = .allow,
        newBody: @escaping @Sendable () -> InputStream? = { nil },
        onRedirect: @escaping @Sendable (URLSessionTask, URLRequest, @escaping RedirectAnswer) -> Void = {
            $2($1)
        }
    ) {
        self.disposition = disposition
        self.newBody = newBody
        self.onRedirect = onRedirect
    }

    /// A session that reports here.
    func session(_ configure: (URLSessionConfiguration) -> Void = { _ in }) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configure(configuration)
        return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    var events: [Event] { recorded.withLock { $0 } }
    var statusCodes: [Int] { events.compactMap { if case .response(let code, _) = $0 { code } else { nil } } }
    var body: Data { events.reduce(into: Data()) { if case .data(let data) = $1 { $0 += data } } }

    /// Waits for an event.
    ///
    /// - Returns: Whether it came in time.
    func wait(_ seconds: Double = 60, for isWanted: (Event) -> Bool) -> Bool {
        let deadline = DispatchTime.now() + seconds
        while !events.contains(where: isWanted) {
            if news.wait(timeout: deadline) == .timedOut { return events.contains(where: isWanted) }
        }
        return true
    }

    /// Waits for the end of the task.
    ///
    /// - Returns: Whether it came in time.
    func waitForEnd(_ seconds: Double = 60) -> Bool {
        wait(seconds) { if case .end = $0 { true } else { false } }
    }

    /// The error the task ended with.
    var failure: URLError? {
        for case .end(let error) in events { return error }
        return nil
    }

    private func record(_ event: Event) {
        recorded.withLock { $0.append(event) }
        news.signal()
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let code = (response as? HTTPURLResponse)?.statusCode ?? 0
        record(.response(code, expected: response.expectedContentLength))
        completionHandler(disposition)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        record(.data(data))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        record(.redirect(to: request.url))
        onRedirect(task, request, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        record(.challenge)
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        record(.newBody)
        completionHandler(newBody())
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        record(.metrics)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        record(.end(error as? URLError))
    }
}
#endif
