/// The setting for the decompression of response bodies (RFC 9110 §8.4): on or off, and the maximum growth.
///
/// ```swift
/// configuration.options.decompression = .automatic(maximumRatio: 100)
/// ```
///
/// A request with its own `Accept-Encoding` or `Range` always receives the body as the server sent it.
public struct Decompression: Sendable, Hashable {
    /// Requests the supported codings and decodes them.
    ///
    /// Streams request only the codings that need little memory.
    public static let automatic = Decompression(isOn: true, maximumRatio: nil)

    /// Requests and decodes no codings: the body and its `Content-Encoding` stay as the server sent them.
    ///
    /// `URLSession` decompresses every body, so ``URLSessionTransport`` refuses a compressed body with
    /// ``TransportError/Code/unsupported``.
    public static let off = Decompression(isOn: false, maximumRatio: nil)

    /// Decompresses a body unless it grows by more than a ratio.
    ///
    /// The ratio compares the output with the bytes decompressed so far, and applies after the first 1 MiB of output. A body
    /// that exceeds it fails with ``TransportError/Code/decompressionLimit``. Text typically grows tenfold, or thirtyfold if it
    /// is repetitive; a decompression bomb grows a thousandfold with gzip and a millionfold with the other codings.
    /// ``URLSessionTransport`` cannot enforce a ratio: it throws ``TransportError/Code/unsupported`` before it sends anything.
    ///
    /// - Parameter maximumRatio: The maximum number of output bytes for each input byte; values below 1 count as 1.
    /// - Returns: The same as ``automatic-type.property``, with this limit.
    public static func automatic(maximumRatio: Int) -> Decompression {
        Decompression(isOn: true, maximumRatio: max(1, maximumRatio))
    }

    /// Whether decompression is on.
    package let isOn: Bool
    /// The maximum number of output bytes for each input byte; `nil` for no limit.
    package let maximumRatio: Int?

    /// Whether a number of decompressed bytes produced more output than the ratio allows.
    package func isExceeded(encoded: Int, decoded: Int) -> Bool {
        guard let maximumRatio, decoded > Self.exemption else { return false }
        let (limit, overflow) = encoded.multipliedReportingOverflow(by: maximumRatio)
        return !overflow && decoded > limit
    }

    /// The amount of output that is always allowed, because it is harmless.
    private static let exemption = 1 << 20
}
