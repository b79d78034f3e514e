import PiuPiuAsync

/// Sentences about what became of a transfer.
enum Summary {
    /// A download that succeeded.
    static func saved(
        _ path: String,
        _ response: Response<URL>,
        _ progress: TransferProgress?,
        _ elapsed: Duration
    ) -> String {
        let size = progress?.bytesReceived ?? 0
        let earlier = min(size, start(ofRange: response))
        return "Saved \(path): \(Amounts.size(size))"
            + (earlier > 0 ? ", of which \(Amounts.size(earlier)) were there," : "") + " in "
            + pace(size - earlier, elapsed)
    }

    /// An upload that was answered.
    static func sent(_ path: String, _ progress: TransferProgress?, _ elapsed: Duration) -> String {
        let size = progress?.bytesSent ?? 0
        return "Sent \(path): \(Amounts.size(size)) in \(pace(size, elapsed))"
    }

    /// A status code as a person writes it, such as `404 Not Found`.
    static func status(_ code: StatusCode?) -> String {
        guard let code else { return "no HTTP status" }
        return "\(code.rawValue) \(code.localizedDescription)"
    }

    /// What went wrong.
    static func failure(_ error: any Error) -> String {
        guard let error = error as? TransferError, error.code == .unacceptableStatus, let head = error.response else {
            return "\(error)"
        }
        return "The server answered \(status(head.statusCode)): \(head.url.shown)"
    }

    /// What a download left that may be continued; `nil` if nothing had arrived.
    static func kept(beside destination: URL, _ progress: TransferProgress?) -> String? {
        let part = DownloadOptions.partialFile(for: destination)
        let size = (try? FileManager.default.attributesOfItem(atPath: part.path(percentEncoded: false)))?[.size]
        if let size = (size as? NSNumber)?.int64Value, size > 0 {
            return "\(Amounts.size(size)) are kept. The same command, with --resume, continues there."
        }
        guard let progress, progress.bytesReceived > 0 else { return nil }
        return "Nothing is kept, because the server gives no way to continue."
    }

    private static func pace(_ bytes: Int64, _ elapsed: Duration) -> String {
        Amounts.elapsed(elapsed) + (Amounts.rate(bytes, in: elapsed).map { ", \($0)" } ?? "")
    }

    /// Where a partial response begins, as `Content-Range: bytes 100-199/200` says.
    private static func start(ofRange response: Response<URL>) -> Int64 {
        guard response.statusCode == .partialContent, let range = response.headers["Content-Range"] else { return 0 }
        return range.firstMatch(of: #/(?i)^bytes (\d+)-/#).flatMap { Int64($0.1) } ?? 0
    }
}

extension URL {
    /// The URL without what may be secret: user, password, query and fragment.
    var shown: String {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        components?.query = nil
        components?.fragment = nil
        return components?.string ?? host() ?? ""
    }
}
