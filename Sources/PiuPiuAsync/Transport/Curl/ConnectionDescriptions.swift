#if os(Linux)
import Glibc

/// The descriptions of connections that are used again, so that each is written once and not for each request.
///
/// Found by the ports of both ends. A port can belong to another connection later: a description is used only for the same
/// addresses, version and proxy.
struct ConnectionDescriptions {
    /// The most that are kept; beyond it, all are forgotten.
    static let limit = 1024

    /// One end of a connection, as libcurl tells it.
    struct End {
        /// The address without a port, in the form of `inet_ntop`.
        let address: UnsafeBufferPointer<UInt8>
        let port: UInt16

        /// The address and the port, with brackets around an address of IPv6.
        var text: String {
            let isIPv6 = address.contains(UInt8(ascii: ":"))
            let digits = port < 10 ? 1 : port < 100 ? 2 : port < 1000 ? 3 : port < 10_000 ? 4 : 5
            // The exact number of bytes: a short text needs no memory of its own.
            return String(unsafeUninitializedCapacity: address.count + (isIPv6 ? 3 : 1) + digits) { bytes in
                var count = 0
                func append(_ byte: UInt8) {
                    bytes[count] = byte
                    count += 1
                }
                if isIPv6 { append(UInt8(ascii: "[")) }
                for byte in address { append(byte) }
                if isIPv6 { append(UInt8(ascii: "]")) }
                append(UInt8(ascii: ":"))
                var rest = port
                for place in stride(from: count + digits - 1, through: count, by: -1) {
                    bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                return count + digits
            }
        }

        /// Whether a text with brackets and port is that of the address.
        func isAddress(in text: String?) -> Bool {
            guard let start = address.baseAddress, var text else { return false }
            return text.withUTF8 { bytes in
                let brackets = bytes.first == UInt8(ascii: "[") ? 1 : 0
                let end = brackets + address.count
                guard let text = bytes.baseAddress, end < bytes.count else { return false }
                guard bytes[end] == UInt8(ascii: brackets == 1 ? "]" : ":") else { return false }
                return memcmp(text + brackets, start, address.count) == 0
            }
        }
    }

    private var reused: [UInt32: ObservedConnection] = [:]

    /// The number of descriptions.
    var count: Int { reused.count }

    /// Describes a connection.
    ///
    /// - Parameters:
    ///   - isReused: Whether the connection was already open.
    ///   - local: This end; `nil` if it has no address.
    ///   - remote: The other end; `nil` if it has no address.
    ///   - httpVersion: The version that is spoken.
    ///   - proxy: The proxy, without credentials.
    /// - Returns: The description.
    mutating func describe(
        isReused: Bool,
        local: End?,
        remote: End?,
        httpVersion: String?,
        proxy: String?
    ) -> ObservedConnection {
        guard let local, let remote else {
            return ObservedConnection(
                isReused: isReused,
                localAddress: local?.text,
                remoteAddress: remote?.text,
                httpVersion: httpVersion,
                proxy: proxy
            )
        }
        let ports = UInt32(local.port) << 16 | UInt32(remote.port)
        if isReused, let known = reused[ports], known.httpVersion == httpVersion, known.proxy == proxy,
            local.isAddress(in: known.localAddress), remote.isAddress(in: known.remoteAddress)
        {
            return known
        }
        let connection = ObservedConnection(
            isReused: isReused,
            localAddress: local.text,
            remoteAddress: remote.text,
            httpVersion: httpVersion,
            proxy: proxy
        )
        if isReused {
            if reused.count >= Self.limit { reused.removeAll() }
            reused[ports] = connection
        }
        return connection
    }
}
#endif
