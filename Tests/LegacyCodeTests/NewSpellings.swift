import Foundation
import PiuPiuFutures
import PiuPiuTesting
import Testing

// What MIGRATION.md says about code that no longer compiles, or that warns.

class NewStatusReader {
    // Row: case .other(let code): of a StatusCode
    func number(_ code: StatusCode) -> Int {
        switch code {
        case .ok: return 0
        case let code: return code.rawValue
        }
    }

    // Row: case .other: of a StatusCode
    func isKnown(_ code: StatusCode) -> Bool {
        switch code {
        case .ok, .notFound: return true
        default: return false
        }
    }

    // Row: a switch over a StatusCode or an HTTPMethod that names every case
    func text(_ method: HTTPMethod) -> String {
        switch method {
        case .get, .head: return "reads"
        case .options, .post, .put, .patch, .delete, .trace, .connect: return "may write"
        default: return "unknown"
        }
    }

    // Row: if let method = HTTPMethod(rawValue: name)
    func isOneOfTheNine(_ name: String) -> Bool {
        let method = HTTPMethod(name)
        return HTTPMethod.allCases.contains(method)
    }

    func sends(_ name: String) async throws {
        do {
            _ = try await URLRequestDispatcher().data(for: request("/", HTTPMethod(name)))
        } catch let error as TransportError where error.code == .invalidRequest {
            throw ResponseError.noResponse
        }
    }
}

// Row: an adapter that calls a callback
final class TokenAdapter: URLRequestAdapter {
    func adapt(urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        return request
    }
}

class AdapterKeeper {
    // Row: weak var adapter: URLRequestAdapter?
    weak var adapter: (any URLRequestAdapter & AnyObject)?
}

// Row: a class with a dataFuture(from:) of its own that conforms to DataDispatcher
final class CachingDispatcher: DataDispatcher {
    private func future(_ request: URLRequest) -> ResponseFuture<Response<Data?>> {
        return server.dataFuture(from: request)
    }

    func data(for request: URLRequest) async throws -> Response<Data?> {
        return try await future(request).fetchResult()
    }
}

// Row: a subclass of URLRequestDispatcher
class Backend {
    let dispatcher = URLRequestDispatcher(interceptors: [Journal()])
}

struct Journal: Interceptor {
    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        return try await next(request)
    }
}

// Row: a subclass of MockURLRequestDispatcher, RequestSerializer or ResponseFuture
func failingDispatcher(_ error: Error) -> MockURLRequestDispatcher {
    return MockURLRequestDispatcher { _ in throw error }
}

// Row: a subclass of a transform
struct DayTransform: Transform {
    let days = DateTransform(formatter: .rfc3339)

    func from(json: String, codingPath: [CodingKey]) throws -> Date {
        return try days.from(json: json + "T00:00:00Z", codingPath: codingPath)
    }

    func toJSON(_ value: Date, codingPath: [CodingKey]) throws -> String {
        return String(try days.toJSON(value, codingPath: codingPath).prefix(10))
    }
}

// Row: ResponseFutureSession()
let session = URLRequestDispatcher()

class NewFutureUser {
    // Row: a function for the task of updated that takes a URLSessionTask
    func show(_ task: TransferTask) {
        print(task.percentTransferred ?? 0)
    }

    func shown(_ future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        return future.updated { task in self.show(task) }
    }

    // Row: future.update(with: task) with a task of a session of yours
    func tell(_ task: URLSessionTask, to future: ResponseFuture<Int>) {
        var progress = TransferProgress(direction: .receiving)
        progress.bytesReceived = task.countOfBytesReceived
        future.update(with: TransferTask(progress: progress))
    }

    // Row: calling a handler that is kept in a variable of its type, such as ResponseFuture<Int>.SuccessHandler
    var handler: ResponseFuture<Int>.SuccessHandler?
    var completion: ResponseFuture<Int>.CompletionHandler = {}

    @MainActor
    func finish(_ value: Int) throws {
        try handler?(value)
    }

    func finish() {
        DispatchQueue.main.async {
            self.completion()
        }
    }

    // Row: Response.makeMockResponse(with: request, statusCode: .ok) without try
    func mock(_ request: URLRequest) throws -> Response<Data?> {
        return try Response.makeMockResponse(with: request, statusCode: .ok)
    }

