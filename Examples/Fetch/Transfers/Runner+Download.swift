import PiuPiuAsync

extension Runner {
    /// Saves a response to a file.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - destination: The file as the user asks for it.
    /// - Throws: What went wrong.
    func download(_ job: Job, to destination: Destination.File) async throws {
        if !destination.replaces, Place.exists(destination.path) {
            throw Self.exists(SafeText.line(destination.path))
        }
        let file = try interim(destination, job)
        let shown = SafeText.line(file.path)
        screen.begin(job.index, name: job.name, "Downloading \(job.location) to \(shown)")
        do {
            let response = try await downloadWithRetries(job, to: file)
            var path = shown
            if file.usesProposedName { path = try rename(file, destination, response, job) }
            if let identity = Place.identity(file.url.path(percentEncoded: false)) {
                _ = claims.withLock { $0.claim(identity, for: job.index) }
            }
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
        // Another program, or another job, may have made one meanwhile.
        options.verify = { _ in try checkReplaceable(file, job) }
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

    /// Refuses to replace what another job has saved, or what may not be replaced.
    private func checkReplaceable(_ file: Destination.File, _ job: Job) throws {
        let path = file.url.path(percentEncoded: false)
        if !file.replaces, Place.exists(path) { throw Self.exists(SafeText.line(file.path)) }
        if let identity = Place.identity(path), claims.withLock({ $0.isTaken(identity, by: job.index) }) {
            throw FetchError(.notWritten, "\(SafeText.line(file.path)) was saved from another URL.")
        }
    }

    private static func exists(_ path: String) -> FetchError {
        FetchError(.notWritten, "\(path) exists.", advice: "Use --force to replace it, or -o to choose another name.")
    }
}
