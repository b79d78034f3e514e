#if os(Linux)
import CShims
import Glibc
import PiuPiuEngine

extension FuzzCase {
    /// The opener of connections, with sockets of this machine.
    static let opener = FuzzCase(name: "Opener", limit: 60) { random in
        choices(&random, upTo: 40)
    } check: { input throws(FuzzProblem) in
        let network = try LocalNetwork.current()
        let before = LocalNetwork.descriptorCount
        do {
            let story = try OpenerStory(input, network)
            try story.run()
        }
        network.acceptAll()
        // Other tests of the process open descriptors at the same time.
        guard LocalNetwork.isAlone else { return }
        try demand(LocalNetwork.descriptorCount == before, "a socket is lost")
    }
}

private final class OpenerStory {
    private var choices: FuzzChoices
    private let reactor: Reactor
    private let event: Int32
    private var opener: ConnectionOpener?
    private var addresses: [SocketAddress] = []
    private var checked: [SocketAddress] = []
    private var outcomes = 0
    private var problem: String?
    private let network: LocalNetwork

    init(_ input: [UInt8], _ network: LocalNetwork) throws(FuzzProblem) {
        choices = FuzzChoices(input)
        self.network = network
        event = cs_eventfd_create()
        guard let reactor = try? Reactor(wakeDescriptor: event) else { throw FuzzProblem(text: "there is no reactor") }
        self.reactor = reactor
    }

    deinit { close(event) }

    func run() throws(FuzzProblem) {
        let places = network.addresses
        addresses = (0..<choices.below(6)).map { _ in choices.element(of: places) }
        let forbidden = choices.below(8) == 1 ? addresses.first : nil
        let isThroughProxy = choices.below(16) == 1
        let opener = ConnectionOpener(
            reactor,
            addresses: addresses,
            options: SocketOptions(),
            delay: choices.element(of: [0, 1, 20_000, 1_000_000_000]),
            check: { [unowned self] address in
                checked.append(address)
                return address == forbidden ? "it is forbidden" : nil
            },
            // Nobody answers it.
            proxy: isThroughProxy ? ConnectionOpener.Proxy(tls: nil, tunnel: Self.tunnel) : nil,
            tls: nil
        )
        self.opener = opener
        opener.start { [unowned self] result in ended(result) }
        var turns = 0
        while outcomes == 0, turns < 40 {
            turns += 1
            if choices.below(6) == 1 { break }
            reactor.wait(milliseconds: choices.below(8) == 1 ? 1 : 0)
        }
        let wasOver = outcomes > 0
        opener.cancel()
        try demand(reactor.socketCount == 0, "a socket is watched after the end")
        try demand(reactor.dueAt == .max, "a timer is set after the end")
        reactor.wait(milliseconds: 0)
        opener.cancel()
        try demand(outcomes == (wasOver ? 1 : 0), "it ends twice, or after it was cancelled")
        for place in Set(checked) {
            let (tries, given) = (checked.count { $0 == place }, addresses.count { $0 == place })
            try demand(tries <= given, "an address is tried more often than it is there")
        }
        if let problem { throw FuzzProblem(text: problem) }
    }

    private static let tunnel = TunnelHandshake(ConnectHandshake(request: Array("CONNECT a:1 HTTP/1.1\r\n\r\n".utf8)))

    private func ended(_ result: Result<ConnectionOpener.Opened, ConnectionOpener.Failure>) {
        outcomes += 1
        if reactor.socketCount > 0 { problem = "a socket is watched when it ends" }
        switch result {
        case .success(let opened):
            let remote = SocketAddress.remote(of: opened.channel.descriptor)
            if !checked.contains(where: { $0 == remote || !$0.isIP }) { problem = "it is connected to another address" }
            // Without waiting for the other side: the ports would run out.
            var reset = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            setsockopt(opened.channel.descriptor, SOL_SOCKET, SO_LINGER, &reset, size)
            opened.channel.close()
        case .failure(.tunnel), .failure(.tunnelBroken): break
        case .failure:
            if checked.count != addresses.count { problem = "it fails before every address was tried" }
        }
        // Whoever is told may give it up, and forget it.
        if choices.below(2) == 1 { opener?.cancel() }
    }
}

/// Addresses of this machine that connect at once, refuse, and never answer.
final class LocalNetwork: Sendable {
    /// Whether nothing else in the process opens descriptors.
    nonisolated(unsafe) static var isAlone = false

    private static let shared = LocalNetwork()

    static func current() throws(FuzzProblem) -> LocalNetwork {
        guard let shared else { throw FuzzProblem(text: "there are no listeners") }
        return shared
    }

    let addresses: [SocketAddress]
    private let listeners: [Int32]

    private init?() {
        var (addresses, listeners) = ([SocketAddress](), [Int32]())
        func add(_ address: SocketAddress?, backlog: Int32?) -> SocketAddress? {
            let flags = Int32(SOCK_NONBLOCK.rawValue)
            guard let address, let socket = BoundSocket(address, backlog: backlog, flags: flags) else { return nil }
            addresses.append(socket.address)
            listeners.append(socket.descriptor)
            return socket.address
        }
        guard add(SocketAddress(literal: "127.0.0.1", port: 0), backlog: 128) != nil,
            // Bound, and not listening: it refuses.
            add(SocketAddress(literal: "127.0.0.1", port: 0), backlog: nil) != nil,
            let full = add(SocketAddress(literal: "127.0.0.1", port: 0), backlog: 0)
        else { return nil }
        // It lives as long as the tests, and answers nobody.
        if let address = SocketAddress(literal: "::1", port: 0),
            let (socket, neighbour) = BoundSocket.listener(
                on: address,
                backlog: 128,
                flags: Int32(SOCK_NONBLOCK.rawValue)
            )
        {
            addresses.append(socket.address)
            listeners += [socket.descriptor] + [neighbour?.descriptor].compactMap { $0 }
        }
        _ = add(SocketAddress.abstractSocket(name: "PiuPiu-fuzz-\(getpid())"), backlog: 128)
        SocketAddress.abstractSocket(name: "PiuPiu-fuzz-\(getpid())-nobody").map { addresses.append($0) }
        // What fills the queue of a listener stays; further connections to it get no answer.
        for _ in 0..<2 {
            if case .success(let opened) = SocketOpener.open(full) { listeners.append(opened.descriptor) }
        }
        self.addresses = addresses
        self.listeners = listeners
    }

    /// Accepts what the listeners have got, but not from the one that is full.
    func acceptAll() {
        for place in listeners.indices where place != 2 {
            while true {
                let connection = accept(listeners[place], nil, nil)
                guard connection >= 0 else { break }
                close(connection)
            }
        }
    }

    static var descriptorCount: Int { (0..<256 as Range<Int32>).count { fcntl($0, F_GETFD) >= 0 } }
}
#endif
