import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// A digest for tests: FNV-1a with 64 bits.
package struct FNVDigest: MessageDigest {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func update(bytes: UnsafeRawBufferPointer) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    package mutating func digest() -> Data {
        withUnsafeBytes(of: hash.bigEndian) { Data($0) }
    }

    package static func of(_ data: Data) -> Data {
        var digest = FNVDigest()
        data.withUnsafeBytes { digest.update(bytes: $0) }
        return digest.digest()
    }
}

extension Data {
    /// Bytes that are the same for the same seed and do not repeat.
    package static func random(_ count: Int, seed: UInt64) -> Data {
        var random = SeededRandom(seed: seed)
        var words = [UInt64](repeating: 0, count: count / 8 + 1)
        for index in words.indices { words[index] = random.next() }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }

    /// `hello `, two thousand times, compressed with gzip.
    package static var helloGzip: Data {
        Data(
            base64Encoded: "H4sIAAAAAAACA+3EMQ0AAAgDMCuYI+FYgv8PGTzt0elka2zbtm3btm3btm3btm3btm3bfv0A/cUMg+AuAAA="
        ) ?? Data()
    }

    package static var hello: Data { Data(String(repeating: "hello ", count: 2000).utf8) }
}

extension URLRequestDispatcher {
    /// Waits until requests are refused because the dispatcher is being shut down.
    package nonisolated func waitUntilRefusing(_ url: URL) async {
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
    package nonisolated func save(
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
    package static func head(_ length: Int, _ fields: String...) -> Step {
        .send((["HTTP/1.1 200 OK", "Content-Length: \(length)"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// The head of a response in chunks.
    package static func chunkedHead(_ fields: String...) -> Step {
        .send((["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// A chunk; the last one if it is empty.
    package static func chunk(_ data: Data) -> Step {
        .send(Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8))
    }
}
