#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

extension ProxyNetworkTests {
    /// Replies of SOCKS proxies (RFC 1928, RFC 1929) that end at any byte, and that come byte by byte.
    struct SOCKSReplyTests {
        /// What a proxy says in one exchange of messages.
        struct Conversation: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let kind: ProxyServer.Kind
            /// One reply to each message of the client.
            let replies: [[UInt8]]

            var user: String? { replies.count > 2 ? "ada" : nil }
            var length: Int { replies.reduce(0) { $0 + $1.count } }
            /// A proxy that resolves names is told one that no name server knows (RFC 6761 §6.4).
            var url: URL {
                Fixture.url(kind == .socks4 || kind == .socks5 ? "http://127.0.0.1/" : "http://only-there.invalid/")
            }

            init(_ name: String, _ kind: ProxyServer.Kind, _ replies: [UInt8]...) {
                (testDescription, self.kind, self.replies) = (name, kind, replies)
            }

            /// Reads a message of the client.
            func readMessage(_ index: Int, from connection: RawConnection) throws {
                if kind == .socks4 || kind == .socks4a {
                    _ = try connection.read(8)
                    for _ in 0..<(kind == .socks4a ? 2 : 1) { while try connection.read(1) != [0] {} }
                } else if index == 0 {
                    _ = try connection.read(Int(try connection.read(2)[1]))
                } else if index < replies.count - 1 {
                    _ = try connection.read(Int(try connection.read(2)[1]))
                    _ = try connection.read(Int(try connection.read(1)[0]))
                } else {
                    let length =
                        switch try connection.read(4)[3] {
                        case 1: 4
                        case 3: Int(try connection.read(1)[0])
                        default: 16
                        }
                    _ = try connection.read(length + 2)
                }
            }
        }

        /// How a proxy goes on after a part of its replies.
        enum End: CaseIterable { case close, reset, silence }

        private static let ipv4: [UInt8] = [127, 0, 0, 1, 0, 80]
        private static let ipv6: [UInt8] = [UInt8](repeating: 0, count: 15) + [1, 0, 80]
        private static func name(_ length: Int) -> [UInt8] {
            [UInt8(length)] + [UInt8](repeating: 0x61, count: length) + [0, 80]
        }

        static let conversations = [
            Conversation("SOCKS 5, IPv4", .socks5h, [5, 0], [5, 0, 0, 1] + ipv4),
            Conversation("SOCKS 5, names resolved here", .socks5, [5, 0], [5, 0, 0, 1] + ipv4),
            Conversation("SOCKS 5, IPv6", .socks5h, [5, 0], [5, 0, 0, 4] + ipv6),
            Conversation("SOCKS 5, password, domain", .socks5h, [5, 2], [1, 0], [5, 0, 0, 3] + name(9)),
            Conversation("SOCKS 5, empty domain", .socks5h, [5, 0], [5, 0, 0, 3] + name(0)),
            Conversation("SOCKS 5, short domain", .socks5h, [5, 0], [5, 0, 0, 3] + name(2)),
            Conversation("SOCKS 5, long domain", .socks5h, [5, 0], [5, 0, 0, 3] + name(40)),
            Conversation("SOCKS 4", .socks4, [0, 90, 0, 80, 127, 0, 0, 1]),
            Conversation("SOCKS 4a", .socks4a, [0, 90, 0, 80, 0, 0, 0, 1]),
        ]

        /// Plays the first bytes of a conversation, and notes what the client sends after them.
        private static func server(
            _ conversation: Conversation,
            first count: Int,
            then end: End,
            _ later: Locked<[UInt8]>
        ) throws -> RawServer {
            try RawServer { connection in
                var rest = count
                for (index, reply) in conversation.replies.enumerated() {
                    try conversation.readMessage(index, from: connection)
                    connection.write(Array(reply.prefix(rest)))
                    rest -= reply.count
                    if rest < 0 { break }
                }
                switch end {
                case .close: connection.finishSending()
                case .reset: return connection.reset()
                case .silence: break
                }
                while true {
                    let bytes = try connection.read()
                    later.withLock { $0 += bytes }
                }
            }
        }

        /// A proxy that replies byte by byte, and then is the server itself.
        private static func servingProxy(_ conversation: Conversation) throws -> RawServer {
            try RawServer { connection in
                for (index, reply) in conversation.replies.enumerated() {
                    try conversation.readMessage(index, from: connection)
                    for byte in reply {
                        connection.write([byte])
                        // Nothing depends on it; it makes the client read most of them one by one.
                        usleep(2_000)
                    }
                }
                var head: [UInt8] = []
                while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head += try connection.read() }
                connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8))
                _ = try? connection.read()
            }
        }

        @Test(arguments: conversations, End.allCases)
        func aReplyThatIsCutOffIsAnError(_ conversation: Conversation, _ end: End) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for count in 0..<conversation.length {
                    group.addTask {
                        let later = Locked<[UInt8]>([])
                        let server = try Self.server(conversation, first: count, then: end, later)
                        let proxy = try ProxyServer.local(server.port, user: conversation.user, conversation.kind)
                        let dispatcher = URLRequestDispatcher.through(.server(proxy)) {
                            if end == .silence { $0.timeouts.connect = .milliseconds(300) }
                        }
                        let error = try await failure { try await dispatcher.data(from: conversation.url) }
                        let code = TransportError.Code.of(error)
                        #expect(code == (end == .silence ? .timeout(.connect) : .proxy), "\(count): \(error)")
                        #expect((error as? TransportError)?.isSafeToRetry == true, "\(count): \(error)")
                        expectNoSecret(in: error)
                        await dispatcher.shutdown()
                        server.stop()
                        #expect(later.withLock { $0 } == [], "\(count)")
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test(arguments: conversations)
        func aReplyThatComesByteByByteIsTheSame(_ conversation: Conversation) async throws {
            let server = try Self.servingProxy(conversation)
            let proxy = try ProxyServer.local(server.port, user: conversation.user, conversation.kind)
            let dispatcher = URLRequestDispatcher.through(.server(proxy))
            #expect(try await dispatcher.data(from: conversation.url).decodeString() == "hello")
            #expect(server.acceptedConnections == 1)
        }
    }
}
#endif
