#if os(Linux)
import CurlShim

/// The libcurl that is under test.
enum LibraryVersion {
    /// 7 or 8; 0 if it can't be found out.
    static let major = pp_version_info().map { Int($0.pointee.version_num >> 16) } ?? 0
}
#endif
