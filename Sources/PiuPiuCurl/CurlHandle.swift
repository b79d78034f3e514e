#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync
import PiuPiuEngine

/// A libcurl easy handle that is reused for successive exchanges.
///
/// Options that never change are set once. Each exchange sets all other options, so nothing of the previous exchange
/// remains. Only the event loop's thread uses a handle.
final class CurlHandle {
    /// The largest body that is copied and sent with the head; longer bodies are read in pieces.
    static let copiedBodyLimit = 64 * 1024
    /// The number of bytes of a longer body that are read and sent at a time.
    static let uploadBufferSize = 256 * 1024

    private(set) var easy: OpaquePointer
    /// The exchange that uses the handle.
    var exchange: CurlExchange?
    /// Whether a name lookup is in progress.
    var isResolving = false
    /// Whether libcurl accepted the trusted certificate authorities.
    var knowsAuthorities = true
    /// The option that libcurl refused, as ``CurlOption/name``; `nil` if it accepted everything.
    private(set) var refused: String?
    /// The lists that options of the profile point to.
    var lists: [CurlFieldList] = []
    /// Whether libcurl traces HTTP/2 on this handle.
    private var isTraced = false
    /// Whether a head is being sent or received.
    ///
    /// libcurl would trace every line of it.
    var isBusyWithHead = false
    /// Whether the progress callback reports that libcurl has sent the request.
    var watchesSending = false
    /// The handle's index in its HTTP/2 connection.
    var placeOnConnection: Int?
    /// The sockets opened for the exchange, newest last; empty if it reuses an open connection.
    var openedSockets: [Int32] = []
    /// The description of a reused connection for observers; `nil` if the connection is new, or there are no observers.
    var reusedConnection: ObservedConnection?
    /// The engine that owns the handle.
    ///
    /// The engine frees its handles before it is deallocated. Reference counting would cost more than the rest of a
    /// callback.
    unowned(unsafe) let owner: CurlMulti

    /// The options that libcurl has from the previous exchange; `nil` if they are unknown.
    var manner: Manner?
    /// Whether the previous exchange had a receive buffer for large bodies.
    var hasLargeBuffer: Bool { (manner?.receiveBuffer ?? 0) > 128 * 1024 }
    let settings: Settings
    /// Whether the connections lead to a Unix socket.
    let usesUnixSocket: Bool
    /// Whether that socket is in the abstract namespace.
    let usesAbstractSocket: Bool
    /// The number of the connection in libcurl's last log message about one; `nil` if there was none.
    var tracedConnection: Int64?
    /// Whether speed limits are set in libcurl.
    var hasRates = false
    let library: CurlLibrary
    let errorBuffer: UnsafeMutablePointer<CChar>
    /// Observes the handle's TLS handshakes; `nil` if libcurl's TLS library can't be observed.
    let witness: TLSWitness?
    var fields = CurlFieldList()
    /// The fields for a tunnelling proxy; `nil` until a request has any.
    var proxyFields: CurlFieldList?
    /// The head of a proxy's last answer to `CONNECT`, up to the maximum.
    var tunnelHead: [UInt8] = []
    /// The maximum number of bytes to keep of a proxy's head.
    static let maximumTunnelHead = 64 * 1024
    /// Whether the request is under way on the connection that libcurl opened last.
    var isStarted = false
    /// Whether proxy fields are set in libcurl.
    var hasProxyFields = false
    /// The host to connect to in place of the URL's; `nil` until a request has one.
    var spelling: CurlFieldList?
    /// Whether that host is set in libcurl.
    var hasSpelling = false
    /// Whether libcurl asks for trailers.
    var hasTrailerCallback = false

