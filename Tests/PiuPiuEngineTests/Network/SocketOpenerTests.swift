#if os(Linux)
import Glibc
import Testing

@testable import PiuPiuEngine

/// Sockets that connect to listeners of this machine.
@Suite(.serialized) struct SocketOpenerTests {
    private let tcp = Int32(IPPROTO_TCP)

    private func open(
        _ address: SocketAddress,
        _ change: (inout SocketOptions) -> Void = { _ in }
    ) throws(OpenFailure) -> Connection {
        var options = SocketOptions()
        change(&options)
        return Connection(try SocketOpener.open(address, options).get())
    }

    private func failure(
        _ address: SocketAddress,
        _ change: (inout SocketOptions) -> Void = { _ in }
    ) -> OpenFailure? {
        do throws(OpenFailure) {
            let connection = try open(address, change)
            if case .failed(let failure) = connection.outcome(address) { return failure }
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["127.0.0.1", "::1"]) func itConnects(_ literal: String) throws {
        guard let listener = try? Listener(literal) else { return }
        let connection = try open(listener.address)
        #expect(connection.outcome(listener.address) == .connected)
        #expect(SocketAddress.remote(of: connection.descriptor) == listener.address)
        #expect(listener.accept() == SocketAddress.local(of: connection.descriptor))
        #expect(fcntl(connection.descriptor, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(connection.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(connection.option(tcp, TCP_NODELAY) == 1)
        #expect(connection.option(SOL_SOCKET, SO_KEEPALIVE) == 0)
        #expect(connection.option(tcp, TCP_USER_TIMEOUT) == 0)
    }

    @Test func optionsAreSet() throws {
        let listener = try Listener("127.0.0.1")
        let connection = try open(listener.address) {
            $0.keepAlive = SocketOptions.KeepAlive(idle: 33, interval: 7, count: 5)
            $0.userTimeout = 12_345
        }
        #expect(connection.option(SOL_SOCKET, SO_KEEPALIVE) == 1)
        #expect(connection.option(tcp, TCP_KEEPIDLE) == 33 && connection.option(tcp, TCP_KEEPINTVL) == 7)
        #expect(connection.option(tcp, TCP_KEEPCNT) == 5 && connection.option(tcp, TCP_USER_TIMEOUT) == 12_345)
    }

    @Test func anOptionThatTheSystemRefusesIsAFailure() throws {
        let listener = try Listener("127.0.0.1")
        let rows: [(String, (inout SocketOptions) -> Void)] = [
            ("TCP probes", { $0.keepAlive = SocketOptions.KeepAlive(idle: 32768, interval: 1) }),
            ("TCP probes", { $0.keepAlive = SocketOptions.KeepAlive(idle: 1, interval: 0) }),
            ("the number of TCP probes", { $0.keepAlive = SocketOptions.KeepAlive(idle: 1, interval: 1, count: 128) }),
            ("the TCP user timeout", { $0.userTimeout = -1 }),
        ]
        let before = openDescriptors()
        for (name, change) in Array(repeating: rows, count: 500).joined() {
            let failure = failure(listener.address, change)
            #expect(failure?.kind == .cannotApply(name) && failure?.what == "The system cannot apply \(name)")
        }
        // Other tests open some, too.
        #expect(openDescriptors() - before < 1500)
    }

    @Test func nobodyListens() throws {
        let address = try Listener("127.0.0.1").address
        let failure = failure(address)
        #expect(failure?.kind == .cannotConnect && failure?.code == ECONNREFUSED)
        #expect(failure?.text.hasPrefix("connect to \(address): ") == true)
    }

    @Test func anAddressWithoutARouteCannotBeReached() throws {
        // Without a zone, a link-local address leads nowhere.
        let address = try #require(SocketAddress(literal: "fe80::1", port: 80))
        #expect(failure(address)?.kind == .cannotConnect)
    }

    @Test func aRefusedAddressIsNotConnectedTo() throws {
        let listener = try Listener("127.0.0.1")
        let result = SocketOpener.open(listener.address) { "\($0.hostText) is forbidden" }
        #expect(
            result
                == .failure(OpenFailure(.forbidden("127.0.0.1 is forbidden"), what: "connect to \(listener.address)"))
        )
        #expect(fcntl(listener.descriptor, F_SETFL, O_NONBLOCK) == 0 && listener.accept() == nil)
    }

    // MARK: Unix sockets

