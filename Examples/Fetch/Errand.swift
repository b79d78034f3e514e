import PiuPiuAsync

/// Downloads and uploads, and says how it goes.
struct Errand {
    private static let shownLines = 10
    private static let shownLength = 2000

    let dispatcher: URLRequestDispatcher
    var method: String?
    var headers: [Arguments.Header] = []

    /// Downloads a URL to a file.
    func download(_ url: URL, to path: String, resumes: Bool) async -> Outcome {
        let destination = URL(filePath: path, directoryHint: .notDirectory).absoluteURL
        let options = DownloadOptions(resume: resumes ? .ifPossible : .never)
        let transfer = dispatcher.download(for: request(url, "GET"), to: destination, options: options)
        Output.note("Downloading \(url.shown) to \(path)")
        let (result, display) = await follow(transfer)
        switch result {
        case .success(let response):
            guard response.statusCode != .notModified else {
                Output.result("The server has nothing newer. \(path) is as it was.")
                return .success
            }
            Output.result(Summary.saved(path, response, display.progress, display.elapsed))
            return .success
        case .failure(let error):
            let outcome = Self.report(error)
            if resumes, let kept = Summary.kept(beside: destination, display.progress) { Output.note(kept) }
            return outcome
        }
    }

    /// Uploads a file to a URL.
    func upload(_ path: String, to url: URL) async -> Outcome {
        let file = URL(filePath: path, directoryHint: .notDirectory).absoluteURL
        Output.note("Uploading \(path) to \(url.shown)")
        let (result, display) = await follow(dispatcher.upload(for: request(url, "PUT"), from: .file(file)))
        switch result {
        case .success(let response):
            // A server that refuses need not have read everything.
            let isAccepted = (200..<300).contains(response.statusCode?.rawValue ?? 0)
            if isAccepted { Output.note(Summary.sent(path, display.progress, display.elapsed)) }
            Output.result(Summary.status(response.statusCode))
            if let body = response.data { Self.show(body) }
            return isAccepted ? .success : .failure
        case .failure(let error):
            return Self.report(error)
        }
    }

    private func request(_ url: URL, _ usual: String) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method ?? usual
        for header in headers { request.addValue(header.value, forHTTPHeaderField: header.name) }
        return request
    }

    /// Shows the progress of a transfer until it ends.
    private func follow<Body>(
        _ transfer: Transfer<Body>
    ) async -> (Result<Response<Body>, any Error>, ProgressDisplay) {
        var display = ProgressDisplay()
        var result: Result<Response<Body>, any Error> = .failure(CancellationError())
        do {
            for try await event in transfer {
                switch event {
                case .progress(let progress): display.show(progress)
                case .finished(let response): result = .success(response)
                }
            }
        } catch {
            result = .failure(error)
        }
        display.end()
        return (result, display)
    }

    private static func report(_ error: any Error) -> Outcome {
        if error is CancellationError {
            Output.note("Cancelled.")
            return .cancelled
        }
        Output.problem(Summary.failure(error))
        return .failure
    }

    /// Prints how a body begins.
    private static func show(_ body: Data) {
        let text = String(decoding: body.prefix(shownLength), as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last == "" { lines.removeLast() }
        for line in lines.prefix(shownLines) { Output.result(String(line)) }
        if lines.count > shownLines || body.count > shownLength { Output.result("…") }
    }
}
