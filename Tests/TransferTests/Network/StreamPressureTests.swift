import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Readers that are slow, and servers that would be fast.
    struct StreamPressureTests {
        private let block = Data.random(65_536, seed: 5)
        private static let pong = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npong"

        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer()
            server.route("/ping", .send(Self.pong))
            server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(block))
        }

        /// Waits until the server has sent all that it can.
        ///
        /// Each exchange in between takes the server and the dispatcher through a turn, in which they would have moved
        /// what can be moved.
        ///
        /// - Returns: How many bytes it sent for others than this.
        private func waitForStandstill(of dispatcher: URLRequestDispatcher) async throws -> Int {
            let before = server.requests.count
            var readings: [Int] = []
            while readings.count < 20_000 {
                _ = try await dispatcher.data(from: server.url("/ping"))
                readings.append(server.bytesSent - (server.requests.count - before) * Self.pong.utf8.count)
                // What was sent is counted a moment after the answer, so that one more or less may be in it.
                let last = readings.suffix(30)
                if last.count == 30, let low = last.min(), let high = last.max(), high - low < 1024 { return high }
            }
            Issue.record("The server goes on sending: \(readings.suffix(30))")
            return 0
        }

        /// Checks bytes against the blocks that the server repeats.
        private func expect(_ chunk: Data, at position: Int) -> Bool {
            var offset = 0
            while offset < chunk.count {
                let start = (position + offset) % block.count
                let count = min(block.count - start, chunk.count - offset)
                let piece = chunk[chunk.startIndex + offset..<chunk.startIndex + offset + count]
                guard piece == block[start..<start + count] else { return false }
                offset += count
            }
            return true
        }

        @Test func aReaderThatDoesNotReadHoldsTheServerBack() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let body = try await dispatcher.stream(for: URLRequest(url: server.url("/endless"))).data
            _ = try await waitForStandstill(of: dispatcher)
            #expect(try await dispatcher.exchangeCount() == 1)
            // What the system keeps for both ends of a connection, and 256 KiB of ours.
            #expect(server.bytesSent < 48 << 20)

            // It goes on, with every byte in its place, far beyond what was kept.
            let end = server.bytesSent + (16 << 20)
            var position = 0
            for try await chunk in body {
                guard expect(chunk, at: position) else {
                    Issue.record("wrong bytes at \(position)")
                    break
                }
                position += chunk.count
                if position > end { break }
            }
            #expect(position > end)
            #expect(await server.waitForOpenConnections(atMost: 1))
            #expect(try await dispatcher.exchangeCount() == 0)
        }

        @Test func stoppingAndGoingOnManyTimesLosesNothing() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            let body = try await dispatcher.stream(for: URLRequest(url: server.url("/endless"))).data
            var random = SeededRandom(seed: 6)
            var position = 0
            for try await chunk in body {
                guard expect(chunk, at: position) else {
                    Issue.record("wrong bytes at \(position)")
                    break
                }
                // The mark, a write of the transport's, and what was there before.
                #expect(chunk.count <= 384 * 1024)
                position += chunk.count
                if position > 64 << 20 { break }
                guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
                for _ in 0..<Int.random(in: 1..<20, using: &random) {
                    _ = try await dispatcher.data(from: server.url("/ping"))
                }
            }
        }

        #if os(Linux)
        @Test(.enabled(if: !isSanitized, "a sanitizer keeps memory of its own"))
        func memoryDoesNotGrowWithWhatIsNotRead() async throws {
            // In a process of its own, where no other test takes memory.
            await #expect(processExitsWith: .success) {
                let tests = try StreamPressureTests()
                let dispatcher = URLRequestDispatcher.forTests()
                func hold(_ count: Int) async throws -> [ResponseBody] {
                    var bodies: [ResponseBody] = []
                    for _ in 0..<count {
                        let request = URLRequest(url: tests.server.url("/endless"))
                        bodies.append(try await dispatcher.stream(for: request).data)
                    }
                    _ = try await tests.waitForStandstill(of: dispatcher)
                    return bodies
                }
                // What is made once is made.
                var held = try await hold(1)
                let before = try ResidentMemory.bytes()
                held += try await hold(8)
                let grown = try ResidentMemory.bytes() - before
                // 256 KiB and a write of up to 128 KiB for each of the eight, and the server's blocks.
                #expect(grown < 8 << 20)
                #expect(held.count == 9)
            }
        }

        @Test(.enabled(if: !isSanitized, "a sanitizer keeps memory of its own"))
        func oneStreamTakesNoMoreThanAFewMegabytes() async throws {
            await #expect(processExitsWith: .success) {
                let tests = try StreamPressureTests()
                let dispatcher = URLRequestDispatcher.forTests()
                for _ in 0..<100 { _ = try await dispatcher.data(from: tests.server.url("/ping")) }
                let before = try ResidentMemory.bytes()
                let body = try await dispatcher.stream(for: URLRequest(url: tests.server.url("/endless"))).data
                _ = try await tests.waitForStandstill(of: dispatcher)
                let grown = try ResidentMemory.bytes() - before
                #expect(grown < 4 << 20)
                #expect(try await dispatcher.exchangeCount() == 1)
                #expect(body.expectedLength == nil)
            }
        }
        #endif

        // MARK: Time limits

        @Test func theIdleLimitIsForTheServer() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            try await atSomeScale { scale in
                let body = try await stream("/endless", idle: .milliseconds(300 * scale), dispatcher)
                _ = try await waitForStandstill(of: dispatcher)
                // The time is what this is about: a slow reader, much slower than the limit.
                try await Task.sleep(for: .milliseconds(1000 * scale))
                var position = 0
                for try await chunk in body {
                    position += chunk.count
                    if position > 64 << 20 { break }
                }
                #expect(position > 64 << 20)
            }
        }

        @Test func theIdleLimitEndsAServerThatStopsInTheMiddle() async throws {
            server.route("/slow", .head(10), .send("abc"), .stall)
            try await atSomeScale { scale in
                let limit = Duration.milliseconds(300 * scale)
                let dispatcher = URLRequestDispatcher.forTests()
                let start = ContinuousClock.now
                let body = try await stream("/slow", idle: limit, dispatcher)
                var received = Data()
                let error = try await failure { for try await chunk in body { received += chunk } }
                #expect(TransportError.Code.timeout(.idle) ~= error, "\(error)")
                // The machine was slower than the limit.
                if received.isEmpty { throw error }
                #expect(received == Data("abc".utf8))
                // It is counted from the turn in which the last bytes came, which began a little before them.
                #expect(start.duration(to: .now) >= limit * 0.8)
            }
        }

        @Test func theIdleLimitCountsAgainAfterASlowReader() async throws {
            let dispatcher = URLRequestDispatcher.forTests()
            server.route("/stalls", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(block, count: 16), .stall)
            try await atSomeScale { scale in
                let body = try await stream("/stalls", idle: .milliseconds(300 * scale), dispatcher)
                _ = try await waitForStandstill(of: dispatcher)
                // Longer than the limit, and all of it the reader's time.
                try await Task.sleep(for: .milliseconds(600 * scale))
                var count = 0
                let error = try await failure { for try await chunk in body { count += chunk.count } }
                #expect(TransportError.Code.timeout(.idle) ~= error, "\(error)")
                // The machine was slower than the limit.
                if count < 16 * block.count { throw error }
                #expect(count == 16 * block.count)
            }
        }

        /// Begins a stream with an idle limit of its own; what else the dispatcher sends has a generous one.
        private func stream(
            _ path: String,
            idle limit: Duration,
            _ dispatcher: URLRequestDispatcher
        ) async throws -> ResponseBody {
            var options = dispatcher.configuration.options
            options.timeouts.idle = limit
            return try await dispatcher.stream(for: URLRequest(url: server.url(path)), options: options).data
        }

        @Test(arguments: [true, false])
        func theTotalLimitIsForBoth(_ isReading: Bool) async throws {
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = .milliseconds(500) }
            let start = ContinuousClock.now
            let error = try await failure {
                let body = try await dispatcher.stream(for: URLRequest(url: server.url("/endless"))).data
                if !isReading {
                    while try await dispatcher.exchangeCount() > 0 { await Task.yield() }
                }
                for try await _ in body {}
            }
            #expect(TransportError.Code.timeout(.total) ~= error, "\(error)")
            #expect(start.duration(to: .now) >= .milliseconds(500))
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        // MARK: Many

        @Test func streamsThatAreDroppedAtRandomLeaveNothing() async throws {
            #if os(Linux)
            await #expect(processExitsWith: .success) {
                let tests = try StreamPressureTests()
                let before = try openDescriptors()
                for seed in 0..<3 as Range<UInt64> { try await tests.storm(seed: seed) }
                #expect(await tests.server.waitForOpenConnections(atMost: 0))
                // The thread of the last dispatcher may still be ending, and closes what is its own then.
                #expect(try await eventually { try openDescriptors().count <= before.count })
            }
            #else
            try await storm(seed: 0)
            #endif
        }

        private func storm(seed: UInt64) async throws {
            server.route("/short", .response(body: block))
            server.route("/silent", .send("HTTP/1.1 200 OK\r\n\r\nx"), .stall)
            server.route("/cut", .head(1 << 20), .send(block), .reset)
            let dispatcher = URLRequestDispatcher.forTests {
                $0.connections = ConnectionLimits(perHost: 100, total: 100)
            }
            var random = SeededRandom(seed: seed)
            let unexpected = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<100 {
                    let path = ["/endless", "/short", "/silent", "/cut"].randomElement(using: &random) ?? ""
                    let reads = Int.random(in: 0..<20, using: &random)
                    let yields = Int.random(in: 0..<300, using: &random)
                    let cancels = Bool.random(using: &random)
                    group.addTask { [server] in
                        let reading = Task {
                            let body = try await dispatcher.stream(for: URLRequest(url: server.url(path))).data
                            var left = reads
                            guard left > 0 else { return }
                            for try await _ in body {
                                left -= 1
                                if left == 0 { break }
                                for _ in 0..<yields / 10 { await Task.yield() }
                            }
                        }
                        for _ in 0..<yields { await Task.yield() }
                        // What says nothing is left by cancelling only.
                        if cancels || path == "/silent" { reading.cancel() }
                        do {
                            try await reading.value
                            return nil
                        } catch is CancellationError {
                            return nil
                        } catch {
                            return path == "/cut" && TransportError.Code.truncatedBody ~= error
                                ? nil : "\(path) \(error)"
                        }
                    }
                }
                return await group.reduce(into: []) { if let text = $1 { $0.append(text) } }
            }
            #expect(unexpected.isEmpty, "\(unexpected)")
            #expect(try await dispatcher.exchangeCount() == 0)
            await dispatcher.shutdown()
        }
    }
}

#if os(Linux)
/// What the descriptors of the process lead to.
///
/// Timers are left out: the system keeps one for the whole process, from when it is first needed.
private func openDescriptors() throws -> [String] {
    // What is closed meanwhile is the descriptor of the listing, whose number may also be another's already.
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    .filter { $0 != "anon_inode:[timerfd]" }
    .sorted()
}
#endif
