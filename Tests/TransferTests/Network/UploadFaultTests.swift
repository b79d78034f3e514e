import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The stage of an upload at which something happens to it.
enum UploadStage: String, CaseIterable, Sendable {
    case beforeTheConnection, beforeTheFirstByte, whileTheProducerWaits, whileTheServerDoesNotRead, beforeTheHead
    case insideTheResponse
}

/// What may happen to an upload.
enum UploadFault: String, CaseIterable, Sendable {
    case cancel, dropIterator, throwInTheLoop, serverReset, invalidate
}

extension TransferNetworkTests {
    /// Whatever happens, and whenever: one end, and nothing is left.
    struct UploadFaultTests {
        private struct Interruption: Error {}

        /// Lets a request pass when it is told to.
        private struct Holding: Interceptor {
            let gate: Gate

            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                try await gate.wait()
                return try await next(request)
            }
        }

        /// How an upload ended, counted to see that it is once.
        private struct Outcomes: Sendable {
            var finished = 0
            var errors: [any Error] = []
            var interruptions = 0
        }

        /// An upload on its way into a stage.
        private final class Scene: Sendable {
            let server: LoopbackServer
            let dispatcher: URLRequestDispatcher
            let stage: UploadStage
            let file: URL
            let producer: Producer?
            let entrance = Gate()
            let outcomes = Locked(Outcomes())
            private let folder: FormFolder

            init(_ stage: UploadStage, isFile: Bool) throws {
                self.stage = stage
                let length: Int64 =
                    stage == .whileTheServerDoesNotRead || stage == .whileTheProducerWaits ? 64 << 20 : 9
                server = try LoopbackServer(onConnect: stage == .beforeTheFirstByte ? [.hold("here"), .stall] : [])
                switch stage {
                case .beforeTheConnection, .beforeTheFirstByte: server.route("PUT", "/", .response(body: "ok"))
                case .whileTheProducerWaits, .whileTheServerDoesNotRead:
                    server.route("PUT", "/", .ignoreBody, .hold("here"), .reset)
                case .beforeTheHead: server.route("PUT", "/", .hold("here"), .reset)
                case .insideTheResponse:
                    let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"
                    server.route("PUT", "/", .send(head), .hold("here"), .reset)
                }
                let holding = stage == .beforeTheConnection ? [Holding(gate: entrance)] : []
                dispatcher = .forTests(interceptors: holding)
                folder = try FormFolder()
                file = try folder.sparseFile("file", length: length)
                let pieces = [Data(count: 3), Data(count: 3), Data(count: 3)]
                switch stage {
                case _ where isFile: producer = nil
                case .whileTheProducerWaits: producer = .of(pieces, then: Gate())
                case .whileTheServerDoesNotRead: producer = .endless()
                default: producer = .of(pieces)
                }
            }

            var body: RequestBody { producer.map { .stream($0) } ?? .file(file) }

            /// The request, over TLS if no byte may be asked for: the server never begins the handshake.
            var request: URLRequest {
                guard stage == .beforeTheFirstByte else { return URLRequest("PUT", server.url("/")) }
                return URLRequest("PUT", URL(string: "https://127.0.0.1:\(server.port)/") ?? server.url("/"))
            }

            /// Waits until the upload has reached its stage.
            func waitForStage() async {
                switch stage {
                case .beforeTheConnection: await entrance.arrival()
                case .whileTheProducerWaits:
                    await server.waitUntilHeld("here")
                    if let producer { _ = await eventually { producer.record.asked == 4 } }
                default: await server.waitUntilHeld("here")
                }
            }

            /// Runs the transfer, and notes each end it has.
            ///
            /// - Parameter interruption: Waited for by the loop's body at the first event; its error leaves the loop.
            func run(_ interruption: @escaping @Sendable () async throws -> Void) async {
                do {
                    for try await event in dispatcher.upload(for: request, from: body).progress(every: .zero) {
                        switch event {
                        case .progress: try await interruption()
                        case .finished: outcomes.withLock { $0.finished += 1 }
                        }
                    }
                } catch is Interruption {
                    outcomes.withLock { $0.interruptions += 1 }
                } catch {
                    outcomes.withLock { $0.errors.append(error) }
                }
            }

            /// Checks that nothing is left.
            func expectNothingIsLeft() async throws {
                #expect(try await eventually { try await dispatcher.exchangeCount() == 0 })
                if let producer { try await producer.waitUntilEnded() }
                #expect(await eventually { openDescriptors(of: file) == 0 })
                server.release("here")
                await dispatcher.shutdown()
                #expect(await server.waitForOpenConnections(atMost: 0))
            }
        }

