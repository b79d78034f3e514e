import Foundation
import PiuPiuAsync

/// A real nginx on loopback, for what a scripted server should not imitate: TLS, HTTP/2 and compression.
///
/// It is started once, when it is first needed, with certificates made on the spot, and stopped when the process
/// ends. If nginx or openssl is missing, ``shared`` is `nil` and says why on standard error.
public final class NginxServer: Sendable {
    /// The server; `nil` if it cannot be started.
    public static let shared: NginxServer? = {
        do {
            return try NginxServer()
        } catch {
            FileHandle.standardError.write(Data("TLS and HTTP/2 tests are skipped: \(error)\n".utf8))
            return nil
        }
    }()

    /// The certificate of the authority that signed the good certificates.
    public let authority: URL
    /// Plain HTTP/1.1.
    public let plain: Int
    /// TLS with HTTP/2 by ALPN.
    public let http2: Int
    /// TLS with HTTP/1.1 only.
    public let http1: Int
    /// TLS with a certificate that has expired.
    public let expired: Int
    /// TLS with a certificate for another host.
    public let wrongHost: Int
    /// TLS with a certificate that no authority signed.
    public let selfSigned: Int
    /// The folder of files that were sent with `PUT` to `/uploads/` and a name; `nil` if this nginx cannot save files.
    ///
    /// `/refused/` takes them too, up to 1 KiB.
    public let uploads: URL?
    private let process: NginxProcess

    private init() throws {
        let certificates = try Certificates.shared.get()
        authority = certificates.authority
        process = try NginxProcess(ports: 6) { folder, ports, executable in
            try Data(repeating: 0x78, count: 1 << 20).write(to: folder.appending(path: "mega.bin"))
            try Data(repeating: 0x20, count: 50_000_000).write(to: folder.appending(path: "bomb.txt"))
            let savesFiles = try Self.makeUploads(folder: folder, executable: executable)
            return Self.configuration(folder: folder, ports: ports, certificates, savesFiles: savesFiles)
        }
        let uploads = process.folder.appending(path: "uploads")
        self.uploads = FileManager.default.fileExists(atPath: uploads.path) ? uploads : nil
        let ports = process.ports
        (plain, http2, http1) = (ports[0], ports[1], ports[2])
        (expired, wrongHost, selfSigned) = (ports[3], ports[4], ports[5])
    }

    /// A URL of the server.
    ///
    /// - Parameters:
    ///   - port: One of the ports.
    ///   - path: Path and query, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ port: Int, _ path: String) -> URL {
        let scheme = port == plain ? "http" : "https"
        return URL(string: "\(scheme)://localhost:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// Makes a folder for uploads, if this nginx has the module that saves them.
    private static func makeUploads(folder: URL, executable: Command) throws -> Bool {
        let probe = """
            pid \(folder.path)/probe.pid; error_log \(folder.path)/error.log; events {}
            http { access_log off; server { listen unix:\(folder.path)/probe; dav_methods PUT; } }
            """
        try Data(probe.utf8).write(to: folder.appending(path: "probe.conf"))
        do {
            try executable.run("-t", "-q", "-p", folder.path, "-c", folder.path + "/probe.conf")
        } catch {
            FileHandle.standardError.write(Data("Uploads are not saved by nginx: \(error)\n".utf8))
            return false
        }
        let uploads = folder.appending(path: "uploads")
        try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
        return true
    }

    private static func configuration(
        folder: URL,
        ports: [Int],
        _ certificates: Certificates,
        savesFiles: Bool
    ) -> String {
        let path = folder.path
        func tls(_ port: Int, _ name: String, _ http2: String = "") -> String {
            """
            server {
                listen 127.0.0.1:\(port) ssl\(http2) backlog=4096;
                ssl_certificate \(certificates.certificate(name).path);
                ssl_certificate_key \(certificates.key(name).path);
                include \(path)/locations.conf;
            }
            """
        }
        let saving = """
            location /uploads/ { dav_methods PUT; client_max_body_size 0; }
            location /refused/ { dav_methods PUT; client_max_body_size 1k; }
            """
        let locations = """
            root \(path); gzip on; gzip_types *; gzip_min_length 1;
            location /hello { return 200 "$server_protocol $connection $connection_requests"; }
            location /to-plain { return 302 http://localhost:\(ports[0])/hello; }
            location /mega.bin { gzip off; }
            location /drip.bin { alias \(path)/mega.bin; gzip off; limit_rate 4k; }
            location /text { return 200 "\(String(repeating: "all work and no play ", count: 50))"; }
            \(savesFiles ? saving : "")
            """
        try? Data(locations.utf8).write(to: folder.appending(path: "locations.conf"))
        return """
            http {
                access_log off; keepalive_requests 1000000;
                \(NginxProcess.usualSettings(folder))
                server { listen 127.0.0.1:\(ports[0]) backlog=4096; include \(path)/locations.conf; }
                \(tls(ports[1], "good", " http2"))
                \(tls(ports[2], "good"))
                \(tls(ports[3], "expired"))
                \(tls(ports[4], "wronghost"))
                \(tls(ports[5], "selfsigned"))
            }
            """
    }
}
