#if os(Linux)
import CurlShim
import Glibc

/// A libcurl easy handle that is used for one exchange after the other.
///
/// Options that never change are set once; each exchange sets all the others, so that nothing of the one before is left.
/// Touched on the event loop's thread only.
final class CurlHandle {
    /// Bodies up to this length are copied and sent in one piece with the head; longer ones are read piece by piece.
    static let copiedBodyLimit = 64 * 1024
    /// How many bytes of a longer body are read and sent at a time.
    static let uploadBufferSize = 256 * 1024

    /// Settings that are the same for all handles of a transport.
    struct Settings: Sendable {
        var authorities: CertificateAuthorities
        var allowsHTTP2 = true
        var streamsOverHTTP2 = false
        var usesEnvironmentProxy = true

        /// Whether a request keeps away from connections that others share.
        func isExclusive(_ request: PreparedRequest) -> Bool {
            request.delivery == .streamed && !streamsOverHTTP2
        }

        /// Whether an exchange offers HTTP/2.
        func offersHTTP2(_ exchange: CurlExchange) -> Bool {
            guard allowsHTTP2, exchange.request.target.isSecure else { return false }
            return exchange.needsHTTP2 || !isExclusive(exchange.request)
        }
    }

    /// How an exchange goes, beside where to and with what fields and content.
    struct Manner: Equatable {
        var receiveBuffer: Int
        var keepsApart: Bool
        var usesHTTP2: Bool
        var connectMilliseconds: Int
        var closesConnection: Bool
        var needsFreshConnection: Bool
        var isPlainGET: Bool
    }

    private(set) var easy: OpaquePointer
    /// The exchange it works for.
    var exchange: CurlExchange?
    /// Whether a name lookup is under way.
    var isResolving = false
    /// Whether libcurl took the authorities that it was told to trust.
    var knowsAuthorities = true
    /// Whether libcurl tells of what it does with HTTP/2 on this handle.
    private var isTraced = false
    /// Whether a request's head is being sent, or a response's head is being received, of which libcurl would tell line by
    /// line.
    var isBusyWithHead = false
    /// Whether libcurl says when it has sent a request.
    var watchesSending = false
    /// Its place among the handles of its HTTP/2 connection.
    var placeOnConnection: Int?
    /// The sockets that were opened for the exchange, the newest last; empty if it uses a connection that was open.
    var openedSockets: [Int32] = []
    /// The engine, which frees its handles before it goes itself; counting references here would cost more than the rest of
    /// a callback.
    unowned(unsafe) let owner: CurlMulti

    /// What libcurl was told for the exchange before; `nil` where that is not known.
    var manner: Manner?
    let settings: Settings
    let library: CurlLibrary
    let errorBuffer: UnsafeMutablePointer<CChar>
    var fields = CurlFieldList()
    /// Fields for the proxy that opens a tunnel; `nil` as long as no request had any.
    var proxyFields: CurlFieldList?
    /// Whether libcurl was told fields for a proxy.
    var hasProxyFields = false

