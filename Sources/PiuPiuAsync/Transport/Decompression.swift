/// Whether and how far the compressed bodies of responses are decompressed (RFC 9110 §8.4).
///
/// ```swift
/// configuration.options.decompression = .automatic(maximumRatio: 100)
/// ```
///
/// A request with an `Accept-Encoding` or a `Range` of its own always gets the body as it was sent.
public struct Decompression: Sendable, Hashable {
    /// Codings that can be undone are asked for, and undone.
    ///
    /// Streams ask only for those that need little memory.
    public static let automatic = Decompression(isOn: true, maximumRatio: nil)

    /// No coding is asked for, and none undone: the body and its `Content-Encoding` are as they were sent.
    ///
    /// `URLSession` decompresses whatever it gets, so that ``URLSessionTransport`` refuses a compressed body with
    /// ``TransportError/Code/unsupported``.
    public static let off = Decompression(isOn: false, maximumRatio: nil)

    /// A body may be so many times as large as what was decompressed so far, from the second mebibyte on.
    ///
    /// A body that grows further fails with ``TransportError/Code/decompressionLimit``. Texts become ten times as large, or
    /// thirty times if they repeat themselves; a body that was made to do harm, a thousand times with gzip, and a million
    /// times with the others. ``URLSessionTransport`` cannot keep to a ratio: it throws
    /// ``TransportError/Code/unsupported`` before it sends anything.
    ///
    /// - Parameter maximumRatio: How many bytes may come of each that is decompressed; numbers below 1 count as 1.
    /// - Returns: As ``automatic-type.property``, with this limit.
    public static func automatic(maximumRatio: Int) -> Decompression {
        Decompression(isOn: true, maximumRatio: max(1, maximumRatio))
    }

    /// Whether anything is decompressed.
    package let isOn: Bool
    /// How many bytes may come of each that is decompressed; `nil` for any number.
    let maximumRatio: Int?

    /// Whether a body has grown too far.
    ///
    /// - Parameters:
    ///   - encoded: How many bytes of it were decompressed.
    ///   - decoded: How many they became.
    /// - Returns: `true` where that is more than the ratio allows.
    func isExceeded(encoded: Int, decoded: Int) -> Bool {
        guard let maximumRatio, decoded > Self.exemption else { return false }
        let (limit, overflow) = encoded.multipliedReportingOverflow(by: maximumRatio)
        return !overflow && decoded > limit
    }

    /// So many bytes can do no harm, whatever they were made of.
    private static let exemption = 1 << 20
}
