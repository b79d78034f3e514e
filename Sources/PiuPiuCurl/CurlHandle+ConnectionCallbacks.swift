#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

/// The callbacks that check a connection: before a lookup, for each address, and before a request is sent.
extension CurlHandle {
    /// Sets the callbacks for name lookups, sockets and the sending of a request; their context is the handle.
    ///
    /// They check the ``RequestGuard``, the limits of the system's sockets and the connection's state, so nothing is sent if
    /// libcurl refuses one of them.
    func setConnectionCallbacks(_ context: UnsafeMutableRawPointer) {
        setStartCallback(context)
        setResolverCallback(context)
        setSocketCallbacks(context)
    }

    private func setResolverCallback(_ context: UnsafeMutableRawPointer) {
        let name = "the check of name lookups"
        require(set(PP_CURLOPT_RESOLVER_START_DATA, context), name)
        let code = pp_easy_set_resolver_callback(easy) { _, _, context in
            guard CurlHandle.connect(context) else { return 1 }
            CurlHandle.current(context)?.0.isResolving = true
            return 0
        }
        require(code == 0, name)
    }

    private func setSocketCallbacks(_ context: UnsafeMutableRawPointer) {
        let name = "the check of addresses"
        require(set(PP_CURLOPT_OPENSOCKETDATA, context), name)
        let opening = pp_easy_set_open_socket_callback(easy) { context, _, address in
            guard CurlHandle.connect(context), let (handle, exchange) = CurlHandle.current(context), let address
            else { return -1 }
            handle.isResolving = false
            guard handle.isAllowed(address, for: exchange) else { return -1 }
            let socket = pp_open_socket(address)
            guard socket >= 0 else {
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { exchange.failure = .outOfResources }
                return -1
            }
            if SocketOption.isForSockets(like: address),
                let refused = handle.settings.socketOptions.first(where: { !$0.apply(to: socket) })
            {
                exchange.refuse("The system cannot apply \(refused.name)")
                Glibc.close(socket)
                return -1
            }
            handle.openedSockets.append(socket)
            handle.owner.poller.opened(socket)
            return socket
        }
        require(opening == 0, name)
        // A connection outlives the handle that opened it. Its context is therefore the poller, which the multi
        // handle's owner retains until all connections are closed.
        let poller = Unmanaged.passUnretained(owner.poller).toOpaque()
        require(set(PP_CURLOPT_CLOSESOCKETDATA, poller), "the end of sockets")
        let closing = pp_easy_set_close_socket_callback(easy) { context, socket in
            guard let context else { return -1 }
            Unmanaged<Poller>.fromOpaque(context).takeUnretainedValue().close(socket)
            return 0
        }
        require(closing == 0, "the end of sockets")
    }

    private func setStartCallback(_ context: UnsafeMutableRawPointer) {
        if library.hasReliableHTTP2 { setTraceCallback(context) }
        let name = "the check before a request is sent"
        guard !library.announcesRequests else {
            require(set(PP_CURLOPT_PREREQDATA, context), name)
            let code = pp_easy_set_prerequest_callback(easy) { context, remote, local, remotePort, localPort in
                guard let (handle, exchange) = CurlHandle.current(context) else {
                    return Int32(PP_CURL_PREREQFUNC_ABORT)
                }
                let key =
                    handle.usesUnixSocket
                    ? handle.unixConnectionKey() : ConnectionTable.Key(remote, remotePort, local, localPort)
                return Int32(handle.start(exchange, on: key) ? PP_CURL_PREREQFUNC_OK : PP_CURL_PREREQFUNC_ABORT)
            }
            require(code == 0, name)
            if needsConnectionLog { setConnectionLogCallback(context) }
            return
        }
        // Before 7.80, only libcurl's log shows when the head of a request is sent.
        require(set(PP_CURLOPT_VERBOSE, 1), name)
        require(set(PP_CURLOPT_DEBUGDATA, context), name)
        let code = pp_easy_set_debug_callback(easy) { _, kind, bytes, count, context in
            guard let (handle, exchange) = CurlHandle.current(context) else { return 0 }
            let text = UnsafeRawBufferPointer(start: bytes, count: count)
            if kind == Int32(PP_CURLINFO_TEXT), handle.needsConnectionLog { handle.noteConnection(text) }
            guard kind == Int32(PP_CURLINFO_HEADER_OUT) else { return 0 }
            if !text.starts(with: "CONNECT ".utf8) { _ = handle.start(exchange, on: handle.connectionKey()) }
            return 0
        }
        require(code == 0, name)
    }

    private func setTraceCallback(_ context: UnsafeMutableRawPointer) {
        require(set(PP_CURLOPT_DEBUGDATA, context), "the trace of HTTP/2")
        let code = pp_easy_set_debug_callback(easy) { _, kind, bytes, count, context in
            guard kind == Int32(PP_CURLINFO_TEXT), let (handle, exchange) = CurlHandle.current(context),
                let event = HTTP2TraceEvent(UnsafeRawBufferPointer(start: bytes, count: count))
            else { return 0 }
            handle.owner.note(event, for: exchange)
            return 0
        }
        require(code == 0, "the trace of HTTP/2")
    }
}
#endif
