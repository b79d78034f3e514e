#if os(Linux)
import PiuPiuAsync

/// The faults of libcurl versions, as found by experiment.
///
/// The table is in the documentation, in "The transport on Linux". The tested versions are 7.74.0, 7.88.1, 8.14.1 and 8.23.0. A
/// version between two of them counts as the older one, because there is no evidence that it is better.
extension CurlLibrary {
    /// libcurl keeps field lines since 7.83; 8.1.0 fixed curl's issue 11101.
    private static let headerFault: Range<UInt32> = 0x07_53_00..<0x08_01_00
    private static let firstWithReliableHTTP2: UInt32 = 0x08_0e_00

    /// Whether a handle can be reused for successive exchanges.
    ///
    /// From 7.84 to 8.0, a handle keeps a pointer to the last field of the previous response. A response whose first
    /// field line is folded makes libcurl write to it: the process crashes, or worse.
    var reusesHandles: Bool { !Self.headerFault.contains(versionNumber) }

    /// Whether libcurl reports cut-off HTTP/2 streams and refused requests.
    ///
    /// A stream is cut off if it ends without END_STREAM (RFC 9113 §8.1). Older versions report a response without a
    /// length as complete when its connection breaks.
    var hasReliableHTTP2: Bool { versionNumber >= Self.firstWithReliableHTTP2 }

    /// Whether libcurl's log contains every refused HTTP/2 request; otherwise only the trace of frames contains them.
    var logsRefusals: Bool { versionNumber >= 0x08_17_00 }

    /// Whether libcurl can speak HTTP/3, and is tested with it.
    ///
    /// Only its TLS library reports which protocol a connection speaks.
    var supportsHTTP3: Bool { hasHTTP3 && looksIntoTLS && versionNumber >= 0x08_17_00 }

    /// Returns whether HTTP/2 is offered.
    func allowsHTTP2(_ use: HTTP2Use) -> Bool {
        switch use {
        case .automatic: hasReliableHTTP2
        case .always: true
        case .never: false
        }
    }

    /// Whether name lookups over https can be cancelled; with 7.88, a cancelled lookup hung.
    var looksUpOverHTTPS: Bool { versionNumber >= Self.firstWithReliableHTTP2 }

    /// Whether speed limits hold; 7.74 and 7.88 exceed them several times over.
    var limitsSpeed: Bool { versionNumber >= Self.firstWithReliableHTTP2 }

    /// Whether TCP Fast Open works; with 7.74, connections were lost.
    var opensFast: Bool { versionNumber >= 0x07_58_00 }

    /// Whether connections to abstract Unix sockets are reused.
    ///
    /// Older versions mistake them for connections whose name is still being looked up, and would only collect them.
    var reusesAbstractSockets: Bool { versionNumber >= Self.firstWithReliableHTTP2 }

    /// Whether libcurl percent-decodes user name and password of a proxy, although they are separate options.
    ///
    /// 8.8.0 fixed curl's issue 13265; 8.7 and older versions decode them.
    var decodesProxyCredentials: Bool { versionNumber < Self.firstWithPlainProxyCredentials }
    private static let firstWithPlainProxyCredentials: UInt32 = 0x08_08_00

    /// Whether libcurl loses the head of an HTTP/2 response that does not fit into the receive buffer.
    var needsLargeBufferForHTTP2: Bool { versionNumber < Self.firstWithReliableHTTP2 }
}
#endif
