import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

@MainActor
@Suite(.timeLimit(.generous))
struct RequestUpdateTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()

    init() throws {
        server = try LoopbackServer()
    }

    /// Starts a future and waits for its end.
    private func updates<Success>(of future: ResponseFuture<Success>) async -> [TransferTask] {
        let ending = Ending(of: future)
        #expect(await ending.wait().last == "completion")
        return ending.updates
    }

    private func expectGrowth(_ updates: [TransferTask]) {
        for (one, next) in zip(updates, updates.dropFirst()) {
            #expect(one.countOfBytesSent <= next.countOfBytesSent)
            #expect(one.countOfBytesReceived <= next.countOfBytesReceived)
            #expect(one.id == next.id)
        }
        #expect(updates.last?.state == .completed)
        // A handler may already see the end when it runs for an earlier update.
        #expect(updates.drop { $0.state == .running }.allSatisfy { $0.state == .completed })
    }

    // Rule 15: Foundation counts nothing here. Rule 19: the misspelt name.
    @Test func whatArrivesIsTold() async throws {
        let half = String(repeating: "x", count: 500)
        server.route(
            "/",
            .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n\(half)"),
            .hold("half"),
            .send(half)
        )
        var sawHalf = false
        let future = dispatcher.dataFuture(from: URLRequest(url: server.url("/")))
            .updated { task in
                // Once the rest may come, the task can go on between two looks at it.
                if !sawHalf, task.countOfBytesReceived == 500 {
                    sawHalf = true
                    #expect(task.countOfBytesExpectedToReceive == 1000)
                    #expect(task.percentReceived == 0.5 && task.percentRecieved == 0.5)
                    #expect(task.percentTransferred == 0.5 && task.percentSent == nil)
                    self.server.release("half")
                }
            }
        let ending = Ending(of: future.then { $0 })
        #expect(await ending.wait() == ["success", "completion"])
        #expect(sawHalf)
        // The chain's own handler is told as well.
        expectGrowth(ending.updates)
        #expect(ending.updates.last?.countOfBytesReceived == 1000)
        #expect(ending.updates.last?.percentTransferred == 1)
    }

    /// The bodies of responses, and how often PiuPiu 1.11.1 told of the request.
    @Test(arguments: [("", 2), ("hello", 3)])
    func aSmallRequestIsToldAsOftenAsInPiuPiu1(body: String, count: Int) async throws {
        server.route("/", .response(body: body))
        server.route("POST", "/", .response(body: body))
        for _ in 0..<20 {
            let updates = await updates(of: dispatcher.dataFuture(from: URLRequest(url: server.url("/"))))
            #expect(updates.count == count)
            #expect(updates.last?.state == .completed)
            // Also through a chain.
            let chain = dispatcher.dataFuture { URLRequest(url: self.server.url("/")) }.then { $0 }.then { $0 }
            #expect(await self.updates(of: chain).count == count)
        }
        // One more for the body that is sent.
        let request = URLRequest(url: server.url("/"), method: .post)
        let upload = dispatcher.uploadFuture(from: request, with: Data("sent".utf8))
        #expect(await updates(of: upload).count == count + 1)
    }

    @Test func aSmallDownloadIsToldAsOftenAsInPiuPiu1() async throws {
        server.route("/", .response(body: "hello"))
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let future = dispatcher.downloadFuture(from: URLRequest(url: server.url("/")), to: file)
        #expect(await updates(of: future).count == 3)
    }

    @Test func aRequestThatFailsIsToldOnce() async throws {
        let refusing = try RefusingPort()
        let updates = await updates(of: dispatcher.dataFuture(from: URLRequest(url: refusing.url)))
        #expect(updates.count == 1)
    }

    // K21
    @Test(arguments: [0, 2])
    func anUploadEndsAtOne(answer: Int) async throws {
        server.route("PUT", "/", .response(body: String(repeating: "y", count: answer)))
        let request = URLRequest(url: server.url("/"), method: .put)
        let updates = await updates(of: dispatcher.uploadFuture(from: request, with: Data(count: 4 << 20)))
        expectGrowth(updates)
        let last = try #require(updates.last)
        #expect(last.countOfBytesSent == 4 << 20 && last.countOfBytesExpectedToSend == 4 << 20)
        #expect(last.percentSent == 1 && last.percentTransferred == 1)
        #expect(last.progress.direction == .sending && last.progress.fractionCompleted == 1)
    }

    @Test func aDownloadIsTold() async throws {
        server.route("/", .response(body: String(repeating: "x", count: 1 << 20)))
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let updates = await updates(of: dispatcher.downloadFuture(from: URLRequest(url: server.url("/")), to: file))
        expectGrowth(updates)
        #expect(updates.last?.percentReceived == 1)
    }

    @Test func aRepeatedUploadDoesNotGoBackwards() async throws {
        server.route("PUT", "/old", .redirect(to: "/new", status: 307))
        server.route("PUT", "/new", .response(body: "ok"))
        let request = URLRequest(url: server.url("/old"), method: .put)
        let updates = await updates(of: dispatcher.uploadFuture(from: request, with: Data(count: 1 << 20)))
        expectGrowth(updates)
        #expect(updates.last?.percentSent == 1)
    }

    @Test func cancellingTheTaskCancelsTheFuture() async throws {
        server.route("/", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .stall)
        let future = dispatcher.dataFuture(from: URLRequest(url: server.url("/"))).updated { $0.cancel() }
        #expect(await Ending.events(of: future.then { $0 }) == ["cancellation", "completion"])
        #expect(future.status == .cancelled)
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func nothingIsToldWhereNothingWasSent() async throws {
        #expect(await updates(of: dispatcher.dataFuture { nil }).isEmpty)
    }

    @Test func averages() throws {
        func task(_ sent: Int64, _ toSend: Int64?, _ received: Int64, _ toReceive: Int64?) -> TransferTask {
            TransferTask(
                progress: TransferProgress(
                    direction: .sending,
                    bytesSent: sent,
                    bytesToSend: toSend,
                    bytesReceived: received,
                    bytesToReceive: toReceive
                )
            )
        }
        let (unknown, half) = (task(5, nil, 5, nil), task(5, 10, 0, nil))
        let both = task(10, 10, 1, 4)
        #expect(unknown.percentSent == nil && unknown.percentReceived == nil && unknown.percentTransferred == nil)
        #expect(unknown.countOfBytesExpectedToSend == -1 && unknown.countOfBytesExpectedToReceive == -1)
        #expect(half.percentTransferred == 0.5)
        #expect(both.percentTransferred == 0.625)
        let tasks = [unknown, half, both]
        #expect(tasks.averagePercentSent == 0.75)
        #expect(tasks.averagePercentReceived == 0.25 && tasks.averagePercentRecieved == 0.25)
        #expect(tasks.averagePercentTransferred == 0.5625)
        #expect([unknown].averagePercentTransferred == nil)
        #expect([TransferTask]().averagePercentSent == nil)
        // More than was announced, and less than nothing.
        #expect(task(20, 10, 0, 0).percentSent == 1)
        #expect(task(0, 0, 0, -1).percentTransferred == nil)
    }

    @Test func states() {
        let states: [TransferTask.State] = [.running, .completed, .suspended, .canceling, .completed]
        let tasks = states.map { TransferTask(progress: TransferProgress(direction: .receiving), state: $0) }
        #expect(tasks.completed.map(\.id) == [tasks[1].id, tasks[4].id])
        #expect(tasks.running.count == 1 && tasks.suspended.count == 1 && tasks.cancelling.count == 1)
    }
}
