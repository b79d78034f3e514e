import Foundation
import PiuPiuFutures
import Testing

// Row: ResponseFuture<Success>
typealias PostFuture = ResponseFuture<Post>

class FutureMaker {
    // Row: ResponseFuture.ActionCallback
    let action: ResponseFuture<Int>.ActionCallback = { future in future.succeed(with: 1) }

    // Row: ResponseFuture(action:)
    func made() -> [ResponseFuture<Int>] {
        return [
            ResponseFuture(action: action),
            ResponseFuture<Int>(action: { future in
                DispatchQueue.global(qos: .background).async { future.succeed(with: 2) }
            }),
            ResponseFuture<Int>() { future in future.succeed(with: 3) },
            ResponseFuture<Int> { future in
                throw ResponseError.noResponse
            },
        ]
    }

    // Row: ResponseFuture(result:)
    func known(_ post: Post) -> PostFuture {
        return ResponseFuture(result: post)
    }

    // Row: ResponseFuture(childFutures:), (childFuturesCallback:), (arrayLiteral:)
    func many(_ futures: [ResponseFuture<Int>]) -> [ResponseFuture<[Int]>] {
        return [
            ResponseFuture<[Int]>(childFutures: futures),
            ResponseFuture<[Int]>(childFuturesCallback: { futures }),
            ResponseFuture<[Int]>.init {
                return futures
            },
            ResponseFuture<[Int]>(arrayLiteral: ResponseFuture(result: 1), ResponseFuture(result: 2)),
        ]
    }

    // Row: ResponseFuture.status; ResponseFuture.Status, .created, .started, .success, .error, .cancelled
    func describe(_ future: ResponseFuture<Int>) -> String {
        let status: ResponseFuture<Int>.Status = future.status
        switch status {
        case .created: return "created"
        case .started: return "started"
        case .success: return "success"
        case .error: return "error"
        case .cancelled: return "cancelled"
        }
    }

    // Row: .succeed(with:), .fail(with:), .complete(with:)
    func end(_ future: ResponseFuture<Int>, _ result: Result<Int, Error>) {
        switch result {
        case .success(let value): future.succeed(with: value)
        case .failure(let error): future.fail(with: error)
        }
        future.complete(with: result)
    }

    // Row: .fulfill(_:)
    func forward(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return ResponseFuture<Int> { other in
            future.fulfill(other)
        }
    }

    // Row: .fulfill(with:), .fulfill(by:)
    @available(*, deprecated)
    func forwardAsBefore(_ future: ResponseFuture<Int>, _ other: ResponseFuture<Int>) {
        future.fulfill(with: other)
        other.fulfill(by: future)
    }

    // Row: .cancel()
    func stop(_ future: ResponseFuture<Int>?) {
        future?.cancel()
    }

    // Row: .update(with:)
    func forwardUpdates(of future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return ResponseFuture<Int> { other in
            future
                .updated { task in other.update(with: task) }
                .success { value in other.succeed(with: value) }
                .send()
        }
    }
}

class FutureUser {
    var values: [Int] = []
    var lastError: Error?
    var isDone = false

    // Row: ResponseFuture.SuccessHandler, .ErrorHandler, .CompletionHandler, .TaskCallback, .CancellationHandler
    var successHandler: ResponseFuture<Int>.SuccessHandler = { _ in }
    var errorHandler: ResponseFuture<Int>.ErrorHandler = { error in print(error) }
    var completionHandler: ResponseFuture<Int>.CompletionHandler = {}
    var taskCallback: ResponseFuture<Int>.TaskCallback = { task in print(task) }
    var cancellationHandler: ResponseFuture<Int>.CancellationHandler = {}

    func handled(
        _ future: ResponseFuture<Int>,
        then success: @escaping ResponseFuture<Int>.SuccessHandler
    ) -> ResponseFuture<Int> {
        return
            future
            .success(success)
            .error(errorHandler)
            .completion(completionHandler)
            .updated(taskCallback)
            .cancellation(cancellationHandler)
    }

    // Row: .success { … }
    func keep(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return future.success { value in self.values.append(value) }
    }

    // Row: .response { … }
    @available(*, deprecated)
    func keepAsBefore(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return future.response { value in self.values.append(value) }
    }

    // Row: .error { … }
    func watch(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return future.error { [weak self] error in self?.lastError = error }
    }

    // Row: .result { … }
    func either(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return future.result { result in
            switch result {
            case .success(let value): self.values.append(value)
            case .failure(let error): self.lastError = error
            }
        }
    }

    // Row: .completion { … }
    func finish(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return future.completion { self.isDone = true }
    }

    // Row: .cancellation { … }
    func cancelled(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return future.cancellation { self.isDone = true }
    }

    // Row: .updated { task in … }
    func updated(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return future.updated { task in
            self.values.append(Int(task.countOfBytesReceived))
        }
    }

    // Row: .send(), .start()
    func begin(_ future: ResponseFuture<Int>, _ other: ResponseFuture<Int>) {
        future.send()
        other.start()
    }

    // Row: .fetchResult()
    func value(_ future: ResponseFuture<Int>) async throws -> Int {
        return try await future.fetchResult()
    }
}

class Transformer {
    var text = ""

    // Row: .then(on:_:), .then(_:on:_:), .map(_:on:successCallback:)
    func transformed(_ future: ResponseFuture<Int>) -> [ResponseFuture<String>] {
        return [
            future.then { value in "\(value)" },
            future.then { value -> String in
                return "\(value)"
            },
            future.then(on: DispatchQueue.global(qos: .background)) { value in "\(value)" },
            future.then(String.self) { value in "\(value)" },
            future.then(String.self, on: .main) { value in "\(value)" },
            future.map(String.self) { value in "\(value)" },
            future.map(String.self, on: .main, successCallback: { value in "\(value)" }),
        ]
    }

