/// The progress of a list of downloads.
///
/// The numbers of files and bytes never decrease.
public struct DownloadsProgress: Sendable, Hashable {
    /// The number of files in the list.
    public var fileCount: Int
    /// The number of files that were saved.
    public var filesSaved: Int
    /// The number of files whose download failed.
    public var filesFailed: Int
    /// The number of files that existed already and were not downloaded; see ``ExistingFileCheck``.
    public var filesSkipped: Int
    /// The number of bytes that arrived, of all files and after decompression.
    public var bytesReceived: Int64
    /// The length of all files; `nil` until the length of each file is known.
    ///
    /// A length becomes known when the response arrives, or with ``DownloadOptions/expectedSize``. A failed file counts with
    /// the bytes that arrived, and a skipped file with none.
    public var bytesToReceive: Int64?
    /// The bytes per second, averaged over the last few seconds; `nil` at the start.
    public var bytesPerSecond: Double?
    /// The finished fraction of the files, with the parts of those in progress whose length is known.
    var fractionOfFiles: Double?
    /// The largest fraction that was reported before.
    var leastFraction = 0.0

    /// Creates a progress.
    ///
    /// - Parameters:
    ///   - fileCount: The number of files in the list.
    ///   - filesSaved: The number of files that were saved.
    ///   - filesFailed: The number of files whose download failed.
    ///   - filesSkipped: The number of files that existed already.
    ///   - bytesReceived: The number of bytes that arrived.
    ///   - bytesToReceive: The length of all files.
    ///   - bytesPerSecond: The bytes per second.
    public init(
        fileCount: Int,
        filesSaved: Int = 0,
        filesFailed: Int = 0,
        filesSkipped: Int = 0,
        bytesReceived: Int64 = 0,
        bytesToReceive: Int64? = nil,
        bytesPerSecond: Double? = nil
    ) {
        self.fileCount = fileCount
        self.filesSaved = filesSaved
        self.filesFailed = filesFailed
        self.filesSkipped = filesSkipped
        self.bytesReceived = bytesReceived
        self.bytesToReceive = bytesToReceive
        self.bytesPerSecond = bytesPerSecond
    }

    /// The number of files that were saved, skipped or failed.
    public var filesFinished: Int { filesSaved + filesFailed + filesSkipped }

    /// The completed fraction of the list, from 0 to 1.
    ///
    /// If the length of each file is known, this is the fraction of the bytes that arrived. Until then it is an estimate, see
    /// ``isFractionEstimated``: each file counts the same, and a file in progress counts with the part that arrived if its
    /// length is known. In the events of one list the fraction never decreases, and it ends with 1. It is `nil` only for a
    /// progress that you create with neither files nor a length.
    ///
    /// The fraction measures completion, not success: a failed file, including one with a wrong digest, counts as finished with
    /// the bytes that arrived, so the last fraction is 1 even if nothing was saved. ``filesFailed`` tells the difference.
    public var fractionCompleted: Double? {
        fractionOfBytes.map { max($0, leastFraction) } ?? estimatedFraction.map { max($0, leastFraction) }
    }

    /// Whether ``fractionCompleted`` is an estimate, because the length of some file is not known.
    ///
    /// It remains an estimate until the bytes that arrived have caught up with the earlier estimates.
    public var isFractionEstimated: Bool { fractionOfBytes.map { $0 < leastFraction } ?? (estimatedFraction != nil) }

    private var fractionOfBytes: Double? {
        guard let bytesToReceive else { return nil }
        guard bytesToReceive > 0 else { return 1 }
        return min(1, max(0, Double(bytesReceived) / Double(bytesToReceive)))
    }

    private var estimatedFraction: Double? {
        guard fileCount > 0 else { return nil }
        return min(1, max(0, fractionOfFiles ?? Double(filesFinished) / Double(fileCount)))
    }

    /// The estimated time remaining at the current speed; `nil` while the length or the speed is unknown.
    public var estimatedTimeRemaining: Duration? {
        guard let bytesToReceive, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        // Cap at about thirty years, as for a single transfer.
        return .seconds(min(max(0, Double(bytesToReceive) - Double(bytesReceived)) / bytesPerSecond, 1e9))
    }
}

extension DownloadsProgress: CustomStringConvertible {
    /// The progress in one line, such as `2 of 3 files, 1 of them failed; received 4096 of 8192 bytes (50 %)`.
    ///
    /// Print it, but do not parse it: the words may change.
    public var description: String {
        let files = "\(filesFinished) of \(fileCount == 1 ? "1 file" : "\(fileCount) files")"
        let failures = filesFailed > 0 ? ", \(filesFailed) of them failed" : ""
        let skips = filesSkipped > 0 ? ", \(filesSkipped) of them skipped" : ""
        return files + failures + skips + "; "
            + ProgressText.line(
                "received",
                bytesReceived,
                of: bytesToReceive,
                fraction: fractionCompleted,
                bytesPerSecond: bytesPerSecond
            )
    }
}
