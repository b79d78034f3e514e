#if os(Linux)
import PiuPiuEngine

/// What was found out for a connection on another thread, where it may take as long as it has to.
struct SocketPreparation: Sendable {
    /// What the exchanges wait for.
    enum Subject: Sendable, Hashable {
        case name(AddressCache.Key)
        case tls(ObjectIdentifier)
    }

    let subject: Subject
    /// Keeps the profile, so that no other one has its identifier meanwhile.
    var profile: SocketProfile?
    var addresses: Result<[SocketAddress], LookupFailure>?
    var tls: Result<TLSContext, TLSReport>?
}

// What a connection needs before its socket is opened: addresses, and the settings of TLS.
extension SocketEngine {
    /// The threads that read files: lookups that nobody answers must not hold them up.
    private static let loaders = WorkerThreads(maximumCount: 2)

    /// Opens a connection for an exchange, once all that it needs is there.
    func prepare(_ exchange: SocketExchange) {
        let (profile, target) = (exchange.profile, exchange.request.target)
        var context: TLSContext?
        if target.isSecure {
            context = exchange.context.take() ?? profile.tls.current(now: reactor.now)
            exchange.context = context
            guard context != nil else { return load(profile, for: exchange) }
        }
        switch profile.destination(of: target) {
        case .addresses(let addresses): open(exchange, addresses, context)
        case .name(let host, let port):
            let key = AddressCache.Key(host: host, port: port, family: profile.family)
            if let known = addresses.addresses(for: key, timeToLive: profile.cacheTime, now: reactor.now) {
                return open(exchange, known, context)
            }
            lookUp(key, for: exchange)
        }
    }

    private func lookUp(_ key: AddressCache.Key, for exchange: SocketExchange) {
        exchange.state = .preparing(.name(key))
        guard preparing.add(exchange, for: .name(key)) else { return }
        let isStarted = WorkerThreads.shared.run { [submit] in
            let result = NameLookup.addresses(of: key.host, port: key.port, family: key.family)
            _ = submit(.prepared(SocketPreparation(subject: .name(key), addresses: result)))
        }
        if !isStarted { failAll(.name(key), .outOfResources) }
    }

    private func load(_ profile: SocketProfile, for exchange: SocketExchange) {
        let subject = SocketPreparation.Subject.tls(ObjectIdentifier(profile))
        exchange.state = .preparing(subject)
        guard preparing.add(exchange, for: subject) else { return }
        let isStarted = Self.loaders.run { [submit] in
            let result = Result { () throws(TLSReport) in try profile.tls.load(now: Reactor.clock()) }
            _ = submit(.prepared(SocketPreparation(subject: subject, profile: profile, tls: result)))
        }
        if !isStarted { failAll(subject, .outOfResources) }
    }

    /// Goes on with the exchanges that waited for a preparation.
    func take(_ preparation: SocketPreparation) {
        let waiting = preparing.end(preparation.subject)
        if case .success(let found) = preparation.addresses, case .name(let key) = preparation.subject {
            addresses.store(found, for: key, now: reactor.now)
        }
        for exchange in waiting {
            // The ones before it in the list may have led to its end.
            guard case .preparing(let subject) = exchange.state, subject == preparation.subject else { continue }
            exchange.state = .waiting
            switch (preparation.addresses, preparation.tls) {
            case (.success(let found), _): open(exchange, found)
            case (.failure(let failure), _): finish(exchange, .failure(exchange.failure(failure)))
            case (_, .success(let context)): prepare(exchange, context)
            case (_, .failure(let report)): finish(exchange, .failure(exchange.failure(report)))
            case (nil, nil): break
            }
        }
    }

    /// Opens a connection to addresses that were looked up for it.
    private func open(_ exchange: SocketExchange, _ found: [SocketAddress]) {
        guard exchange.request.target.isSecure else { return open(exchange, found, nil) }
        // The lookup may have taken longer than the settings are valid; those of a moment ago will do.
        guard let context = exchange.context ?? exchange.profile.tls.current(now: reactor.now) else {
            return load(exchange.profile, for: exchange)
        }
        open(exchange, found, context)
    }

    /// Goes on after the settings of TLS were loaded.
    private func prepare(_ exchange: SocketExchange, _ context: TLSContext) {
        exchange.context = context
        prepare(exchange)
    }

    private func failAll(_ subject: SocketPreparation.Subject, _ code: TransportError.Code) {
        for exchange in preparing.end(subject) { fail(exchange, code) }
    }
}
#endif
