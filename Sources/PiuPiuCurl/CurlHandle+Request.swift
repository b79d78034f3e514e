#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync
import PiuPiuEngine

/// The options that are set for each exchange.
extension CurlHandle {
    /// Sets all options that differ between exchanges, and returns whether libcurl accepted all of them.
    ///
    /// `receiveBuffer` is the maximum number of bytes to read at a time.
    func configure(for exchange: CurlExchange, receiveBuffer: Int) -> Bool {
        self.exchange = exchange
        isResolving = false
        isStarted = false
        tunnelHead = []
        isBusyWithHead = false
        watchesSending = false
        openedSockets.removeAll(keepingCapacity: true)
        tracedConnection = nil
        errorBuffer[0] = 0
        witness?.reset()
        let request = exchange.request
        let mayShare = !settings.isExclusive(request)
        let version = settings.version(for: exchange)
        let usesHTTP2 = version != Int(PP_CURL_HTTP_VERSION_1_1)
        exchange.offersHTTP2 = usesHTTP2
        // See `setTLSVersions(keepsApart:)`: this keeps requests off the HTTP/1.1 connections of streams.
        let keepsApart = settings.allowsHTTP2 && !mayShare
        let connect = request.options.limits.connect ?? .max
        // libcurl divides the limit among a host's addresses; the engine's own limit fires first.
        let connectMilliseconds = Int(min(connect / 1_000_000, 86_400_000)) + 250
        // A TLS connection that can't be inspected could hold a response for the next exchange.
        let closesConnection =
            request.closesConnection || exchange.needsHTTP2
            || (request.target.isSecure && !usesHTTP2 || settings.proxy?.kind == .https) && !library.looksIntoTLS
            || usesAbstractSocket && !library.reusesAbstractSockets
        let wanted = Manner(
            receiveBuffer: receiveBuffer,
            keepsApart: keepsApart,
            version: version,
            connectMilliseconds: connectMilliseconds,
            closesConnection: closesConnection,
            // Before 7.80, libcurl doesn't report that a request is sent twice; a new connection can't have expired.
            needsFreshConnection: exchange.needsFreshConnection || exchange.needsHTTP2 || exchange.alternative == .trial
                || !request.isIdempotent && !library.announcesRequests,
            isPlainGET: request.isPlainGET,
            expectMilliseconds: request.expectsContinue ? request.options.expectContinue.milliseconds : 1_000,
            rates: exchange.rates,
            spelling: settings.overrides.isEmpty ? nil : settings.overrides.otherSpelling(of: request.target)
        )
        // Most exchanges have the same options as the previous one.
        let isLikeTheOneBefore = wanted.isPlainGET && wanted == manner
        manner = nil
        guard knowsAuthorities || !request.target.isSecure else { return false }
        guard set(PP_CURLOPT_URL, request.target.url), setHeaders(of: exchange),
            isLikeTheOneBefore || (apply(wanted) && setMethod(exchange))
        else { return false }
        manner = wanted
        return true
    }

    private func apply(_ wanted: Manner) -> Bool {
        // If libcurl still has the previous exchange's buffer, it refuses this option and reuses that buffer.
        _ = set(PP_CURLOPT_BUFFERSIZE, wanted.receiveBuffer)
        return (!library.supportsTLS || setTLSVersions(keepsApart: wanted.keepsApart))
            && set(PP_CURLOPT_HTTP_VERSION, wanted.version)
            && set(PP_CURLOPT_PIPEWAIT, wanted.version != Int(PP_CURL_HTTP_VERSION_1_1) ? 1 : 0)
            && set(PP_CURLOPT_CONNECTTIMEOUT_MS, wanted.connectMilliseconds)
            && set(PP_CURLOPT_FORBID_REUSE, wanted.closesConnection ? 1 : 0)
            && set(PP_CURLOPT_NOPROGRESS, 1)
            && set(PP_CURLOPT_EXPECT_100_TIMEOUT_MS, wanted.expectMilliseconds)
            && set(PP_CURLOPT_FRESH_CONNECT, wanted.needsFreshConnection ? 1 : 0)
            && setRates(wanted.rates) && setSpelling(wanted.spelling)
    }

