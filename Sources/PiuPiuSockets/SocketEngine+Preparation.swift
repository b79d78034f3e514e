#if os(Linux)
import Glibc
import PiuPiuEngine

/// The result of work for a connection on another thread, which may block.
struct SocketPreparation: Sendable {
    /// The work that exchanges wait for.
    enum Subject: Sendable, Hashable {
        case name(AddressCache.Key)
        /// The TLS settings of a profile.
        case tls(ObjectIdentifier)
        /// The TLS settings for a profile's proxy itself.
        case proxyTLS(ObjectIdentifier)
    }

    let subject: Subject
    /// Keeps the profile alive, so that no other profile gets its identifier in the meantime.
    var profile: SocketProfile?
    var addresses: Result<[SocketAddress], LookupFailure>?
    var tls: Result<TLSContext, TLSReport>?
}

/// The results collected for a connection before its socket is opened.
final class SocketFindings {
    /// The TLS contexts for the server, and for the proxy itself.
    var tls: TLSContext?
    var proxyTLS: TLSContext?
    /// The addresses to connect to; `nil` before the lookup.
    var addresses: [SocketAddress]?
    /// The server's address, if this machine resolves it for a proxy.
    var server: SocketAddress?
}

// The preparation of a connection before its socket is opened: addresses and TLS settings.
extension SocketEngine {
    /// The threads that read files; separate, because name lookups without an answer must not delay them.
    private static let loaders = WorkerThreads(maximumCount: 2)

    /// Opens a connection for an exchange when all prerequisites are available.
    ///
    /// It is called again after each missing one arrives, and continues with the results so far.
    func prepare(_ exchange: SocketExchange) {
        let (profile, target) = (exchange.profile, exchange.request.target)
        let findings = exchange.findings ?? SocketFindings()
        exchange.findings = findings
        // A lookup may outlast the settings' validity. Settings that were valid a moment ago are good enough.
        if target.isSecure, findings.tls == nil {
            findings.tls = profile.tls.current(now: reactor.now)
            guard findings.tls != nil else { return load(.tls(ObjectIdentifier(profile)), for: exchange) }
        }
        if let provider = profile.proxyTLS, findings.proxyTLS == nil {
            findings.proxyTLS = provider.current(now: reactor.now)
            guard findings.proxyTLS != nil else { return load(.proxyTLS(ObjectIdentifier(profile)), for: exchange) }
        }
        if findings.addresses == nil {
            findings.addresses = addresses(profile.destination(of: target), profile.family, for: exchange)
            guard findings.addresses != nil else { return }
        }
        if profile.proxy?.needsAddresses == true, findings.server == nil {
            guard findServer(for: exchange, findings) else { return }
        }
        exchange.findings = nil
        open(exchange, findings)
    }

    /// Finds the server's address for a proxy that does not resolve names, and returns whether it is known.
    private func findServer(for exchange: SocketExchange, _ findings: SocketFindings) -> Bool {
        let profile = exchange.profile
        guard let family = profile.serverFamily else {
            finishWithoutAddress(exchange)
            return false
        }
        let destination = profile.serverDestination(of: exchange.request.target)
        guard let found = addresses(destination, family, for: exchange) else { return false }
        // The proxy protocol takes a single address.
        findings.server = found.first { family.includes($0) }
        guard findings.server == nil else { return true }
        finishWithoutAddress(exchange)
        return false
    }

    private func finishWithoutAddress(_ exchange: SocketExchange) {
        let failure = LookupFailure(.notFound, code: EAI_NONAME)
        finish(exchange, .failure(exchange.lookupFailure(failure, isForProxy: false)))
    }

    /// Returns the addresses of a destination; `nil` if they are being looked up.
    private func addresses(
        _ destination: SocketProfile.Destination,
        _ family: AddressFamily,
        for exchange: SocketExchange
    ) -> [SocketAddress]? {
        switch destination {
        case .addresses(let known): return known
        case .name(let host, let port):
            let key = AddressCache.Key(host: host, port: port, family: family)
            let timeToLive = exchange.profile.cacheTime
            let known = names.addresses.withLock { $0.addresses(for: key, timeToLive: timeToLive, now: reactor.now) }
            if known == nil { lookUp(key, for: exchange) }
            return known
        }
    }

    private func lookUp(_ key: AddressCache.Key, for exchange: SocketExchange) {
        exchange.state = .preparing(.name(key))
        guard preparing.add(exchange, for: .name(key)) else { return }
        names.lookups.find(key, for: ObjectIdentifier(self)) { [submit] result in
            _ = submit(.prepared(SocketPreparation(subject: .name(key), addresses: result)))
        }
    }

