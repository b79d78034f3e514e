#if os(Linux)
import PiuPiuAsync

/// One end of a connection, as libcurl reports it.
struct ConnectionEnd {
    /// The address without a port, in the form of `inet_ntop`.
    let address: UnsafeBufferPointer<UInt8>
    let port: UInt16

    /// The address and the port, with brackets around an IPv6 address.
    var text: String {
        let host = String(decoding: address, as: UTF8.self)
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
#endif
