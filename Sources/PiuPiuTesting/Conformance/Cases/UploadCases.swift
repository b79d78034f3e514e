import PiuPiuAsync

extension TransportConformance.Case {
    /// Bodies that are separate from the request.
    static let uploads: [Self] = [
        .semantics("uploads.data", "A body of data arrives.", "RequestBody.data(_:)") { bench in
            let body = bytes(100_000)
            let request = try await bench.sent("PUT") { $0.body = .data(body) }
            try expect(request.body == body, "the bytes as they were given", seen: "\(request.body.count) bytes")
        },
        .semantics("uploads.file", "A file arrives.", "RequestBody.file(_:)") { bench in
            let body = bytes(300_001)
            let file = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try body.write(to: file)
            let request = try await bench.sent("PUT") { $0.body = .file(file) }
            try expect(request.body == body, "the bytes of the file", seen: "\(request.body.count) bytes")
        },
        .semantics("uploads.missingFile", "A file that is not there is an error.", "RequestBody.file(_:)") { bench in
            let file = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID().uuidString)")
            let request = bench.request("/", "PUT") { $0.body = .file(file) }
            try await expectTransferError(.fileNotFound) { try await bench.transport.send(request) }
            try expect("the requests that arrived", bench.peer.requests(for: "/").count, is: 0)
        },
        .semantics("uploads.stream", "A stream arrives, its length known or not.", "RequestBody.stream(_:length:)") {
            bench in
            let body = bytes(200_003)
            for length in [nil, Int64(body.count)] {
                let request = try await bench.sent("PUT") {
                    $0.body = .stream(pieces(of: body), length: length)
                }
                try expect(request.body == body, "the bytes of the stream", seen: "\(request.body.count) bytes")
            }
        },
        .semantics("uploads.emptyStream", "A stream may be empty.", "RequestBody.stream(_:length:)") { bench in
            for length in [nil, 0] as [Int64?] {
                let request = try await bench.sent("PUT") { $0.body = .stream(pieces(of: Data()), length: length) }
                try expect("the body", request.body, is: Data())
                try expect(request.isComplete, "a complete body")
            }
        },
        .wire("uploads.framing", "A stream is sent in chunks where its length is not known.", "RFC 9112 §7.1") {
            bench in
            let chunked = try await bench.sent("PUT") { $0.body = .stream(pieces(of: bytes(9))) }
            try expect("Transfer-Encoding", chunked.headers["Transfer-Encoding"], is: "chunked")
            try expect("Content-Length", chunked.headers["Content-Length"], is: nil)
            let measured = try await bench.sent("PUT") { $0.body = .stream(pieces(of: bytes(9)), length: 9) }
            try expect("Transfer-Encoding", measured.headers["Transfer-Encoding"], is: nil)
            try expect("Content-Length", measured.headers["Content-Length"], is: "9")
        },
        .wire("uploads.streamed", "A stream is sent while it goes on.", "RequestBody.stream(_:length:)") { bench in
            let server = try bench.server
            server.route("PUT", "/", .drainBody, .hold("begun"), .response(body: "ok"))
            let begun = Signal()
            let body = AsyncThrowingStream<Data, any Error>.made { index in
                if index == 1 { await begun.wait() }
                return index < 2 ? Data("abc".utf8) : nil
            }
            let transport = try bench.transport
            async let response = transport.send(bench.request("/", "PUT") { $0.body = .stream(body) })
            // The server receives the head before the stream produces its second piece.
            try expect(await server.waitUntilHeld("begun"), "a request before the stream has ended")
            begun.send()
            server.release("begun")
            try expect("the body", try await response.text, is: "ok")
        },
        .wire(
            "uploads.backpressure",
            "A stream is not read faster than the server takes it.",
            "RequestBody.stream(_:length:)"
        ) { bench in
            let server = try bench.server
            server.route("PUT", "/", .ignoreBody, .hold("here"), .drainBody, .stall)
            server.route("/ping", .response())
            let given = Locked(0)
            let piece = bytes(65_536)
            let body = AsyncThrowingStream<Data, any Error>.made { _ in
                given.withLock { $0 += piece.count }
                return given.withLock { $0 } < tooMuch ? piece : nil
            }
            let transport = try bench.transport
            let upload = Task { try await transport.send(bench.request("/", "PUT") { $0.body = .stream(body) }) }
            try expect(await server.waitUntilHeld("here"), "a request")
            try await bench.waitForStandstill { given.withLock { $0 } }
            try expect(given.withLock { $0 } < tooMuch, "a stream that is held back", seen: "all of it was read")
            upload.cancel()
            try await expectCancellation { try await upload.value }
        },
    ]

    /// Uploads that end early or fail.
    static let uploadEnds: [Self] = [
        .semantics(
            "uploadEnds.lengthMismatch",
            "A stream with more or fewer bytes than announced is an error, and never a whole message.",
            "RequestBody.stream(_:length:)"
        ) { bench in
            for count in [9, 11] {
                let request = bench.request("/", "PUT") { $0.body = .stream(pieces(of: bytes(count)), length: 10) }
                try await expectTransferError(.lengthMismatch) { try await bench.transport.send(request) }
            }
            try expect(await bench.peer.waitUntilClosed(), "an exchange that is over")
            try expect(!bench.peer.requests(for: "/").contains(where: \.isComplete), "no complete request")
        },
        .semantics(
            "uploadEnds.producerError",
            "An error of the stream ends the upload, and reaches the caller as it is.",
            "RequestBody.stream(_:length:)"
        ) { bench in
            for length in [nil, 1_000_000] as [Int64?] {
                let body = AsyncThrowingStream<Data, any Error>.made { index in
                    guard index < 2 else { throw ProducerFailure(number: 7) }
                    return bytes(1000)
                }
                let error = try await expectFailure("the error of the stream") {
                    let request = bench.request("/", "PUT") { $0.body = .stream(body, length: length) }
                    return try await bench.transport.send(request)
                }
                try expect(error as? ProducerFailure == ProducerFailure(number: 7), "it", seen: "\(error)")
            }
            try expect(await bench.peer.waitUntilClosed(), "an exchange that is over")
            try expect(!bench.peer.requests(for: "/").contains(where: \.isComplete), "no complete request")
        },
        .semantics("uploadEnds.usedUp", "A stream is sent once.", "TransferError.Code.bodyNotRepeatable") { bench in
            bench.peer.answer("/", with: .response(body: "ok"))
            let request = bench.request("/", "PUT") { $0.body = .stream(pieces(of: bytes(9))) }
            try expect("the body", try await bench.transport.send(request).text, is: "ok")
            try await expectTransferError(.bodyNotRepeatable) { try await bench.transport.send(request) }
            try expect("the requests", bench.peer.requests(for: "/").count, is: 1)
        },
        .semantics(
            "uploadEnds.cancelledProducer",
            "Cancelling an upload cancels the stream.",
            "RequestBody.stream(_:length:)"
        ) { bench in
            let (begun, cancelled) = (Signal(), Signal())
            let body = AsyncThrowingStream<Data, any Error>.made { index in
                if index == 0 { return bytes(9) }
                begun.send()
                await withTaskCancellationHandler {
                    await cancelled.wait()
                } onCancel: {
                    cancelled.send()
                }
                return nil
            }
            let transport = try bench.transport
            let upload = Task { try await transport.send(bench.request("/", "PUT") { $0.body = .stream(body) }) }
            await begun.wait()
            upload.cancel()
            try await expectCancellation { try await upload.value }
            await cancelled.wait()
        },
        .wire(
            "uploadEnds.noConnection",
            "A stream is not touched where there is no connection.",
            "RequestBody.stream(_:length:)"
        ) { bench in
            let port = try RefusingPort()
            let asked = Locked(false)
            let body = AsyncThrowingStream<Data, any Error>.made { index in
                asked.withLock { $0 = true }
                return nil
            }
            let transport = try bench.transport
            try await expectError(.cannotConnect) {
                try await transport.send(TransportRequest(to: port.url, "PUT") { $0.body = .stream(body) })
            }
            try expect(!asked.withLock { $0 }, "a stream that was not asked")
        },
        .wire(
            "uploadEnds.earlyRefusal",
            "What the server answers before it has the whole body is the response.",
            "RFC 9112 §9.5"
        ) { bench in
            let refusal = Step.response(status: 413, headers: ["Connection": "close"], body: "too much")
            try bench.server.route("PUT", "/", .ignoreBody, refusal, .drainBody, .close)
            for isStream in [false, true] {
                let body = Data(count: 8 << 20)
                let request = bench.request("/", "PUT") { $0.body = isStream ? .stream(pieces(of: body)) : .data(body) }
                let response = try await bench.transport.send(request)
                try expect("the status", response.head.statusCode.rawValue, is: 413)
                try expect("the body", response.text, is: "too much")
            }
        },
    ]

    private struct ProducerFailure: Error, Equatable {
        let number: Int
    }

    /// More bytes than the buffers at both ends of a connection hold.
    static let tooMuch = 48 << 20
}

extension AsyncThrowingStream<Data, any Error> {
    /// Creates a stream that produces its pieces on demand.
    static func made(_ piece: @escaping @Sendable (_ index: Int) async throws -> Data?) -> Self {
        let next = Locked(0)
        return Self {
            let index = next.withLock { next in
                next += 1
                return next - 1
            }
            return try await piece(index)
        }
    }
}

/// Creates a stream of the pieces of data.
func pieces(of data: Data) -> AsyncThrowingStream<Data, any Error> {
    let size = data.count / 3 + 1
    return .made { index in
        let start = index * size
        return start < data.count ? data[start..<Swift.min(start + size, data.count)] : nil
    }
}

extension ConformanceBench {
    /// Waits until a count stops changing while the transport answers other requests, or until it exceeds a maximum.
    func waitForStandstill(_ count: @Sendable () -> Int) async throws {
        var readings: [Int] = []
        while readings.suffix(30).count < 30 || Set(readings.suffix(30)).count > 1 {
            try Task.checkCancellation()
            _ = try await transport.send(request("/ping"))
            readings.append(count())
            if count() >= TransportConformance.Case.tooMuch { return }
        }
    }
}