    /// Sets the host to connect to, or clears that of an earlier exchange; the URL's port stays.
    private func setSpelling(_ host: String?) -> Bool {
        guard let host else {
            if hasSpelling { hasSpelling = !clear(PP_CURLOPT_CONNECT_TO) }
            return !hasSpelling
        }
        hasSpelling = true
        var line = spelling ?? CurlFieldList()
        let list = line.write(Array("::\(host):".utf8) + [0])
        spelling = line
        return list.map { set(PP_CURLOPT_CONNECT_TO, $0) } ?? false
    }

    /// Sets the TLS versions to offer.
    ///
    /// - Parameter keepsApart: Chooses between two equivalent values. libcurl reuses a connection only for the same value. It
    ///   makes no difference if there is a maximum version, because streams then have their own engines.
    /// - Returns: Whether libcurl accepted them.
    func setTLSVersions(keepsApart: Bool) -> Bool {
        let versions = settings.tlsVersions
        let maximum = versions.maximum ?? (keepsApart ? Int(PP_CURL_SSLVERSION_MAX_DEFAULT) : 0)
        return set(PP_CURLOPT_SSLVERSION, versions.minimum | maximum)
    }

    /// Sets the speed limits, or clears those of an earlier exchange.
    private func setRates(_ rates: Rates) -> Bool {
        guard hasRates || !rates.isEmpty else { return true }
        hasRates = !rates.isEmpty
        return pp_easy_set_offset(easy, PP_CURLOPT_MAX_RECV_SPEED_LARGE, rates.receiving) == 0
            && pp_easy_set_offset(easy, PP_CURLOPT_MAX_SEND_SPEED_LARGE, rates.sending) == 0
    }

