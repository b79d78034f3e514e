#if os(Linux)
import CurlShim
import Glibc

// What observers are told of an exchange.
extension CurlExchange {
    /// Records that the whole request was passed on.
    func noteSent(now: Int64) {
        timeline.sent(now: now)
        guard let observed, !isSentReported else { return }
        isSentReported = true
        observed.report(.requestSent)
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

extension CurlMulti {
    /// Measures an exchange that ends without a response, while it still has its handle.
    @inline(never)
    func measure(_ observed: ObservedExchange, of exchange: CurlExchange, _ outcome: ExchangeOutcome) {
        switch outcome {
        case .response, .head: break
        case .failure, .cancelled: observed.measured(CurlOutcome.metrics(of: exchange))
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
        // libcurl has the path of a Unix socket for an address.
        guard !usesUnixSocket else { return nil }
        var text: UnsafeMutableRawPointer?
        pp_easy_get_pointer(easy, ip, &text)
        guard let text = text?.assumingMemoryBound(to: UInt8.self), text[0] != 0 else { return nil }
        var number = 0
        pp_easy_get_long(easy, port, &number)
        return Self.address(text, port: UInt16(truncatingIfNeeded: number))
    }

    /// Writes an address and a port, byte by byte: each exchange has two of them.
    static func address(_ address: UnsafePointer<UInt8>, port: UInt16) -> String {
        let length = strlen(UnsafeRawPointer(address).assumingMemoryBound(to: CChar.self))
        let isIPv6 = memchr(address, Int32(UInt8(ascii: ":")), length) != nil
        return String(unsafeUninitializedCapacity: length + 8) { bytes in
            var count = 0
            func append(_ byte: UInt8) {
                bytes[count] = byte
                count += 1
            }
            if isIPv6 { append(UInt8(ascii: "[")) }
            for index in 0..<length { append(address[index]) }
            if isIPv6 { append(UInt8(ascii: "]")) }
            append(UInt8(ascii: ":"))
            var divisor: UInt16 = 10_000
            while divisor > 1, port < divisor { divisor /= 10 }
            while divisor > 0 {
                append(UInt8(ascii: "0") + UInt8(port / divisor % 10))
                divisor /= 10
            }
            return count
        }
    }
}
#endif
