#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

extension ProxyNetworkTests {
    /// What SOCKS proxies are told, byte by byte, and how they refuse.
    struct SOCKSTests {
        /// A SOCKS 5 proxy that records what it is told, and refuses with a code.
        private static func server(_ reply: UInt8, _ told: Notes) throws -> RawServer {
            try RawServer { connection in
                let greeting = try connection.read(2)
                let methods = try connection.read(Int(greeting[1]))
                let wantsPassword = methods.contains(2)
                connection.write([5, wantsPassword ? 2 : 0])
                if wantsPassword {
                    let user = try connection.read(Int(try connection.read(2)[1]))
                    let password = try connection.read(Int(try connection.read(1)[0]))
                    told.add(String(decoding: user + [0x20] + password, as: UTF8.self))
                    connection.write([1, 0])
                }
                let head = try connection.read(4)
                guard head[3] == 3 else {
                    told.add("address \(head[3])")
                    return
                }
                let name = try connection.read(Int(try connection.read(1)[0]))
                told.add(String(decoding: name, as: UTF8.self))
                _ = try connection.read(2)
                connection.write([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
                _ = try? connection.read()
            }
        }

        private static let replies: [(UInt8, String)] = [
            (1, "general failure"), (2, "rules"), (3, "network"), (4, "cannot be reached"),
            (5, "refused the connection"),
            (6, "too far"), (7, "connections"), (8, "kind of address"), (99, "refused"),
        ]

        @Test(arguments: replies)
        func namesStayWithTheProxyAndItsReasonIsTold(_ row: (UInt8, String)) async throws {
            let (reply, reason) = row
            let told = Notes()
            let server = try Self.server(reply, told)
            let text = "socks5://ada:p%25%3Aq%41%2541@127.0.0.1:\(server.port)"
            let dispatcher = URLRequestDispatcher.through(.server(try ProxyServer(text)))
            // No name server knows such names (RFC 6761 §6.4); a local look-up would fail before the proxy is told.
            let error = try await proxyError {
                try await dispatcher.data(from: Fixture.url("http://only-there.invalid/"))
            }
            #expect(told.lines == ["ada p%:qA%41", "only-there.invalid"])
            #expect(error.isSafeToRetry && error.reason.contains("127.0.0.1:\(server.port)"))
            #expect(reply == 99 || error.proxyFailure?.socksReply?.contains(reason) == true, "\(error)")
            expectNoSecret(in: error)
        }

        @Test func namesAreResolvedHereOnlyIfThatIsAskedFor() async throws {
            let told = Notes()
            let server = try Self.server(1, told)
            let proxy = try ProxyServer("socks5://127.0.0.1:\(server.port)", resolvesNamesLocally: true)
            let dispatcher = URLRequestDispatcher.through(.server(proxy))
            let error = try await failure { try await dispatcher.data(from: Fixture.url("http://only-there.invalid/")) }
            #expect((error as? TransportError)?.code == .cannotResolveHost, "\(error)")
            try await proxyError { try await dispatcher.data(from: Fixture.url("http://localhost:1/")) }
            #expect(!told.lines.contains("only-there.invalid"))
            #expect(told.lines.contains { $0.hasPrefix("address") })
        }

        @Test func socks4aTellsTheProxyTheName() async throws {
            let told = Notes()
            let server = try RawServer { connection in
                var bytes = try connection.read()
                while bytes.suffix(1) != [0] { bytes += try connection.read() }
                let texts = bytes.dropFirst(8).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
                told.add(texts.joined(separator: "/"))
                connection.write([0, 91, 0, 0, 0, 0, 0, 0])
                _ = try? connection.read()
            }
            let proxy = try ProxyServer(.socks4a, host: "127.0.0.1", port: server.port, user: "ada")
            let dispatcher = URLRequestDispatcher.through(.server(proxy))
            try await proxyError { try await dispatcher.data(from: Fixture.url("http://only-there.invalid/")) }
            #expect(told.lines == ["ada/only-there.invalid"])
        }

        private static let answers: [[UInt8]] = [
            [], [5], [4, 0], [5, 0xFF], [5, 2, 1, 1], [0x48, 0x54, 0x54, 0x50],
        ]

        @Test(arguments: answers)
        func aProxyThatSpeaksSomethingElseIsAnError(_ answer: [UInt8]) async throws {
            let server = try RawServer { connection in
                _ = try connection.read()
                connection.write(Array(answer.prefix(2)))
                if answer.count > 2 {
                    _ = try connection.read()
                    connection.write(Array(answer.dropFirst(2)))
                }
                connection.finishSending()
                _ = try? connection.read()
            }
            let proxy = try ProxyServer.local(server.port, user: "ada", .socks5h)
            let dispatcher = URLRequestDispatcher.through(.server(proxy))
            let error = try await proxyError {
                try await dispatcher.data(from: Fixture.url("http://only-there.invalid/"))
            }
            #expect(error.isSafeToRetry)
        }
    }
}
#endif
