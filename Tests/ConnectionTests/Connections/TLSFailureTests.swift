#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// What is wrong with a server, and what the error says about it.
    @Suite(.enabled(if: TLSFaultServers.shared != nil, "nginx and openssl are needed"), .timeLimit(.generous))
    struct TLSFailureTests {
        /// What a server does, and what comes of it.
        struct Row: Sendable, CustomTestStringConvertible {
            var server: String
            var kind: TLSFailure.Kind
            var message: String
            var host = "localhost"
            /// The host in the URL; `nil` for the one of the certificate.
            var spelling: String?
            var depth: Int?
            var alert: UInt8?
            var configure: Configure = { _, _ in }
            var note = ""

            var testDescription: String { "\(server) \(note)" }
        }

        /// What the configuration of a row is made of.
        struct Material {
            let servers: TLSFaultServers
            let clients: ClientCertificates
            fileprivate let folder: DownloadFolder

            /// A copy of a file, which is there when the transport is created and gone when it connects.
            ///
            /// A file that is missing from the start is found when the transport is created, with another error.
            func passing(_ file: URL, as path: String = "file") throws -> URL {
                try folder.write(path, Data(contentsOf: file))
            }

            /// A folder of authorities with a copy of a file, in the same way.
            func passingFolder(_ file: URL) throws -> URL {
                try passing(file, as: "folder/12345678.0").deletingLastPathComponent()
            }
        }

        private let servers: TLSFaultServers

        init() throws {
            servers = try #require(TLSFaultServers.shared)
        }

        private func error(
            at url: URL,
            sourceLocation: SourceLocation = #_sourceLocation,
            _ configure: (inout TransportConfiguration, Material) throws -> Void = { _, _ in }
        ) async throws -> TransportError {
            let clients = try ClientCertificates.shared.get()
            let material = Material(servers: servers, clients: clients, folder: try DownloadFolder())
            var transport = URLRequestDispatcher.Configuration.forTests.transport
            transport.certificateAuthorityFile = servers.authority
            try configure(&transport, material)
            let configured = transport
            let dispatcher = URLRequestDispatcher.forTests { $0.transport = configured }
            try FileManager.default.removeItem(at: material.folder.url)
            // A password and a token that no text of any error may have.
            var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
            (parts.user, parts.password) = ("ada", SecretSearch.secret)
            parts.queryItems = [URLQueryItem(name: "token", value: SecretSearch.secret)]
            var request = URLRequest(url: try #require(parts.url))
            request.setValue("session=\(SecretSearch.secret)", forHTTPHeaderField: "Cookie")
            let sent = request
            let error = try await #require(throws: TransportError.self, sourceLocation: sourceLocation) {
                try await dispatcher.data(for: sent)
            }
            expectNoSecret(in: error, sourceLocation: sourceLocation)
            return error
        }

        private func url(_ port: Int, _ host: String = "localhost") throws -> URL {
            try #require(URL(string: "https://\(host):\(port)/"))
        }

        private static let rows = certificateRows + weakRows + handshakeRows + settingRows

        @Test("The error says what is wrong, and what to do", arguments: rows)
        func table(_ row: Row) async throws {
            let url = try url(servers.port(row.server), row.spelling ?? row.host)
            let error = try await error(at: url, row.configure)
            #expect(error.code == .tls, "\(error)")
            let failure = try #require(error.tlsFailure)
            #expect(failure.kind == row.kind, "\(error)")
            #expect(error.reason == row.message)
            #expect(failure.description == row.message)
            #expect(failure.host == row.host && !failure.isProxy)
            #expect(failure.depth == row.depth)
            #expect(failure.alert == row.alert)
            #expect(error.recoverySuggestion == failure.recoverySuggestion)
            #expect(row.kind ~= error)
            // Whatever the server wrote into its certificate.
            #expect(error.description.unicodeScalars.allSatisfy { (" "..."~").contains($0) || $0 == "…" }, "\(error)")
            #expect(error.description.utf8.count < 2000)
            // As for every failure of TLS: nobody asks the same server again at once.
            #expect(!error.isSafeToRetry)
            #expect(error.response == nil)
        }

        @Test("A certificate's dates, names and issuer are there")
        func certificate() async throws {
            let error = try await error(at: url(servers.port("threeNames")))
            let certificate = try #require(error.tlsFailure?.certificate)
            #expect(certificate.names == ["a.test", "b.test", "c.test"] && certificate.omittedNames == 0)
            #expect(certificate.issuer == "PiuPiu root" && certificate.subject == "threeNames")
            #expect(certificate.validFrom == RFC3339.date(from: "2020-01-01T00:00:00Z"))
            #expect(certificate.validUntil == RFC3339.date(from: "2040-01-01T00:00:00Z"))
        }

        @Test("The same transport tells of each of its handshakes, and nothing of the one before")
        func succession() async throws {
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = servers.authority
                $0.connections.perHost = 1
            }
            for name in ["good", "threeNames", "good", "wantsCertificate.tls1_3", "expired", "good", "tls11"] {
                let url = try url(servers.port(name))
                guard name != "good" else {
                    #expect(try await dispatcher.data(from: url).statusCode == .ok)
                    continue
                }
                let error = try await #require(throws: TransportError.self) { try await dispatcher.data(from: url) }
                let row = Self.rows.first { $0.server == name }
                #expect(error.reason == row?.message)
            }
        }

        // MARK: Servers that do not speak TLS

        private static let notTLS = "The server does not speak TLS on this port"
        private static let lost = "The server closed the connection during the TLS handshake"

        @Test(
            "A server that speaks no TLS is told apart from one that hangs up",
            arguments: [
                ("HTTP/1.1 400 Bad Request\r\n\r\n", notTLS), ("SSH-2.0-OpenSSH_9.2\r\n", notTLS),
                ("\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}", notTLS), ("", lost), ("\u{16}\u{3}\u{3}", lost),
                ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{1}\u{0}", lost),
                ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{70}", "The server ended the TLS handshake (unrecognized_name)"),
                ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{50}", "The server ended the TLS handshake (internal_error)"),
            ]
        )
        func garbage(_ answer: (bytes: String, message: String)) async throws {
            let server = try RawServer { connection in
                _ = try connection.read()
                if !answer.bytes.isEmpty { connection.write(Array(answer.bytes.utf8)) }
                connection.finishSending()
                _ = try connection.read()
            }
            let error = try await error(at: url(server.port))
            #expect(error.code == .tls && error.reason == answer.message, "\(error)")
            #expect(!error.isSafeToRetry)
        }

        // MARK: Proxies

        @Test("The handshake with a proxy is told apart from that with the server behind it")
        func proxy() async throws {
            func error(at url: URL, through name: String, _ authority: URL) async throws -> TransportError {
                try await self.error(at: url) { configuration, _ in
                    let port = servers.port(name)
                    configuration.proxy = .server(
                        try ProxyServer(.https, host: "localhost", port: port, authorityFile: authority)
                    )
                }
            }
            let plain = try #require(URL(string: "http://a.test/"))
            for url in [try url(servers.port("good")), plain] {
                let unknown = try await error(at: url, through: "good", servers.otherAuthority).tlsFailure
                #expect(
                    unknown?.kind == .unknownAuthority && unknown?.isProxy == true,
                    "\(String(describing: unknown))"
                )
                let wrong = try await error(at: url, through: "threeNames", servers.authority)
                #expect(wrong.tlsFailure?.isProxy == true)
                let names = "a.test, b.test and c.test"
                #expect(wrong.reason == "The proxy's certificate is for \(names), not for the proxy's name")
            }
        }
    }
}
#endif
