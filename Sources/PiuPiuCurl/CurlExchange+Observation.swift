#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

// Reporting an exchange to observers.
extension CurlExchange {
    /// Records that the whole request was passed on.
    func noteSent(now: Int64) {
        timeline.sent(now: now)
        guard let observed, !isSentReported else { return }
        isSentReported = true
        observed.report(.requestSent)
    }
}

extension CurlMulti {
    /// Measures an exchange that ends without a response, while it still has its handle.
    @inline(never)
    func measure(_ observed: ExchangeReporter, of exchange: CurlExchange, _ outcome: ExchangeOutcome) {
        if !outcome.isResponse { observed.measured(CurlOutcome.metrics(of: exchange)) }
    }
}

extension CurlHandle {
    /// Describes the connection of an exchange that is about to be sent.
    @inline(never)
    func observedConnection(of exchange: CurlExchange) -> ObservedConnection {
        // A reused connection has its description already.
        if let known = reusedConnection.take() { return known }
        var connections = 0
        pp_easy_get_long(easy, PP_CURLINFO_NUM_CONNECTS, &connections)
        return describedConnection(of: exchange, isReused: connections == 0)
    }

    /// Creates a new description of an exchange's connection.
    func describedConnection(of exchange: CurlExchange, isReused: Bool) -> ObservedConnection {
        // libcurl reports the path of a Unix socket as an address.
        let hasAddresses = !usesUnixSocket
        return ObservedConnection(
            isReused: isReused,
            localAddress: hasAddresses ? end(PP_CURLINFO_LOCAL_IP, PP_CURLINFO_LOCAL_PORT)?.text : nil,
            remoteAddress: hasAddresses ? end(PP_CURLINFO_PRIMARY_IP, PP_CURLINFO_PRIMARY_PORT)?.text : nil,
            httpVersion: spokenVersion(for: exchange.request),
            proxy: settings.proxy.map { "\($0.kind)://\($0.location)" }
        )
    }

    /// An end of the connection; its address is valid while the handle is not used.
    private func end(_ ip: PPInfo, _ port: PPInfo) -> ConnectionEnd? {
        var text: UnsafeMutableRawPointer?
        pp_easy_get_pointer(easy, ip, &text)
        guard let text = text?.assumingMemoryBound(to: UInt8.self), text[0] != 0 else { return nil }
        var number = 0
        pp_easy_get_long(easy, port, &number)
        let length = strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
        return ConnectionEnd(
            address: UnsafeBufferPointer(start: text, count: length),
            port: UInt16(truncatingIfNeeded: number)
        )
    }
}
#endif
