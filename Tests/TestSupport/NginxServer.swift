import Foundation
import LoopbackServer
import PiuPiuAsync

/// A real nginx on loopback, for what a scripted server should not imitate: TLS, HTTP/2 and compression.
///
/// It is started once, by whoever needs it first, with certificates made on the spot, and stopped when the process
/// exits. Where nginx or openssl is missing, ``shared`` is `nil` and says why on standard error.
public final class NginxServer: Sendable {
    /// The server, `nil` where it cannot be had.
    public static let shared: NginxServer? = {
        do {
            let server = try NginxServer()
            exitHandler.withLock { $0 = server }
            atexit { NginxServer.exitHandler.withLock { $0 }?.stop() }
            return server
        } catch {
            FileHandle.standardError.write(Data("TLS and HTTP/2 tests are skipped: \(error)\n".utf8))
            return nil
        }
    }()

    private static let exitHandler = Locked<NginxServer?>(nil)

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
    /// TLS with a certificate nobody signed.
    public let selfSigned: Int
    /// Where a file is that was sent with `PUT` to `/uploads/` and its name; `nil` where this nginx cannot save files.
    ///
    /// `/refused/` takes them too, up to 1 KiB.
    public let uploads: URL?
    private let folder: URL
    private let executable: Command

    private init() throws {
        executable = try Command("nginx")
        let openssl = try Command("openssl")
        folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let certificates = Certificates(folder: folder, openssl: openssl)
        try certificates.make()
        authority = folder.appending(path: "ca.pem")
        try Data(repeating: 0x78, count: 1 << 20).write(to: folder.appending(path: "mega.bin"))
        try Data(repeating: 0x20, count: 50_000_000).write(to: folder.appending(path: "bomb.txt"))
        uploads = try Self.makeUploads(folder: folder, executable: executable)
        var lastError: any Error = Command.Failure(description: "no ports")
        for _ in 0..<5 {
            let ports = try (0..<6).map { _ in try Self.freePort() }
            do {
                try Data(Self.configuration(folder: folder, ports: ports, savesFiles: uploads != nil).utf8)
                    .write(to: folder.appending(path: "nginx.conf"))
                // nginx goes into the background once its sockets are bound, so that it is ready when this returns.
                try executable.run("-p", folder.path, "-c", folder.path + "/nginx.conf")
                (plain, http2, http1) = (ports[0], ports[1], ports[2])
                (expired, wrongHost, selfSigned) = (ports[3], ports[4], ports[5])
                return
            } catch {
                // Somebody else may have taken one of the ports meanwhile.
                lastError = error
            }
        }
        throw lastError
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

    private func stop() {
        try? executable.run("-p", folder.path, "-c", folder.path + "/nginx.conf", "-s", "stop")
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes a folder for uploads, where this nginx has the module that saves them.
    private static func makeUploads(folder: URL, executable: Command) throws -> URL? {
        let uploads = folder.appending(path: "uploads")
        try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
        let probe = """
            pid \(folder.path)/probe.pid; error_log \(folder.path)/error.log; events {}
            http { access_log off; server { listen unix:\(folder.path)/probe; dav_methods PUT; } }
            """
        try Data(probe.utf8).write(to: folder.appending(path: "probe.conf"))
        do {
            try executable.run("-t", "-q", "-p", folder.path, "-c", folder.path + "/probe.conf")
            return uploads
        } catch {
            FileHandle.standardError.write(Data("Uploads are not saved by nginx: \(error)\n".utf8))
            return nil
        }
    }

    private static func configuration(folder: URL, ports: [Int], savesFiles: Bool) -> String {
        let path = folder.path
        func tls(_ port: Int, _ name: String, _ http2: String = "") -> String {
            """
            server {
                listen 127.0.0.1:\(port) ssl\(http2) backlog=4096;
                ssl_certificate \(path)/\(name).pem; ssl_certificate_key \(path)/\(name).key;
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
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1; daemon on; pid \(path)/pid; error_log \(path)/error.log;
            events { worker_connections 8192; }
            http {
                access_log off; default_type text/plain; keepalive_requests 1000000;
                client_body_temp_path \(path)/body; proxy_temp_path \(path)/proxy;
                fastcgi_temp_path \(path)/fastcgi; uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
                server { listen 127.0.0.1:\(ports[0]) backlog=4096; include \(path)/locations.conf; }
                \(tls(ports[1], "good", " http2"))
                \(tls(ports[2], "good"))
                \(tls(ports[3], "expired"))
                \(tls(ports[4], "wronghost"))
                \(tls(ports[5], "selfsigned"))
            }
            """
    }

    private static func freePort() throws -> Int {
        let socket = try RefusingPort()
        return socket.port
    }
}

/// Makes an authority and certificates with openssl.
private struct Certificates {
    let folder: URL
    let openssl: Command

    func make() throws {
        try selfSigned("ca", "/CN=PiuPiu test authority")
        try selfSigned("selfsigned", "/CN=localhost")
        try signed("good", names: "DNS:localhost,IP:127.0.0.1", days: 2)
        try signed("expired", names: "DNS:localhost,IP:127.0.0.1", days: -1)
        try signed("wronghost", names: "DNS:elsewhere.test", days: 2)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func selfSigned(_ name: String, _ subject: String) throws {
        try openssl.run(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-keyout",
            path("\(name).key"),
            "-out",
            path("\(name).pem"),
            "-subj",
            subject
        )
    }

    private func signed(_ name: String, names: String, days: Int) throws {
        try openssl.run(
            "req",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            path("\(name).key"),
            "-out",
            path("\(name).csr"),
            "-subj",
            "/CN=\(name)"
        )
        try Data("subjectAltName=\(names)\n".utf8).write(to: folder.appending(path: "\(name).ext"))
        try openssl.run(
            "x509",
            "-req",
            "-in",
            path("\(name).csr"),
            "-CA",
            path("ca.pem"),
            "-CAkey",
            path("ca.key"),
            "-CAcreateserial",
            "-out",
            path("\(name).pem"),
            "-days",
            "\(days)",
            "-extfile",
            path("\(name).ext")
        )
    }
}
