import LoopbackServer
import PiuPiuAsync
import TestSupport
import Testing

/// A folder to download to, which is removed with all that is in it when it is released.
final class DownloadFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "piupiu-download-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The place of a file, whether there is one or not.
    subscript(_ path: String) -> URL { url.appending(path: path, directoryHint: .notDirectory) }

    /// Everything in the folder and the folders in it, hidden files too.
    var listing: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// Writes a file.
    @discardableResult
    func write(_ path: String, _ data: Data) throws -> URL {
        try FileManager.default.createDirectory(
            at: self[path].deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: self[path])
        return self[path]
    }

    /// Reads a file; `nil` where there is none.
    func data(_ path: String) -> Data? {
        // `Data(contentsOf:)` leaks memory for an empty file.
        guard let file = try? FileHandle(forReadingFrom: self[path]) else { return nil }
        return (try? file.readToEnd()) ?? Data()
    }

    /// How many descriptors of this process lead to files in the folder; 0 where the system does not tell.
    var openDescriptors: Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let links = all.map { "/proc/self/fd/\($0)" }
        let targets = links.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: $0) }
        return targets.count { $0.hasPrefix(url.resolvingSymlinksInPath().path) }
    }
}

/// A digest for tests: FNV-1a with 64 bits.
struct FNVDigest: MessageDigest {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func update(bytes: UnsafeRawBufferPointer) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    mutating func digest() -> Data {
        withUnsafeBytes(of: hash.bigEndian) { Data($0) }
    }

    static func of(_ data: Data) -> Data {
        var digest = FNVDigest()
        data.withUnsafeBytes { digest.update(bytes: $0) }
        return digest.digest()
    }
}

extension Data {
    /// Bytes that are the same for the same seed and do not repeat.
    static func random(_ count: Int, seed: UInt64) -> Data {
        var random = SeededRandom(seed: seed)
        var words = [UInt64](repeating: 0, count: count / 8 + 1)
        for index in words.indices { words[index] = random.next() }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }

    /// `hello `, two thousand times, compressed with gzip.
    static var helloGzip: Data {
        Data(
            base64Encoded: "H4sIAAAAAAACA+3EMQ0AAAgDMCuYI+FYgv8PGTzt0elka2zbtm3btm3btm3btm3btm3bfv0A/cUMg+AuAAA="
        ) ?? Data()
    }

    static var hello: Data { Data(String(repeating: "hello ", count: 2000).utf8) }
}

extension URLRequestDispatcher {
    /// Waits until requests are refused, because somebody shuts the dispatcher down.
    nonisolated func waitUntilRefusing(_ url: URL) async {
        while true {
            do {
                _ = try await stream(for: URLRequest(url: url))
            } catch {
                #expect(TransportError.Code.shutDown ~= error, "\(error)")
                return
            }
        }
    }

    /// Downloads and waits for the end.
    @discardableResult
    nonisolated func save(
        _ url: URL,
        to file: URL,
        _ configure: (inout DownloadOptions) -> Void = { _ in }
    ) async throws -> Response<URL> {
        var options = DownloadOptions()
        configure(&options)
        return try await download(for: URLRequest(url: url), to: file, options: options).response()
    }
}

extension Step {
    /// The head of a response with a length.
    static func head(_ length: Int, _ fields: String...) -> Step {
        .send((["HTTP/1.1 200 OK", "Content-Length: \(length)"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// The head of a response in chunks.
    static func chunkedHead(_ fields: String...) -> Step {
        .send((["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// A chunk; the last one where it is empty.
    static func chunk(_ data: Data) -> Step {
        .send(Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8))
    }
}