    /// Creates a handle; returns `nil` if memory runs out.
    init?(owner: CurlMulti, settings: Settings, library: CurlLibrary) {
        guard let easy = pp_easy_init() else { return nil }
        self.easy = easy
        self.owner = owner
        self.settings = settings
        usesUnixSocket = settings.usesUnixSocket
        usesAbstractSocket = settings.usesAbstractSocket
        self.library = library
        witness = library.supportsTLS ? TLSWitness() : nil
        errorBuffer = .allocate(capacity: Int(PP_CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(PP_CURL_ERROR_SIZE))
        setConstants()
    }

    /// Replaces libcurl's handle with a new one, for versions that retain too much state, and returns whether that worked.
    ///
    /// The handle must not be in a multi handle.
    func renew() -> Bool {
        guard let fresh = pp_easy_init() else { return false }
        pp_easy_cleanup(easy)
        easy = fresh
        manner = nil
        isTraced = false
        hasProxyFields = false
        hasTrailerCallback = false
        hasRates = false
        hasSpelling = false
        freeLists()
        setConstants()
        return true
    }

    /// Frees the handle.
    ///
    /// The handle must not be in a multi handle.
    func destroy() {
        pp_easy_cleanup(easy)
        witness?.release()
        errorBuffer.deallocate()
        fields.deallocate()
        proxyFields?.deallocate()
        spelling?.deallocate()
        freeLists()
    }

    private func freeLists() {
        for list in lists { list.deallocate() }
        lists = []
    }

    /// libcurl's message for the last failure; empty if there was none.
    var errorText: String { errorBuffer[0] == 0 ? "" : String(cString: errorBuffer) }

    /// Returns libcurl's message for a failure.
    ///
    /// The message may contain a proxy's password; `TransportError` hides it.
    func describe(_ code: Int32) -> String {
        let text = errorText
        guard text.isEmpty else { return text }
        return pp_easy_strerror(code).map { String(cString: $0) } ?? ""
    }

    // MARK: Options

    private func setConstants() {
        // Unretained: libcurl calls back only inside a multi handle, and the code that adds the handle retains it.
        let context = Unmanaged.passUnretained(self).toOpaque()
        refused = nil
        require(set(PP_CURLOPT_NOSIGNAL, 1), "threads")
        require(set(PP_CURLOPT_PATH_AS_IS, 1), "paths as they are")
        require(set(PP_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), "the separation of a proxy's answers")
        if library.supportsTLS {
            require(set(PP_CURLOPT_SSL_VERIFYPEER, 1), "the verification of certificates")
            require(set(PP_CURLOPT_SSL_VERIFYHOST, 2), "the verification of host names")
            require(setTLSVersions(keepsApart: false), "the TLS versions")
        }
        // Without it, removing a handle blocks until a pending name lookup ends (unknown before 7.87).
        _ = set(PP_CURLOPT_QUICK_EXIT, 1)
        require(set(PP_CURLOPT_ERRORBUFFER, errorBuffer), "messages of failures")
        require(set(PP_CURLOPT_PRIVATE, context), "the number of a handle")
        setAuthorities()
        _ = witness?.attach(to: easy)
        for option in settings.options { require(apply(option), option.name) }
        setProgressCallback(context)
        setBodyCallbacks(context)
        setConnectionCallbacks(context)
    }

    private func setProgressCallback(_ context: UnsafeMutableRawPointer) {
        let name = "the observation of a transfer"
        require(set(PP_CURLOPT_XFERINFODATA, context), name)
        let code = pp_easy_set_progress_callback(easy) { context, _, _, _, _ in
            guard let (handle, exchange) = CurlHandle.current(context) else { return 0 }
            if exchange.needsCloseNotify, !exchange.hasCloseNotify {
                exchange.hasCloseNotify = pp_tls_is_closed(handle.easy)
            }
            if handle.watchesSending { handle.endSending() }
            return 0
        }
        require(code == 0, name)
    }

    private func setBodyCallbacks(_ context: UnsafeMutableRawPointer) {
        let name = "callbacks for heads and bodies"
        for option in [PP_CURLOPT_HEADERDATA, PP_CURLOPT_WRITEDATA, PP_CURLOPT_READDATA, PP_CURLOPT_SEEKDATA] {
            require(set(option, context), name)
        }
        let header = pp_easy_set_data_callback(easy, PP_CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlHandle.receive(bytes, size * count, context) { $0.receiveHeadLine($1, now: $2) ? .proceed : .stop }
        }
        let write = pp_easy_set_data_callback(easy, PP_CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlHandle.receive(bytes, size * count, context) { $0.receiveBody($1, now: $2) }
        }
        let read = pp_easy_set_data_callback(easy, PP_CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let (handle, exchange) = CurlHandle.current(context) else { return Int(PP_CURL_READFUNC_ABORT) }
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            let copied = exchange.provideBody(into: buffer, now: handle.owner.now)
            if exchange.timeline.phase == .awaitingHead { handle.owner.deadlineMayHaveChanged(exchange) }
            return copied
        }
        let seek = pp_easy_set_seek_callback(easy) { context, offset, _ in
            guard let (_, exchange) = CurlHandle.current(context), exchange.rewindBody(to: Int(offset)) else {
                return Int32(PP_CURL_SEEKFUNC_FAIL)
            }
            return Int32(PP_CURL_SEEKFUNC_OK)
        }
        for code in [header, write, read, seek] { require(code == 0, name) }
    }

    /// Records an option that libcurl refused, so that no exchange is sent without it.
    func require(_ isAccepted: Bool, _ name: String) {
        if !isAccepted, refused == nil { refused = name }
    }

    private func setAuthorities() {
        let authorities = settings.authorities
        // Unknown before 7.87, and with TLS libraries other than OpenSSL, where nothing is kept.
        if let seconds = authorities.cacheSeconds { _ = set(PP_CURLOPT_CA_CACHE_TIMEOUT, seconds) }
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

    /// Turns libcurl's HTTP/2 trace on or off.
    func setTraced(_ isTraced: Bool) {
        guard isTraced != self.isTraced else { return }
        self.isTraced = isTraced
        _ = set(PP_CURLOPT_VERBOSE, isTraced ? 1 : 0)
    }

    /// Records whether a head is being sent or received.
    func setBusyWithHead(_ isBusy: Bool) {
        guard isBusy != isBusyWithHead, let http2 = exchange?.http2 else { return }
        isBusyWithHead = isBusy
        http2.apply(to: self)
    }

    /// Marks the handle as busy with a head until libcurl has sent the request.
    func watchSending() {
        isBusyWithHead = true
        watchesSending = true
        // libcurl reports progress after each step, which includes the moment between sending and receiving.
        manner = nil
        _ = set(PP_CURLOPT_NOPROGRESS, 0)
    }

    private func endSending() {
        watchesSending = false
        _ = set(PP_CURLOPT_NOPROGRESS, 1)
        setBusyWithHead(false)
    }

    /// Enables the progress callback until the exchange ends.
    ///
    /// The callback sees how the connection ends.
    func watchConnection() {
        manner = nil
        _ = set(PP_CURLOPT_NOPROGRESS, 0)
    }

    /// Makes libcurl close the connection after the exchange.
    func closeAfterwards() {
        manner = nil
        _ = set(PP_CURLOPT_FORBID_REUSE, 1)
    }

    /// Frees the memory of the sent body and discards options that can't be relied on.
    func forget(_ exchange: CurlExchange) {
        if case .withContent = exchange.request.kind {
            // This also makes the next request a POST until another method is set.
            _ = clear(PP_CURLOPT_COPYPOSTFIELDS)
            manner = nil
        }
        // Old versions record in the handle that a server wants HTTP/1.1 for the request to be resent.
        if !exchange.isHeadComplete || exchange.statusCode < 200 { manner = nil }
    }

    // The results are not discardable: if an option that protects something is missing, nothing may be sent.

    func set(_ option: PPOption, _ value: Int) -> Bool {
        pp_easy_set_long(easy, option, value) == 0
    }

    func set(_ option: PPOption, _ value: String) -> Bool {
        value.withCString { pp_easy_set_pointer(easy, option, $0) == 0 }
    }

    func set(_ option: PPOption, _ value: UnsafeMutableRawPointer) -> Bool {
        pp_easy_set_pointer(easy, option, value) == 0
    }

    func clear(_ option: PPOption) -> Bool {
        pp_easy_set_pointer(easy, option, nil) == 0
    }
}
#endif
