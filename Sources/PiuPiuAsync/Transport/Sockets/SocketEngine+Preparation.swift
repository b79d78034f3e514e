#if os(Linux)
import Glibc
import PiuPiuEngine

/// What was found out for a connection on another thread, where it may take as long as it has to.
struct SocketPreparation: Sendable {
    /// What the exchanges wait for.
    enum Subject: Sendable, Hashable {
        case name(AddressCache.Key)
        /// The settings of TLS of a profile.
        case tls(ObjectIdentifier)
        /// Those for its proxy itself.
        case proxyTLS(ObjectIdentifier)
    }

    let subject: Subject
    /// Keeps the profile, so that no other one has its identifier meanwhile.
    var profile: SocketProfile?
    var addresses: Result<[SocketAddress], LookupFailure>?
    var tls: Result<TLSContext, TLSReport>?
}

/// What is known of a connection before its socket is opened.
final class SocketFindings {
    /// The settings of TLS with the server, and with the proxy itself.
    var tls: TLSContext?
    var proxyTLS: TLSContext?
    /// Where the connection leads; `nil` if it was not looked up yet.
    var addresses: [SocketAddress]?
    /// The server's address, if this machine resolves it for a proxy.
    var server: SocketAddress?
}

// What a connection needs before its socket is opened: addresses, and the settings of TLS.
extension SocketEngine {
    /// The threads that read files: lookups that nobody answers must not hold them up.
    private static let loaders = WorkerThreads(maximumCount: 2)

    /// Opens a connection for an exchange, once all that it needs is there.
    ///
    /// It is called again after each thing that was missing, and goes on with what was found so far.
    func prepare(_ exchange: SocketExchange) {
        let (profile, target) = (exchange.profile, exchange.request.target)
        let findings = exchange.findings ?? SocketFindings()
        exchange.findings = findings
        // A lookup may take longer than the settings are valid; those of a moment ago will do.
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

    /// Finds the server's address for a proxy that does not resolve names.
    ///
    /// - Returns: Whether it is known.
    private func findServer(for exchange: SocketExchange, _ findings: SocketFindings) -> Bool {
        let profile = exchange.profile
        guard let family = profile.serverFamily else {
            finishWithoutAddress(exchange)
            return false
        }
        let destination = profile.serverDestination(of: exchange.request.target)
        guard let found = addresses(destination, family, for: exchange) else { return false }
        // Such a proxy is told one address.
        findings.server = found.first { family.includes($0) }
        guard findings.server == nil else { return true }
        finishWithoutAddress(exchange)
        return false
    }

    private func finishWithoutAddress(_ exchange: SocketExchange) {
        finish(exchange, .failure(exchange.failure(LookupFailure(.notFound, code: EAI_NONAME))))
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

    /// Forgets the addresses of the host that an exchange connects to, because it could not be connected to any of them.
    ///
    /// A server that has failed may be replaced by one with another address.
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

    /// Goes on with the exchanges that waited for a preparation.
    func take(_ preparation: SocketPreparation) {
        let waiting = preparing.end(preparation.subject)
        if case .success(let found) = preparation.addresses, case .name(let key) = preparation.subject {
            names.addresses.withLock { $0.store(found, for: key, now: reactor.now) }
        }
        for exchange in waiting {
            // The ones before it in the list may have led to its end.
            guard case .preparing(let subject) = exchange.state, subject == preparation.subject else { continue }
            exchange.state = .waiting
            if let failure = take(preparation, for: exchange) {
                finish(exchange, .failure(failure))
            } else {
                prepare(exchange)
            }
        }
    }

    /// Takes what an exchange waited for.
    ///
    /// - Returns: Why it cannot go on; `nil` if it can.
    private func take(_ preparation: SocketPreparation, for exchange: SocketExchange) -> ExchangeFailure? {
        guard let findings = exchange.findings else { return nil }
        // The server's name is looked up after that of the proxy.
        let isServers = findings.addresses != nil
        let isProxys = exchange.profile.proxy != nil && !isServers
        do throws(LookupFailure) {
            if let found = try preparation.addresses?.get() {
                if isServers { findings.server = found.first } else { findings.addresses = found }
            }
        } catch {
            return exchange.failure(error, isProxys: isProxys)
        }
        let isProxysTLS = if case .proxyTLS = preparation.subject { true } else { false }
        do throws(TLSReport) {
            if let context = try preparation.tls?.get() {
                if isProxysTLS { findings.proxyTLS = context } else { findings.tls = context }
            }
        } catch {
            return isProxysTLS ? exchange.failure(ofProxysHandshake: .tls(error)) : exchange.failure(error)
        }
        return nil
    }

    /// Opens a connection for which everything is known.
    private func open(_ exchange: SocketExchange, _ findings: SocketFindings) {
        do throws(SOCKSRefusal) {
            let proxy = try proxy(for: exchange, findings)
            open(exchange, findings.addresses ?? [], proxy, findings.tls)
        } catch {
            finish(exchange, .failure(exchange.failure(.socks(error))))
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
            address: findings.server
        )
        let tls = findings.proxyTLS.map {
            // Sessions are apart from those with servers, whose settings it may share.
            ConnectionOpener.TLS(context: $0, host: proxy.certifiedHost, origin: "proxy \(proxy.location)")
        }
        return ConnectionOpener.Proxy(tls: tls, tunnel: tunnel)
    }

    /// Gives up what an exchange has: the sockets that are being opened, or its connection.
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