    /// Creates a handle; `nil` where memory ran out.
    init?(owner: CurlMulti, settings: Settings, library: CurlLibrary) {
        guard let easy = pp_easy_init() else { return nil }
        self.easy = easy
        self.owner = owner
        self.settings = settings
        self.library = library
        errorBuffer = .allocate(capacity: Int(PP_CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(PP_CURL_ERROR_SIZE))
        setConstants()
    }

    /// Begins again with a fresh handle of libcurl, for versions that remember too much.
    ///
    /// It must not be in a multi handle any more.
    ///
    /// - Returns: Whether there was memory for it.
    func renew() -> Bool {
        guard let fresh = pp_easy_init() else { return false }
        pp_easy_cleanup(easy)
        easy = fresh
        manner = nil
        isTraced = false
        hasProxyFields = false
        setConstants()
        return true
    }

    /// Frees the handle.
    ///
    /// It must not be in a multi handle any more.
    func destroy() {
        pp_easy_cleanup(easy)
        errorBuffer.deallocate()
        fields.deallocate()
        proxyFields?.deallocate()
    }

    /// libcurl's words for what failed last; empty if nothing did.
    var errorText: String { errorBuffer[0] == 0 ? "" : String(cString: errorBuffer) }

    /// What libcurl says about a failure, which may quote a proxy's password: for ``TransportError``, which hides that.
    func describe(_ code: Int32) -> String {
        let text = errorText
        guard text.isEmpty else { return text }
        return pp_easy_strerror(code).map { String(cString: $0) } ?? ""
    }

    // MARK: Options

    private func setConstants() {
        // Unretained: libcurl calls back only inside a multi handle, and whoever puts this into one holds it.
        let context = Unmanaged.passUnretained(self).toOpaque()
        set(PP_CURLOPT_NOSIGNAL, 1)
        set(PP_CURLOPT_PATH_AS_IS, 1)
        set(PP_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(PP_CURLOPT_SSL_VERIFYPEER, 1)
        set(PP_CURLOPT_SSL_VERIFYHOST, 2)
        // Without it, taking a handle away waits for a name lookup that is under way (unknown before 7.87).
        set(PP_CURLOPT_QUICK_EXIT, 1)
        set(PP_CURLOPT_ERRORBUFFER, errorBuffer)
        set(PP_CURLOPT_PRIVATE, context)
        if !settings.usesEnvironmentProxy { set(PP_CURLOPT_PROXY, "") }
        setAuthorities()
        set(PP_CURLOPT_XFERINFODATA, context)
        pp_easy_set_progress_callback(easy) { context, _, _, _, _ in
            guard let (handle, exchange) = CurlHandle.current(context) else { return 0 }
            if exchange.needsCloseNotify, !exchange.hasCloseNotify {
                exchange.hasCloseNotify = pp_tls_is_closed(handle.easy)
            }
            if handle.watchesSending { handle.endSending() }
            return 0
        }

        set(PP_CURLOPT_HEADERDATA, context)
        pp_easy_set_data_callback(easy, PP_CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlHandle.receive(bytes, size * count, context) { $0.receiveHeadLine($1, now: $2) ? .proceed : .stop }
        }
        set(PP_CURLOPT_WRITEDATA, context)
        pp_easy_set_data_callback(easy, PP_CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlHandle.receive(bytes, size * count, context) { $0.receiveBody($1, now: $2) }
        }
        set(PP_CURLOPT_READDATA, context)
        pp_easy_set_data_callback(easy, PP_CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let (handle, exchange) = CurlHandle.current(context) else { return Int(PP_CURL_READFUNC_ABORT) }
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            let copied = exchange.provideBody(into: buffer, now: handle.owner.now)
            if exchange.timeline.phase == .awaitingHead { handle.owner.deadlineMayHaveChanged(exchange) }
            return copied
        }
        set(PP_CURLOPT_SEEKDATA, context)
        pp_easy_set_seek_callback(easy) { context, offset, _ in
            guard let (_, exchange) = CurlHandle.current(context), exchange.rewindBody(to: Int(offset)) else {
                return Int32(PP_CURL_SEEKFUNC_FAIL)
            }
            return Int32(PP_CURL_SEEKFUNC_OK)
        }
        setConnectionCallbacks(context)
    }

    private func setAuthorities() {
        let authorities = settings.authorities
        if let file = authorities.file {
            knowsAuthorities = set(PP_CURLOPT_CAINFO, file)
        } else if authorities.folder != nil {
            knowsAuthorities = clear(PP_CURLOPT_CAINFO)
        }
        if let folder = authorities.folder {
            knowsAuthorities = set(PP_CURLOPT_CAPATH, folder) && knowsAuthorities
        } else if !authorities.keepsFolder {
            knowsAuthorities = clear(PP_CURLOPT_CAPATH) && knowsAuthorities
        }
    }

    private func setConnectionCallbacks(_ context: UnsafeMutableRawPointer) {
        setStartCallback(context)
        set(PP_CURLOPT_RESOLVER_START_DATA, context)
        pp_easy_set_resolver_callback(easy) { _, _, context in
            guard CurlHandle.connect(context) else { return 1 }
            CurlHandle.current(context)?.0.isResolving = true
            return 0
        }
        set(PP_CURLOPT_OPENSOCKETDATA, context)
        pp_easy_set_open_socket_callback(easy) { context, _, address in
            guard CurlHandle.connect(context), let (handle, exchange) = CurlHandle.current(context), let address
            else { return -1 }
            handle.isResolving = false
            let socket = pp_open_socket(address)
            guard socket >= 0 else {
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { exchange.failure = .outOfResources }
                return -1
            }
            handle.openedSockets.append(socket)
            handle.owner.poller.opened(socket)
            return socket
        }
        // A connection outlives the handle that opened it, so its context is the poller, which the multi handle's owner
        // holds until all connections are closed.
        set(PP_CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(owner.poller).toOpaque())
        pp_easy_set_close_socket_callback(easy) { context, socket in
            guard let context else { return -1 }
            Unmanaged<Poller>.fromOpaque(context).takeUnretainedValue().close(socket)
            return 0
        }
    }

    /// Has libcurl tell of what it does with HTTP/2, or not.
    func setTraced(_ isTraced: Bool) {
        guard isTraced != self.isTraced else { return }
        self.isTraced = isTraced
        set(PP_CURLOPT_VERBOSE, isTraced ? 1 : 0)
    }

    /// Notes that a head passes, or has passed.
    func setBusyWithHead(_ isBusy: Bool) {
        guard isBusy != isBusyWithHead, let http2 = exchange?.http2 else { return }
        isBusyWithHead = isBusy
        http2.apply(to: self)
    }

    /// Notes that a head passes, until libcurl has sent the request.
    func watchSending() {
        isBusyWithHead = true
        watchesSending = true
        // libcurl reports progress whenever it has done a step, so also between sending and receiving.
        manner = nil
        set(PP_CURLOPT_NOPROGRESS, 0)
    }

    private func endSending() {
        watchesSending = false
        set(PP_CURLOPT_NOPROGRESS, 1)
        setBusyWithHead(false)
    }

    private func setTraceCallback(_ context: UnsafeMutableRawPointer) {
        set(PP_CURLOPT_DEBUGDATA, context)
        pp_easy_set_debug_callback(easy) { _, kind, bytes, count, context in
            guard kind == Int32(PP_CURLINFO_TEXT), let (handle, exchange) = CurlHandle.current(context),
                let event = HTTP2TraceEvent(UnsafeRawBufferPointer(start: bytes, count: count))
            else { return 0 }
            handle.owner.note(event, for: exchange)
            return 0
        }
    }

    private func setStartCallback(_ context: UnsafeMutableRawPointer) {
        if library.hasReliableHTTP2 { setTraceCallback(context) }
        guard !library.announcesRequests else {
            set(PP_CURLOPT_PREREQDATA, context)
            pp_easy_set_prerequest_callback(easy) { context, remote, local, remotePort, localPort in
                let key = ConnectionTable.Key(remote, remotePort, local, localPort)
                guard let (handle, exchange) = CurlHandle.current(context), handle.start(exchange, on: key) else {
                    return Int32(PP_CURL_PREREQFUNC_ABORT)
                }
                return Int32(PP_CURL_PREREQFUNC_OK)
            }
            return
        }
        // Before 7.80, what libcurl would log tells when the head of a request is sent.
        set(PP_CURLOPT_VERBOSE, 1)
        set(PP_CURLOPT_DEBUGDATA, context)
        pp_easy_set_debug_callback(easy) { _, kind, bytes, count, context in
            guard kind == Int32(PP_CURLINFO_HEADER_OUT), let (handle, exchange) = CurlHandle.current(context) else {
                return 0
            }
            let text = UnsafeRawBufferPointer(start: bytes, count: count)
            if !text.starts(with: "CONNECT ".utf8) { _ = handle.start(exchange, on: handle.connectionKey()) }
            return 0
        }
    }

    /// Has libcurl call back while the exchange has its connection, up to the end, so that the way in which the connection
    /// ends can be seen.
    func watchConnection() {
        manner = nil
        set(PP_CURLOPT_NOPROGRESS, 0)
    }

    /// Has the connection closed after the exchange.
    func closeAfterwards() {
        manner = nil
        set(PP_CURLOPT_FORBID_REUSE, 1)
    }

    /// Gives back the memory of the body that was sent, and forgets what cannot be relied on.
    func forget(_ exchange: CurlExchange) {
        if case .withContent = exchange.request.kind {
            // It also makes the next request a POST, until another method is set.
            _ = clear(PP_CURLOPT_COPYPOSTFIELDS)
            manner = nil
        }
        // Old versions note in the handle that a server wants HTTP/1.1 for the request that is to be sent again.
        if !exchange.isHeadComplete || exchange.statusCode < 200 { manner = nil }
    }

    @discardableResult
    func set(_ option: PPOption, _ value: Int) -> Bool {
        pp_easy_set_long(easy, option, value) == 0
    }

    @discardableResult
    func set(_ option: PPOption, _ value: String) -> Bool {
        value.withCString { pp_easy_set_pointer(easy, option, $0) == 0 }
    }

    @discardableResult
    func set(_ option: PPOption, _ value: UnsafeMutableRawPointer) -> Bool {
        pp_easy_set_pointer(easy, option, value) == 0
    }

    func clear(_ option: PPOption) -> Bool {
        pp_easy_set_pointer(easy, option, nil) == 0
    }
}
#endif
