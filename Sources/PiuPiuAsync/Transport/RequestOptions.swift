/// The limits of one request.
public struct RequestOptions: Sendable, Hashable {
    /// How long each phase may take.
    public var timeouts: Timeouts
    /// The largest body that is collected in memory, in bytes after decompression.
    ///
    /// A larger one fails with ``TransportError/Code/bodyTooLarge``.
    public var maximumBufferedBody: Int
    /// The largest response head, in bytes, informational heads included.
    ///
    /// A larger one fails with ``TransportError/Code/headTooLarge``.
    public var maximumHead: Int
    /// Names of header fields that are secrets, beside the standard ones such as `Authorization` and `Cookie`.
    ///
    /// They are never sent to another origin by a redirect, and never shown in an error.
    public var sensitiveHeaders: [String]

    /// Creates options.
    ///
    /// - Parameters:
    ///   - timeouts: How long each phase may take.
    ///   - maximumBufferedBody: The largest body collected in memory, in bytes; 64 MiB by default.
    ///   - maximumHead: The largest response head, in bytes; 256 KiB by default.
    ///   - sensitiveHeaders: Names of further header fields that are secrets.
    public init(
        timeouts: Timeouts = Timeouts(),
        maximumBufferedBody: Int = 64 * 1024 * 1024,
        maximumHead: Int = 256 * 1024,
        sensitiveHeaders: [String] = []
    ) {
        self.timeouts = timeouts
        self.maximumBufferedBody = maximumBufferedBody
        self.maximumHead = maximumHead
        self.sensitiveHeaders = sensitiveHeaders
    }
}
