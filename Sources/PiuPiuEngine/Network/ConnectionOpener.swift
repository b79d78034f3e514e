#if os(Linux)
import Glibc

/// Opens one connection: to the first address that answers, then through a proxy and with TLS if required.
///
///     racing ── an address is connected ──▶ setting up ── checked ──▶ over, opened
///        └── none is ──▶ over, failed ◀───── refused ──────┘
///
/// ``ConnectionRace`` decides when each address is tried, and ``ConnectionSetup`` performs the handshakes. The completion is
/// called once, and not at all after ``cancel()``, which closes every socket at once.
package final class ConnectionOpener {
    /// A connection that is open and checked.
    package struct Opened {
        package let channel: ByteChannel
        /// When the socket was connected, in nanoseconds.
        package let connectedAt: Int64
        /// When the TLS handshake was complete; 0 without TLS.
        package let securedAt: Int64
    }

    package enum Failure: Error {
        case socket(OpenFailure)
        case tls(ChannelFailure)
        /// The TLS handshake with the proxy itself failed.
        case proxyTLS(ChannelFailure)
        /// The proxy opened no tunnel.
        case tunnel(TunnelFailure)
        /// The connection broke before the tunnel was open.
        case tunnelBroken(ChannelFailure)
    }

    /// The step that an opener waits for.
    package enum Step {
        /// A connection to one of the addresses.
        case address
        case proxyTLS
        case tunnel
        case tls
    }

    /// The parameters of a TLS handshake.
    package struct TLS {
        let context: TLSContext
        let host: String
        let origin: String
        let protocols: [String]?

        /// Creates the parameters.
        ///
        /// - Parameters:
        ///   - context: The settings.
        ///   - host: The name or the address that the certificate must be for.
        ///   - origin: The key under which sessions are stored and resumed.
        ///   - protocols: The protocols to offer (ALPN); `nil` for those of the settings.
        package init(context: TLSContext, host: String, origin: String, protocols: [String]? = nil) {
            self.context = context
            self.host = host
            self.origin = origin
            self.protocols = protocols
        }
    }

    /// The parameters of a proxy, to which the addresses belong.
    package struct Proxy {
        let tls: TLS?
        let tunnel: TunnelHandshake?

        /// Creates the parameters.
        ///
        /// - Parameters:
        ///   - tls: The parameters of TLS with the proxy itself; `nil` for none.
        ///   - tunnel: The handshake that opens the tunnel to the server; `nil` if the proxy gets the requests itself.
        package init(tls: TLS?, tunnel: TunnelHandshake?) {
            self.tls = tls
            self.tunnel = tunnel
        }
    }

    package typealias Completion = (Result<Opened, Failure>) -> Void

    private let reactor: Reactor
    private let options: SocketOptions
    private let check: (SocketAddress) -> String?
    private let proxy: Proxy?
    private let tls: TLS?
    private var race: ConnectionRace
    private var attempts: [Int: Attempt] = [:]
    private var setup: ConnectionSetup?
    private var timer: LoopTimer?
    private var completion: Completion?
    private var actions: [ConnectionRace.Action] = []
    private var isActing = false

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - reactor: The reactor.
    ///   - addresses: The addresses, best first.
    ///   - options: The options of each socket.
    ///   - delay: The time between two attempts, in nanoseconds.
    ///   - check: Returns why an address may not be used; `nil` if it may.
    ///   - proxy: The parameters of the proxy; `nil` for a connection to the server itself.
    ///   - tls: The parameters of TLS with the server; `nil` for none.
    package init(
        _ reactor: Reactor,
        addresses: [SocketAddress],
        options: SocketOptions,
        delay: Int64,
        check: @escaping (SocketAddress) -> String?,
        proxy: Proxy? = nil,
        tls: TLS?
    ) {
        self.reactor = reactor
        self.options = options
        self.check = check
        self.proxy = proxy
        self.tls = tls
        race = ConnectionRace(addresses: addresses, delay: delay)
    }

    /// Starts; the completion may be called before this returns.
    package func start(_ completion: @escaping Completion) {
        self.completion = completion
        act(race.start(now: reactor.now))
    }

    /// Closes everything; the completion is not called any more.
    package func cancel() {
        completion = nil
        act(race.cancel())
        endTimer()
        setup?.close()
        setup = nil
    }

    /// The step that the opener waits for.
    package var step: Step { setup?.step ?? .address }

    /// When bytes last moved in a handshake, in nanoseconds; `nil` while no address is connected.
    package var movedAt: Int64? { setup?.movedAt }

    private func finish(_ result: Result<Opened, Failure>) {
        endTimer()
        setup = nil
        completion.take()?(result)
    }

    // MARK: The race

    private func act(_ new: [ConnectionRace.Action]) {
        // An immediate result of an action is a further event, which follows the actions before it.
        actions += new
        guard !isActing else { return }
        isActing = true
        defer { isActing = false }
        while !actions.isEmpty { perform(actions.removeFirst()) }
    }

    private func perform(_ action: ConnectionRace.Action) {
        switch action {
        case .open(let number, let address): open(number, address)
        case .close(let number): attempts.removeValue(forKey: number)?.close()
        case .wake(let time):
            let timer = timer ?? LoopTimer { [unowned self] in act(race.timer(now: reactor.now)) }
            self.timer = timer
            reactor.schedule(timer, at: time)
        case .won(let number):
            endTimer()
            if let attempt = attempts.removeValue(forKey: number) { connected(attempt) }
        case .lost(let failure): finish(.failure(.socket(failure)))
        }
    }

    private func open(_ number: Int, _ address: SocketAddress) {
        switch SocketOpener.open(address, options, check: check) {
        case .failure(let failure): act(race.failed(number, failure, now: reactor.now))
        case .success(let opened):
            let attempt = Attempt(self, number, address, opened.descriptor)
            guard reactor.add(attempt, opened.descriptor, .writing) else {
                let code = errno
                Glibc.close(opened.descriptor)
                return act(race.failed(number, OpenFailure(code: code, what: "watch a socket"), now: reactor.now))
            }
            attempts[number] = attempt
            if opened.isConnected { act(race.connected(number)) }
        }
    }

    fileprivate func decide(_ attempt: Attempt) {
        switch SocketOpener.outcome(of: attempt.descriptor, attempt.address) {
        case .connecting: break
        case .connected: act(race.connected(attempt.number))
        case .failed(let failure):
            attempts.removeValue(forKey: attempt.number)?.close()
            act(race.failed(attempt.number, failure, now: reactor.now))
        }
    }

    private func endTimer() {
        if let timer { reactor.unschedule(timer) }
        timer = nil
    }

    // MARK: The connection

    private func connected(_ attempt: Attempt) {
        reactor.remove(attempt)
        let connectedAt = Reactor.clock()
        let setup = ConnectionSetup(reactor, attempt.descriptor, proxy, tls)
        self.setup = setup
        setup.start { [unowned self, unowned setup] result in
            finish(
                result.map { Opened(channel: setup.channel, connectedAt: connectedAt, securedAt: $0) }
            )
        }
    }

    /// A socket that connects to one of the addresses.
    fileprivate final class Attempt: Pollable {
        private unowned let opener: ConnectionOpener
        let number: Int
        let address: SocketAddress
        let descriptor: Int32

        init(_ opener: ConnectionOpener, _ number: Int, _ address: SocketAddress, _ descriptor: Int32) {
            self.opener = opener
            self.number = number
            self.address = address
            self.descriptor = descriptor
        }

        override func ready(_ readiness: Readiness) { opener.decide(self) }

        func close() {
            opener.reactor.remove(self)
            Glibc.close(descriptor)
        }
    }
}
#endif