    // Row: TimeZoneTransform.TransformError.invalidIdentifier
    func isUnreadable(_ error: Error) -> Bool {
        if case DecodingError.dataCorrupted = error { return true }
        return false
    }

    // Row: ResponseFuture<Set<Int>>(childFutures: futures), which ended the process
    func set(_ futures: [ResponseFuture<Int>]) -> ResponseFuture<Set<Int>> {
        return ResponseFuture<[Int]>(childFutures: futures).then { Set($0) }
    }
}

// Row: a class with variables that is an adapter, a ServerProvider or a Request
@MainActor class Environment: ServerProvider {
    var host = "example.com"
    var baseURL: URL? { URL(string: "https://\(host)") }
}

final class HeaderAdapter: URLRequestAdapter {
    let value: String

    init(value: String) {
        self.value = value
    }

    func adapt(urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue(value, forHTTPHeaderField: "X")
        return request
    }
}

struct UserRequest: Request {
    var id: Int

    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
        return URLRequest(url: baseURL.appendingPathComponent("users/\(id)"), method: .get)
    }
}

// Row: a var of a function that handlers change
@MainActor class Counter {
    var count = 0

    func add(_ future: ResponseFuture<Int>) {
        future.success { value in self.count += value }.completion { self.count += 1 }.send()
    }
}

// Row: a parameter of type () -> Void that is passed on as a handler
func end(
    _ future: ResponseFuture<Int>,
    _ completion: @escaping @MainActor @Sendable () -> Void,
    _ other: @escaping ResponseFuture<Int>.CompletionHandler
) {
    future.completion(completion).send()
    ResponseFuture(result: 1).completion(other).send()
}

// Row: a parameter of type (Int) -> String that is passed on to then, and the like
func text(_ future: ResponseFuture<Int>, _ transform: @escaping @Sendable (Int) -> String) -> ResponseFuture<String> {
    return future.then(transform)
}

// Row: self of a plain class in a closure that makes a request, or in one of then
@MainActor class Model {
    var posts: [Post] = []

    func count() -> ResponseFuture<Int> {
        return ResponseFuture(result: 1)
            .then { [posts] number in posts.count + number }
            .success { number in self.posts.removeLast(number) }
    }
}

// Row: a future of a class, such as ResponseFuture<Image>
struct Thumbnail: Sendable {
    var bytes: [UInt8]
}

final class Image: Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

func image() -> ResponseFuture<Image> {
    return ResponseFuture(result: Image(bytes: []))
}

struct NewSpellingsTests {
    @Test func statusCodesMatchByNumber() {
        let reader = NewStatusReader()
        #expect(reader.number(.other(299)) == 299 && reader.isKnown(.other(404)) && !reader.isKnown(.conflict))
        #expect(reader.text(.get) == "reads" && reader.text(HTTPMethod("PROPFIND")) == "unknown")
        #expect(reader.isOneOfTheNine("PATCH") && !reader.isOneOfTheNine("PROPFIND"))
        for (code, pattern) in [(StatusCode.tooManyRequests, 1), (.other(429), 1), (.notFound, 2), (.other(404), 2)] {
            switch code {
            case .other(429): #expect(pattern == 1)
            case .other(404): #expect(pattern == 2)
            default: Issue.record("\(code) matched nothing")
            }
        }
        if case HTTPError.clientError(.other(429)) = HTTPError.clientError(.tooManyRequests) {
            #expect(Bool(true))
        } else {
            Issue.record("The pattern of an error matched nothing")
        }
    }

    @Test func aNameThatIsNoTokenIsRefused() async {
        await #expect(throws: ResponseError.noResponse) { try await NewStatusReader().sends("NO TOKEN") }
    }

    @Test func otherSpellingsWork() async throws {
        #expect(
            try await NewFutureUser().set([ResponseFuture(result: 1), ResponseFuture(result: 1)]).fetchResult() == [1]
        )
        let dispatcher = CachingDispatcher()
        let user = try await dispatcher.dataFuture(from: request("/users/1")).decoded(User.self).fetchResult()
        #expect(user.data.name == "Ada")
        await #expect(throws: ResponseError.noResponse) {
            try await failingDispatcher(ResponseError.noResponse).data(for: request())
        }
        let day = try DayTransform().from(json: "2020-01-01", codingPath: [])
        #expect(try DayTransform().toJSON(day, codingPath: []) == "2020-01-01")
    }
}
