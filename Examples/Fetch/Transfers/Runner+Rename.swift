import PiuPiuAsync

/// The names that servers propose.
extension Runner {
    /// Decides what a file is called until the server has proposed a name.
    ///
    /// A file that has the URL's name stays until the response says that this is the name to replace.
    ///
    /// - Parameters:
    ///   - file: The file as the user asks for it.
    ///   - job: The job.
    /// - Returns: The file to download to.
    /// - Throws: ``FetchError`` if there is no name left.
    func interim(_ file: Destination.File, _ job: Job) throws -> Destination.File {
        guard file.usesProposedName, Place.exists(file.path) else { return file }
        for number in 1...1000 {
            let path = "\(file.path).\(number)"
            let isFree = claims.withLock { !Place.exists(path) && $0.claim(Place.canonical(path), for: job.index) }
            guard isFree else { continue }
            var interim = file
            interim.path = path
            return interim
        }
        throw FetchError(.notWritten, "There are too many files called \(SafeText.line(file.path)).")
    }

    /// Gives a file the name that the server proposes.
    ///
    /// - Parameters:
    ///   - file: The file that was downloaded to.
    ///   - destination: The file as the user asks for it, which has the name if the server proposes none.
    ///   - response: The response.
    ///   - job: The job.
    /// - Returns: The new path, as it is shown.
    /// - Throws: ``FetchError`` if the name is not free: the file stays where it is.
    func rename(
        _ file: Destination.File,
        _ destination: Destination.File,
        _ response: Response<URL>,
        _ job: Job
    ) throws -> String {
        let name = response.headers["Content-Disposition"].flatMap { SuggestedFileName.proposed(by: $0) }
        let target = name.map { Self.path(of: $0, beside: destination.path) } ?? destination.path
        let shown = SafeText.line(target)
        guard target != file.path else { return shown }
        let key = Place.canonical(target)
        let advice = "What arrived is in \(SafeText.line(file.path))."
        guard claims.withLock({ $0.claim(key, for: job.index) }) else {
            throw FetchError(.notWritten, "\(shown) is the file of another URL.", advice: advice)
        }
        do {
            try move(file.path, to: target, replaces: file.replaces, job)
        } catch {
            claims.withLock { $0.release(key, of: job.index) }
            throw FetchError(.notWritten, "\(shown) \(error.reason).", advice: advice)
        }
        claims.withLock { claims in
            claims.release(Place.canonical(file.path), of: job.index)
            if let identity = Place.identity(target) { _ = claims.claim(identity, for: job.index) }
        }
        return shown
    }

    /// A file cannot get a name.
    private struct Refusal: Error {
        /// The end of a sentence that begins with the name.
        let reason: String
    }

    /// Renames a file over nothing, or over a file that may be replaced.
    private func move(_ path: String, to target: String, replaces: Bool, _ job: Job) throws(Refusal) {
        if Place.exists(target) {
            guard replaces else { throw Refusal(reason: "exists") }
            guard Place.isFile(target) else { throw Refusal(reason: "is no file, and is not replaced") }
            let identity = Place.identity(target)
            if let identity, claims.withLock({ $0.isTaken(identity, by: job.index) }) {
                throw Refusal(reason: "is the file of another URL")
            }
        } else {
            // Between a look and a renaming, another program could make one.
            let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw Refusal(
                    reason: errno == EEXIST ? "exists" : "cannot be created: \(String(cString: strerror(errno)))"
                )
            }
            close(descriptor)
        }
        // It replaces a file at once, and never a folder.
        guard Foundation.rename(path, target) == 0 else {
            throw Refusal(reason: "cannot be replaced: \(String(cString: strerror(errno)))")
        }
    }

    /// A path in the same folder as another one.
    private static func path(of name: String, beside path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "/")) else { return name }
        let folder = Place.folder(of: path)
        return folder == "/" ? "/" + name : folder + "/" + name
    }
}
