#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

/// Checks the connection that libcurl chose for an exchange before the request is sent.
extension CurlHandle {
    /// The protocol negotiated by ALPN (RFC 7301).
    private enum Agreement {
        case http1, http2, http3
        /// The server chose no protocol.
        case nothing
        /// libcurl uses a TLS library that can't be queried.
        case unknown

        init(_ code: Int32) {
            switch code {
            case 2: self = .http3
            case 1: self = .http2
            case 0: self = .http1
            case -1: self = .nothing
            default: self = .unknown
            }
        }
    }

    /// Claims the connection for an exchange, unless the exchange must not be sent on it.
    ///
    /// Bytes waiting on a connection before the request is sent are not a response to it: the server sent them unrequested, or
    /// after a response that had ended, and the exchange would mistake them for its response. libcurl checks this only
    /// occasionally, and never checks the bytes that its TLS library has already decrypted.
    ///
    /// - Parameters:
    ///   - key: The connection.
    ///   - exchange: The exchange.
    /// - Returns: Whether the request may be sent; if not, the exchange must restart.
    func takeConnection(_ key: ConnectionTable.Key, for exchange: CurlExchange) -> Bool {
        owner.leaveConnection(exchange)
        reusedConnection = nil
        let isSecure = exchange.request.target.isSecure
        let agreement = agreement(for: exchange.request)
        guard isSecure || agreement != .http2 || settings.proxy == nil else {
            // With some kinds of proxies, libcurl would speak HTTP/1.1.
            exchange.refuse("HTTP/2 without TLS cannot be used through a proxy")
            return false
        }
        guard !isSecure || agreement == .http3 || settings.http3 != .required else {
            exchange.refuse("HTTP/3 is required, but cannot be used through the proxy")
            return false
        }
        let key = key.over(isDatagram: agreement == .http3)
        let opened = openedSocket(for: key)
        if usesUnixSocket, let opened, !isConnected(opened) {
            exchange.failure = .cannotConnect
            return false
        }
        if opened != nil { owner.connectionOpened(for: exchange, isHTTP3: agreement == .http3) }
        guard agreement != .unknown else {
            guard opened != nil || !mayGetUncheckedConnection else { return restart(exchange, .onFreshConnection) }
            exchange.isOnSharedConnection = opened == nil
            return true
        }
        openedSockets.removeAll(keepingCapacity: true)
        let isMultiplexed = agreement == .http2 || agreement == .http3
        if isMultiplexed, let reason = exchange.request.refusalOfHTTP2 {
            exchange.refuse(reason)
            return false
        }
        exchange.isOnHTTP3 = agreement == .http3
        exchange.isOnTLS = isSecure && !isMultiplexed
        exchange.isOnSharedConnection = isMultiplexed && opened == nil
        if isSecure || isMultiplexed, opened != nil {
            let goesOn = owner.handshakeEnded(
                for: exchange,
                isMultiplexed: isMultiplexed,
                hasAgreed: agreement != .nothing
            )
            // An older libcurl announces the request only after sending it, which is too late.
            guard goesOn || !library.announcesRequests else { return restart(exchange, .withHTTP2) }
        }
        let sharedUse =
            isMultiplexed
            ? Poller.SharedUse(
                engine: owner.place,
                origin: exchange.request.target.origin,
                isCounted: !settings.isExclusive(exchange.request),
                isDatagram: key.isDatagram
            ) : nil
        let claimed = owner.poller.claim(key, opened: opened, sharedUse: sharedUse)
        exchange.connection = claimed?.claim
        reusedConnection = claimed?.reused
        if opened != nil, let observers = exchange.observers, let connection = exchange.connection {
            let described = describedConnection(of: exchange, isReused: false)
            owner.poller.observe(
                connection,
                ConnectionMonitor(described, to: exchange.request.target.origin, observers)
            )
        }
        if isMultiplexed {
            guard exchange.connection != nil || !mayGetUncheckedConnection else {
                return restart(exchange, .onFreshConnection)
            }
            if agreement == .http2, library.hasReliableHTTP2, let connection = exchange.connection {
                owner.joinHTTP2(exchange, self, on: connection)
            }
            return true
        }
        guard let connection = exchange.connection else { return restart(exchange, .onFreshConnection) }
        guard opened == nil else { return true }
        let hasLeftovers = (isSecure || settings.proxy?.kind == .https) && pp_tls_pending(easy) > 0
        // An older libcurl announces the request only after sending it, so the response may already be there. That
        // libcurl checks the socket itself before it reuses a connection.
        guard hasLeftovers || library.announcesRequests && owner.poller.hasUnreadBytes(connection) else { return true }
        owner.poller.retire(connection)
        return restart(exchange, .onFreshConnection)
    }