    @Test func unixSocketsConnectAtOnce() throws {
        let path = "/tmp/piupiu-engine-\(getpid()).sock"
        unlink(path)
        defer { unlink(path) }
        for address in [SocketAddress.unixSocket(path: path), .abstractSocket(name: "piupiu-engine-\(getpid())")] {
            let address = try #require(address)
            let listener = try Listener(address)
            // Options of TCP do not apply, not even wrong ones.
            let opened = try SocketOpener.open(address, wrongOptions).get()
            #expect(opened.isConnected)
            let connection = Connection(opened)
            #expect(connection.outcome(address) == .connected)
            #expect(SocketAddress.remote(of: connection.descriptor) == listener.address)
            #expect(listener.address == address)
            #expect(SocketTraffic(of: connection.descriptor) == nil)
        }
        let nowhere = try #require(SocketAddress.unixSocket(path: path + "x"))
        #expect(failure(nowhere)?.code == ENOENT)
    }

    private var wrongOptions: SocketOptions {
        var options = SocketOptions()
        options.userTimeout = -1
        options.localEnd = .interface("nosuch0")
        options.localPorts = 1...1
        return options
    }

    @Test func aFullQueueOfAUnixSocketIsAFailure() throws {
        let address = try #require(SocketAddress.abstractSocket(name: "piupiu-full-\(getpid())"))
        let listener = try Listener(address, backlog: 0)
        defer { withExtendedLifetime(listener) {} }
        var connections: [Connection] = []
        var last: OpenFailure?
        for _ in 0..<8 where last == nil {
            do throws(OpenFailure) { connections.append(try open(address)) } catch { last = error }
        }
        #expect(last?.kind == .cannotConnect && last?.code == EAGAIN)
    }

    // MARK: The local end

    @Test func theLocalAddressIsAsChosen() throws {
        let listener = try Listener("127.0.0.1")
        let connection = try open(listener.address) {
            $0.localEnd = SocketAddress(literal: "127.0.0.3", port: 99).map { .address($0) }
        }
        #expect(connection.outcome(listener.address) == .connected)
        let local = try #require(SocketAddress.local(of: connection.descriptor))
        #expect(local.hostText == "127.0.0.3" && local.port != 99 && listener.accept() == local)
    }

    @Test(arguments: [("192.0.2.77", EADDRNOTAVAIL), ("::1", EAFNOSUPPORT)])
    func aLocalAddressOfAnotherMachineCannotConnect(_ literal: String, _ code: Int32) throws {
        let listener = try Listener("127.0.0.1")
        let failure = failure(listener.address) {
            $0.localEnd = SocketAddress(literal: literal, port: 0).map { .address($0) }
        }
        #expect(failure?.kind == .cannotConnect && failure?.code == code)
    }

    @Test(arguments: ["127.0.0.1", "::1"]) func theInterfaceIsAsChosen(_ literal: String) throws {
        guard let listener = try? Listener(literal) else { return }
        let connection = try open(listener.address) { $0.localEnd = .interface("lo") }
        #expect(connection.outcome(listener.address) == .connected)
        #expect(SocketAddress.local(of: connection.descriptor)?.hostText == literal)
    }

    @Test func anInterfaceWithoutPrivilegesHasAnAddress() throws {
        let v4 = try #require(SocketAddress(literal: "127.0.0.1", port: 1))
        #expect(try LocalInterface.address(of: "lo", for: v4).text == "127.0.0.1:0")
        if let listener = try? Listener("::1") {
            #expect(try LocalInterface.address(of: "lo", for: listener.address).hostText == "::1")
            // Nothing else is known to reach this scope.
            let link = try #require(SocketAddress(literal: "fe80::1%1", port: 1))
            let failure = #expect(throws: OpenFailure.self) { try LocalInterface.address(of: "lo", for: link) }
            #expect(failure?.code == EADDRNOTAVAIL && failure?.kind == .cannotConnect)
        }
        let failure = #expect(throws: OpenFailure.self) { try LocalInterface.address(of: "nosuch0", for: v4) }
        #expect(failure?.code == ENODEV && failure?.kind == .cannotConnect)
    }

    @Test func anInterfaceThatDoesNotExistCannotConnect() throws {
        let listener = try Listener("127.0.0.1")
        let failure = failure(listener.address) { $0.localEnd = .interface("nosuch0") }
        #expect(failure?.kind == .cannotConnect && failure?.code == ENODEV)
    }

    // MARK: Ports

