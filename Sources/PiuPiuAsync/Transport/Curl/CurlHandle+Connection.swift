#if os(Linux)
import CurlShim
import Glibc

/// The connection that libcurl chose for an exchange, looked at before the request is sent.
extension CurlHandle {
    /// What the peers agreed on by ALPN (RFC 7301).
    private enum Agreement {
        case http1, http2
        /// The server chose nothing.
        case nothing
        /// libcurl works with a TLS library that can't be asked.
        case unknown

        init(_ code: Int32) {
            switch code {
            case 1: self = .http2
            case 0: self = .http1
            case -1: self = .nothing
            default: self = .unknown
            }
        }
    }

    /// Claims the connection for an exchange, unless the exchange must not be sent on it.
    ///
    /// Bytes that wait on a connection before the request is sent are no response to it: the server sent them unasked, or
    /// after a response that had ended, and the exchange would take them for its own. libcurl checks this only now and
    /// then, and never what its TLS library has decrypted already.
    ///
    /// - Parameters:
    ///   - key: The connection.
    ///   - exchange: The exchange.
    /// - Returns: Whether the request may be sent; if not, the exchange has to begin anew.
    func takeConnection(_ key: ConnectionTable.Key, for exchange: CurlExchange) -> Bool {
        owner.leaveConnection(exchange)
        let isSecure = exchange.request.target.isSecure
        let agreement = isSecure ? Agreement(pp_tls_protocol(easy)) : .http1
        let opened = openedSocket(for: key)
        guard agreement != .unknown else {
            exchange.isOnSharedConnection = opened == nil
            return true
        }
        openedSockets.removeAll(keepingCapacity: true)
        let isMultiplexed = agreement == .http2
        exchange.isOnTLS = isSecure && !isMultiplexed
        exchange.isOnSharedConnection = isMultiplexed && opened == nil
        if isSecure, opened != nil {
            let goesOn = owner.handshakeEnded(
                for: exchange,
                isMultiplexed: isMultiplexed,
                hasAgreed: agreement != .nothing
            )
            // An older libcurl announces the request when it was sent, and then it is too late.
            guard goesOn || !library.announcesRequests else { return restart(exchange, .withHTTP2) }
        }
        let sharedUse =
            isMultiplexed
            ? Poller.SharedUse(
                engine: owner.place,
                origin: exchange.request.target.origin,
                isCounted: !settings.isExclusive(exchange.request)
            ) : nil
        exchange.connection = owner.poller.claim(key, opened: opened, sharedUse: sharedUse)
        if isMultiplexed {
            if library.hasReliableHTTP2, let connection = exchange.connection {
                owner.joinHTTP2(exchange, self, on: connection)
            }
            return true
        }
        guard let connection = exchange.connection else { return restart(exchange, .onFreshConnection) }
        guard opened == nil else { return true }
        let hasLeftovers = isSecure && pp_tls_pending(easy) > 0
        // An older libcurl announces the request when it was sent, and the response may be there by then. That libcurl
        // looks at the socket itself before it uses a connection again.
        guard hasLeftovers || library.announcesRequests && owner.poller.hasUnreadBytes(connection) else { return true }
        owner.poller.retire(connection)
        return restart(exchange, .onFreshConnection)
    }

    private func restart(_ exchange: CurlExchange, _ restart: CurlExchange.Restart) -> Bool {
        exchange.restart = restart
        return false
    }

    /// The socket that was opened for the exchange and became this connection; `nil` if the connection was open before.
    private func openedSocket(for key: ConnectionTable.Key) -> Int32? {
        openedSockets.last { localPort(of: $0) == key.localPort }
    }

    private func localPort(of socket: Int32) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes -> Int32? in
            guard let start = bytes.baseAddress,
                getsockname(socket, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return nil }
            // Both families have the port at the same place.
            return Int32(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    /// Has the connection closed after the exchange if it carries one exchange at a time and can't be watched in between.
    func closeUnlessMultiplexed() {
        guard let exchange, exchange.request.target.isSecure else { return }
        var version = 0
        pp_easy_get_long(easy, PP_CURLINFO_HTTP_VERSION, &version)
        if version != Int(PP_CURL_HTTP_VERSION_2_0) { closeAfterwards() }
    }

    /// The connection of the handle, for versions that don't pass the addresses on.
    func connectionKey() -> ConnectionTable.Key {
        func text(_ info: PPInfo) -> UnsafeMutablePointer<CChar>? {
            var value: UnsafeMutableRawPointer?
            pp_easy_get_pointer(easy, info, &value)
            return value?.assumingMemoryBound(to: CChar.self)
        }
        func port(_ info: PPInfo) -> Int32 {
            var value = 0
            pp_easy_get_long(easy, info, &value)
            return Int32(truncatingIfNeeded: value)
        }
        return ConnectionTable.Key(
            text(PP_CURLINFO_PRIMARY_IP),
            port(PP_CURLINFO_PRIMARY_PORT),
            text(PP_CURLINFO_LOCAL_IP),
            port(PP_CURLINFO_LOCAL_PORT)
        )
    }
}

extension ConnectionTable.Key {
    /// Makes a key of what libcurl tells of a connection.
    init(
        _ remote: UnsafePointer<CChar>?,
        _ remotePort: Int32,
        _ local: UnsafePointer<CChar>?,
        _ localPort: Int32
    ) {
        // FNV-1a. The ports tell nearly all connections apart.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for text in [remote, local] {
            var position = text
            while let byte = position?.pointee, byte != 0 {
                hash = (hash ^ UInt64(UInt8(bitPattern: byte))) &* 0x100_0000_01b3
                position = position?.successor()
            }
            hash = (hash ^ 0xff) &* 0x100_0000_01b3
        }
        self.init(addresses: Int(truncatingIfNeeded: hash), localPort: localPort, remotePort: remotePort)
    }
}
#endif
