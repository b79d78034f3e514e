#if os(Linux)
import CurlShim
import PiuPiuAsync

/// The libcurl that is under test.
enum LibraryVersion {
    /// 7 or 8; 0 if it can't be found out.
    static let major = number >> 16
    /// Whether the ends of HTTP/2 streams are told from their resets: over sockets, and by libcurl from 8.14 on.
    static let isTrusted = !PlatformTransport.prefersLibcurl || number >= 0x080E00

    private static let number = pp_version_info().map { Int($0.pointee.version_num) } ?? 0
}
#endif
