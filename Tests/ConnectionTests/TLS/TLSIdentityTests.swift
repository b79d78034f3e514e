#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Certificates of clients, against nginx.
    @Suite(.enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need))
    struct TLSIdentityTests {
        private let fixture: TLSSettingsFixture
        private var server: TLSReporter { fixture.server }
        private var clients: ClientCertificates { fixture.clients }

        init() throws {
            fixture = try TLSSettingsFixture()
        }

        @Test(arguments: 0..<10)
        func everyFormOfAnIdentityIsSent(_ form: Int) async throws {
            let secret = SecretSearch.secret
            let pem = (certificate: try clients.data("a.pem"), key: try clients.data("a.key"))
            let forms: [TLSIdentity] = [
                fixture.a,
                .pem(certificates: clients.file("a-both.pem")),
                .pem(certificates: clients.file("a.pem"), key: clients.file("a-encrypted.key"), passphrase: secret),
                .pem(certificates: clients.file("a.pem"), key: clients.file("a-old.key"), passphrase: secret),
                .pkcs12(clients.file("a.p12"), passphrase: secret),
                .pkcs12(clients.file("a-open.p12")),
                .pem(certificates: pem.certificate, key: pem.key),
                .pem(certificates: try clients.data("a-both.pem")),
                .pem(certificates: pem.certificate, key: try clients.data("a-old.key"), passphrase: secret),
                .pkcs12(try clients.data("a.p12"), passphrase: secret),
            ]
            let identity = forms[form]
            let dispatcher = fixture.dispatcher { $0.tls.identity = identity }
            #expect(try await fixture.report(dispatcher, server.strict).client == "CN=a")
        }

        @Test func withoutAnIdentityNoneIsSent() async throws {
            let dispatcher = fixture.dispatcher()
            #expect(try await fixture.report(dispatcher, server.http2).client == "")
            let response = try await dispatcher.data(from: server.url(server.strict))
            #expect(response.head?.statusCode == .badRequest)
        }

        @Test("A wrong passphrase is an error, and a missing one too: nobody is asked on the terminal")
        func wrongPassphrase() async throws {
            let (certificate, key) = (clients.file("a.pem"), clients.file("a-encrypted.key"))
            for passphrase in ["wrong", ""] {
                let dispatcher = fixture.dispatcher {
                    $0.tls.identity = .pem(certificates: certificate, key: key, passphrase: passphrase)
                }
                #expect(try await fixture.isRefused(dispatcher, server.strict))
                let error = try await fixture.fault(dispatcher, server.strict)
                #expect(!error.underlyingDescription.orEmpty.contains("wrong"))
            }
            let missing = try await fixture.refusal { $0.tls.identity = .pem(certificates: certificate, key: key) }
            #expect(missing.reason.contains("encrypted"))
            let container = fixture.dispatcher { $0.tls.identity = .pkcs12(clients.file("a.p12"), passphrase: "wrong") }
            #expect(try await fixture.isRefused(container, server.strict))
        }

        @Test("A key that is replaced by an encrypted one is an error: nobody is asked on the terminal")
        func encryptedLater() async throws {
            let folder = try DownloadFolder()
            let key = try folder.write("key", clients.data("a.key"))
            let certificate = clients.file("a.pem")
            let dispatcher = fixture.dispatcher { $0.tls.identity = .pem(certificates: certificate, key: key) }
            try clients.data("a-encrypted.key").write(to: key, options: .atomic)
            let error = try await fixture.fault(dispatcher, server.strict)
            #expect(error.tlsFailure?.kind == .clientIdentityUnusable, "\(error)")
        }

        @Test func eachOriginHasItsOwnIdentity() async throws {
            let dispatcher = fixture.dispatcher {
                $0.tls.identity = fixture.a
                $0.tlsByOrigin[server.url(server.http2, host: "127.0.0.1")] = with { $0.identity = fixture.b }
                $0.tlsByOrigin[server.url(server.strict)] = TLSConfiguration()
            }
            // The second round finds all connections open.
            for _ in 0..<2 {
                #expect(try await fixture.report(dispatcher, server.http2).client == "CN=a")
                #expect(try await fixture.report(dispatcher, server.http2, host: "127.0.0.1").client == "CN=b")
                #expect(try await fixture.report(dispatcher, server.strict, host: "127.0.0.1").client == "CN=a")
                let response = try await dispatcher.data(from: server.url(server.strict))
                #expect(response.head?.statusCode == .badRequest)
            }
        }

        @Test("The connection and the session of one identity are not those of another", arguments: [true, false])
        func reconfigured(_ usesHTTP2: Bool) async throws {
            let port = usesHTTP2 ? server.http2 : server.strict
            let pem = try clients.data("a-both.pem")
            let dispatcher = fixture.dispatcher { $0.tls.identity = .pem(certificates: pem) }
            let first = try await fixture.report(dispatcher, port)
            let again = try await fixture.report(dispatcher, port)
            #expect(again.connection == first.connection)
            try dispatcher.reconfigure { $0.tls.identity = fixture.b }
            let other = try await fixture.report(dispatcher, port)
            #expect(other.client == "CN=b")
            #expect(other.connection != first.connection)
            #expect(!other.isResumed)
            #expect(try await fixture.report(dispatcher, port).connection == other.connection)
            try dispatcher.reconfigure { $0.tls.identity = nil }
            let response = try await dispatcher.data(from: server.url(server.strict))
            #expect(response.head?.statusCode == .badRequest)
        }

        @Test func identitiesOfManyRequestsAtOnceAreNotMixedUp() async throws {
            let a = fixture.dispatcher {
                $0.tls.identity = fixture.a
                $0.tlsByOrigin[server.url(server.http2)] = with { $0.identity = fixture.b }
                $0.eventLoops = 2
            }
            let b = fixture.dispatcher { $0.tls.identity = fixture.b }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        let reports = [
                            try await fixture.report(a, server.strict), try await fixture.report(b, server.strict),
                            try await fixture.report(a, server.http2),
                            try await fixture.report(a, server.http2, host: "127.0.0.1"),
                        ]
                        #expect(reports.map(\.client) == ["CN=a", "CN=b", "CN=b", "CN=a"])
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test func renewedFilesAreUsedByTheNextConnection() async throws {
            let folder = try DownloadFolder()
            let (certificate, key) = (folder.url.appending(path: "c.pem"), folder.url.appending(path: "c.key"))
            func install(_ name: String) throws {
                try clients.data("\(name).pem").write(to: certificate, options: .atomic)
                try clients.data("\(name).key").write(to: key, options: .atomic)
            }
            try install("a")
            let dispatcher = fixture.dispatcher { $0.tls.identity = .pem(certificates: certificate, key: key) }
            for port in [server.strict, server.tls12] {
                _ = try await fixture.report(dispatcher, port, closes: true)
            }
            let open = try await fixture.report(dispatcher, server.strict)
            #expect(open.client == "CN=a")
            try install("b")
            // An open connection keeps the certificate it was opened with.
            #expect(try await fixture.report(dispatcher, server.strict, closes: true).connection == open.connection)
            let next = try await fixture.report(dispatcher, server.strict)
            #expect(next.client == "CN=b")
            #expect(!next.isResumed)
            // The same configuration again begins with new connections.
            try install("a")
            #expect(try await fixture.report(dispatcher, server.strict).client == "CN=b")
            try dispatcher.reconfigure()
            #expect(try await fixture.report(dispatcher, server.strict).client == "CN=a")
        }

        @Test func anIdentityInMemoryResumesItsSessions() async throws {
            let pem = try clients.data("a-both.pem")
            let dispatcher = fixture.dispatcher { $0.tls.identity = .pem(certificates: pem) }
            let first = try await fixture.report(dispatcher, server.strict, closes: true)
            #expect(!first.isResumed)
            let second = try await fixture.report(dispatcher, server.strict, closes: true)
            #expect(second.client == "CN=a")
            #expect(second.isResumed)
        }

        private func with(_ change: (inout TLSConfiguration) throws -> Void) rethrows -> TLSConfiguration {
            var configuration = TLSConfiguration()
            try change(&configuration)
            return configuration
        }
    }
}

extension String? {
    fileprivate var orEmpty: String { self ?? "" }
}
#endif
