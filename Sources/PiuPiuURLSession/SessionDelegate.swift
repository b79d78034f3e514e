/// Passes the callbacks of the tasks to their exchanges, on the engine's queue.
///
/// It is a session delegate, because Foundation on Linux ignores task delegates.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let engine: SessionEngine

    init(_ engine: SessionEngine) {
        self.engine = engine
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            engine.exchange(of: dataTask, in: session)?.didReceive(response)
        }
        // Foundation on Linux ignores the disposition; an unwanted exchange is cancelled instead.
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        engine.exchange(of: dataTask, in: session)?.didReceive(data)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isWanted = engine.exchange(of: task, in: session)?.didReceiveRedirect() ?? false
        // A cancellation goes through this queue too, so it runs either before or after this callback.
        if isWanted || SessionPlatform.answersAlways { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard SessionPlatform.challengeEndsResponse else { return completionHandler(.performDefaultHandling, nil) }
        engine.exchange(of: task, in: session)?.didReceiveChallenge()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // On Linux this runs on the one queue of all sessions, which must not block, and passing a stream would trap.
        completionHandler(nil)
        engine.queue.addOperation { [engine] in engine.exchange(of: task, in: session)?.needsBodyAgain() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        engine.exchange(of: task, in: session)?.didSend(bytesSent)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        engine.exchange(of: task, in: session)?.didCollect(metrics)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let failure = error.map { $0 as? URLError ?? URLError(.unknown) }
        engine.exchange(of: task, in: session)?.didComplete(task.response as? HTTPURLResponse, failure)
    }
}
