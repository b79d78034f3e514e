#if os(Linux)
/// What a version of libcurl does wrong, as far as it was found out by experiment.
///
/// The table is in the documentation, in "The transport on Linux". 7.74.0, 7.88.1, 8.14.1 and 8.23.0 were tested. A version
/// between two of them counts as the older one: nobody has shown that it is better.
extension CurlLibrary {
    /// Field lines were kept from 7.83 on; curl's issue 11101 was mended in 8.1.0.
    private static let headerFault: Range<UInt32> = 0x07_53_00..<0x08_01_00
    private static let firstWithReliableHTTP2: UInt32 = 0x08_0e_00

    /// Whether a handle can be used for one exchange after the other.
    ///
    /// From 7.84 to 8.0, a handle keeps a pointer to the last field of the response before. A response whose first field line is a
    /// folded one makes libcurl write to it: the process crashes, or worse.
    var reusesHandles: Bool { !Self.headerFault.contains(versionNumber) }

    /// Whether libcurl tells when an HTTP/2 stream ends without END_STREAM, that is, when a response is cut off
    /// (RFC 9113 §8.1), and which requests a server has refused.
    ///
    /// Before, a response without a length whose connection breaks is reported as complete.
    var hasReliableHTTP2: Bool { versionNumber >= Self.firstWithReliableHTTP2 }

    /// Whether HTTP/2 is offered.
    func allowsHTTP2(_ use: HTTP2Use) -> Bool {
        switch use {
        case .automatic: hasReliableHTTP2
        case .always: true
        case .never: false
        }
    }

    /// Whether a response's head over HTTP/2 has to fit into the receive buffer, or is lost.
    var needsLargeBufferForHTTP2: Bool { versionNumber < Self.firstWithReliableHTTP2 }
}
#endif
