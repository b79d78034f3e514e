import Foundation
import PiuPiuFutures
import PiuPiuTesting

/// State of a plain class that only the main thread may touch.
final class MainThreadState: ServerProvider, @unchecked Sendable {
    var isSending = false
    var notes: [String] = []
    /// What ran inside `send()`.
    var sent: [String] = []
    var misplaced: [String] = []

    let mainKey: DispatchSpecificKey<Bool>
    let dispatcher: MockURLRequestDispatcher
    lazy var serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: self)

    init() {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        mainKey = key
        var note: (String) -> Void = { _ in }
        let box = { (callback: String) in note(callback) }
        dispatcher = MockURLRequestDispatcher { request in
            box("mock")
            return try Response.makeMockResponse(with: request, data: Data("1".utf8), statusCode: .ok)
        }
        note = { [unowned self] in self.note($0) }
    }

    var baseURL: URL? {
        note("provider")
        return URL(string: "https://example.com")
    }

    func note(_ callback: String) {
        if DispatchQueue.getSpecific(key: mainKey) != true { misplaced.append(callback) }
        notes.append(callback)
        if isSending { sent.append(callback) }
    }

    func send(_ future: ResponseFuture<Int>) {
        isSending = true
        future.send()
        isSending = false
    }
}

/// A request that says where it is made.
struct NotedRequest: PiuPiuFutures.Request {
    let state: MainThreadState

    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
        state.note("made")
        return URLRequest(url: baseURL, method: .get)
    }
}

/// The ways to begin a chain with a closure.
enum Root: String, CaseIterable {
    case request, upload, download, action, serializer, result

    /// A chain of this kind, whose closures use the state.
    func future(_ state: MainThreadState) -> ResponseFuture<Int> {
        let request: () -> URLRequest? = {
            state.note(self.rawValue)
            return state.url.map { URLRequest(url: $0, method: self == .upload ? .post : .get) }
        }
        switch self {
        case .request:
            return state.dispatcher.dataFuture { request() }.then { _ in 1 }
        case .upload:
            return state.dispatcher.uploadFuture(with: Data("x".utf8)) { request() }.then { _ in 1 }
        case .download:
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            return state.dispatcher.downloadFuture(destination: file) { request() }
                .then { response in
                    try? FileManager.default.removeItem(at: response.data)
                    return 1
                }
        case .action:
            return ResponseFuture<Int> { future in
                state.note(self.rawValue)
                future.succeed(with: 1)
            }
        case .serializer:
            return state.serializer.dataFuture {
                state.note(self.rawValue)
                return NotedRequest(state: state)
            }
            .then { _ in 1 }
        case .result:
            return ResponseFuture(result: 1).thenResult(Int.self) { result in
                state.note(self.rawValue)
                return try result.get()
            }
        }
    }
}

/// The places in a chain where such a chain may stand.
enum Place: String, CaseIterable {
    case root, then, join, replace, parallelLeft, parallelRight, children, safe

    /// A chain with another one in this place.
    func around(_ make: @escaping () -> ResponseFuture<Int>, _ state: MainThreadState) -> ResponseFuture<Int> {
        switch self {
        case .root: return make()
        case .then: return make().then { $0 }
        case .join:
            return ResponseFuture(result: 1)
                .seriesJoin(Int.self) { _ in
                    state.note("join")
                    return make()
                }
                .then { $0.1 }
        case .replace:
            return ResponseFuture(result: 1).then { $0 }
                .replace(Int.self) { _ in
                    state.note("replace")
                    return make()
                }
        case .parallelLeft:
            return make().parallelJoin(Int.self) { ResponseFuture(result: 1) }.then { $0.0 }
        case .parallelRight:
            return ResponseFuture(result: 1).parallelJoin(Int.self) { make() }.then { $0.1 }
        case .children:
            return ResponseFuture<[Int]>(childFutures: [make(), make()]).then { $0[0] }
        case .safe:
            return make().safeResult().thenResult(Int.self) { result in
                state.note("safe")
                return try result.get().get()
            }
        }
    }

    /// Whether its future begins inside `send()`.
    var isAtOnce: Bool { self != .join && self != .replace }
}

extension MainThreadState {
    var url: URL? { URL(string: "https://example.com/1") }
}
