import Foundation
import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Closures with capture lists, compiled in the Swift 5 language mode: Swift 6.3 gives them another isolation.
@Suite(.timeLimit(.minutes(10))) struct CaptureListTests {
    /// Notes the closures that ran elsewhere than on the main thread.
    final class Owner: @unchecked Sendable {
        private let mainKey = DispatchSpecificKey<Bool>()
        var ran: [String] = []
        var misplaced: [String] = []

        init() {
            DispatchQueue.main.setSpecific(key: mainKey, value: true)
        }

        func note(_ closure: String) {
            if DispatchQueue.getSpecific(key: mainKey) != true { misplaced.append(closure) }
            ran.append(closure)
        }
    }

    private func answer(_ request: URLRequest) throws -> Response<Data?> {
        try Response.makeMockResponse(with: request, data: Data("1".utf8), statusCode: .ok)
    }

    /// The callbacks of a mock: in the initialiser and set later, with each kind of capture.
    private func mocks(_ owner: Owner) -> [MockURLRequestDispatcher] {
        let number = 7
        let later = (0..<4).map { _ in MockURLRequestDispatcher { _ in throw ResponseError.noResponse } }
        later[0].callback = { [weak owner] request in
            owner?.note("mock")
            return try answer(request)
        }
        later[1].callback = { [unowned owner] request in
            owner.note("mock")
            return try answer(request)
        }
        later[2].callback = { [number] request in
            if number == 7 { owner.note("mock") }
            return try answer(request)
        }
        later[3].callback = { request in
            owner.note("mock")
            return try answer(request)
        }
        return [
            MockURLRequestDispatcher { [weak owner] request in
                owner?.note("mock")
                return try answer(request)
            },
            MockURLRequestDispatcher { [unowned owner] request in
                owner.note("mock")
                return try answer(request)
            },
            MockURLRequestDispatcher { [number] request in
                if number == 7 { owner.note("mock") }
                return try answer(request)
            },
            MockURLRequestDispatcher { request in
                owner.note("mock")
                return try answer(request)
            },
        ] + later
    }

    /// A chain with a closure of each kind; `kind` chooses the capture.
    private func chain(_ kind: Int, _ owner: Owner, _ mock: MockURLRequestDispatcher) -> ResponseFuture<Int> {
        let url = URL(string: "https://example.com") ?? URL(fileURLWithPath: "/")
        let number = 7
        switch kind {
        case 0:
            return
                mock.dataFuture { [weak owner] in
                    owner?.note("request")
                    return URLRequest(url: url, method: .get)
                }
                .thenResult(Int.self) { [weak owner] result in
                    owner?.note("thenResult")
                    return try result.get().data?.count ?? 0
                }
                .replace(Int.self) { [weak owner] value in
                    owner?.note("replace")
                    return ResponseFuture<Int> { [weak owner] future in
                        owner?.note("action")
                        future.succeed(with: value)
                    }
                }
                .seriesJoin(Int.self) { [weak owner] value in
                    owner?.note("seriesJoin")
                    return ResponseFuture(result: value)
                }
                .then(Int.self) { $0.0 }
                .success { [weak owner] _ in owner?.note("success") }
        case 1:
            return
                mock.dataFuture { [unowned owner] in
                    owner.note("request")
                    return URLRequest(url: url, method: .get)
                }
                .thenResult(Int.self) { [unowned owner] result in
                    owner.note("thenResult")
                    return try result.get().data?.count ?? 0
                }
                .replace(Int.self) { [unowned owner] value in
                    owner.note("replace")
                    return ResponseFuture<Int> { [unowned owner] future in
                        owner.note("action")
                        future.succeed(with: value)
                    }
                }
                .seriesJoin(Int.self) { [unowned owner] value in
                    owner.note("seriesJoin")
                    return ResponseFuture(result: value)
                }
                .then(Int.self) { $0.0 }
                .success { [unowned owner] _ in owner.note("success") }
        default:
            return
                mock.dataFuture { [number] in
                    if number == 7 { owner.note("request") }
                    return URLRequest(url: url, method: .get)
                }
                .thenResult(Int.self) { [number] result in
                    if number == 7 { owner.note("thenResult") }
                    return try result.get().data?.count ?? 0
                }
                .replace(Int.self) { [number] value in
                    if number == 7 { owner.note("replace") }
                    return ResponseFuture<Int> { [number] future in
                        if number == 7 { owner.note("action") }
                        future.succeed(with: value)
                    }
                }
                .seriesJoin(Int.self) { [number] value in
                    if number == 7 { owner.note("seriesJoin") }
                    return ResponseFuture(result: value)
                }
                .then(Int.self) { $0.0 }
                .success { [number] _ in if number == 7 { owner.note("success") } }
        }
    }

    @Test(arguments: 0..<3) func closuresWithACaptureListRunOnTheMainThread(kind: Int) async {
        for index in 0..<8 {
            let owner = Owner()
            let mock = mocks(owner)[index]
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue.main.async {
                    chain(kind, owner, mock)
                        .error { Issue.record("\($0)") }
                        .completion { continuation.resume() }
                        .send()
                }
            }
            let expected = ["request", "mock", "thenResult", "replace", "action", "seriesJoin", "success"]
            #expect(owner.ran == expected, "mock \(index)")
            #expect(owner.misplaced == [], "mock \(index)")
        }
    }

    @Test func aFunctionThatMayWaitAnswers() async throws {
        let gate = Gate()
        let mock = MockURLRequestDispatcher { [answer] request in
            try await gate.wait()
            return try answer(request)
        }
        gate.open()
        let url = try #require(URL(string: "https://example.com"))
        #expect(try await mock.dataFuture(from: URLRequest(url: url)).fetchResult().data == Data("1".utf8))
        #expect(mock.callback == nil)
    }
}
