#if os(Linux)
import CShims
import PiuPiuEngine
import Testing

extension TLSTests {
    /// Each call that decides something fails once: no byte is delivered over a connection whose check did not run.
    @Suite(.enabled(if: OpenSSLProgram.path != nil, "openssl is needed"), .serialized)
    struct TLSFailingCallTests {
        private let files: TestCertificates

        init() throws { files = try TestCertificates.shared.get() }

        /// What one run came to.
        private enum Outcome {
            case refused
            case done
            case delivered
        }

        /// The whole way from settings to an answer, with every demand there is.
        private func run(_ server: TestServer, host: String, _ settings: TLSSettings) throws -> Outcome {
            guard let context = try? settings.load() else { return .refused }
            let descriptor = try server.connect {
                $0.write($0.read(1))
                $0.close()
            }
            guard let client = try? TestClient(descriptor, context, host: host) else { return .refused }
            guard try client.handshake() == nil else { return .refused }
            guard try client.write([5]) == nil else { return .done }
            return try client.read(1).bytes.isEmpty ? .done : .delivered
        }

        private func settings(_ isContainer: Bool) throws -> TLSSettings {
            let pin = try files.pin("good")
            return try .trusting(files) {
                $0.identity = TLSSettings.Identity(
                    isContainer ? .pkcs12 : .pem(key: nil),
                    certificate: .file(files.path(isContainer ? "client-open.p12" : "client-both.pem")),
                    passphrase: nil
                )
                $0.maximumVersion = isContainer ? .tls12 : .tls13
                $0.revocationLists = files.path("root.crl")
                $0.requiresStapledStatus = true
                $0.pins = [pin]
                $0.cipherSuites = ["ECDHE-ECDSA-AES128-GCM-SHA256"]
                $0.tls13CipherSuites = ["TLS_AES_128_GCM_SHA256"]
            }
        }

        private static var names: [String] {
            var names: [String] = []
            while let name = cs_deciding_function(Int32(names.count)) { names.append(String(cString: name)) }
            return names
        }

        @Test(arguments: [("localhost", false), ("127.0.0.1", true)])
        func nothingIsDelivered(_ host: String, _ isContainer: Bool) throws {
            defer { cs_fail_call(nil, 0, true) }
            let settings = try settings(isContainer)
            let server = try TestServer(TestServer.Options(wantsCertificate: true, status: "good.ocsp"), files)
            var counts: [String: Int32] = [:]
            for name in Self.names {
                cs_fail_call(name, 0, true)
                #expect(try run(server, host: host, settings) == .delivered)
                let count = cs_calls_counted()
                counts[name] = count
                guard count > 0 else { continue }
                for n in 1...min(count, 8) {
                    cs_fail_call(name, n, true)
                    let outcome = try run(server, host: host, settings)
                    // How often a connection has to wait differs from run to run.
                    guard cs_calls_counted() >= n else { continue }
                    // These are called until they succeed: a later call does what the failed one did not.
                    let isRepeated = ["SSL_do_handshake", "SSL_read", "SSL_write"].contains(name) && n > 1
                    #expect(outcome != .delivered || isRepeated, "\(name), call \(n)")
                    let isAboutBytes = ["SSL_read", "SSL_write", "SSL_get_error"].contains(name)
                    #expect(outcome == .refused || isRepeated || isAboutBytes, "\(name), call \(n)")
                }
            }
            // What this way does not call, the other one does.
            var uncalled = Set(counts.filter { $0.value == 0 }.keys)
            // Nothing has to be waited for if the server is fast.
            uncalled.remove("SSL_get_error")
            let byHost = [isContainer ? "X509_VERIFY_PARAM_set1_host" : "X509_VERIFY_PARAM_set1_ip_asc"]
            let byForm = isContainer ? ["PEM_read_bio_PrivateKey"] : ["d2i_PKCS12_bio", "PKCS12_parse"]
            #expect(uncalled == Set(byHost + byForm + ["OPENSSL_init_crypto", "OPENSSL_init_ssl"]))
        }
    }
}
#endif
