import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples about digests, and about downloads that break off, run against a server.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct DigestSamplesTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()
    private let folder: DownloadFolder

    init() throws {
        server = try LoopbackServer()
        folder = try DownloadFolder()
        server.route("/file", .response(body: "hello world"))
    }

    struct Adler32: MessageDigest {
        private var (low, high): (UInt32, UInt32) = (1, 0)

        mutating func update(bytes: UnsafeRawBufferPointer) {
            for byte in bytes {
                low = (low + UInt32(byte)) % 65521
                high = (high + low) % 65521
            }
        }

        mutating func digest() -> Data {
            withUnsafeBytes(of: (high << 16 | low).bigEndian) { Data($0) }
        }
    }

    @Test func aPublishedDigestAndAnotherFunction() async throws {
        let published = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"
        let request = URLRequest(url: server.url("/file"))
        let fileURL = folder["file"]
        var options = DownloadOptions()
        options.digest = try .sha256(published)
        let saved = try await dispatcher.download(for: request, to: fileURL, options: options).response()
        #expect(saved.data == fileURL)

        let checksum = Data([0x1a, 0x0b, 0x04, 0x5d])
        options.digest = .init(expected: checksum, using: { Adler32() })
        _ = try await dispatcher.download(for: request, to: fileURL, options: options).response()
    }

    @Test func aListThatLeavesOutWhatIsThere() async throws {
        let published = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"
        let request = URLRequest(url: server.url("/file"))
        let otherRequest = request
        let (fileURL, otherFileURL) = (folder["one"], folder["two"])
        let print = Printed()

        for _ in 0..<2 {
            let files = [
                DownloadItem(request, to: fileURL, options: DownloadOptions(digest: try .sha256(published))),
                DownloadItem(otherRequest, to: otherFileURL),
            ]
            for try await event in dispatcher.downloads(of: files, skipsExisting: .digest) {
                if case .finished(let progress) = event { print(progress) }
            }
        }

        #expect(server.requests.count == 3)
        #expect(print.lines.last?.contains("2 of 2 files, 1 of them skipped; received 11") == true, "\(print.lines)")

        let files = [DownloadItem(request, to: fileURL, options: DownloadOptions(expectedSize: 11))]
        for try await event in dispatcher.downloads(of: files, skipsExisting: .size) {
            if case .finished(let progress) = event { print("\(progress.filesSkipped) were there already") }
        }

        #expect(print.lines.last == "1 were there already" && server.requests.count == 3)
    }

    @Test func bytesInMemory() {
        let data = Data("hello world".utf8)
        var digest = SHA256MessageDigest()
        data.withUnsafeBytes { digest.update(bytes: $0) }
        let text = digest.digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(text == "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9")
    }

    private func breaksOff(_ error: any Error) -> Bool {
        func breaksOff(_ error: any Error) -> Bool {
            [.truncatedBody, .connectionLost, .timeout(.idle)].contains((error as? TransportError)?.code)
        }
        return breaksOff(error)
    }

    private func load(_ request: URLRequest, _ fileURL: URL) async throws -> Response<URL> {
        var options = DownloadOptions()
        options.resume = .ifPossible
        var attempts = 1
        while true {
            do {
                return try await dispatcher.download(for: request, to: fileURL, options: options).response()
            } catch let error where breaksOff(error) && attempts < 10 {
                try await Task.sleep(for: .seconds(attempts))
                attempts += 1
            }
        }
    }

    private func load(_ items: [DownloadItem], _ print: Printed, options: DownloadOptions) async throws {
        var rest = items
        var attempts = 1
        while !rest.isEmpty {
            var broken: [DownloadItem] = []
            for try await event in dispatcher.downloads(of: rest, options: options) {
                switch event {
                case .failed(let error, let index) where breaksOff(error) && attempts < 10: broken.append(rest[index])
                case .failed(let error, let index): print(rest[index].destination.path, error)
                case .progress(let progress): print(progress)
                case .saved, .finished: break
                }
            }
            if !broken.isEmpty { try await Task.sleep(for: .seconds(attempts)) }
            rest = broken
            attempts += 1
        }
    }

    /// Answers that break off once in the middle of the file, and then continue.
    private func breakOnce(_ path: String) {
        server.route(path) { request in
            guard request.header("Range") == "bytes=5-" else {
                let headers: HeaderList = ["ETag": "\"1\"", "Content-Length": "11"]
                return [.response(headers: headers, body: "hello"), .close]
            }
            let headers: HeaderList = ["ETag": "\"1\"", "Content-Range": "bytes 5-10/11"]
            return [.response(status: 206, headers: headers, body: " world")]
        }
    }

    @Test func aLoopContinuesAFile() async throws {
        breakOnce("/broken")
        let response = try await load(URLRequest(url: server.url("/broken")), folder["broken"])
        #expect(response.statusCode == .partialContent)
        #expect(folder.data("broken") == Data("hello world".utf8))
    }

    @Test func aLoopContinuesAList() async throws {
        breakOnce("/broken")
        let print = Printed()
        let items = ["/broken", "/file", "/missing"].map {
            DownloadItem(URLRequest(url: server.url($0)), to: folder[String($0.dropFirst())])
        }
        try await load(items, print, options: DownloadOptions(resume: .ifPossible))
        #expect(folder.data("broken") == Data("hello world".utf8))
        #expect(folder.listing == ["broken", "file"])
        #expect(server.requests.count == 4)
        #expect(print.lines.first == "0 of 3 files; received 0 bytes (0 %)")
        #expect(print.lines.contains { $0.contains("missing") && $0.contains("404") })
    }
}
