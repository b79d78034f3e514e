/// The progress of a list of downloads.
///
/// The numbers of files and bytes never decrease.
public struct DownloadsProgress: Sendable, Hashable {
    /// The number of files in the list.
    public var fileCount: Int
    /// The number of files that are in their place.
    public var filesSaved: Int
    /// The number of files whose download failed.
    public var filesFailed: Int
    /// The number of bytes that arrived, of all files and after decompression.
    public var bytesReceived: Int64
    /// The length of all files; `nil` until the length of each file is known.
    ///
    /// A length becomes known when the response arrives, or with ``DownloadOptions/expectedSize``. Of a file that failed,
    /// the bytes that arrived count.
    public var bytesToReceive: Int64?
    /// The bytes per second, averaged over the last few seconds; `nil` at the start.
    public var bytesPerSecond: Double?

    /// Creates a progress.
    ///
    /// - Parameters:
    ///   - fileCount: The number of files in the list.
    ///   - filesSaved: The number of files that are in their place.
    ///   - filesFailed: The number of files whose download failed.
    ///   - bytesReceived: The number of bytes that arrived.
    ///   - bytesToReceive: The length of all files.
    ///   - bytesPerSecond: The bytes per second.
    public init(
        fileCount: Int,
        filesSaved: Int = 0,
        filesFailed: Int = 0,
        bytesReceived: Int64 = 0,
        bytesToReceive: Int64? = nil,
        bytesPerSecond: Double? = nil
    ) {
        self.fileCount = fileCount
        self.filesSaved = filesSaved
        self.filesFailed = filesFailed
        self.bytesReceived = bytesReceived
        self.bytesToReceive = bytesToReceive
        self.bytesPerSecond = bytesPerSecond
    }

    /// The number of files that were saved or failed.
    public var filesFinished: Int { filesSaved + filesFailed }

    /// The fraction of the bytes that arrived, from 0 to 1; `nil` until the length of each file is known.
    public var fractionCompleted: Double? {
        guard let bytesToReceive else { return nil }
        guard bytesToReceive > 0 else { return 1 }
        return min(1, max(0, Double(bytesReceived) / Double(bytesToReceive)))
    }

    /// The estimated time remaining at the current speed; `nil` while the length or the speed is unknown.
    public var estimatedTimeRemaining: Duration? {
        guard let bytesToReceive, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        // Cap at about thirty years, as for a single transfer.
        return .seconds(min(max(0, Double(bytesToReceive) - Double(bytesReceived)) / bytesPerSecond, 1e9))
    }
}
