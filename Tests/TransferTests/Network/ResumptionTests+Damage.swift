import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Parts that are not what an earlier download wrote.
extension TransferNetworkTests.ResumptionTests {
    private struct Objection: Error {}

    private static func digest(of data: Data) -> DownloadOptions.DigestCheck {
        .init(expected: FNVDigest.of(data), using: { FNVDigest() })
    }

    /// A part of which one byte is another, and a server that has the whole file.
    private func damage() async throws {
        let file = ServedFile(content)
        try await interrupt(file)
        var bytes = content.prefix(70_000)
        bytes[bytes.startIndex + 1000] ^= 1
        try folder.write(part, bytes)
        server.route("/file") { file.answer($0) }
    }

    @Test func aDamagedPartStartsOverWithinTheSameDownload() async throws {
        try await damage()
        var options = DownloadOptions(resume: .ifPossible)
        options.digest = Self.digest(of: content)
        var all: [TransferProgress] = []
        let request = URLRequest(url: server.url("/file"))
        let transfer = dispatcher.download(for: request, to: folder["file"], options: options)
        for try await event in transfer.progress(every: .zero) {
            switch event {
            case .progress(let progress): all.append(progress)
            case .finished(let response): #expect(response.statusCode == .ok)
            }
        }
        expectComplete(ranges: [nil, 70_000, nil])
        #expect(all.first?.restarts == 0)
        #expect(all.last?.restarts == 1)
        #expect(all.last?.fractionCompleted == 1)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytesReceived <= $1.bytesReceived })
    }

    @Test func aWrongDigestStartsOverOnceOnly() async throws {
        try await interrupt(ServedFile(content))
        server.route("/file") { [content] in ServedFile(content).answer($0) }
        let error = try await failure { try await resume { $0.digest = Self.digest(of: content + [0]) } }
        #expect(TransferError.Code.digestMismatch ~= error, "\(error)")
        #expect(server.requests.map(\.rangeStart) == [nil, 70_000, nil])
        #expect(folder.listing == [])
        #expect(folder.openDescriptors == 0)
    }

    @Test func aFreshFileThatIsWrongFailsAtOnce() async throws {
        server.route("/file") { [content] in ServedFile(content).answer($0) }
        let error = try await failure { try await resume { $0.digest = Self.digest(of: content + [0]) } }
        #expect(TransferError.Code.digestMismatch ~= error, "\(error)")
        #expect(server.requests.count == 1)
        #expect(folder.listing == [])
    }

    @Test func aPartThatIsNotContinuedFailsAtOnceToo() async throws {
        try await damage()
        server.route("/file", .response(body: content))
        let error = try await failure { try await resume { $0.digest = Self.digest(of: content + [0]) } }
        #expect(TransferError.Code.digestMismatch ~= error, "\(error)")
        #expect(server.requests.map(\.rangeStart) == [nil, 70_000])
        #expect(folder.listing == [])
    }

    @Test func whatTheServerSaysOfTheSizeDoesNotStartOver() async throws {
        try await interrupt(ServedFile(content))
        server.route("/file") { [content] in ServedFile(content).answer($0) }
        let error = try await failure { try await resume { $0.expectedSize = 199_999 } }
        #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
        #expect(server.requests.map(\.rangeStart) == [nil, 70_000])
    }

    @Test func anObjectionDoesNotStartOver() async throws {
        try await damage()
        let error = try await failure { try await resume { $0.verify = { _ in throw Objection() } } }
        #expect(error is Objection)
        #expect(server.requests.map(\.rangeStart) == [nil, 70_000])
        #expect(folder.listing == [])
    }

    @Test func aNewStartThatBreaksKeepsWhatIsRight() async throws {
        try await damage()
        server.route("/file") { [content] request in
            let isWhole = request.rangeStart == nil
            return ServedFile(content).answer(request, breakingAfter: isWhole ? 30_000 : nil)
        }
        let error = try await failure { try await resume { $0.digest = Self.digest(of: content) } }
        #expect(TransportError.Code.truncatedBody ~= error, "\(error)")
        #expect(folder.data(part) == content.prefix(30_000))
    }
}
