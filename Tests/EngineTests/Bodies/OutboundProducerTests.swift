import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The task that produces the bytes of a stream: its context, its start and its end.
@Suite(.timeLimit(.generous)) struct OutboundProducerTests {
    @TaskLocal private static var name = "none"

    @Test func theProducerHasTheContextOfTheTaskThatMadeTheBody() async throws {
        let seen = Locked<(name: String, priority: TaskPriority)?>(nil)
        let body = RequestBody.stream(
            AsyncThrowingStream<Data, any Error> {
                seen.withLock { $0 = (Self.name, Task.currentPriority) }
                return nil
            }
        )
        let wakes = DispatchSemaphore(value: 0)
        let outbound = try await Task(priority: .low) {
            try Self.$name.withValue("caller") { OutboundBody(try body.resolved(), wake: { wakes.signal() }) }
        }.value
        // Read from a thread without a context, as an event loop does.
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                while true {
                    var buffer = [UInt8](repeating: 0, count: 10)
                    guard buffer.withUnsafeMutableBytes({ outbound.read(into: $0) }) == .pause else { break }
                    wakes.wait()
                }
                done.resume()
            }
        }
        let found: (name: String, priority: TaskPriority)? = seen.withLock { $0 }
        #expect(found?.name == "caller")
        #expect(found?.priority == .low)
    }

    @Test func cancellationHandlersOfTheProducerDoNotRunOnTheThreadThatCloses() async throws {
        let isWaiting = Tally()
        let thread = Locked<ObjectIdentifier?>(nil)
        let isCancelled = Tally()
        let body = RequestBody.stream(
            AsyncThrowingStream<Data, any Error> {
                await withTaskCancellationHandler {
                    isWaiting.add()
                    await isCancelled.reach(1)
                } onCancel: {
                    thread.withLock { $0 = ObjectIdentifier(Thread.current) }
                    isCancelled.add()
                }
                return nil
            }
        )
        let outbound = OutboundBody(try body.resolved(), wake: {})
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(buffer.withUnsafeMutableBytes { outbound.read(into: $0) } == .pause)
        await isWaiting.reach(1)
        let isDone = DispatchSemaphore(value: 0)
        let closing: ObjectIdentifier = await withCheckedContinuation { done in
            Thread.detachNewThread {
                outbound.close()
                done.resume(returning: ObjectIdentifier(Thread.current))
                // As long as it lives, no other thread has its identity.
                isDone.wait()
            }
        }
        await isCancelled.reach(1)
        isDone.signal()
        #expect(thread.withLock { $0 } != nil)
        #expect(thread.withLock { $0 } != closing)
    }

    // A producer that has begun is touched even if the body is dropped at once.
    @Test func aProducerThatWasStartedRunsAndIsCancelled() async throws {
        for _ in 0..<200 {
            let (stream, continuation) = AsyncStream<Data>.makeStream()
            let terminated = Gate()
            continuation.onTermination = { reason in
                if case .cancelled = reason { terminated.open() }
            }
            do {
                let outbound = OutboundBody(try RequestBody.stream(stream).resolved(), wake: {})
                var buffer = [UInt8](repeating: 0, count: 10)
                #expect(buffer.withUnsafeMutableBytes { outbound.read(into: $0) } == .pause)
                outbound.close()
            }
            try await terminated.wait()
        }
    }

    // A sequence that ends when it is cancelled has not ended by itself.
    @Test func anObserverIsToldThatABodyWasCutOff() async throws {
        final class Observer: BodyObserver {
            let ends = Locked<[String]>([])
            let isOver = Tally()

            func note(_ end: String) {
                ends.withLock { $0.append(end) }
                isOver.add()
            }

            func observe(_ chunk: Data) {}
            func finish() async throws { note("finished") }
            func fail(_ error: any Error) { note("failed") }
            func close() { note("closed") }
        }
        let observer = Observer()
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        let body = RequestBody.stream(stream).observed(by: observer)
        let outbound = OutboundBody(try body.resolved(), wake: {})
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(buffer.withUnsafeMutableBytes { outbound.read(into: $0) } == .pause)
        outbound.close()
        await observer.isOver.reach(1)
        #expect(observer.ends.withLock { $0 } == ["closed"])
        continuation.finish()
    }

    @Test(arguments: [true, false])
    func aBodyIsReleasedWhenItsProducerHasEnded(isCutOff: Bool) async throws {
        weak var released: OutboundBody?
        do {
            let outbound = OutboundBody(
                try RequestBody.stream(
                    AsyncStream<Data> {
                        $0.yield(Data("abc".utf8)); $0.finish()
                    }
                ).resolved(),
                wake: {}
            )
            released = outbound
            var buffer = [UInt8](repeating: 0, count: 10)
            while buffer.withUnsafeMutableBytes({ outbound.read(into: $0) }) != .end {
                if isCutOff { break }
                await Task.yield()
            }
            outbound.close()
        }
        while released != nil { await Task.yield() }
    }

    @Test func aBodyThatIsDroppedUnreadLetsItsProducerGo() async throws {
        final class Captured: Sendable {}
        var captured: Captured? = Captured()
        weak let released = captured
        do {
            let body = RequestBody.stream(
                AsyncThrowingStream<Data, any Error> { [captured] in
                    _ = captured
                    return nil
                }
            )
            _ = OutboundBody(try body.resolved(), wake: {})
        }
        captured = nil
        while released != nil { await Task.yield() }
    }
}
