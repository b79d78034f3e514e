/// How a list of downloads recognises a file that exists already and need not be downloaded again.
///
/// ```swift
/// for try await event in dispatcher.downloads(of: files, skipsExisting: .size) {
///     if case .finished(let progress) = event { print("\(progress.filesSkipped) were there already") }
/// }
/// ```
public enum ExistingFileCheck: Sendable, Hashable {
    /// Any regular file at the destination, even an empty one.
    case presence
    /// A file with ``DownloadOptions/expectedSize``; if no size is expected, the file is downloaded.
    case size
    /// A file with ``DownloadOptions/digest``, which requires reading all of it, and with ``DownloadOptions/expectedSize`` if
    /// that is set; if no digest is expected, the file is downloaded.
    case digest

    /// Returns whether the file exists already; a symbolic link counts as the file that it leads to.
    ///
    /// Also `false` if the file cannot be read, or the task is cancelled: the download then reports the reason.
    func accepts(_ url: URL, _ options: DownloadOptions) async -> Bool {
        guard case .file(let file) = try? FileDestination(url),
            let size = await FileWorker().run({ OpenFile.size(of: file) })
        else { return false }
        switch self {
        case .presence: return true
        case .size: return size == options.expectedSize
        case .digest:
            guard let check = options.digest, !check.expected.isEmpty, size == options.expectedSize ?? size else {
                return false
            }
            return (try? await Self.digest(of: file, by: check)) == check.expected
        }
    }

    private static func digest(of file: URL, by check: DownloadOptions.DigestCheck) async throws -> Data {
        var digest = check.make()
        let reader = FileReader()
        _ = try await reader.open(file)
        while let piece = try await reader.next() {
            try Task.checkCancellation()
            piece.withUnsafeBytes { digest.update(bytes: $0) }
        }
        return digest.digest()
    }
}
