import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// The identity of the tasks that `updated` gets, and the percentages of Foundation's tasks.
@MainActor
@Suite(.timeLimit(.generous)) struct TransferTaskTests {
    private nonisolated static func progress(_ received: Int64, of length: Int64? = 10) -> TransferProgress {
        TransferProgress(direction: .receiving, bytesReceived: received, bytesToReceive: length)
    }

    @Test func aSetKeepsOneEntryForEachRequest() async throws {
        let server = try LoopbackServer()
        server.route(
            "/",
            .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
            .send(String(repeating: "x", count: 500)),
            .hold("half"),
            .send(String(repeating: "x", count: 500))
        )
        let dispatcher = URLRequestDispatcher.forTests()
        var tasks: Set<TransferTask> = []
        var counts: [Int64] = []
        let futures = (0..<3).map { _ in
            dispatcher.dataFuture(from: URLRequest(url: server.url("/"))).updated { task in
                tasks.insert(task)
                counts.append(task.countOfBytesReceived)
                if tasks.count == 3, tasks.allSatisfy({ $0.countOfBytesReceived >= 500 }) { server.release("half") }
            }
        }
        let all = ResponseFuture<[Response<Data?>]>(childFutures: futures)
        #expect(await Ending.events(of: all) == ["success", "completion"])
        // The first entry of each request shows its end.
        #expect(tasks.count == 3)
        #expect(tasks.completed.count == 3 && tasks.running.isEmpty)
        #expect(tasks.averagePercentTransferred == 1)
        #expect(counts.contains(500))
    }

    @Test func copiesShowTheSameState() {
        let task = TransferTask(progress: Self.progress(1))
        let copy = task
        task.set(progress: Self.progress(5), state: .suspended)
        #expect(copy.countOfBytesReceived == 5 && copy.state == .suspended && copy.percentReceived == 0.5)
        copy.set(progress: Self.progress(10))
        #expect(task.percentReceived == 1 && task.state == .running)
        #expect([task: 1][copy] == 1)
    }

    @Test func tasksAreEqualIfTheyAreTheSameRequest() {
        let id = UUID()
        let task = TransferTask(id: id, progress: Self.progress(1))
        #expect(task == TransferTask(id: id, progress: Self.progress(2)))
        #expect(task.hashValue == TransferTask(id: id, progress: Self.progress(2)).hashValue)
        #expect(task != TransferTask(progress: Self.progress(1)))
    }

    @Test func anOwnTaskCanBeToldAgain() async {
        let task = TransferTask(progress: Self.progress(0))
        let future = ResponseFuture<Int> { future in
            for count in [5, 10] as [Int64] {
                task.set(progress: Self.progress(count))
                future.update(with: task)
            }
            future.succeed(with: 1)
        }
        let ending = Ending(of: future)
        #expect(await ending.wait() == ["success", "completion"])
        #expect(ending.updates.map(\.countOfBytesReceived) == [10])
    }

    @Test func aTaskHasNothingButCounts() {
        let text = "\(TransferTask(progress: Self.progress(5)))"
        #expect(text.contains("running") && text.contains("5"))
    }

    // MARK: Foundation's tasks

    /// A task of a `URLSession` with counts of its own; the unchecked conformance is the superclass's.
    private final class Counted: URLSessionTask, @unchecked Sendable {
        private let counts: [Int64]

        init(_ counts: Int64...) {
            self.counts = counts
        }

        override var countOfBytesSent: Int64 { counts[0] }
        override var countOfBytesExpectedToSend: Int64 { counts[1] }
        override var countOfBytesReceived: Int64 { counts[2] }
        override var countOfBytesExpectedToReceive: Int64 { counts[3] }
    }

    @Test func foundationsTasksHavePercentages() {
        let (unknown, half, both) = (Counted(5, -1, 5, -1), Counted(5, 10, 0, 0), Counted(10, 10, 1, 4))
        #expect(unknown.percentSent == nil && unknown.percentReceived == nil && unknown.percentTransferred == nil)
        #expect(half.percentSent == 0.5 && half.percentRecieved == nil && half.percentTransferred == 0.5)
        #expect(both.percentSent == 1 && both.percentReceived == 0.25 && both.percentRecieved == 0.25)
        #expect(both.percentTransferred == 0.625)
        let tasks = [unknown, half, both]
        #expect(tasks.averagePercentSent == 0.75)
        #expect(tasks.averagePercentReceived == 0.25 && tasks.averagePercentRecieved == 0.25)
        #expect(tasks.averagePercentTransferred == 0.5625)
        #expect([unknown].averagePercentTransferred == nil && [URLSessionTask]().averagePercentSent == nil)
    }

    @Test func foundationsTasksAreSortedByState() throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let waiting = session.dataTask(with: try #require(URL(string: "http://localhost/")))
        #expect([waiting].suspended == [waiting] && [waiting].running.isEmpty)
        #expect([waiting].completed.isEmpty && [waiting].cancelling.isEmpty)
        waiting.cancel()
        #expect([waiting].suspended.isEmpty)
    }
}
