@testable import PiuPiuAsync

/// What the libcurl that these tests run with is able to do; everything, if they run over sockets.
package enum TestedLibrary {
    /// Whether the libcurl of this process has a version such as `0x08_09_00`, or a newer one; `true` without libcurl.
    package static func isAtLeast(_ version: UInt32) -> Bool {
        #if os(Linux)
        guard PlatformTransport.prefersLibcurl else { return true }
        return (try? CurlLibrary.shared.get().versionNumber >= version) ?? true
        #else
        true
        #endif
    }

    /// Whether a request that must not be sent twice may go out on a connection that is open.
    ///
    /// Before 7.80, libcurl does not tell us that it sends the request again when that connection turns out to be dead.
    package static let reusesConnectionsForPOST: Bool = {
        #if os(Linux)
        guard PlatformTransport.prefersLibcurl else { return true }
        return (try? CurlLibrary.shared.get().announcesRequests) ?? true
        #else
        true
        #endif
    }()

    /// Whether trailers of HTTP/2 arrive even if the body has a `Content-Length`.
    ///
    /// libcurl 7 takes the body for the end of the stream.
    package static let waitsForTrailers: Bool = {
        #if os(Linux)
        guard PlatformTransport.prefersLibcurl else { return true }
        return (try? CurlLibrary.shared.get().hasReliableHTTP2) ?? true
        #else
        true
        #endif
    }()

    /// Whether trailers of HTTP/2 arrive at all, which they do not with 7.74.
    package static let hasTrailersOfHTTP2: Bool = {
        #if os(Linux)
        guard PlatformTransport.prefersLibcurl else { return true }
        return (try? CurlLibrary.shared.get().versionNumber >= 0x07_58_00) ?? true
        #else
        true
        #endif
    }()
}
