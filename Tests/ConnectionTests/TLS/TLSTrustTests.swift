#if os(Linux)
import SuiteSupport
import PiuPiuAsync
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Authorities, pins, revocation and the absence of verification, against nginx.
    @Suite(.enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need))
    struct TLSTrustTests {
        private let fixture: TLSSettingsFixture
        private var server: TLSReporter { fixture.server }
        private var clients: ClientCertificates { fixture.clients }

        init() throws {
            fixture = try TLSSettingsFixture()
        }

        private func dispatcher(_ configure: (inout TLSConfiguration) throws -> Void) rethrows -> URLRequestDispatcher {
            try fixture.dispatcher {
                $0.certificateAuthorityFile = nil
                try configure(&$0.tls)
            }
        }

        // MARK: Authorities

        @Test(arguments: 0..<5)
        func authoritiesComeFromEverySource(_ source: Int) async throws {
            let folder = try DownloadFolder()
            let pem = try Data(contentsOf: server.authority)
            let sources: [() throws -> TLSAuthorities] = [
                { .file(server.authority) }, { .certificates(pem) },
                { .system(adding: server.authority) }, { .system(adding: pem) },
                {
                    try pem.write(to: folder.url.appending(path: "ca.pem"))
                    try Command("openssl").run("rehash", folder.url.path)
                    return .folder(folder.url)
                },
            ]
            let dispatcher = try dispatcher { $0.authorities = try sources[source]() }
            for _ in 0..<3 {
                #expect(try await fixture.report(dispatcher, server.http2, closes: true).version == "TLSv1.3")
            }
            #expect(try await fixture.isRefused(dispatcher, server.selfSigned))
        }

        @Test func otherAuthoritiesAreNotTrusted() async throws {
            let others = try clients.data("clients.pem")
            let choices: [TLSAuthorities] = [.certificates(others), .file(clients.file("clients.pem")), .system]
            for authorities in choices + [.system(adding: others)] {
                let dispatcher = dispatcher { $0.authorities = authorities }
                #expect(try await fixture.isRefused(dispatcher, server.http2), "\(authorities)")
            }
        }

        @Test("A replaced file of authorities counts for new connections", arguments: [0, 600])
        func replacedAuthorities(_ seconds: Int) async throws {
            let folder = try DownloadFolder()
            let file = folder.url.appending(path: "authorities.pem")
            try Data(contentsOf: server.authority).write(to: file)
            let dispatcher = dispatcher {
                $0.authorities = .file(file)
                $0.authorityReloadInterval = .seconds(seconds)
            }
            _ = try await fixture.report(dispatcher, server.http2)
            try clients.data("clients.pem").write(to: file, options: .atomic)
            if seconds > 0 { try dispatcher.reconfigure() }
            // Another origin, which needs a connection, and has no session.
            #expect(try await fixture.isRefused(dispatcher, server.tls13))
        }

        @Test func theAuthoritiesOfTheTransportAreThoseOfAnOrigin() async throws {
            let dispatcher = fixture.dispatcher {
                $0.tlsByOrigin[server.url(server.http2)] = TLSConfiguration()
                var other = TLSConfiguration()
                other.authorities = .file(clients.file("clients.pem"))
                $0.tlsByOrigin[server.url(server.tls13)] = other
            }
            _ = try await fixture.report(dispatcher, server.http2)
            #expect(try await fixture.isRefused(dispatcher, server.tls13))
            _ = try await fixture.report(dispatcher, server.tls12)
        }

        // MARK: Pins

        @Test func aPinIsCheckedForItsHostOnly() async throws {
            let (pin, other) = try (goodPin(), SPKIPin(digest: Data(repeating: 7, count: 32)))
            let backup = dispatcherWithPins(["localhost": [other, pin]])
            #expect(try await fixture.report(backup, server.http2).version == "TLSv1.3")
            let wrong = dispatcherWithPins(["LOCALHOST": [other]])
            #expect(try await fixture.isRefused(wrong, server.http2))
            let error = try await fixture.fault(wrong, server.http2)
            for showing in SecretSearch.showings(of: error) {
                #expect(!showing.text.contains(other.digest.base64EncodedString()))
                #expect(!showing.text.contains(pin.digest.base64EncodedString()))
            }
            #expect(try await fixture.isRefused(wrong, server.tls12))
            #expect(try await fixture.report(wrong, server.http2, host: "127.0.0.1").version == "TLSv1.3")
        }

        @Test("A pin of the transport holds for an origin with settings of its own, and does not replace verification")
        func pinsAndOrigins() async throws {
            let (pin, other) = try (goodPin(), SPKIPin(digest: Data(repeating: 7, count: 32)))
            let dispatcher = fixture.dispatcher {
                $0.tls.pins = ["localhost": [other]]
                $0.tlsByOrigin[server.url(server.http2)] = TLSConfiguration()
                var own = TLSConfiguration()
                own.pins = ["localhost": [pin]]
                $0.tlsByOrigin[server.url(server.tls13)] = own
            }
            #expect(try await fixture.isRefused(dispatcher, server.http2))
            _ = try await fixture.report(dispatcher, server.tls13)
            let untrusted = self.dispatcher { $0.pins = ["localhost": [pin]] }
            #expect(try await fixture.isRefused(untrusted, server.http2))
        }

        private func dispatcherWithPins(_ pins: [String: [SPKIPin]]) -> URLRequestDispatcher {
            fixture.dispatcher { $0.tls.pins = pins }
        }

        private func goodPin() throws -> SPKIPin { try fixture.servers.pin(of: "good") }

        // MARK: Revocation

        @Test func revokedCertificatesAreRefused() async throws {
            let valid = fixture.dispatcher { $0.tls.revocationLists = clients.file("none.crl") }
            #expect(try await fixture.report(valid, server.http2).version == "TLSv1.3")
            let revoked = fixture.dispatcher { $0.tls.revocationLists = clients.file("good.crl") }
            #expect(try await fixture.isRefused(revoked, server.http2))
        }

        @Test func aStapledAnswerCanBeRequired() async throws {
            let dispatcher = fixture.dispatcher { $0.tls.requiresStapledStatus = true }
            _ = try await fixture.report(dispatcher, server.stapling)
            for port in [server.staplingRevoked, server.http2] {
                #expect(try await fixture.isRefused(dispatcher, port))
            }
            _ = try await fixture.report(fixture.dispatcher(), server.http2)
        }

        // MARK: Verification

        @Test func oneOriginCanGoUnverified() async throws {
            let origin = server.url(server.selfSigned)
            let dispatcher = fixture.dispatcher { $0.tlsByOrigin[origin] = .insecurelyWithoutVerification }
            _ = try await fixture.report(dispatcher, server.selfSigned)
            #expect(try await fixture.isRefused(dispatcher, server.selfSigned, host: "127.0.0.1"))
            _ = try await fixture.report(dispatcher, server.http2)
            let everywhere = try await fixture.refusal { $0.tls = .insecurelyWithoutVerification }
            #expect(everywhere.code == .unsupported)
        }

        @Test func pinsOfAnUnverifiedOriginAreChecked() async throws {
            let origin = server.url(server.selfSigned)
            for (pin, works) in [(try fixture.servers.pin(of: "selfsigned"), true), (try goodPin(), false)] {
                var insecure = TLSConfiguration.insecurelyWithoutVerification
                insecure.pins = ["localhost": [pin]]
                let dispatcher = fixture.dispatcher { $0.tlsByOrigin[origin] = insecure }
                if works {
                    _ = try await fixture.report(dispatcher, server.selfSigned)
                } else {
                    #expect(try await fixture.isRefused(dispatcher, server.selfSigned))
                }
            }
        }
    }
}
#endif