    /// Removes the cached addresses of the exchange's host, because no connection to any of them succeeded.
    ///
    /// A failed server may be replaced by one with another address.
    func forgetAddresses(for exchange: SocketExchange) {
        let profile = exchange.profile
        guard case .name(let host, let port) = profile.destination(of: exchange.request.target) else { return }
        names.addresses.withLock { $0.remove(AddressCache.Key(host: host, port: port, family: profile.family)) }
    }

    private func load(_ subject: SocketPreparation.Subject, for exchange: SocketExchange) {
        let profile = exchange.profile
        exchange.state = .preparing(subject)
        guard preparing.add(exchange, for: subject) else { return }
        let isStarted = Self.loaders.run { [submit] in
            let provider = if case .proxyTLS = subject { profile.proxyTLS ?? profile.tls } else { profile.tls }
            let result = Result { () throws(TLSReport) in try provider.load(now: Reactor.clock()) }
            _ = submit(.prepared(SocketPreparation(subject: subject, profile: profile, tls: result)))
        }
        guard !isStarted else { return }
        for exchange in preparing.end(subject) { fail(exchange, .outOfResources) }
    }

    /// Continues the exchanges that waited for a preparation.
    func take(_ preparation: SocketPreparation) {
        let waiting = preparing.end(preparation.subject)
        if case .success(let found) = preparation.addresses, case .name(let key) = preparation.subject {
            names.addresses.withLock { $0.store(found, for: key, now: reactor.now) }
        }
        for exchange in waiting {
            // An earlier exchange in the list may have ended this one.
            guard case .preparing(let subject) = exchange.state, subject == preparation.subject else { continue }
            exchange.state = .waiting
            if let failure = take(preparation, for: exchange) {
                finish(exchange, .failure(failure))
            } else {
                prepare(exchange)
            }
        }
    }

    /// Stores a result that an exchange waited for, and returns the failure that ends the exchange; `nil` to continue.
    private func take(_ preparation: SocketPreparation, for exchange: SocketExchange) -> ExchangeFailure? {
        guard let findings = exchange.findings else { return nil }
        // The proxy's name is looked up before the server's.
        let isForServer = findings.addresses != nil
        let isForProxy = exchange.profile.proxy != nil && !isForServer
        do throws(LookupFailure) {
            if let found = try preparation.addresses?.get() {
                if isForServer { findings.server = found.first } else { findings.addresses = found }
            }
        } catch {
            return exchange.lookupFailure(error, isForProxy: isForProxy)
        }
        let isForProxyTLS = if case .proxyTLS = preparation.subject { true } else { false }
        do throws(TLSReport) {
            if let context = try preparation.tls?.get() {
                if isForProxyTLS { findings.proxyTLS = context } else { findings.tls = context }
            }
        } catch {
            return isForProxyTLS ? exchange.proxyHandshakeFailure(.tls(error)) : exchange.tlsFailure(error)
        }
        return nil
    }

    /// Opens a connection after its preparation.
    private func open(_ exchange: SocketExchange, _ findings: SocketFindings) {
        do throws(SOCKSRefusal) {
            let proxy = try proxy(for: exchange, findings)
            open(exchange, findings.addresses ?? [], proxy, findings.tls)
        } catch {
            finish(exchange, .failure(exchange.tunnelFailure(.socks(error))))
        }
    }

    private func proxy(
        for exchange: SocketExchange,
        _ findings: SocketFindings
    ) throws(SOCKSRefusal) -> ConnectionOpener.Proxy? {
        let profile = exchange.profile
        guard let proxy = profile.proxy else { return nil }
        let tunnel = try profile.tunnel(
            to: exchange.request.target,
            fields: exchange.fieldsForTunnel,
            address: findings.server,
            always: exchange.isTunnelRequest
        )
        let tls = findings.proxyTLS.map {
            // Sessions with the proxy are kept apart from sessions with servers, even if both use the same settings.
            ConnectionOpener.TLS(context: $0, host: proxy.certifiedHost, origin: "proxy \(proxy.location)")
        }
        return ConnectionOpener.Proxy(tls: tls, tunnel: tunnel)
    }

    /// Releases an exchange's resources: the sockets that are being opened, or its connection.
    func leave(_ exchange: SocketExchange) {
        switch exchange.state {
        case .opening(let opener):
            opener.cancel()
            connectionCount -= 1
        case .busy(let connection):
            exchange.state = .waiting
            connection.http.abandon(exchange)
        case .preparing(let subject):
            let isUnwanted = preparing.remove(from: subject) { $0 === exchange }
            if isUnwanted, case .name(let key) = subject {
                _ = preparing.end(subject)
                names.lookups.cancel(key, for: ObjectIdentifier(self))
            }
        case .pausing(let pause): reactor.unschedule(pause)
        case .waiting, .finished: break
        }
        exchange.state = .waiting
    }
}
#endif
