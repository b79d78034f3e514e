/// The files that the responses of a run are saved as, each for one of them: a pure value.
///
/// What one response was saved as, or will be, is never replaced by another.
struct Claims {
    /// The job of what is no response, such as the recording.
    static let noJob = -1
    /// The job of the cookies.
    static let cookies = -2

    private var owners: [String: Int] = [:]

    /// Claims a file.
    ///
    /// - Parameters:
    ///   - file: The canonical path, or the identity, of the file.
    ///   - job: The job that saves to it.
    /// - Returns: `false` if it belongs to another job.
    mutating func claim(_ file: String, for job: Int) -> Bool {
        if let owner = owners[file] { return owner == job }
        owners[file] = job
        return true
    }

    /// Gives up a file that the job does not save to after all.
    mutating func release(_ file: String, of job: Int) {
        if owners[file] == job { owners[file] = nil }
    }

    /// Whether a file belongs to a job other than this one.
    func isTaken(_ file: String, by job: Int) -> Bool { owners[file].map { $0 != job } ?? false }
}