    /// The system itself chooses none from here on, and no other process that runs these tests at the time.
    private static let firstPort = UInt16(61_000 + Int(getpid()) % 200 * 20)

    @Test(arguments: ["127.0.0.1", "::1"]) func thePortsAreUsedUpAndThenNoneIsFree(_ literal: String) throws {
        guard let listener = try? Listener(literal) else { return }
        let ports = Self.firstPort...(Self.firstPort + 4)
        var connections: [Connection] = []
        for _ in ports {
            let connection = try open(listener.address) { $0.localPorts = ports }
            #expect(connection.outcome(listener.address) == .connected)
            connections.append(connection)
        }
        let used = connections.compactMap { SocketAddress.local(of: $0.descriptor)?.port }
        #expect(Set(used) == Set(ports))
        let failure = failure(listener.address) { $0.localPorts = ports }
        #expect(failure?.kind == .cannotConnect && failure?.code == EADDRINUSE)
        #expect(failure?.what == "bind to one of the local ports \(ports.lowerBound)-\(ports.upperBound)")
    }

    @Test func portsAndALocalEndGoTogether() throws {
        let ports = (Self.firstPort + 10)...(Self.firstPort + 19)
        let listener = try Listener("127.0.0.1")
        for (end, host) in [("127.0.0.4", "127.0.0.4"), ("lo", "127.0.0.1")] {
            let connection = try open(listener.address) {
                $0.localPorts = ports
                $0.localEnd = SocketAddress(literal: end, port: 0).map { .address($0) } ?? .interface(end)
            }
            #expect(connection.outcome(listener.address) == .connected)
            let local = try #require(SocketAddress.local(of: connection.descriptor))
            #expect(local.hostText == host && ports.contains(local.port))
        }
    }

    @Test func theWholeRangeOfPortsIsPossible() throws {
        let listener = try Listener("127.0.0.1")
        let connection = try open(listener.address) { $0.localPorts = 1...65535 }
        #expect(connection.outcome(listener.address) == .connected)
        let taken = failure(listener.address) { $0.localPorts = listener.address.port...listener.address.port }
        #expect(taken?.code == EADDRINUSE)
    }

    // MARK: Resources

    @Test func noDescriptorIsLostOrLeft() throws {
        let listener = try Listener("127.0.0.1")
        let nowhere = try Listener("127.0.0.1").address
        let before = openDescriptors()
        // Tests beside this one have descriptors of their own, but not as many as would be left here.
        for _ in 0..<1500 {
            _ = try open(listener.address)
            _ = failure(nowhere)
            _ = failure(listener.address) { $0.localEnd = .interface("nosuch0") }
            _ = failure(listener.address) { $0.userTimeout = -1 }
        }
        #expect(openDescriptors() - before < 1400)
    }

    private func openDescriptors() -> Int { (0..<Int32(4096)).count { fcntl($0, F_GETFD) >= 0 } }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM]) func someNumbersMeanResources(_ code: Int32) {
        #expect(OpenFailure(code: code, what: "it").kind == .outOfResources)
        #expect(LookupFailure(code: EAI_AGAIN, errno: code).kind == .outOfResources)
        #expect(OpenFailure(code: ECONNREFUSED, what: "it").kind == .cannotConnect)
    }

    @Test func theSystemCountsBytes() throws {
        let listener = try Listener("127.0.0.1")
        let connection = try open(listener.address)
        #expect(connection.outcome(listener.address) == .connected)
        let before = try #require(SocketTraffic(of: connection.descriptor))
        let peer = Glibc.accept(listener.descriptor, nil, nil)
        defer { close(peer) }
        #expect(send(connection.descriptor, [1, 2, 3] as [UInt8], 3, 0) == 3)
        var byte = [UInt8](repeating: 0, count: 3)
        #expect(recv(peer, &byte, 3, 0) == 3)
        // The acknowledgement comes with the packet's arrival, or a moment later.
        var traffic = try #require(SocketTraffic(of: connection.descriptor))
        for _ in 0..<1000 where traffic.hasUnsentBytes {
            usleep(1000)
            traffic = try #require(SocketTraffic(of: connection.descriptor))
        }
        #expect(traffic.acknowledged == before.acknowledged + 3 && !traffic.hasUnsentBytes)
        #expect(traffic.sinceReceived >= 0 && traffic.sinceAcknowledged >= 0)
        #expect(SocketTraffic(of: -1) == nil)
    }
}
#endif
