import Foundation
import PiuPiuFutures
import PiuPiuTesting
import Testing

class AdapterOwner {
    let adapter = LanguageAdapter()

    // Row: URLRequestDispatcher(configuration:requestAdapter:responseAdapter:)
    func dispatchers(_ other: LoggingAdapter) -> [URLRequestDispatcher] {
        return [
            URLRequestDispatcher(),
            URLRequestDispatcher(configuration: .ephemeral),
            URLRequestDispatcher(requestAdapter: adapter),
            URLRequestDispatcher(responseAdapter: other),
            URLRequestDispatcher(requestAdapter: adapter, responseAdapter: other),
            URLRequestDispatcher(configuration: .default, responseAdapter: other),
            URLRequestDispatcher(configuration: .default, requestAdapter: adapter, responseAdapter: other),
        ]
    }
}

class MockUploader {
    // Row: uploadFuture(from:) of MockURLRequestDispatcher
    func upload(_ dispatcher: MockURLRequestDispatcher) -> ResponseFuture<Response<Data?>> {
        return dispatcher.uploadFuture(from: request("/posts/1", .post))
    }
}

class ProgressView {
    var fractions: [Float?] = []
    var tasks: Set<TransferTask> = []

    // Row: URLSessionTask.percentSent
    func sent(_ task: URLSessionTask, _ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        fractions.append(task.percentSent)
        return future.updated { task in self.fractions.append(task.percentSent) }
    }

    // Row: URLSessionTask.percentRecieved
    func received(_ task: URLSessionTask, _ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        fractions.append(task.percentRecieved)
        return future.updated { task in self.fractions.append(task.percentRecieved) }
    }

    // Row: URLSessionTask.percentTransferred
    func both(_ task: URLSessionTask, _ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        fractions.append(task.percentTransferred)
        return future.updated { task in self.fractions.append(task.percentTransferred) }
    }

    // Row: averagePercentSent, averagePercentRecieved, averagePercentTransferred of Sequence<URLSessionTask>
    func averages(_ others: Set<URLSessionTask>, _ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        fractions += [others.averagePercentSent, others.averagePercentRecieved, others.averagePercentTransferred]
        return future.updated { task in
            self.tasks.insert(task)
            self.fractions += [
                self.tasks.averagePercentSent, self.tasks.averagePercentRecieved,
                self.tasks.averagePercentTransferred,
            ]
        }
    }

    // Row: completed, cancelling, running, suspended of Sequence<URLSessionTask>
    func counts(_ others: [URLSessionTask]) -> [Int] {
        return [
            others.completed.count, others.cancelling.count, others.running.count, others.suspended.count,
            tasks.completed.count, tasks.cancelling.count, tasks.running.count, tasks.suspended.count,
        ]
    }
}

@available(*, deprecated)
class SafeResponseUser {
    // Row: SafeResponse, .response(_:), .error(_:)
    func title(_ post: SafeResponse<Post>) -> String {
        switch post {
        case .response(let post): return post.title
        case .error(let error): return "\(error)"
        }
    }
}

struct CompatibilityRowsTests {
    @Test func dispatchersOfEveryFormAreMade() {
        #expect(AdapterOwner().dispatchers(LoggingAdapter()).count == 7)
    }
}
