import Interruption
import PiuPiuAsync
import PiuPiuTesting

extension Mirror {
    /// Mirrors a server of its own, gets a Ctrl-C in the midst of a photo, and mirrors the rest.
    static func demonstrate() async throws {
        let folder = URL.temporaryDirectory.appending(path: "Mirror-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let service = try Service()
        let mirror = try Mirror(server: service.url, token: "t0ken", folder: folder)

        do {
            _ = try await withInterruption { try await mirror.run() }
            exit(1)
        } catch is CancellationError {
            print("\nInterrupted. Once more:")
        }

        service.recover()
        let failures = try await mirror.run()
        let saved = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        print("\(saved.count) photos; the second run continued \(service.continued) of them")
        // The hidden files of the first run are gone.
        if failures > 0 || saved.count != Service.count || service.continued < 1 { exit(1) }
    }
}

/// The server of the example: eight photos in pages of three, of which one comes to a halt until the server has recovered.
struct Service {
    static let count = 8

    private let server: LoopbackServer

    var url: URL { server.baseURL }

    init() throws {
        let server = try LoopbackServer()
        self.server = server
        let url = server.baseURL.absoluteString
        server.route("GET", "/photos") { request in
            guard request.header("Authorization") == "Bearer t0ken" else { return [.response(status: 401)] }
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
            let photos = (page * 3 - 2...min(page * 3, Self.count)).map { id in
                #"{"id":\#(id),"path":"/photos/\#(id)","size":\#(Self.photo(id).count)}"#
            }
            var headers: HeaderList = ["Content-Type": "application/json"]
            if page < 3 { headers.append("Link", "<\(url)/photos?page=\(page + 1)>; rel=\"next\"") }
            return [.response(headers: headers, body: "[\(photos.joined(separator: ","))]")]
        }
        for id in 1...Self.count {
            server.route("GET", "/photos/\(id)") { request in
                guard request.header("Authorization") == "Bearer t0ken" else { return [.response(status: 401)] }
                let photo = Self.photo(id)
                let tag = "ETag: \"photo-\(id)\"\r\nAccept-Ranges: bytes\r\n"
                // The only form of a range that is asked for here: `bytes=1000-`.
                if let start = request.header("Range").flatMap({ Int($0.dropFirst(6).dropLast()) }), start < photo.count
                {
                    let range = "Content-Range: bytes \(start)-\(photo.count - 1)/\(photo.count)\r\n"
                    let head =
                        "HTTP/1.1 206 Partial Content\r\n\(tag)\(range)Content-Length: \(photo.count - start)\r\n\r\n"
                    return [.send(head), .send(photo.dropFirst(start))]
                }
                let head = "HTTP/1.1 200 OK\r\n\(tag)Content-Length: \(photo.count)\r\n\r\n"
                guard id == 5 else { return [.send(head), .send(photo)] }
                return [.send(head), .send(photo.prefix(150_000)), .hold("recovery"), .send(photo.dropFirst(150_000))]
            }
        }
        // When the slow photo is half sent, somebody loses patience.
        Task {
            _ = await server.waitUntilHeld("recovery")
            try? await Task.sleep(for: .milliseconds(200))
            kill(getpid(), SIGINT)
        }
    }

    /// Lets the slow photo go on.
    func recover() { server.release("recovery") }

    /// How many photos were asked for from where they had broken off.
    var continued: Int { server.requests.filter { $0.header("Range") != nil }.count }

    private static func photo(_ id: Int) -> Data { Data(repeating: UInt8(id), count: 300_000 + id * 1000) }
}
