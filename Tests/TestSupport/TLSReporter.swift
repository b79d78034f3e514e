import Foundation
import PiuPiuAsync

/// An nginx that tells each client what it sees of the client's TLS.
public final class TLSReporter: Sendable {
    /// What the server saw.
    public struct Report: Sendable {
        /// The subject of the client's certificate; empty if it had none.
        public let client: String
        /// The version, such as `TLSv1.3`.
        public let version: String
        /// The cipher suite.
        public let suite: String
        /// The serial number of the connection.
        public let connection: Int
        /// Whether the session was resumed.
        public let isResumed: Bool
        /// The protocol, such as `HTTP/2.0`.
        public let http: String

        /// Reads an answer of the server; `nil` if it is none.
        public init?(_ text: String) {
            let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 6, let connection = Int(parts[3]) else { return nil }
            (client, version, suite, self.connection) = (parts[0], parts[1], parts[2], connection)
            (isResumed, http) = (parts[4] == "r", parts[5])
        }
    }

    /// The server; `nil` if nginx or openssl is missing.
    public static let shared: TLSReporter? = {
        do {
            return try TLSReporter()
        } catch {
            FileHandle.standardError.write(Data("Tests of TLS settings are skipped: \(error)\n".utf8))
            return nil
        }
    }()

    /// The certificate of the authority of the servers.
    public let authority: URL
    /// A server with HTTP/2 that asks for a certificate.
    public let http2: Int
    /// A server with HTTP/1.1 that refuses clients without a certificate.
    public let strict: Int
    /// A server with TLS 1.2 only.
    public let tls12: Int
    /// A server with TLS 1.3 only.
    public let tls13: Int
    /// A server that staples the answer that its certificate is valid.
    public let stapling: Int
    /// A server that staples the answer that its certificate is revoked.
    public let staplingRevoked: Int
    /// A server whose certificate no authority signed.
    public let selfSigned: Int
    private let process: NginxProcess

    private init() throws {
        let servers = try Certificates.shared.get()
        let clients = try ClientCertificates.shared.get()
        authority = servers.authority
        process = try NginxProcess(ports: 7) { folder, ports, _ in
            // libcurl looks for the issuer, which the answer is about too, in the chain that the server sends.
            let chain = folder.appending(path: "chain.pem")
            try (Data(contentsOf: servers.certificate("good")) + Data(contentsOf: servers.authority)).write(to: chain)
            func server(_ port: Int, _ settings: String, http2: Bool = false, certificate: String = "good") -> String {
                """
                server {
                    listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
                    ssl_certificate \(certificate == "good" ? chain.path : servers.certificate(certificate).path);
                    ssl_certificate_key \(servers.key(certificate).path);
                    ssl_client_certificate \(clients.file("clients.pem").path);
                    \(settings)
                    location / {
                        return 200 "$ssl_client_s_dn|$ssl_protocol|$ssl_cipher|$connection|$ssl_session_reused|$server_protocol";
                    }
                }

                """
            }
            func stapling(_ name: String) -> String {
                "ssl_stapling on; ssl_stapling_file \(clients.file(name).path);"
            }
            let all = "ssl_protocols TLSv1.2 TLSv1.3; ssl_verify_client optional;"
            return """
                http {
                    access_log off; \(NginxProcess.usualSettings(folder))
                    \(server(ports[0], all, http2: true))
                    \(server(ports[1], "ssl_protocols TLSv1.2 TLSv1.3; ssl_verify_client on;"))
                    \(server(ports[2], "ssl_protocols TLSv1.2;"))
                    \(server(ports[3], "ssl_protocols TLSv1.3;"))
                    \(server(ports[4], stapling("valid.ocsp")))
                    \(server(ports[5], stapling("revoked.ocsp")))
                    \(server(ports[6], "", certificate: "selfsigned"))
                }
                """
        }
        let ports = process.ports
        (http2, strict, tls12, tls13) = (ports[0], ports[1], ports[2], ports[3])
        (stapling, staplingRevoked, selfSigned) = (ports[4], ports[5], ports[6])
    }

    /// The URL of a server.
    ///
    /// - Parameters:
    ///   - port: One of the ports.
    ///   - host: `localhost` or `127.0.0.1`.
    /// - Returns: The URL.
    public func url(_ port: Int, host: String = "localhost") -> URL {
        URL(string: "https://\(host):\(port)/") ?? URL(filePath: "/")
    }
}
