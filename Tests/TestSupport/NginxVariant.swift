import Foundation
import PiuPiuAsync

/// A further nginx with settings of a test, which keeps a log of the requests.
///
/// ```swift
/// let nginx = try NginxVariant(http: "keepalive_requests 10;", server: "location /x { return 200 ok; }")
/// ```
///
/// `/hello` is there as with ``NginxServer``.
public final class NginxVariant: Sendable {
    /// A line of the log.
    public struct Entry: Sendable {
        /// The serial number of the connection.
        public let connection: Int
        /// Which request of its connection it was, from 1.
        public let ordinal: Int
        /// The method.
        public let method: String
        /// Path and query.
        public let target: String
        /// The status code it was answered with.
        public let status: Int
        /// The protocol.
        public let version: String

        /// Reads a line; `nil` if it is none of the log.
        init?(_ line: Substring) {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 6, let connection = Int(words[0]), let ordinal = Int(words[1]) else { return nil }
            self.connection = connection
            self.ordinal = ordinal
            method = words[2]
            target = words[3]
            status = Int(words[4]) ?? 0
            version = words[5]
        }
    }

    /// Whether there can be one.
    public static var isAvailable: Bool { NginxServer.shared != nil }

    /// Plain HTTP/1.1.
    public let plain: Int
    /// TLS with HTTP/2 by ALPN.
    public let http2: Int
    /// TLS with HTTP/1.1 only.
    public let http1: Int
    /// TLS with HTTP/1.1 only, not newer than TLS 1.2.
    public let tls12: Int
    /// HTTP/2 without TLS, by prior knowledge.
    public let plainHTTP2: Int
    /// The certificate of the authority to trust.
    public let authority: URL
    private let process: NginxProcess

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - http: Settings in the section `http`.
    ///   - server: Settings in each section `server`.
    /// - Throws: An error if nginx or openssl is missing, or the settings are refused.
    public init(http: String = "", server: String = "") throws {
        let certificates = try Certificates.shared.get()
        authority = certificates.authority
        process = try NginxProcess(ports: 5) { folder, ports, _ in
            let tls = """
                ssl_certificate \(certificates.certificate("good").path);
                ssl_certificate_key \(certificates.key("good").path);
                """
            let locations = """
                location /hello { return 200 "$server_protocol $connection $connection_requests"; }
                \(server)
                """
            try Data(locations.utf8).write(to: folder.appending(path: "server.conf"))
            let include = "include \(folder.path)/server.conf;"
            return """
                http {
                    \(NginxProcess.usualSettings(folder))
                    log_format piupiu "$connection $connection_requests $request_method $request_uri $status $server_protocol";
                    access_log \(folder.path)/access.log piupiu;
                    \(http)
                    server { listen 127.0.0.1:\(ports[0]) backlog=4096; \(include) }
                    server { listen 127.0.0.1:\(ports[4]) http2 backlog=4096; \(include) }
                    server { listen 127.0.0.1:\(ports[1]) ssl http2 backlog=4096; \(tls) \(include) }
                    server { listen 127.0.0.1:\(ports[2]) ssl backlog=4096; \(tls) \(include) }
                    server {
                        listen 127.0.0.1:\(ports[3]) ssl backlog=4096; \(tls) ssl_protocols TLSv1.2; \(include)
                    }
                }
                """
        }
        (plain, http2, http1, tls12) = (process.ports[0], process.ports[1], process.ports[2], process.ports[3])
        plainHTTP2 = process.ports[4]
    }

    /// A URL of the server.
    ///
    /// - Parameters:
    ///   - port: One of the ports.
    ///   - path: Path and query, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ port: Int, _ path: String) -> URL {
        let scheme = port == plain || port == plainHTTP2 ? "http" : "https"
        return URL(string: "\(scheme)://localhost:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// Stops the server and reads its log, which is complete then.
    ///
    /// - Returns: Every request that was answered, in the order of the ends of the answers.
    public func finish() -> [Entry] {
        process.quit()
        let log = (try? String(contentsOf: process.folder.appending(path: "access.log"), encoding: .utf8)) ?? ""
        return log.split(separator: "\n").compactMap { Entry($0) }
    }
}
