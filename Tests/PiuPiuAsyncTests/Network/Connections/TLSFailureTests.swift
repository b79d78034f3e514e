#if os(Linux)
import CurlShim
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuAsync

extension NetworkTests {
    /// What is wrong with a server, and what the error says about it, with every libcurl alike.
    @Suite(.enabled(if: TLSFaultServers.shared != nil, "nginx and openssl are needed"), .timeLimit(.generous))
    struct TLSFailureTests {
        /// What a server does, and what comes of it.
        struct Row: Sendable, CustomTestStringConvertible {
            var server: String
            var kind: TLSFailure.Kind
            var message: String
            var host = "localhost"
            var depth: Int?
            var alert: UInt8?
            var options: @Sendable (TLSFaultServers) -> [CurlOption] = { _ in [] }
            var note = ""

            var testDescription: String { "\(server) \(note)" }
        }

        private static let weak = "The server uses a key, a signature or a protocol feature that is too weak"
        private static let requires = "The server requires a client certificate"
        private static let refused = "The server refused the client certificate"

        private static func identity(_ identity: CertificateForge.Identity, key: URL? = nil) -> [CurlOption] {
            [
                CurlOption(PP_CURLOPT_SSLCERT, .text(identity.certificate.path), "the client certificate"),
                CurlOption(PP_CURLOPT_SSLKEY, .text((key ?? identity.key).path), "the key"),
            ]
        }

        private static func file(_ option: PPOption, _ file: URL) -> [CurlOption] {
            [CurlOption(option, .text(file.path), "a file")]
        }

        /// The security level of today's OpenSSL; that of 7.74 takes it from a file of Debian 11.
        private static let usualLevel = [
            CurlOption(PP_CURLOPT_SSL_CIPHER_LIST, .text("DEFAULT:@SECLEVEL=2"), "the level")
        ]

