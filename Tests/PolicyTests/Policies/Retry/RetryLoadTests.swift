import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// Ten thousand requests to a server that fails at random: nothing is sent twice that must not be, and nothing too often.
@Suite(.timeLimit(.generous)) struct RetryLoadTests {
    private static let calls = 10_000
    private static let inFlight = 64
    private static let seed: UInt64 = 14

    /// What a call sends; its number decides which.
    private enum Kind: Int, CaseIterable {
        case get, put, post, keyedPost, stream, uploadedPut, streamedUpload, keyedStreamedUpload

        var method: HTTPMethod {
            switch self {
            case .get, .stream: .get
            case .put, .uploadedPut: .put
            case .post, .keyedPost, .streamedUpload, .keyedStreamedUpload: .post
            }
        }

        var hasKey: Bool { self == .keyedPost || self == .keyedStreamedUpload }

        var isStreamed: Bool { self == .streamedUpload || self == .keyedStreamedUpload }

        /// Whether the server must not receive it twice, because of its method or of its body.
        var isSentOnce: Bool { self == .post || isStreamed }
    }

    /// What the server does with a request.
    private enum Reaction: CaseIterable {
        case answer, refuse, refuseWithTime, refuseForLong, limit, largeRefusal, closeSilently, closeInHead, resetInHead
        case closeInBody, stall, stallInBody

        static func random(_ call: Int, arrival: Int) -> Reaction {
            var random = SeededRandom(seed: RetryLoadTests.seed &+ UInt64(call * 64 + arrival))
            return switch random.below(1000) {
            case ..<600: .answer
            case ..<740: .refuse
            case ..<790: .refuseWithTime
            case ..<800: .refuseForLong
            case ..<850: .limit
            case ..<860: .largeRefusal
            case ..<890: .closeSilently
            case ..<930: .closeInHead
            case ..<960: .resetInHead
            case ..<990: .closeInBody
            case ..<995: .stall
            default: .stallInBody
            }
        }

        var script: [Step] {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n"
            return switch self {
            case .answer: [.response(body: "fine")]
            case .refuse: [.response(status: 503, body: "overloaded")]
            case .refuseWithTime: [.response(status: 503, headers: ["Retry-After": "0"])]
            case .refuseForLong: [.response(status: 503, headers: ["Retry-After": "3600"])]
            case .limit: [.response(status: 429, headers: ["Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"])]
            case .largeRefusal: [.response(status: 502, body: Data(count: 100_000))]
            case .closeSilently: [.close]
            case .closeInHead: [.send(head), .close]
            case .resetInHead: [.send(head), .reset]
            case .closeInBody: [.send(head + "\r\nhalf"), .close]
            case .stall: [.stall]
            case .stallInBody: [.send(head + "\r\nhalf"), .stall]
            }
        }
    }

    /// What the server did for one call.
    private struct Arrivals {
        var count = 0
        /// How often it closed without a byte: a transport may then send an idempotent request again by itself.
        var silentCloses = 0
    }

    @Test func anOutageIsNotMultiplied() async throws {
        let arrivals = Locked([Arrivals](repeating: Arrivals(), count: Self.calls))
        let server = try LoopbackServer()
        server.route("/call") { request in
            guard let call = Int(request.target.drop { $0 != "?" }.dropFirst()) else { return [.response(status: 400)] }
            let arrival = arrivals.withLock { arrivals in
                arrivals[call].count += 1
                return arrivals[call].count
            }
            let reaction = Reaction.random(call, arrival: arrival)
            // A reset may overtake the bytes before it.
            if reaction == .closeSilently || reaction == .resetInHead {
                arrivals.withLock { $0[call].silentCloses += 1 }
            }
            return reaction.script
        }
        let policy = RetryPolicy(
            backoff: Backoff(base: .milliseconds(1), maximum: .milliseconds(4)),
            attemptTimeout: .milliseconds(500)
        )
        let dispatcher = URLRequestDispatcher.forTests(interceptors: [policy])
        let begin = ContinuousClock.now

        let ends = Locked([Int](repeating: 0, count: Self.calls))
        let attempts = Locked([Int](repeating: 0, count: Self.calls))
        let next = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.inFlight {
                group.addTask {
                    while let call = next.withLock({ next -> Int? in
                        defer { next += 1 }
                        return next < Self.calls ? next : nil
                    }) {
                        let made = await Self.send(call, dispatcher, server)
                        ends.withLock { $0[call] += 1 }
                        attempts.withLock { $0[call] = made }
                    }
                }
            }
        }
        let seconds = begin.duration(to: .now) / .seconds(1)
        await dispatcher.shutdown()

        // Each call ended once, and each says how often it was sent.
        #expect(ends.withLock { $0 } == [Int](repeating: 1, count: Self.calls))
        let (seen, made) = (arrivals.withLock { $0 }, attempts.withLock { $0 })
        // What the server received, which it records even if the connection ends before it reacts.
        var record: [Int: Int] = [:]
        for request in server.requests(for: "/call") {
            if let call = Int(request.target.drop { $0 != "?" }.dropFirst()) { record[call, default: 0] += 1 }
        }
        var (extra, silentCloses, retries) = (0, 0, 0)
        for call in 0..<Self.calls {
            let kind = Kind.allCases[call % Kind.allCases.count]
            #expect((1...3).contains(made[call]), "call \(call)")
            if kind.isSentOnce { #expect(record[call, default: 0] <= 1 && made[call] == 1, "call \(call), \(kind)") }
            #expect(record[call, default: 0] >= seen[call].count)
            // An attempt that took too long may not have arrived at all.
            #expect(seen[call].count <= made[call] + seen[call].silentCloses, "call \(call), \(kind)")
            extra += max(0, seen[call].count - 1)
            silentCloses += seen[call].silentCloses
            retries += made[call] - 1
        }
        // 20 % of the calls, 10 for the first second, and 10 for each second; the budget was needed.
        let budget = Double(Self.calls) / 5 + 10 + 10 * seconds
        #expect(Double(retries) <= budget)
        #expect(Double(extra) <= budget + Double(silentCloses))
        #expect(Double(retries) > Double(Self.calls) / 5)
    }

    // A refused stream is read to its end, or closed, before the next attempt. A long one cannot have arrived by then.
    @Test(arguments: [(64 * 1024, 1), (8 << 20, 2)])
    func theConnectionOfARefusedStreamIsKeptIfItsBodyIsSmall(_ row: (length: Int, connections: Int)) async throws {
        let server = try LoopbackServer()
        server.sequence("/", [[.response(status: 503, body: Data(count: row.length))], [.response(body: "fine")]])
        let policy = RetryPolicy(backoff: Backoff(base: .zero))
        let dispatcher = URLRequestDispatcher.forTests(interceptors: [policy])
        let response = try await dispatcher.stream(for: URLRequest(url: server.baseURL))
        #expect(try await response.data.collect(upTo: 100) == Data("fine".utf8))
        #expect(server.requests.count == 2)
        #expect(server.acceptedConnections == row.connections)
        await dispatcher.shutdown()
    }

    @Test func aPostThatFoundNoServerIsSentAgain() async throws {
        let gone = try RefusingPort()
        let dispatcher = URLRequestDispatcher.forTests(interceptors: [RetryPolicy(backoff: Backoff(base: .zero))])
        let request = URLRequest("POST", gone.url, body: "order")
        let error = await #expect(throws: TransportError.self) { try await dispatcher.data(for: request) }
        #expect(error?.code == .cannotConnect)
        #expect(error?.attempts.count == 3)
        #expect(error?.isSafeToRetry == true)
        let body = RequestBody.stream(AsyncStream { $0.finish() }, length: nil)
        let other = await #expect(throws: TransportError.self) {
            try await dispatcher.upload(for: URLRequest(url: gone.url, method: .post), from: body).response()
        }
        #expect(other?.attempts.count == 3)
        await dispatcher.shutdown()
    }

    /// Makes one call.
    ///
    /// - Returns: How many attempts it took; 0 if it ended in a way that it must not.
    private static func send(_ call: Int, _ dispatcher: URLRequestDispatcher, _ server: LoopbackServer) async -> Int {
        let kind = Kind.allCases[call % Kind.allCases.count]
        var request = URLRequest(url: server.url("/call?\(call)"), method: kind.method)
        if kind.hasKey { request.setValue("\(call)", forHTTPHeaderField: "Idempotency-Key") }
        let body = Data("call \(call)".utf8)
        do {
            switch kind {
            case .get: return try await dispatcher.data(for: request).attempts.count
            case .put, .post, .keyedPost:
                request.httpBody = body
                return try await dispatcher.data(for: request).attempts.count
            case .uploadedPut:
                return try await dispatcher.upload(for: request, from: .data(body)).response().attempts.count
            case .streamedUpload, .keyedStreamedUpload:
                let stream = AsyncStream { continuation in
                    continuation.yield(body)
                    continuation.finish()
                }
                let source = RequestBody.stream(stream, length: Int64(body.count))
                return try await dispatcher.upload(for: request, from: source).response().attempts.count
            case .stream:
                let response = try await dispatcher.stream(for: request)
                // A body that breaks off or stalls is the caller's business.
                if response.statusCode != .ok { return response.attempts.count }
                for try await _ in response.data.prefix(1) {}
                return response.attempts.count
            }
        } catch let error as TransportError {
            return error.attempts.count
        } catch TransferError.Code.bodyNotRepeatable where kind.isStreamed {
            // The transport would have needed the stream again, on a new connection.
            return 1
        } catch {
            return 0
        }
    }
}
