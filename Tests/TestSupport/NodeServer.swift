import Foundation
import PiuPiuAsync

/// A server of Node.js, with trailers and early hints as another implementation has them.
///
/// - `/hints`: 102, 103 with a `Link` and a cookie, and then `hello` with the trailers `X-Sum` and `Set-Cookie`.
/// - `/echo`: the trailers of the request as JSON, and in the field `X-Body` the length of its content.
public final class NodeServer: Sendable {
    /// The server; `nil` if node or openssl is missing, which it reports on standard error.
    public static let shared: NodeServer? = {
        do {
            return try NodeServer()
        } catch {
            FileHandle.standardError.write(Data("Tests against node are skipped: \(error)\n".utf8))
            return nil
        }
    }()

    /// Plain HTTP/1.1.
    public let plain: Int
    /// TLS with HTTP/2 and HTTP/1.1.
    public let secure: Int
    /// TLS with HTTP/2 only.
    public let http2: Int
    /// The certificate of the authority to trust.
    public let authority: URL
    private let process: Companion

    private init() throws {
        let certificates = try Certificates.shared.get()
        authority = certificates.authority
        let arguments = [certificates.key("good").path, certificates.certificate("good").path]
        process = try Companion(Command("node"), ["-e", Self.script] + arguments)
        let ports = (process.firstLine() ?? "").split(separator: " ").compactMap { Int($0) }
        guard ports.count == 3 else { throw Command.Failure(description: "node does not listen") }
        (plain, secure, http2) = (ports[0], ports[1], ports[2])
    }

    /// A URL of the server.
    ///
    /// - Parameters:
    ///   - port: One of the ports.
    ///   - path: The path, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ port: Int, _ path: String) -> URL {
        URL(string: "\(port == plain ? "http" : "https")://localhost:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// Ends with its standard input, and tells its ports when all of them listen.
    private static let script = #"""
        const fs = require('fs'), http = require('http'), http2 = require('http2');
        const [key, cert] = process.argv.slice(1).map(path => fs.readFileSync(path));
        const hints = { link: '</style.css>; rel=preload; as=style', 'set-cookie': 'id=hunter2' };

        function answer(request, response) {
            let length = 0;
            request.on('data', bytes => length += bytes.length);
            request.on('end', () => {
                if (request.url !== '/hints') {
                    response.setHeader('X-Body', length);
                    return response.end(JSON.stringify(request.trailers));
                }
                if (response.stream) {
                    response.stream.additionalHeaders({ ':status': 102 });
                    response.stream.additionalHeaders({ ':status': 103, ...hints });
                } else {
                    response.writeProcessing();
                    response.writeEarlyHints(hints);
                }
                response.setHeader('Trailer', 'X-Sum, Set-Cookie');
                response.write('hello');
                response.addTrailers({ 'X-Sum': '42', 'Set-Cookie': 'id=hunter2' });
                response.end();
            });
        }

        const servers = [
            http.createServer(answer),
            http2.createSecureServer({ key, cert, allowHTTP1: true }, answer),
            http2.createSecureServer({ key, cert }, answer),
        ];
        let left = servers.length;
        for (const server of servers) {
            server.listen(0, '127.0.0.1', () => {
                if (--left === 0) console.log(servers.map(server => server.address().port).join(' '));
            });
        }
        process.stdin.on('end', () => process.exit()).resume();
        """#
}