        static let certificateRows: [Row] = [
            Row(
                server: "expired",
                kind: .expired,
                message: "The server's certificate expired on 2021-01-01 00:00:00 UTC",
                depth: 0
            ),
            Row(
                server: "expiredIntermediate",
                kind: .expired,
                message: "An authority's certificate in the server's chain (Old intermediate) expired on "
                    + "2022-02-02 02:02:02 UTC",
                depth: 1
            ),
            Row(
                server: "notYetValid",
                kind: .notYetValid,
                message: "The server's certificate is not valid before 2039-01-01 00:00:00 UTC",
                depth: 0
            ),
            Row(
                server: "threeNames",
                kind: .wrongHost,
                message: "The server's certificate is for a.test, b.test and c.test, not for localhost"
            ),
            Row(
                server: "wildcard",
                kind: .wrongHost,
                message: "The server's certificate is for *.example.test, not for localhost"
            ),
            Row(
                server: "otherAddress",
                kind: .wrongHost,
                message: "The server's certificate is for 192.0.2.7 and 2001:db8:0:0:0:0:0:1, not for 127.0.0.1",
                host: "127.0.0.1"
            ),
            Row(
                server: "commonName",
                kind: .wrongHost,
                message: "The server's certificate is for elsewhere.test, not for localhost"
            ),
            Row(
                server: "hugeNames",
                kind: .wrongHost,
                message: "The server's certificate is for "
                    + (0..<8).map { "\(String(repeating: "very-long-label-\($0).", count: 12).prefix(100))…" }
                    .joined(separator: ", ").appending(" and 52 more, not for localhost")
            ),
            Row(
                server: "controlCharacters",
                kind: .wrongHost,
                message: #"The server's certificate is for \u{1b}[31mevil.test, not for localhost"#
            ),
            Row(
                server: "controlNames",
                kind: .wrongHost,
                message: #"The server's certificate is for \u{1b}[31mevil.test, not for localhost"#
            ),
            Row(
                server: "unknownAuthority",
                kind: .unknownAuthority,
                message: "The server's certificate leads to an authority that is not trusted here (Unknown root)",
                depth: 0
            ),
            Row(
                server: "unknownRootSent",
                kind: .unknownAuthority,
                message: "The server's certificate leads to an authority that is not trusted here (Unknown root)",
                depth: 1
            ),
            Row(
                server: "missingIntermediate",
                kind: .unknownAuthority,
                message: "The server's certificate leads to an authority that is not trusted here (Intermediate)",
                depth: 0
            ),
            Row(
                server: "selfSigned",
                kind: .selfSigned,
                message: "The server signed its certificate itself (localhost)",
                depth: 0
            ),
            Row(
                server: "noAuthority",
                kind: .invalidChain,
                message: "The server's certificates do not form a valid chain: it has the certificate (No authority)",
                depth: 1
            ),
            Row(
                server: "clientOnly",
                kind: .wrongPurpose,
                message: "The server's certificate may not be used for a server (clientOnly)",
                depth: 0
            ),
            Row(server: "smallKey", kind: .weak, message: weak + " (smallKey)", depth: 0, options: { _ in usualLevel }),
            Row(server: "sha1", kind: .weak, message: weak + " (sha1)", depth: 0, options: { _ in usualLevel }),
            Row(
                server: "revoked",
                kind: .revoked,
                message: "The server's certificate was revoked",
                depth: 0,
                options: { file(PP_CURLOPT_CRLFILE, $0.revocations) }
            ),
            Row(
                server: "good",
                kind: .revocationUnknown,
                message: "The list of revoked certificates does not tell of the server's (PiuPiu root)",
                depth: 0,
                options: { file(PP_CURLOPT_CRLFILE, $0.otherRevocations) },
                note: "with another authority's list"
            ),
            Row(
                server: "good",
                kind: .statusMissing,
                message: "The server did not prove that its certificate is not revoked",
                options: { _ in [CurlOption(PP_CURLOPT_SSL_VERIFYSTATUS, .long(1), "the status")] },
                note: "without OCSP"
            ),
            Row(
                server: "stapled",
                kind: .statusRevoked,
                message: "The server's certificate was revoked, as its authority says",
                options: { _ in [CurlOption(PP_CURLOPT_SSL_VERIFYSTATUS, .long(1), "the status")] }
            ),
            Row(
                server: "good",
                kind: .pinMismatch,
                message: "The server's key is not the pinned one",
                options: { _ in
                    let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                    return [CurlOption(PP_CURLOPT_PINNEDPUBLICKEY, .text(pin), "the pin")]
                },
                note: "with another pin"
            ),
        ]

        static let handshakeRows: [Row] = [
            Row(
                server: "tls10",
                kind: .protocolVersion,
                message: "The server supports no version of TLS that is allowed here",
                alert: 70
            ),
            Row(
                server: "tls11",
                kind: .protocolVersion,
                message: "The server supports no version of TLS that is allowed here",
                alert: 70
            ),
            Row(
                server: "noCipher",
                kind: .noCommonCipher,
                message: "The server and this client have no cipher suite in common",
                alert: 40
            ),
            Row(
                server: "good",
                kind: .noCommonCipher,
                message: "The server and this client have no cipher suite in common",
                options: { _ in [CurlOption(PP_CURLOPT_SSL_CIPHER_LIST, .text("NONE-SUCH"), "the ciphers")] },
                note: "with an unknown cipher"
            ),
            Row(server: "wantsCertificate.tls1_2", kind: .clientCertificateRequired, message: requires, alert: 40),
            Row(server: "wantsCertificate.tls1_3", kind: .clientCertificateRequired, message: requires, alert: 116),
            Row(
                server: "wantsCertificate.tls1_2",
                kind: .clientCertificateRefused,
                message: refused + " (unknown_ca)",
                alert: 48,
                options: { identity($0.stranger) },
                note: "and gets a stranger's"
            ),
            Row(
                server: "wantsCertificate.tls1_3",
                kind: .clientCertificateRefused,
                message: refused + " (unknown_ca)",
                alert: 48,
                options: { identity($0.stranger) },
                note: "and gets a stranger's"
            ),
            Row(
                server: "wantsCertificate.tls1_2",
                kind: .clientCertificateRefused,
                message: refused + " (certificate_expired)",
                alert: 45,
                options: { identity($0.expiredClient) },
                note: "and gets an expired one"
            ),
            Row(
                server: "wantsCertificate.tls1_3",
                kind: .clientCertificateRefused,
                message: refused + " (certificate_expired)",
                alert: 45,
                options: { identity($0.expiredClient) },
                note: "and gets an expired one"
            ),
            Row(
                server: "good",
                kind: .clientIdentityUnusable,
                message: "The client certificate or its key cannot be used",
                options: { identity($0.stranger, key: $0.otherKey) },
                note: "with a key of another certificate"
            ),
            Row(
                server: "good",
                kind: .clientIdentityUnusable,
                message: "The client certificate or its key cannot be used",
                options: { identity($0.stranger, key: URL(filePath: "/does/not/exist")) },
                note: "without a key"
            ),
            Row(
                server: "good",
                kind: .authoritiesUnusable,
                message: "The authorities to trust, or the list of revoked certificates, cannot be read",
                options: { _ in file(PP_CURLOPT_CAINFO, URL(filePath: "/does/not/exist")) },
                note: "without authorities"
            ),
            Row(
                server: "good",
                kind: .authoritiesUnusable,
                message: "The authorities to trust, or the list of revoked certificates, cannot be read",
                options: { _ in file(PP_CURLOPT_CRLFILE, URL(filePath: "/does/not/exist")) },
                note: "without a list"
            ),
        ]