    private func setMethod(_ exchange: CurlExchange) -> Bool {
        let request = exchange.request
        guard setTrailers(request.sendsTrailers) else { return false }
        switch request.kind {
        case .head:
            return set(PP_CURLOPT_HTTPGET, 1) && set(PP_CURLOPT_NOBODY, 1) && clear(PP_CURLOPT_CUSTOMREQUEST)
        case .withoutContent:
            return set(PP_CURLOPT_HTTPGET, 1) && setCustomMethod(request.method, unless: "GET")
        case .withStream(let body):
            // If libcurl still has the previous exchange's buffer, it refuses this option and reuses that buffer.
            _ = set(PP_CURLOPT_UPLOAD_BUFFERSIZE, exchange.rates.isEmpty ? Self.uploadBufferSize : 16 * 1024)
            // -1 means an unknown length: chunks, if the connection speaks HTTP/1.1.
            return set(PP_CURLOPT_POST, 1) && setCustomMethod(request.method, unless: "POST")
                && clear(PP_CURLOPT_COPYPOSTFIELDS)
                && pp_easy_set_offset(easy, PP_CURLOPT_POSTFIELDSIZE_LARGE, body.length ?? -1) == 0
        case .withContent(let body):
            guard set(PP_CURLOPT_POST, 1), setCustomMethod(request.method, unless: "POST"),
                pp_easy_set_offset(easy, PP_CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count)) == 0
            else { return false }
            guard exchange.isCopied(body) else { return clear(PP_CURLOPT_COPYPOSTFIELDS) }
            guard !body.isEmpty else { return set(PP_CURLOPT_COPYPOSTFIELDS, "") }
            return body.withUnsafeBytes {
                pp_easy_set_pointer(easy, PP_CURLOPT_COPYPOSTFIELDS, $0.baseAddress) == 0
            }
        }
    }

    /// Sets the callback that libcurl calls after the last chunk, or clears it.
    private func setTrailers(_ isWanted: Bool) -> Bool {
        guard isWanted != hasTrailerCallback else { return true }
        hasTrailerCallback = isWanted
        guard isWanted else { return pp_easy_set_trailer_callback(easy, nil) == 0 }
        // Unretained: libcurl calls back only inside a multi handle, and the code that adds the handle retains it.
        guard set(PP_CURLOPT_TRAILERDATA, Unmanaged.passUnretained(self).toOpaque()) else { return false }
        let code = pp_easy_set_trailer_callback(easy) { list, context in
            guard let list, let (_, exchange) = CurlHandle.current(context) else {
                return Int32(PP_CURL_TRAILERFUNC_ABORT)
            }
            for line in exchange.content.trailers {
                // libcurl copies the line, and always frees the list.
                guard let longer = line.withCString({ pp_list_append(list.pointee, $0) }) else {
                    return Int32(PP_CURL_TRAILERFUNC_ABORT)
                }
                list.pointee = longer
            }
            return Int32(PP_CURL_TRAILERFUNC_OK)
        }
        return code == 0
    }

    private func setCustomMethod(_ method: String, unless standard: String) -> Bool {
        method == standard ? clear(PP_CURLOPT_CUSTOMREQUEST) : set(PP_CURLOPT_CUSTOMREQUEST, method)
    }

    /// The field that requests the supported codings, never freed; `nil` if there are none.
    // Safe because the text is written once, here, and only read afterwards.
    private nonisolated(unsafe) static let acceptEncoding = acceptEncoding(ContentCoding.allSupported)

    /// The same field for streams, whose readers may be slow: see `WindowBudget`.
    // Safe for the same reason.
    private nonisolated(unsafe) static let acceptEncodingOfStreams = acceptEncoding(ContentCoding.smallSupported)

    private static func acceptEncoding(_ codings: String) -> UnsafeMutablePointer<CChar>? {
        codings.isEmpty ? nil : strdup("Accept-Encoding: \(codings)")
    }

    private func setHeaders(of exchange: CurlExchange) -> Bool {
        let request = exchange.request
        let movesCredentials = request.hasProxyAuthorization && !request.target.isSecure && exchange.isTunnelled
        guard setProxyHeaders(of: exchange, takesCredentials: movesCredentials) else { return false }
        let codings = request.delivery == .streamed ? Self.acceptEncodingOfStreams : Self.acceptEncoding
        let last = request.decodesContent ? codings : nil
        let isUnchanged = exchange.expectsContinue == request.expectsContinue
        var sent = isUnchanged ? request.fields : request.fieldsWithoutExpectation
        if movesCredentials { sent = sent.filter("proxy-authorization", isKept: false) }
        guard let list = fields.write(CurlFieldList.lines(of: sent, for: request.kind), last: last) else {
            return clear(PP_CURLOPT_HTTPHEADER)
        }
        return set(PP_CURLOPT_HTTPHEADER, list)
    }

    /// Sets the fields that only a proxy gets, or clears those of the previous request.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - takesCredentials: Whether the fields of an `http` request contain the proxy's credentials, as without a tunnel.
    /// - Returns: Whether libcurl accepted them.
    private func setProxyHeaders(of exchange: CurlExchange, takesCredentials: Bool) -> Bool {
        let request = exchange.request
        var sent =
            settings.proxy?.fields(for: request, isTunnelled: exchange.isTunnelled) ?? request.proxyFields
        if takesCredentials { sent.append(request.fields.filter("proxy-authorization", isKept: true)) }
        guard !sent.isEmpty else {
            if hasProxyFields { hasProxyFields = !clear(PP_CURLOPT_PROXYHEADER) }
            return !hasProxyFields
        }
        hasProxyFields = true
        var proxyFields = self.proxyFields ?? CurlFieldList()
        let list = proxyFields.write(CurlFieldList.lines(of: sent))
        self.proxyFields = proxyFields
        return list.map { set(PP_CURLOPT_PROXYHEADER, $0) } ?? false
    }
}
#endif
