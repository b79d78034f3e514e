import Futuristics
import Testing

final class NameClient: Sendable {
    func executeRequest(_ name: String) -> Future<Data> {
        let promise = Promise<Data>()
        DispatchQueue.global().async { promise.fulfill(Data(#"{"name":"\#(name)"}"#.utf8)) }
        return promise.future
    }
}

enum NameError: Error {
    case missing
}

@MainActor
final class NameScreen {
    private(set) var name = ""
    private let client: NameClient

    init(_ client: NameClient) {
        self.client = client
    }

    nonisolated func jsonFromResponse(_ response: Data) throws -> Any {
        try JSONSerialization.jsonObject(with: response)
    }

    nonisolated func extractName(_ json: Any) throws -> String {
        guard let name = (json as? [String: String])?["name"] else { throw NameError.missing }
        return name
    }

    func load() {
        let requestAndParse = client.executeRequest >>> onBackgroundQueue(self.jsonFromResponse >>> self.extractName)
        requestAndParse("Ada").onSuccess(onMainQueue) { name in
            self.name = name
        }
    }
}

/// What MovingFromFuturistics.md says about Swift 6 mode, with the checks of that mode.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct MainActorTests {
    private let entries: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (entries, continuation) = AsyncStream.makeStream()
    }

    private func entries(_ count: Int) async -> [String] {
        var all: [String] = []
        for await entry in entries {
            all.append(entry)
            if all.count == count { break }
        }
        return all
    }

    private var journal: @Sendable (Any...) -> Void {
        { [continuation] items in continuation.yield(items.map { "\($0)" }.joined(separator: " ")) }
    }

    @Test func aMainActorClassUsesItsStateInHandlers() async {
        let screen = NameScreen(NameClient())
        screen.load()
        while screen.name.isEmpty { await Task.yield() }
        #expect(screen.name == "Ada")
    }

    @Test func methodsOfTheMainActorBecomeFunctions() async throws {
        final class Titles {
            var titles: [String] = []
            func add(_ title: String) { titles.append(title) }
        }
        let titles = Titles()
        let show = onMainQueue { (title: String) in titles.add(title) }
        let load = onBackgroundQueue { (number: Int) in "\(number)" }
        try await (load >>> show)(4).value
        #expect(titles.titles == ["4"])
        let shown = show("5")
        #expect(titles.titles == ["4", "5"])
        shown.finally(onMainQueue) {
            titles.add("end")
            self.continuation.yield("end")
        }
        _ = await entries(1)
        #expect(titles.titles == ["4", "5", "end"])
        let later = Promise<Int>()
        later.future.onFailure(onMainQueue(after: 0.001)) { titles.add("\($0)") }
            .finally(onMainQueue(after: 0.002)) { self.continuation.yield("end") }
        later.reject(NameError.missing)
        _ = await entries(1)
        #expect(titles.titles == ["4", "5", "end", "missing"])
    }

    @Test func handlersWithoutAContextUseTheStateOfTheMainActor() async {
        final class Titles {
            var titles: [String] = []
            func add(_ title: String) { titles.append(title) }
        }
        let titles = Titles()
        let promise = Promise<Int>()
        promise.future.onSuccess { titles.add("\($0)") }.onFailure { titles.add("\($0)") }
            .finally { self.continuation.yield("end") }
        DispatchQueue.global().async { promise.fulfill(6) }
        _ = await entries(1)
        #expect(titles.titles == ["6"])
    }

    private let renderQueue = DispatchQueue(label: "render")

    @Test func aContextOfOnesOwnIsAGenericFunction() async {
        let renderQueue = renderQueue
        let journal = journal

        func onRenderQueue<A: Sendable, B: Sendable>(
            _ closure: @escaping @Sendable (A) throws -> B
        ) -> (A) -> Future<B> {
            { input in
                let promise = Promise<B>()
                renderQueue.async { promise.resolve { try closure(input) } }
                return promise.future
            }
        }

        Promise<Int>().fulfill(1).onSuccess(onRenderQueue) { journal("success", $0) }
            .finally(onRenderQueue) { journal("finally") }
        #expect(await entries(2) == ["success 1", "finally"])
    }

    @Test func aContextIsKeptInAVariable() async {
        let journal = journal
        let future = Promise<Int>().fulfill(1)

        let context: @Sendable (@escaping @Sendable () throws -> Void) -> () -> Future<Void> = onMainQueue
        future.onSuccess(context) { journal("success", $0) }.finally(context) { journal("finally") }

        #expect(await entries(2) == ["success 1", "finally"])
    }

    @Test func everythingMayCrossThreads() {
        func check<T: Sendable>(_ type: T.Type) {}
        check(Promise<Int>.self)
        check(Future<(Int, String)>.self)
        check(FutureState<Int>.self)
        check(FutureError.self)
        check(MainQueue.self)
    }
}