        private let servers: TLSFaultServers

        init() throws {
            servers = try #require(TLSFaultServers.shared)
        }

        private func error(
            at url: URL,
            _ options: [CurlOption] = [],
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> TransportError {
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = servers.authority
                $0.transport.curlOptions = options
            }
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

        @Test("The error says what is wrong, and what to do", arguments: certificateRows + handshakeRows)
        func table(_ row: Row) async throws {
            let error = try await error(at: url(servers.port(row.server), row.host), row.options(servers))
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

        @Test("The same handle tells of each of its handshakes, and nothing of the one before")
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
                let row = (Self.certificateRows + Self.handshakeRows).first { $0.server == name }
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
                ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{70}", "The server ended the TLS handshake (unrecognized_name)"),
                ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{50}", "The server ended the TLS handshake (internal_error)"),
            ]
        )
        func garbage(_ answer: String, _ message: String) async throws {
            let server = try RawServer { connection in
                _ = try connection.read()
                if !answer.isEmpty { connection.write(Array(answer.utf8)) }
                connection.finishSending()
                _ = try connection.read()
            }
            let error = try await error(at: url(server.port))
            #expect(error.code == .tls && error.reason == message, "\(error)")
            #expect(!error.isSafeToRetry)
        }

        // MARK: Proxies

        @Test("The handshake with a proxy is told apart from that with the server behind it")
        func proxy() async throws {
            func options(_ name: String, _ more: [CurlOption]) -> [CurlOption] {
                let proxy = "https://localhost:\(servers.port(name))"
                return [CurlOption(PP_CURLOPT_PROXY, .text(proxy), "the proxy")] + more
            }
            let authority = Self.file(PP_CURLOPT_PROXY_CAINFO, servers.authority)
            let otherAuthority = Self.file(PP_CURLOPT_PROXY_CAINFO, servers.otherAuthority)
            let plain = try #require(URL(string: "http://a.test/"))
            for url in [try url(servers.port("good")), plain] {
                let unknown = try await error(at: url, options("good", otherAuthority)).tlsFailure
                #expect(
                    unknown?.kind == .unknownAuthority && unknown?.isProxy == true,
                    "\(String(describing: unknown))"
                )
                let wrong = try await error(at: url, options("threeNames", authority))
                #expect(wrong.tlsFailure?.isProxy == true)
                let names = "a.test, b.test and c.test"
                #expect(wrong.reason == "The proxy's certificate is for \(names), not for the proxy's name")
            }
        }
    }
}
#endif