    // Row: .thenResult(_:callback:), .safeResult()
    func safe(_ future: ResponseFuture<Int>) -> ResponseFuture<String> {
        return future.safeResult()
            .thenResult(
                String.self,
                callback: { result in
                    switch result {
                    case .success(.success(let value)): return "\(value)"
                    case .success(.failure(let error)), .failure(let error): return "\(error)"
                    }
                }
            )
    }

    // Row: .replace(_:callback:), .seriesJoin(_:callback:)
    func series(_ future: ResponseFuture<Int>) -> ResponseFuture<(String, Int)> {
        return
            future
            .replace(
                String.self,
                callback: { [weak self] value in self?.transformed(ResponseFuture(result: value))[0] }
            )
            .seriesJoin(Int.self, callback: { text in ResponseFuture(result: text.count) })
    }

    // Row: .seriesNullableJoin(_:callback:), .safeSeriesJoin(_:callback:), .safeSeriesNullableJoin(_:callback:)
    func series(
        _ future: ResponseFuture<Int>,
        _ other: ResponseFuture<Int>?
    ) -> ResponseFuture<(((Int, Int?), Result<Int, Error>), Result<Int, Error>?)> {
        return
            future
            .seriesNullableJoin(Int.self, callback: { _ in other })
            .safeSeriesJoin(
                Int.self,
                callback: { [weak self] _ in
                    guard self != nil else { return nil }
                    return ResponseFuture(result: 1)
                }
            )
            .safeSeriesNullableJoin(Int.self, callback: { value, result in nil })
    }

    // Row: .parallelJoin(_:callback:)
    func parallel(_ future: ResponseFuture<Int>) -> ResponseFuture<(Int, String)> {
        return future.parallelJoin(
            String.self,
            callback: {
                return self.transformed(ResponseFuture(result: 2))[0]
            }
        )
    }

    // Row: .parallelNullableJoin(_:callback:), .safeParallelJoin(_:callback:), .safeParallelNullableJoin(_:callback:)
    func parallel(
        _ future: ResponseFuture<Int>,
        _ other: ResponseFuture<Int>?
    ) -> ResponseFuture<(((Int, Int?), Result<Int, Error>), Result<Int, Error>?)> {
        return
            future
            .parallelNullableJoin(Int.self, callback: { other })
            .safeParallelJoin(Int.self, callback: { ResponseFuture(result: 1) })
            .safeParallelNullableJoin(Int.self, callback: { nil })
    }

    // Row: .addingSeriesResult(from:)
    func added(_ future: ResponseFuture<[Int]>) -> ResponseFuture<[Int]> {
        return
            future
            .addingSeriesResult { values in ResponseFuture(result: values.count) }
            .addingSeriesResult(from: { values in ResponseFuture(result: values.count) })
    }

    // Row: .makeHTTPResponse()
    func http(_ future: ResponseFuture<Response<Data?>>) -> ResponseFuture<HTTPResponse<Data?>> {
        return future.makeHTTPResponse()
    }

    // Row: .decoded(_:using:), .decodedString()
    func decoded(_ future: ResponseFuture<Response<Data?>>) {
        let post: ResponseFuture<Response<Post>> = future.decoded(Post.self, using: JSONDecoder())
        let httpPost: ResponseFuture<HTTPResponse<Post>> = future.makeHTTPResponse().decoded(Post.self)
        let text: ResponseFuture<Response<String>> = future.decodedString()
        _ = (post, httpPost, text)
    }

    // Row: .safeDecoded(_:using:)
    func safeDecoded(
        _ future: ResponseFuture<HTTPResponse<Data?>>
    ) -> ResponseFuture<HTTPResponse<Result<Post, Error>>> {
        return future.safeDecoded(Post.self, using: JSONDecoder())
    }
}

struct FutureRowsTests {
    @Test func futuresOfEveryFormEnd() async throws {
        let maker = FutureMaker()
        for (index, future) in maker.made().prefix(3).enumerated() {
            #expect(try await maker.forward(future).fetchResult() == index + 1)
        }
        for future in maker.many([ResponseFuture(result: 1), ResponseFuture(result: 2)]) {
            #expect(try await future.fetchResult() == [1, 2])
        }
        await #expect(throws: ResponseError.noResponse) { try await maker.made()[3].fetchResult() }
        #expect(maker.describe(maker.made()[0]) == "created")
    }

    @Test func handlersRun() async {
        let user = FutureUser()
        await end(user.keep(ResponseFuture(result: 1)))
        await end(user.either(ResponseFuture(result: 2)))
        await end(user.watch(ResponseFuture { future in future.fail(with: ResponseError.noResponse) }))
        #expect(user.values == [1, 2])
        #expect(user.lastError as? ResponseError == .noResponse)
    }

    @Test func operatorsWork() async throws {
        let transformer = Transformer()
        for future in transformer.transformed(ResponseFuture(result: 1)) {
            #expect(try await future.fetchResult() == "1")
        }
        #expect(try await transformer.safe(ResponseFuture(result: 1)).fetchResult() == "1")
        #expect(try await transformer.series(ResponseFuture(result: 12)).fetchResult() == ("12", 2))
        #expect(try await transformer.parallel(ResponseFuture(result: 1)).fetchResult() == (1, "2"))
        #expect(try await transformer.added(ResponseFuture(result: [7])).fetchResult() == [7, 1, 2])
        let joined = try await transformer.series(ResponseFuture(result: 1), nil).fetchResult()
        #expect(joined.0.0 == (1, nil))
        let parallel = try await transformer.parallel(ResponseFuture(result: 1), nil).fetchResult()
        #expect(parallel.0.0 == (1, nil))
    }
}