    /// Returns the protocol that the server speaks on the handle's connection.
    private func agreement(for request: PreparedRequest) -> Agreement {
        if request.target.isSecure { return Agreement(pp_tls_protocol(easy)) }
        // This is checked first, because passing the target on costs more.
        guard !settings.cleartextHTTP2.isEmpty else { return .http1 }
        return settings.speaksHTTP2WithoutTLS(request.target) ? .http2 : .http1
    }

    /// Returns the HTTP version that is spoken on the handle's connection; `nil` if it is not known yet.
    func spokenVersion(for request: PreparedRequest) -> String? {
        switch agreement(for: request) {
        case .http3: "HTTP/3"
        case .http2: "HTTP/2"
        case .http1, .nothing: "HTTP/1.1"
        case .unknown: nil
        }
    }

    /// The number of the handle's current or last connection in its engine; -1 if there was none.
    var connectionNumber: Int64 {
        var number: Int64 = -1
        pp_easy_get_offset(easy, PP_CURLINFO_CONN_ID, &number)
        return number
    }

    /// Whether libcurl may choose a connection that the request guard has not checked.
    ///
    /// libcurl itself opens connections to the server for name lookups, and also uses them for requests to that server.
    private var mayGetUncheckedConnection: Bool {
        settings.requestGuard != nil && settings.options.contains { $0.code == PP_CURLOPT_DOH_URL.rawValue }
    }

    private func restart(_ exchange: CurlExchange, _ restart: CurlExchange.Restart) -> Bool {
        exchange.restart = restart
        return false
    }

    /// Returns the socket that was opened for this connection; `nil` if it was already open.
    private func openedSocket(for key: ConnectionTable.Key) -> Int32? {
        guard !usesUnixSocket else { return openedSockets.last }
        return openedSockets.last { localPort(of: $0) == key.localPort && isDatagram($0) == key.isDatagram }
    }

    private func localPort(of socket: Int32) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes -> Int32? in
            guard let start = bytes.baseAddress,
                getsockname(socket, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return nil }
            // Both address families store the port at the same offset.
            return Int32(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    private func isDatagram(_ socket: Int32) -> Bool {
        var kind: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else { return false }
        return kind == Int32(SOCK_DGRAM.rawValue)
    }

    /// Closes the connection after the exchange if it isn't multiplexed and can't be watched.
    func closeUnlessMultiplexed() {
        guard let exchange, exchange.request.target.isSecure else { return }
        if !isMultiplexed { closeAfterwards() }
    }

    /// Whether the response came over a connection that carries several exchanges at once.
    var isMultiplexed: Bool {
        var version = 0
        pp_easy_get_long(easy, PP_CURLINFO_HTTP_VERSION, &version)
        return version == Int(PP_CURL_HTTP_VERSION_2_0) || version == Int(PP_CURL_HTTP_VERSION_3)
    }

    /// Returns the handle's connection, for versions that don't pass the addresses on.
    func connectionKey() -> ConnectionTable.Key {
        guard !usesUnixSocket else { return unixConnectionKey() }
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
    /// Creates a key from the addresses that libcurl reports.
    init(
        _ remote: UnsafePointer<CChar>?,
        _ remotePort: Int32,
        _ local: UnsafePointer<CChar>?,
        _ localPort: Int32
    ) {
        // FNV-1a. The ports alone distinguish nearly all connections.
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
