@testable import PiuPiuAsync

/// What the libcurl that these tests run with is able to do.
enum TestedLibrary {
    /// Whether a request that must not be sent twice may go out on a connection that is open.
    ///
    /// Before 7.80, libcurl does not tell us that it sends the request again when that connection turns out to be dead.
    static let reusesConnectionsForPOST: Bool = {
        #if os(Linux)
        (try? CurlLibrary.shared.get().announcesRequests) ?? true
        #else
        true
        #endif
    }()
}
