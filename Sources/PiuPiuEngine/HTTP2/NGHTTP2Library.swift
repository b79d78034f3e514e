#if os(Linux)
import CShims

/// The nghttp2 of this process, found at run time: it frames HTTP/2 and compresses its heads.
///
/// The functions of `CShims` with the prefix `cs_nghttp2_` may be called once an instance exists.
package struct NGHTTP2Library: Sendable {
    /// Why nghttp2 cannot be used.
    package struct Lack: Error {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// The library, or why it cannot be used.
    package static let shared = Result { () throws(Lack) in try NGHTTP2Library() }

    /// The version, such as "1.52.0".
    package let version: String
    /// Whether it knows extended `CONNECT` (RFC 8441).
    ///
    /// Before 1.34, it ends the process when asked for the setting.
    package let knowsTunnels: Bool

    private init() throws(Lack) {
        if let missing = cs_nghttp2_load(nil) {
            throw Lack(reason: "nghttp2 1.33 or later cannot be used: \(String(cString: missing)) is missing")
        }
        knowsTunnels = cs_nghttp2_version_number() >= 0x012200
        version = cs_nghttp2_version_text().map { String(cString: $0) } ?? ""
    }
}
#endif
