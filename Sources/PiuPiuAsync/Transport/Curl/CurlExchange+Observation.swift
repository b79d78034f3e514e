#if os(Linux)
import CurlShim

// What observers are told of an exchange.
extension CurlExchange {
    /// Records that the whole request was passed on.
    func noteSent(now: Int64) {
        let isNews = timeline.phase == .sending
        timeline.sent(now: now)
        if isNews { observed?.report(.requestSent) }
    }

    /// Reports the end.
    @inline(never)
    func end(_ observed: ObservedExchange, _ outcome: ExchangeOutcome) {
        switch outcome {
        case .response(let statusCode, _, _, let metrics, _), .head(let statusCode, _, _, let metrics, _):
            observed.end(.response(StatusCode(rawValue: statusCode)), metrics)
        case .cancelled: observed.end(.cancelled)
        // The next piece of an abandoned body can arrive before the order to cancel.
        case .failure where isAbandoned: observed.end(.cancelled)
        case .failure(let failure): observed.end(.failure(failure.error(for: request.request)))
        }
    }
}

extension CurlHandle {
    /// Describes the connection of an exchange that is about to be sent.
    @inline(never)
    func observedConnection(of exchange: CurlExchange) -> ObservedConnection {
        var connections = 0
        pp_easy_get_long(easy, PP_CURLINFO_NUM_CONNECTS, &connections)
        return ObservedConnection(
            isReused: connections == 0,
            localAddress: address(PP_CURLINFO_LOCAL_IP, PP_CURLINFO_LOCAL_PORT),
            remoteAddress: address(PP_CURLINFO_PRIMARY_IP, PP_CURLINFO_PRIMARY_PORT),
            httpVersion: spokenVersion(for: exchange.request.target),
            proxy: settings.proxy.map { "\($0.kind)://\($0.location)" }
        )
    }

    private func address(_ ip: PPInfo, _ port: PPInfo) -> String? {
        var text: UnsafeMutableRawPointer?
        pp_easy_get_pointer(easy, ip, &text)
        guard let text = text?.assumingMemoryBound(to: CChar.self), text[0] != 0 else { return nil }
        let address = String(cString: text)
        var number = 0
        pp_easy_get_long(easy, port, &number)
        return (address.contains(":") ? "[\(address)]" : address) + ":\(number)"
    }
}
#endif
