import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Servers that compress what they send, and keep the tag: Caddy does.
extension TransferNetworkTests.ResumptionTests {
    /// Runs a download that accepts a coding.
    private func resume(accepting coding: String?) async throws {
        var request = URLRequest(url: server.url("/file"))
        if let coding { request.setValue(coding, forHTTPHeaderField: "Accept-Encoding") }
        let options = DownloadOptions(resume: .ifPossible)
        _ = try await dispatcher.download(for: request, to: folder["file"], options: options).response()
    }

    /// A server with a file and its compressed form, which have the same tag.
    ///
    /// - Parameters:
    ///   - coded: The compressed form.
    ///   - count: After how many bytes a response breaks; `nil` for not at all.
    ///   - namesPartCoding: Whether a partial response names its coding.
    private func serve(_ coded: Data, breakingAfter count: Int?, namesPartCoding: Bool = true) {
        server.route("/file") { [content] request in
            let isCoded = request.header("Accept-Encoding") == "gzip"
            var file = ServedFile(isCoded ? coded : content)
            if isCoded, namesPartCoding || request.rangeStart == nil {
                file.validators.append("Content-Encoding", "gzip")
            }
            return file.answer(request, breakingAfter: count)
        }
    }

    @Test("A part in one coding is not continued by a request that accepts another", arguments: [true, false])
    func otherCodings(_ isCodedFirst: Bool) async throws {
        let coded = Data.random(150_000, seed: 4)
        let codings = isCodedFirst ? ["gzip", nil] : [nil, "gzip"]
        for count in [1, 2_000, 70_000] {
            serve(coded, breakingAfter: count)
            let error = try await failure { try await resume(accepting: codings[0]) }
            #expect(TransportError.Code.truncatedBody ~= error, "\(error)")
            #expect(folder.listing == [part, record])
            serve(coded, breakingAfter: nil)
            try await resume(accepting: codings[1])
            expectComplete(isCodedFirst ? content : coded, ranges: [nil, nil])
            try FileManager.default.removeItem(at: folder["file"])
        }
    }

    @Test func aFileThatIsStoredCompressedIsContinued() async throws {
        let coded = Data.random(150_000, seed: 4)
        serve(coded, breakingAfter: 70_000)
        _ = try await failure { try await resume(accepting: "gzip") }
        serve(coded, breakingAfter: nil)
        try await resume(accepting: "gzip")
        expectComplete(coded, ranges: [nil, 70_000])
    }

    // A server that compresses large responses only sends the bytes as they are.
    @Test func aPartThatNamesNoCodingDoesNotContinueACodedOne() async throws {
        let coded = Data.random(150_000, seed: 4)
        serve(coded, breakingAfter: 70_000)
        _ = try await failure { try await resume(accepting: "gzip") }
        serve(coded, breakingAfter: nil, namesPartCoding: false)
        try await resume(accepting: "gzip")
        expectComplete(coded, ranges: [nil, 70_000, nil])
    }

    @Test func whatIsCompressedOnTheWayIsNotKept() async throws {
        let fields = "ETag: \"1\"\r\nContent-Encoding: gzip"
        server.route("/file", .chunkedHead(fields), .chunk(content.prefix(70_000)), .close)
        _ = try await failure { try await resume(accepting: "gzip") }
        #expect(folder.listing == [])
    }

    // MARK: Other processes

    /// What another process does with the part.
    enum Meddling: CaseIterable {
        case cut, extended, swapped, swappedWithTheSameLength, removed
    }

    @Test("A part that another process changed is no success", arguments: Meddling.allCases, [false, true])
    func meddling(_ meddling: Meddling, _ isAtTheEnd: Bool) async throws {
        try folder.write("file", Data("old".utf8))
        server.route(
            "/file",
            .head(content.count, "ETag: \"1\""),
            .send(content.prefix(70_000)),
            .hold("middle"),
            .send(content.dropFirst(70_000))
        )
        let gate = Gate()
        let saving = Task {
            try await resume { $0.verify = { _ in if isAtTheEnd { try await gate.wait() } } }
        }
        await server.waitUntilHeld("middle")
        while folder.data(part)?.count != 70_000 { await Task.yield() }
        if isAtTheEnd {
            server.release("middle")
            await gate.arrival()
        }
        let part = folder[part]
        let count = isAtTheEnd ? content.count : 70_000
        switch meddling {
        case .cut: #expect(truncate(part.path(percentEncoded: false), 10) == 0)
        case .extended: #expect(truncate(part.path(percentEncoded: false), off_t(count) + 1) == 0)
        case .swapped, .swappedWithTheSameLength, .removed:
            try FileManager.default.removeItem(at: part)
            guard meddling != .removed else { break }
            try Data(repeating: 1, count: meddling == .swapped ? 5 : content.count).write(to: part)
        }
        if isAtTheEnd { gate.open() } else { server.release("middle") }
        let error = try await failure { try await saving.value }
        #expect(TransferError.Code.fileChanged ~= error, "\(error)")
        #expect((error as? TransferError)?.file == folder["file"])
        #expect(folder.data("file") == Data("old".utf8))
        // The file of the other process stays, and no record makes a part of it.
        let isSwapped = [.swapped, .swappedWithTheSameLength].contains(meddling)
        #expect(folder.listing == (isSwapped ? [self.part, "file"] : ["file"]))
        #expect(folder.openDescriptors == 0)
    }

    @Test func aPartThatIsCutBeforeTheResponseIsNotFilledWithZeros() async throws {
        try await interrupt(ServedFile(content))
        server.route("/file") { [content] request in [.hold("head")] + ServedFile(content).answer(request) }
        let saving = Task { try await resume() }
        await server.waitUntilHeld("head")
        #expect(truncate(folder[part].path(percentEncoded: false), 10) == 0)
        server.release("head")
        let error = try await failure { try await saving.value }
        #expect(TransferError.Code.fileChanged ~= error, "\(error)")
        #expect(folder.listing == [])
    }
}
