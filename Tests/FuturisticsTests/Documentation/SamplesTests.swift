import Futuristics
import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// The samples of MovingFromFuturistics.md and of the sources' comments.
@Suite(.timeLimit(.generous)) struct SamplesTests {
    @Test func aFutureAndAnAsynchronousFunctionBecomeEachOther() async throws {
        let names = Names()
        #expect(try await names.fetchNameOfFuture(1) == "name 1")
        #expect(try await names.nameFuture(2).value == "name 2")
    }

    @Test func aScreenShowsANameBeforeAndAfter() async {
        let journal = Journal()
        let screen = NameScreen(journal)
        screen.loadWithFutures(Data(#"{"name":"Ada"}"#.utf8))
        #expect(await journal.entries(2) == ["show Ada true", "hide true"])
        screen.loadWithFutures(Data())
        #expect(Array(await journal.entries(4).suffix(2)) == ["error true", "hide true"])
        await screen.load(Fixture.request)
        #expect(Array(await journal.entries(6).suffix(2)) == ["show Grace false", "hide false"])
    }

    @Test func aPromiseBecomesAContinuation() async throws {
        for isFound in [true, false] {
            let places = Places(isFound: isFound)
            let future = try? await places.locateFuture().value
            let value = try? await places.locate()
            #expect(future?.name == (isFound ? "here" : nil))
            #expect(value?.name == (isFound ? "here" : nil))
        }
    }

    @Test func aRequestIsAStage() async throws {
        let journal = Journal()
        let screen = PostScreen(journal)
        screen.load()
        #expect(await journal.entries(1) == ["show Hello"])
    }

    @Test func theSamplesOfTheSourcesRun() async throws {
        let journal = Journal()
        let samples = SourceSamples(journal)
        samples.showName()
        #expect(await journal.entries(2) == ["name 1", "hide"])
        #expect(try await samples.onRenderThreadTwice(4).value == 8)
        #expect(try await samples.fetchPost()(2).value == "post 2")
    }
}

private final class Names {
    private func readName(_ id: Int) -> Future<String> {
        let promise = Promise<String>()
        DispatchQueue.global().async { promise.fulfill("name \(id)") }
        return promise.future
    }

    func fetchNameOfFuture(_ id: Int) async throws -> String {
        struct Reader {
            let nameFuture: (Int) -> Future<String>

            func fetchName(_ id: Int) async throws -> String {
                try await nameFuture(id).value
            }
        }
        return try await Reader(nameFuture: readName).fetchName(id)
    }

    private func fetchName(_ id: Int) async throws -> String { "name \(id)" }

    // For callers that still work with futures.
    func nameFuture(_ id: Int) -> Future<String> {
        Future { try await self.fetchName(id) }
    }
}

private final class NameScreen {
    private final class Client {
        func executeRequest(_ data: Data) -> Future<Data> { Promise<Data>().fulfill(data) }
    }

    private let journal: Journal
    private let client = Client()
    private let dispatcher = MockURLRequestDispatcher { request in
        try Response.makeMockJSONResponse(with: request, encodable: ["name": "Grace"], statusCode: .ok)
    }

    init(_ journal: Journal) {
        self.journal = journal
    }

    private func jsonFromResponse(_ response: Data) throws -> Any { try JSONSerialization.jsonObject(with: response) }
    private func jsonFromResponse(_ response: Response<Data?>) throws -> Any {
        try JSONSerialization.jsonObject(with: response.data ?? Data())
    }

    private func extractName(_ json: Any) throws -> String {
        guard let name = (json as? [String: String])?["name"] else { throw Failure() }
        return name
    }

    private func show(_ name: String) { journal("show", name, isOnMainQueue) }
    private func show(_ error: Error) { journal("error", isOnMainQueue) }
    private func hideLoadingUI() { journal("hide", isOnMainQueue) }

    func loadWithFutures(_ request: Data) {
        let requestAndParse = client.executeRequest >>> onBackgroundQueue(self.jsonFromResponse >>> self.extractName)
        requestAndParse(request).onSuccess(onMainQueue) { name in
            self.show(name)
        }.onFailure(onMainQueue) { error in
            self.show(error)
        }.finally(onMainQueue) {
            self.hideLoadingUI()
        }
    }

    func load(_ request: URLRequest) async {
        do {
            let response = try await dispatcher.data(for: request)
            show(try extractName(jsonFromResponse(response)))
        } catch {
            show(error)
        }
        hideLoadingUI()
    }
}

private struct Place: Sendable {
    var name: String
}

private enum LocatorError: Error {
    case unknown
}

private final class Places {
    private struct Locator {
        let isFound: Bool

        func locate(_ completion: @escaping (Place?, Error?) -> Void) {
            DispatchQueue.global().async { completion(isFound ? Place(name: "here") : nil, nil) }
        }
    }

    private let locator: Locator

    init(isFound: Bool) {
        locator = Locator(isFound: isFound)
    }

    func locateFuture() -> Future<Place> { locate() }

    func locate() -> Future<Place> {
        let promise = Promise<Place>()
        locator.locate { place, error in
            if let place { promise.fulfill(place) } else { promise.reject(error ?? LocatorError.unknown) }
        }
        return promise.future
    }

    func locate() async throws -> Place {
        try await withCheckedThrowingContinuation { continuation in
            locator.locate { place, error in
                if let place {
                    continuation.resume(returning: place)
                } else {
                    continuation.resume(throwing: error ?? LocatorError.unknown)
                }
            }
        }
    }
}

private struct Post: Codable, Sendable {
    var title: String
}

private final class PostScreen {
    private let journal: Journal
    private let dispatcher = MockURLRequestDispatcher { request in
        try Response.makeMockJSONResponse(with: request, encodable: Post(title: "Hello"), statusCode: .ok)
    }

    init(_ journal: Journal) {
        self.journal = journal
    }

    private func show(_ title: String) { journal("show", title) }
    private func show(_ error: Error) { journal("error", error) }
    private func postRequest(_ id: Int) -> URLRequest { Fixture.request }

    func load() {
        let dispatcher = dispatcher
        let postRequest = self.postRequest

        let getPost = { (id: Int) -> Future<Response<Data?>> in
            Future(dispatcher.dataFuture(from: postRequest(id)))
        }
        let title = getPost >>> onBackgroundQueue { response in try response.decode(Post.self).title }
        title(1).responseFuture()
            .success { title in self.show(title) }
            .error { error in self.show(error) }
            .send()
    }
}

/// The samples in the comments of the sources, and in the module's page.
private final class SourceSamples {
    private let journal: Journal
    private let renderThread = RenderThread()

    init(_ journal: Journal) {
        self.journal = journal
    }

    private func readName(_ id: Int) throws -> String { "name \(id)" }
    private func show(_ name: String) { journal(name) }
    private func show(_ error: Error) { journal(error) }
    private func hideLoadingUI() { journal("hide") }

    func fetchName(_ id: Int) -> Future<String> {
        let promise = Promise<String>()
        DispatchQueue.global().async {
            promise.resolve { try self.readName(id) }
        }
        return promise.future
    }

    func showName() {
        fetchName(1).onSuccess(onMainQueue) { name in
            self.show(name)
        }.onFailure(onMainQueue) { error in
            self.show(error)
        }.finally(onMainQueue) {
            self.hideLoadingUI()
        }
    }

    private final class RenderThread {
        private let queue = DispatchQueue(label: "render")

        func perform(_ work: @escaping () -> Void) { queue.async { work() } }
    }

    func onRenderThreadTwice(_ number: Int) -> Future<Int> {
        let renderThread = renderThread

        func onRenderThread<A, B>(_ closure: @escaping (A) throws -> B) -> (A) -> Future<B> {
            return { input in
                let promise = Promise<B>()
                renderThread.perform { promise.resolve { try closure(input) } }
                return promise.future
            }
        }

        return onRenderThread { (number: Int) in number * 2 }(number)
    }

    private func fetchData(_ id: Int) -> Future<Int> { Promise<Int>().fulfill(id) }
    private func parse(_ id: Int) throws -> String { "post \(id)" }
    private func check(_ post: String) throws -> String { post }

    func fetchPost() -> (Int) -> Future<String> {
        let fetchPost = fetchData >>> onBackgroundQueue(self.parse >>> self.check)

        return fetchPost
    }
}
