import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// What a download that did not come to its end leaves behind.
extension TransferNetworkTests.ResumptionTests {
    @Test(arguments: [503, 404, 401])
    func aFailureStatusKeepsWhatThereIs(_ status: Int) async throws {
        let file = ServedFile(content)
        try await interrupt(file)
        let before = folder.data(record)
        server.route("/file", .response(status: status, body: "later"))
        let error = try await failure { try await resume() }
        #expect((error as? TransferError)?.body == Data("later".utf8))
        #expect(folder.data(part) == content.prefix(70_000))
        #expect(folder.data(record) == before)
        server.route("/file") { file.answer($0) }
        try await resume()
        expectComplete(ranges: [nil, 70_000, 70_000])
    }

    @Test func noAnswerKeepsWhatThereIs() async throws {
        let file = ServedFile(content)
        try await interrupt(file)
        server.route("/file", .close)
        let error = try await failure { try await resume() }
        #expect(TransportError.Code.connectionLost ~= error, "\(error)")
        server.route("/file") { file.answer($0) }
        try await resume()
        expectComplete(ranges: [70_000])
    }

    @Test func notModifiedThatNobodyAskedForKeepsWhatThereIs() async throws {
        let file = ServedFile(content)
        try await interrupt(file)
        server.route("/file", .response(status: 304))
        let error = try await failure { try await resume() }
        #expect(TransferError.Code.unacceptableStatus ~= error, "\(error)")
        #expect(folder.listing == [part, record])
        server.route("/file") { file.answer($0) }
        try await resume()
        expectComplete(ranges: [70_000])
    }

    @Test("The limit for the whole covers all requests of a download", .timeLimit(.generous))
    func oneLimitForAllRequests() async throws {
        let file = ServedFile(content)
        try await interrupt(file)
        // One byte at a time, which would take 130,000 requests.
        server.route("/file") { request in
            let offset = request.rangeStart ?? 0
            let range = "bytes \(offset)-\(offset)/200000"
            let byte = String(decoding: [UInt8(ascii: "x")], as: UTF8.self)
            return [.response(status: 206, headers: ["Content-Range": range, "ETag": "\"1\""], body: byte)]
        }
        let error = try await failure {
            try await resume {
                var options = RequestOptions()
                options.timeouts.total = .milliseconds(300)
                $0.requestOptions = options
            }
        }
        #expect(TransportError.Code.timeout(.total) ~= error, "\(error)")
        #expect(folder.listing == [part, record])
    }

    @Test("A part file that has another name too is not written through, nor is another user's")
    func partOfSomebodyElse() async throws {
        let file = ServedFile(content)
        server.route("/file") { file.answer($0) }
        for isOtherUsers in geteuid() == 0 ? [false, true] : [false] {
            try await interrupt(file)
            server.route("/file") { file.answer($0) }
            let other = try folder.write("other", folder.data(part) ?? Data())
            try FileManager.default.removeItem(at: folder[part])
            if isOtherUsers {
                try folder.write(part, folder.data("other") ?? Data())
                #expect(chown(folder[part].path(percentEncoded: false), 1, 1) == 0)
            } else {
                #expect(link(other.path(percentEncoded: false), folder[part].path(percentEncoded: false)) == 0)
            }
            try await resume()
            #expect(folder.data("other") == content.prefix(70_000))
            try FileManager.default.removeItem(at: other)
            expectComplete(ranges: [nil, nil])
            try FileManager.default.removeItem(at: folder["file"])
        }
    }

    @Test func cancellingKeepsWhatThereIs() async throws {
        let file = ServedFile(content)
        server.route("/file") { file.answer($0, breakingAfter: 70_000, .stall) }
        for bytes in [Int64(70_000), 140_000] {
            var options = DownloadOptions()
            options.resume = .ifPossible
            let transfer = dispatcher.download(
                for: URLRequest(url: server.url("/file")),
                to: folder["file"],
                options: options
            )
            .progress(every: .zero)
            let saving = Task {
                for try await case .progress(let progress) in transfer where progress.bytesReceived == bytes {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            let error = try await failure { try await saving.value }
            #expect(error is CancellationError, "\(error)")
            // The error comes when nothing is left to be done.
            #expect(folder.openDescriptors == 0)
            #expect(folder.data(part) == content.prefix(Int(bytes)))
        }
        server.route("/file") { file.answer($0) }
        try await resume()
        expectComplete(ranges: [nil, 70_000, 140_000])
    }

    @Test func foldersStayWithAPartInThem() async throws {
        let file = ServedFile(content)
        server.route("/file") { file.answer($0, breakingAfter: 10) }
        _ = try await failure {
            try await dispatcher.save(server.url("/file"), to: folder["a/b/file"]) { $0.resume = .ifPossible }
        }
        #expect(folder.listing == ["a", "a/b", "a/b/\(part)", "a/b/\(record)"])
    }
}