        @Test(arguments: UploadStage.allCases, UploadFault.allCases)
        func aFaultEndsAnUploadOnceAndLeavesNothing(_ stage: UploadStage, _ fault: UploadFault) async throws {
            for isFile in [false, true] {
                let scene = try Scene(stage, isFile: isFile)
                switch fault {
                case .cancel, .invalidate, .serverReset:
                    let task = Task { await scene.run {} }
                    await scene.waitForStage()
                    switch fault {
                    case .cancel: task.cancel()
                    case .invalidate: scene.dispatcher.invalidateAndCancel()
                    default:
                        // If no request has been sent yet, the server has nothing to reset.
                        if stage == .beforeTheConnection { scene.server.stop() }
                        if stage == .beforeTheFirstByte { scene.server.stop() }
                        scene.entrance.open()
                        scene.server.release("here")
                    }
                    await task.value
                    let outcomes = scene.outcomes.withLock { $0 }
                    #expect(outcomes.finished == 0 && outcomes.errors.count == 1, "\(outcomes)")
                    let error = try #require(outcomes.errors.first)
                    if fault == .serverReset {
                        let expected: [TransportError.Code] =
                            switch stage {
                            case .beforeTheConnection: [.cannotConnect]
                            case .beforeTheFirstByte: [.tls, .cannotConnect, .connectionLost]
                            case .insideTheResponse: [.truncatedBody]
                            default: [.connectionLost]
                            }
                        #expect((error as? TransportError).map { expected.contains($0.code) } == true, "\(error)")
                    } else {
                        #expect(error is CancellationError, "\(error)")
                    }
                case .throwInTheLoop, .dropIterator:
                    let task = Task {
                        if fault == .dropIterator { return try await drop(scene) }
                        await scene.run {
                            await scene.waitForStage()
                            throw Interruption()
                        }
                    }
                    try await task.value
                    let outcomes = scene.outcomes.withLock { $0 }
                    #expect(outcomes.finished == 0 && outcomes.errors.isEmpty)
                    #expect(outcomes.interruptions == (fault == .throwInTheLoop ? 1 : 0))
                }
                try await scene.expectNothingIsLeft()
            }
        }

        /// Takes the first event, and releases the iterator in the middle.
        private func drop(_ scene: Scene) async throws {
            var iterator = Optional(scene.dispatcher.upload(for: scene.request, from: scene.body).makeAsyncIterator())
            _ = try await iterator?.next()
            await scene.waitForStage()
            iterator = nil
        }

        @Test func aReleasedDispatcherEndsItsUploads() async throws {
            for stage in UploadStage.allCases where stage != .beforeTheConnection {
                let scene = try Scene(stage, isFile: false)
                var dispatcher: URLRequestDispatcher? = .forTests()
                let transfer = dispatcher?.upload(for: scene.request, from: scene.body)
                let upload = Task { try await transfer?.response() }
                await scene.waitForStage()
                dispatcher = nil
                let error = try await failure { try await upload.value }
                #expect((error as? TransportError)?.code == .shutDown, "\(error)")
                try await scene.expectNothingIsLeft()
            }
        }

        @Test(arguments: 0..<3)
        func aStormOfCancelledUploads(_ seed: Int) async throws {
            let server = try LoopbackServer()
            server.route("/fast", .response(body: "ok"))
            server.route("/early", .drainBody, .response(status: 413, body: "early"))
            server.route("/slow", .ignoreBody, .sleep(.milliseconds(5)), .drainBody, .response(body: "ok"))
            server.route("/never", .ignoreBody, .stall)
            let folder = try FormFolder()
            let file = try folder.sparseFile("file", length: 1 << 20)
            let dispatcher = URLRequestDispatcher.forTests { $0.connections = ConnectionLimits(perHost: 50, total: 50) }
            var random = SeededRandom(seed: UInt64(seed))
            let producers = Locked<[Producer]>([])
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<200 {
                    let path = ["/fast", "/early", "/slow", "/never"].randomElement(using: &random) ?? "/fast"
                    let request = URLRequest("PUT", server.url(path))
                    let yields = Int.random(in: 0..<300, using: &random)
                    group.addTask {
                        let producer = Producer { $0 < 20 ? Data(count: 10_000) : nil }
                        if index.isMultiple(of: 2) { producers.withLock { $0.append(producer) } }
                        let body: RequestBody = index.isMultiple(of: 2) ? .stream(producer) : .file(file)
                        let upload = Task {
                            var ends = 0
                            for try await event in dispatcher.upload(for: request, from: body).progress(every: .zero) {
                                if case .finished = event { ends += 1 }
                            }
                            return ends
                        }
                        for _ in 0..<yields { await Task.yield() }
                        upload.cancel()
                        do {
                            return try await upload.value == 1
                        } catch {
                            return error is CancellationError
                        }
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.count == 200)
            #expect(outcomes.allSatisfy { $0 })
            #expect(try await dispatcher.exchangeCount() == 0)
            for producer in producers.withLock({ $0 }) { try await producer.waitUntilEnded() }
            #expect(await eventually { openDescriptors(of: file) == 0 })
            // What is left works.
            let last = dispatcher.upload(for: URLRequest("PUT", server.url("/fast")), from: .file(file))
            #expect(try await last.response().data == Data("ok".utf8))
            await dispatcher.shutdown()
            server.stop()
            #expect(server.openConnections == 0)
        }
    }
}
