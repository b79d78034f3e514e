/// Tells the exchanges what their tasks tell, on the engine's queue.
///
/// It is the delegate of a session and not of each task, to which Foundation on Linux does not listen.
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
        // Foundation on Linux takes no notice; what is to be given up is cancelled.
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
        // A cancel goes through this queue: it comes later, or came before.
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
        // On Linux this runs on the one queue of all sessions, which must not wait, and a stream would be a trap.
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
