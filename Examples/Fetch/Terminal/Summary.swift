import PiuPiuAsync

/// Sentences about what became of a transfer.
enum Summary {
    /// A download that succeeded.
    static func saved(_ path: String, _ progress: TransferProgress?, _ elapsed: Duration) -> String {
        let size = progress?.bytesReceived ?? 0
        let earlier = min(size, progress?.bytesKept ?? 0)
        return "Saved \(path): \(Amounts.size(size))"
            + (earlier > 0 ? ", of which \(Amounts.size(earlier)) were there," : "") + " in "
            + pace(size - earlier, elapsed)
    }

    /// All downloads, also those that were not begun.
    static func total(_ result: (saved: Int, count: Int, bytes: Int64, elapsed: Duration)) -> String {
        "\(result.saved) of \(result.count) files saved: \(Amounts.size(result.bytes)) in "
            + pace(result.bytes, result.elapsed)
    }

    /// An upload that was answered.
    static func sent(_ status: StatusCode, _ progress: TransferProgress?, _ elapsed: Duration) -> String {
        let size = progress?.bytesSent ?? 0
        // A server that refuses need not have read everything.
        guard size > 0, status.type == .success else { return "The server answered \(Self.status(status))." }
        return "Sent \(Amounts.size(size)) in \(pace(size, elapsed)): \(Self.status(status))"
    }

    /// A status code as a person writes it, such as `404 Not Found`.
    static func status(_ code: StatusCode) -> String {
        "\(code.rawValue) \(code.localizedDescription)"
    }

    /// Why a request is sent again.
    static func cause(_ cause: Attempt.Cause) -> String {
        switch cause {
        case .status(let code): status(code)
        case .failure(let code): "\(code)"
        default: "\(cause)"
        }
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
}

extension URL {
    /// The URL without what may be secret: user, password, query and fragment.
    var shown: String {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        components?.query = nil
        components?.fragment = nil
        return SafeText.line(components?.string ?? host() ?? "")
    }
}
