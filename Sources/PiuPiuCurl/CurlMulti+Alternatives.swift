#if os(Linux)
import PiuPiuAsync

/// Chooses the exchanges that ask for HTTP/3 because their origin advertises it, and records their results.
extension CurlMulti {
    /// Decides whether an attempt of an exchange asks for HTTP/3.
    func chooseAlternative(for exchange: CurlExchange) {
        guard settings.http3 == .altSvc else { return }
        exchange.alternative = .none
        guard exchange.request.target.isSecure, !settings.isExclusive(exchange.request) else { return }
        exchange.alternative = transfers.alternatives.next(for: exchange.request.target.origin, now: now)
    }

    /// Records which version won on a connection that was opened for an exchange.
    func connectionOpened(for exchange: CurlExchange, isHTTP3: Bool) {
        guard exchange.alternative != .none else { return }
        let origin = exchange.request.target.origin
        if isHTTP3 {
            transfers.alternatives.worked(for: origin)
        } else {
            transfers.alternatives.failed(for: origin, now: now)
        }
        exchange.alternative = .usual
    }

    /// Records that an attempt ends; a trial without an HTTP/3 connection has failed, unless its caller cancelled it.
    func attemptEnded(of exchange: CurlExchange, isCancelled: Bool = false) {
        guard exchange.alternative == .trial else { return }
        guard isCancelled else { return connectionOpened(for: exchange, isHTTP3: false) }
        transfers.alternatives.abandoned(for: exchange.request.target.origin)
        exchange.alternative = .usual
    }
}

extension CurlExchange {
    /// Reads the alternative services of the origin from the final head (RFC 7838).
    func noteAlternatives(now: Int64) {
        guard profile.settings.http3 == .altSvc, request.target.isSecure, let handle else { return }
        let engine = handle.owner
        let origin = request.target.origin
        // Such a response advertises nothing; it is about the alternative itself (RFC 7838 §6).
        guard statusCode != 421 else {
            if isOnHTTP3 { engine.transfers.alternatives.refused(for: origin, now: now) }
            return
        }
        let values = RawHead(bytes: head).values(of: "Alt-Svc")
        if !values.isEmpty {
            engine.transfers.alternatives.note(AltSvcParser.advertisement(in: values), of: origin, now: now)
        }
        // libcurl would keep using a TCP connection while it is open.
        guard !isOnHTTP3, offersHTTP2, engine.transfers.alternatives.isConfirmed(origin, now: now) else { return }
        handle.closeAfterwards()
    }
}
#endif
