#if os(Linux)
import Glibc

extension RequestGuard {
    /// Returns why the bytes of a `sockaddr` are refused; `nil` if the connection may be opened.
    package func refusal(ofSocketAddress bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 8 else { return "it is not an IP address" }
        let part: Range<Int>
        switch (Int32(bytes.loadUnaligned(as: sa_family_t.self)), bytes.count) {
        case (AF_INET, 8...): part = 4..<8
        case (AF_INET6, 24...): part = 8..<24
        default: return "it is not an IP address"
        }
        guard let address = IPAddress(bytes: bytes[part]) else { return "it is not an IP address" }
        // A route or an alternative service can lead to another port than the URL's.
        return refusal(of: address) ?? refusal(ofPort: Int(bytes[2]) << 8 | Int(bytes[3]))
    }
}
#endif
