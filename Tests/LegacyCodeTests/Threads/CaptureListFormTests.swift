import Foundation
import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// The other closures with capture lists: of uploads and downloads, serializers and providers, joins and handlers; compiled in
/// the Swift 5 language mode.
@Suite(.timeLimit(.minutes(10))) struct CaptureListFormTests {
    private typealias Owner = CaptureListTests.Owner

    /// A provider whose address comes from a closure.
    private final class Provider: ServerProvider, @unchecked Sendable {
        var url: () -> URL? = { nil }
        var baseURL: URL? { url() }
    }

    /// A request that a closure makes.
    private struct MadeRequest: PiuPiuFutures.Request, @unchecked Sendable {
        let make: (URL) -> URLRequest

        init(_ make: @escaping (URL) -> URLRequest) {
            self.make = make
        }

        func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest { make(baseURL) }
    }

    /// What the chains have in common.
    private final class Surroundings: @unchecked Sendable {
        let url = URL(string: "https://example.com") ?? URL(fileURLWithPath: "/")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let provider = Provider()
        let mock = MockURLRequestDispatcher { request in
            try Response.makeMockResponse(with: request, data: Data("1".utf8), statusCode: .ok)
        }
        lazy var serializer = RequestSerializer(dispatcher: mock, serverProvider: provider)
        /// Chains that have not ended.
        var left = 0
        var whenAllEnded: () -> Void = {}

        func end() {
            left -= 1
            if left == 0 { whenAllEnded() }
        }

        deinit { try? FileManager.default.removeItem(at: file) }
    }

    /// The chains, with closures that capture the owner weakly.
    private func weakly(_ owner: Owner, _ surroundings: Surroundings) -> [ResponseFuture<Int>] {
        let (mock, url, file) = (surroundings.mock, surroundings.url, surroundings.file)
        surroundings.provider.url = { [weak owner] in
            owner?.note("provider")
            return url
        }
        let uploaded = mock.uploadFuture(with: Data("x".utf8)) { [weak owner] in
            owner?.note("upload")
            return URLRequest(url: url, method: .post)
        }
        let downloaded = mock.downloadFuture(destination: file) { [weak owner] in
            owner?.note("download")
            return URLRequest(url: url, method: .get)
        }
        let serialized = surroundings.serializer.dataFuture { [weak owner] in
            owner?.note("serializer")
            return MadeRequest { [weak owner] baseURL in
                owner?.note("made")
                return URLRequest(url: baseURL, method: .get)
            }
        }
        let parallel = ResponseFuture(result: 1)
            .parallelJoin(Int.self) { [weak owner] in
                owner?.note("parallelJoin")
                return ResponseFuture(result: 2)
            }
            .parallelNullableJoin(Int.self) { [weak owner] in
                owner?.note("parallelNullableJoin")
                return ResponseFuture(result: 3)
            }
            .safeParallelJoin(Int.self) { [weak owner] in
                owner?.note("safeParallelJoin")
                return ResponseFuture(result: 4)
            }
            .safeParallelNullableJoin(Int.self) { [weak owner] in
                owner?.note("safeParallelNullableJoin")
                return nil
            }
        let series = ResponseFuture(result: 1)
            .seriesNullableJoin(Int.self) { [weak owner] _ in
                owner?.note("seriesNullableJoin")
                return ResponseFuture(result: 2)
            }
            .safeSeriesJoin(Int.self) { [weak owner] _ in
                owner?.note("safeSeriesJoin")
                return ResponseFuture(result: 3)
            }
            .safeSeriesNullableJoin(Int.self) { [weak owner] _ in
                owner?.note("safeSeriesNullableJoin")
                return ResponseFuture(result: 4)
            }
        let failing = ResponseFuture<Int> { [weak owner] future in
            owner?.note("action")
            future.fail(with: ResponseError.noResponse)
        }
        .error { [weak owner] _ in owner?.note("error") }
        .completion { [weak owner] in
            owner?.note("completion")
            surroundings.end()
        }
        return [
            uploaded.then { _ in 1 }.updated { [weak owner] _ in owner?.note("updated") },
            downloaded.then { _ in 1 },
            serialized.then { _ in 1 }.success { [weak owner] _ in owner?.note("success") },
            parallel.then { _ in 1 }.result { [weak owner] _ in owner?.note("result") },
            series.then { _ in 1 },
        ]
        .map { $0.error { Issue.record("\($0)") }.completion { surroundings.end() } } + [failing]
    }

    /// The chains, with closures that capture the owner without owning it.
    private func withoutOwning(_ owner: Owner, _ surroundings: Surroundings) -> [ResponseFuture<Int>] {
        let (mock, url, file) = (surroundings.mock, surroundings.url, surroundings.file)
        surroundings.provider.url = { [unowned owner] in
            owner.note("provider")
            return url
        }
        let uploaded = mock.uploadFuture(with: Data("x".utf8)) { [unowned owner] in
            owner.note("upload")
            return URLRequest(url: url, method: .post)
        }
        let downloaded = mock.downloadFuture(destination: file) { [unowned owner] in
            owner.note("download")
            return URLRequest(url: url, method: .get)
        }
        let serialized = surroundings.serializer.dataFuture { [unowned owner] in
            owner.note("serializer")
            return MadeRequest { [unowned owner] baseURL in
                owner.note("made")
                return URLRequest(url: baseURL, method: .get)
            }
        }
        let parallel = ResponseFuture(result: 1)
            .parallelJoin(Int.self) { [unowned owner] in
                owner.note("parallelJoin")
                return ResponseFuture(result: 2)
            }
            .parallelNullableJoin(Int.self) { [unowned owner] in
                owner.note("parallelNullableJoin")
                return ResponseFuture(result: 3)
            }
            .safeParallelJoin(Int.self) { [unowned owner] in
                owner.note("safeParallelJoin")
                return ResponseFuture(result: 4)
            }
            .safeParallelNullableJoin(Int.self) { [unowned owner] in
                owner.note("safeParallelNullableJoin")
                return nil
            }
        let series = ResponseFuture(result: 1)
            .seriesNullableJoin(Int.self) { [unowned owner] _ in
                owner.note("seriesNullableJoin")
                return ResponseFuture(result: 2)
            }
            .safeSeriesJoin(Int.self) { [unowned owner] _ in
                owner.note("safeSeriesJoin")
                return ResponseFuture(result: 3)
            }
            .safeSeriesNullableJoin(Int.self) { [unowned owner] _ in
                owner.note("safeSeriesNullableJoin")
                return ResponseFuture(result: 4)
            }
        let failing = ResponseFuture<Int> { [unowned owner] future in
            owner.note("action")
            future.fail(with: ResponseError.noResponse)
        }
        .error { [unowned owner] _ in owner.note("error") }
        .completion { [unowned owner] in
            owner.note("completion")
            surroundings.end()
        }
        return [
            uploaded.then { _ in 1 }.updated { [unowned owner] _ in owner.note("updated") },
            downloaded.then { _ in 1 },
            serialized.then { _ in 1 }.success { [unowned owner] _ in owner.note("success") },
            parallel.then { _ in 1 }.result { [unowned owner] _ in owner.note("result") },
            series.then { _ in 1 },
        ]
        .map { $0.error { Issue.record("\($0)") }.completion { surroundings.end() } } + [failing]
    }

    /// The chains, with closures that capture a value.
    private func byValue(_ owner: Owner, _ surroundings: Surroundings) -> [ResponseFuture<Int>] {
        let (mock, url, file) = (surroundings.mock, surroundings.url, surroundings.file)
        let number = 7
        surroundings.provider.url = { [number] in
            if number == 7 { owner.note("provider") }
            return url
        }
        let uploaded = mock.uploadFuture(with: Data("x".utf8)) { [number] in
            if number == 7 { owner.note("upload") }
            return URLRequest(url: url, method: .post)
        }
        let downloaded = mock.downloadFuture(destination: file) { [number] in
            if number == 7 { owner.note("download") }
            return URLRequest(url: url, method: .get)
        }
        let serialized = surroundings.serializer.dataFuture { [number] in
            if number == 7 { owner.note("serializer") }
            return MadeRequest { [number] baseURL in
                if number == 7 { owner.note("made") }
                return URLRequest(url: baseURL, method: .get)
            }
        }
        let parallel = ResponseFuture(result: 1)
            .parallelJoin(Int.self) { [number] in
                if number == 7 { owner.note("parallelJoin") }
                return ResponseFuture(result: 2)
            }
            .parallelNullableJoin(Int.self) { [number] in
                if number == 7 { owner.note("parallelNullableJoin") }
                return ResponseFuture(result: 3)
            }
            .safeParallelJoin(Int.self) { [number] in
                if number == 7 { owner.note("safeParallelJoin") }
                return ResponseFuture(result: 4)
            }
            .safeParallelNullableJoin(Int.self) { [number] in
                if number == 7 { owner.note("safeParallelNullableJoin") }
                return nil
            }
        let series = ResponseFuture(result: 1)
            .seriesNullableJoin(Int.self) { [number] _ in
                if number == 7 { owner.note("seriesNullableJoin") }
                return ResponseFuture(result: 2)
            }
            .safeSeriesJoin(Int.self) { [number] _ in
                if number == 7 { owner.note("safeSeriesJoin") }
                return ResponseFuture(result: 3)
            }
            .safeSeriesNullableJoin(Int.self) { [number] _ in
                if number == 7 { owner.note("safeSeriesNullableJoin") }
                return ResponseFuture(result: 4)
            }
        let failing = ResponseFuture<Int> { [number] future in
            if number == 7 { owner.note("action") }
            future.fail(with: ResponseError.noResponse)
        }
        .error { [number] _ in if number == 7 { owner.note("error") } }
        .completion { [number] in
            if number == 7 { owner.note("completion") }
            surroundings.end()
        }
        return [
            uploaded.then { _ in 1 }.updated { [number] _ in if number == 7 { owner.note("updated") } },
            downloaded.then { _ in 1 },
            serialized.then { _ in 1 }.success { [number] _ in if number == 7 { owner.note("success") } },
            parallel.then { _ in 1 }.result { [number] _ in if number == 7 { owner.note("result") } },
            series.then { _ in 1 },
        ]
        .map { $0.error { Issue.record("\($0)") }.completion { surroundings.end() } } + [failing]
    }

    private static let expected: Set<String> = [
        "upload", "download", "serializer", "provider", "made", "parallelJoin", "parallelNullableJoin",
        "safeParallelJoin",
        "safeParallelNullableJoin", "seriesNullableJoin", "safeSeriesJoin", "safeSeriesNullableJoin", "action", "error",
        "completion", "updated", "success", "result",
    ]

    @Test(arguments: 0..<3) func closuresWithACaptureListRunOnTheMainThread(kind: Int) async {
        for _ in 0..<10 {
            let owner = Owner()
            let surroundings = Surroundings()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue.main.async {
                    let chains = [weakly, withoutOwning, byValue][kind](owner, surroundings)
                    surroundings.left = chains.count
                    surroundings.whenAllEnded = { continuation.resume() }
                    for chain in chains { chain.send() }
                }
            }
            let once = owner.ran.filter { $0 != "updated" }
            #expect(Set(owner.ran) == Self.expected)
            #expect(once.count == Set(once).count, "\(once)")
            #expect(owner.misplaced == [])
        }
    }
}
