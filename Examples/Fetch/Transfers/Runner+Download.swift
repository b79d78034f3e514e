import PiuPiuAsync

extension Runner {
    /// Saves a response to a file.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - file: The file.
    /// - Throws: What went wrong.
    func download(_ job: Job, to file: Destination.File) async throws {
        let shown = SafeText.line(file.path)
        if !file.replaces, FileManager.default.fileExists(atPath: file.path) { throw Self.exists(shown) }
        screen.begin(job.index, name: job.name, "Downloading \(job.location) to \(shown)")
        do {
            let response = try await downloadWithRetries(job, to: file)
            var path = shown
            if file.usesProposedName { path = try rename(file, response) }
            if arguments.showsHead, let head = response.head { try write(HeadText.bytes(head, colours)) }
            screen.end(job.index, isSuccess: true) { progress, elapsed in
                response.statusCode == .notModified
                    ? "The server has nothing newer. \(path) is as it was."
                    : Summary.saved(path, progress, elapsed)
            }
        } catch {
            screen.end(job.index, isSuccess: false) { progress, _ in
                let kept = arguments.resumes ? Summary.kept(beside: file.url, progress) : nil
                guard error is CancellationError else { return kept }
                return ["Cancelled: \(shown).", kept].compactMap(\.self).joined(separator: " ")
            }
            throw error
        }
    }

    /// Downloads, and begins again if the body breaks off, after which no policy can.
    private func downloadWithRetries(_ job: Job, to file: Destination.File) async throws -> Response<URL> {
        var options = DownloadOptions(resume: arguments.resumes ? .ifPossible : .never)
        options.acceptsCompression = arguments.compressesFiles
        if !file.replaces {
            // Another program may have made one meanwhile.
            options.verify = { _ in
                guard !FileManager.default.fileExists(atPath: file.path) else {
                    throw Self.exists(SafeText.line(file.path))
                }
            }
        }
        let start = ContinuousClock.now
        var requestOptions = dispatcher.configuration.options
        for retry in 1... {
            do {
                if let limit = arguments.maximumTime {
                    requestOptions.timeouts.total = max(.milliseconds(1), limit - start.duration(to: .now))
                }
                options.requestOptions = requestOptions
                return try await follow(dispatcher.download(for: job.request, to: file.url, options: options), job)
            } catch let error as TransportError where Self.mayPass(error) && retry <= arguments.retries {
                let pause = Self.pause(retry)
                screen.note("\(error.reason). Again in \(Amounts.elapsed(pause)).")
                try await Task.sleep(for: pause)
            }
        }
        throw CancellationError()
    }

    /// Whether a body that broke off may be complete the next time.
    static func mayPass(_ error: TransportError) -> Bool {
        guard error.response != nil else { return false }
        return switch error.code {
        case .truncatedBody, .connectionLost, .http2, .timeout(.idle): true
        default: false
        }
    }

    /// How long to wait before a retry: half a second, then twice as long each time, up to half a minute.
    static func pause(_ retry: Int) -> Duration {
        .milliseconds(min(30_000, 500 << min(max(0, retry - 1), 10)))
    }

    /// Gives a file the name that the server proposes.
    private func rename(_ file: Destination.File, _ response: Response<URL>) throws -> String {
        guard let field = response.headers["Content-Disposition"], let name = FileName.proposed(by: field) else {
            return SafeText.line(file.path)
        }
        let target = file.url.deletingLastPathComponent().appending(path: name, directoryHint: .notDirectory)
        guard target.path != file.url.path else { return SafeText.line(file.path) }
        let isThere = FileManager.default.fileExists(atPath: target.path)
        guard file.replaces || !isThere else { throw Self.exists(SafeText.line(name), saved: SafeText.line(file.path)) }
        do {
            if isThere { try FileManager.default.removeItem(at: target) }
            try FileManager.default.moveItem(at: file.url, to: target)
        } catch {
            throw FetchError(.notWritten, "\(SafeText.line(file.path)) cannot be renamed to \(SafeText.line(name)).")
        }
        return SafeText.line(file.path.contains("/") ? target.path(percentEncoded: false) : name)
    }

    private static func exists(_ path: String, saved: String? = nil) -> FetchError {
        let advice =
            saved.map { "What arrived is in \($0)." } ?? "Use --force to replace it, or -o to choose another name."
        return FetchError(.notWritten, "\(path) exists.", advice: advice)
    }
}
