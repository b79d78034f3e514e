import PiuPiuClassic
import Testing

@Suite(.timeLimit(.generous))
struct OperatorTests {
    private let journal = Journal()

    private func future(_ value: Int) -> ResponseFuture<Int> {
        ResponseFuture<Int>(action: { future in
            self.journal("action \(value)")
            future.succeed(with: value)
        })
    }

    private func failing() -> ResponseFuture<Int> {
        ResponseFuture<Int>(action: { _ in throw Failure() })
    }

    private func endless(_ name: String) -> ResponseFuture<Int> {
        ResponseFuture<Int>(action: { _ in self.journal("action \(name)") })
            .cancellation({ self.journal("\(name) cancelled") })
    }

    /// Cancels a chain when something was taken down, and waits until all its parts were told.
    private func cancel<T>(_ chain: ResponseFuture<T>, at entry: String, parts: [String]) async -> [String] {
        let chain = chain.recorded(in: journal)
        chain.send()
        await journal.wait(for: entry)
        chain.cancel()
        var missing = Set(parts.map { "\($0) cancelled" } + ["completion true"])
        var entries: [String] = []
        while let next = missing.first {
            entries += await journal.wait(for: next)
            missing.subtract(entries)
        }
        return entries.filter { !$0.hasSuffix("cancelled") }
    }

    private let cancelled = ["cancellation true", "completion true"]
    private let failed = ["error failure true", "completion true"]

    // MARK: then

    @Test func thenTransformsOnceInTheBackground() async {
        let chain = future(7).then({ value -> String in
            self.journal("then", MainThread.isCurrent)
            return "value \(value)"
        })
        let entries = await chain.events(journal)
        #expect(entries == ["action 7", "then false", "response value 7 true", "completion true"])
        chain.send()
        await MainThread.run {}
        #expect(journal.entries.isEmpty)
    }

    @Test func thenRunsOnTheQueueOfItsCaller() async {
        let entries = await future(7).then(
            on: .main,
            { value -> Int in
                self.journal("then", MainThread.isCurrent)
                return value
            }
        ).events(journal)
        #expect(entries == ["action 7", "then true", "response 7 true", "completion true"])
    }

    @Test func thenPassesErrorsOn() async {
        #expect(await failing().then({ $0 + 1 }).events() == failed)
        #expect(await future(7).then({ _ -> Int in throw Failure() }).events() == failed)
    }

    @Test func thenKeepsAnOptionalValue() async {
        #expect(await ResponseFuture(result: 7).then({ _ -> Int? in nil }).events().first == "response nil true")
    }

    @Test func cancellingGoesThroughThen() async {
        let chain = endless("root").then({ $0 + 1 })
        #expect(await cancel(chain, at: "action root", parts: ["root"]) == cancelled)
    }

    // MARK: replace

    @Test func replaceContinuesOnTheMainThread() async {
        let entries = await future(7).replace({ value -> ResponseFuture<Int> in
            self.journal("replace", value, MainThread.isCurrent)
            return self.future(8)
        }).eventsFromMain(journal)
        #expect(entries == ["action 7", "replace 7 true", "action 8", "response 8 true", "completion true"])
        let isMain = future(7).replace({ _ in ResponseFuture(result: MainThread.isCurrent) })
        #expect(await isMain.events(Journal()) == ["response false true", "completion true"])
    }

    @Test func replaceWithNothingIsACancellation() async {
        #expect(await future(7).replace({ _ -> ResponseFuture<Int>? in nil }).events(Journal()) == cancelled)
    }

    @Test func replacePassesErrorsOn() async {
        #expect(await failing().replace({ _ in self.future(8) }).events() == failed)
        #expect(await future(7).replace({ _ in self.failing() }).events() == failed)
        #expect(await future(7).replace({ _ -> ResponseFuture<Int> in throw Failure() }).events() == failed)
        #expect(!journal.entries.contains("action 8"))
    }

    @Test func cancellingGoesThroughReplace() async {
        let inner = future(7).replace({ _ in self.endless("inner") })
        #expect(await cancel(inner, at: "action inner", parts: ["inner"]) == cancelled)
        let outer = endless("root").replace({ _ in self.endless("never") })
        #expect(await cancel(outer, at: "action root", parts: ["root"]) == cancelled)
    }

    // MARK: join in series

    @Test func joinContinuesWithBothValues() async {
        let chain = future(7).join({ value -> ResponseFuture<String> in
            self.journal("join", value, MainThread.isCurrent)
            return ResponseFuture(result: "eight")
        })
        let handled = chain.response({ number, text in
            self.journal(number, text)
        }).completion({ self.journal("completion") })
        await MainThread.run { handled.send() }
        #expect(await journal.wait(for: "completion") == ["action 7", "join 7 true", "7 eight", "completion"])
    }

    @Test func joinWithNothingIsACancellation() async {
        #expect(await future(7).join({ _ -> ResponseFuture<Int>? in nil }).events(Journal()) == cancelled)
    }

    @Test func joinPassesErrorsOn() async {
        #expect(await failing().join({ _ in self.future(8) }).events() == failed)
        #expect(await future(7).join({ _ in self.failing() }).events() == failed)
        #expect(await future(7).join({ _ -> ResponseFuture<Int> in throw Failure() }).events() == failed)
        #expect(!journal.entries.contains("action 8"))
    }

    @Test func cancellingGoesThroughJoin() async {
        let chain = future(7).join({ _ in self.endless("second") })
        #expect(await cancel(chain, at: "action second", parts: ["second"]) == cancelled)
    }

    // MARK: join at the same time

    @Test func joinRunsTwoFuturesAtTheSameTime() async {
        // Each side ends when the other one has begun.
        let left = ResponseFuture<Int>(action: { future in
            Task {
                await self.journal.wait(for: "right")
                future.succeed(with: 7)
                self.journal("left")
            }
        })
        let chain = left.join({
            ResponseFuture<Int>(action: { future in
                self.journal("right")
                Task {
                    await self.journal.wait(for: "left")
                    future.succeed(with: 8)
                }
            })
        })
        let end = Journal()
        chain.response({ end($0, $1) }).completion({ end("completion") }).send()
        #expect(await end.wait(for: "completion") == ["7 8", "completion"])
    }

    @Test func itsCallbackRunsOnceWhenItIsSent() async {
        let chain = ResponseFuture(result: 7).join({ () -> ResponseFuture<Int> in
            self.journal("callback", MainThread.isCurrent)
            return ResponseFuture(result: 8)
        })
        await MainThread.run {}
        #expect(journal.entries.isEmpty)
        #expect(await chain.eventsFromMain(journal) == ["callback true", "response (7, 8) true", "completion true"])
    }

    @Test func joinAtTheSameTimeWithNothingIsACancellation() async {
        #expect(await future(7).join({ () -> ResponseFuture<Int>? in nil }).events(Journal()) == cancelled)
    }

    @Test func theFirstErrorCancelsTheOtherSide() async {
        let chain = endless("left").join({ self.failing() }).recorded(in: journal)
        chain.send()
        var entries: [String] = []
        for entry in ["left cancelled", "completion true"] where !entries.contains(entry) {
            entries += await journal.wait(for: entry)
        }
        #expect(entries.filter { failed.contains($0) } == failed)
        let thrown = future(7).join({ () -> ResponseFuture<Int> in throw Failure() })
        #expect(await thrown.events() == failed)
    }

    @Test func cancellingGoesThroughBothSides() async {
        let chain = endless("left").join({ self.endless("right") }).recorded(in: journal)
        chain.send()
        var begun: [String] = []
        for entry in ["action left", "action right"] where !begun.contains(entry) {
            begun += await journal.wait(for: entry)
        }
        chain.cancel()
        var entries: [String] = []
        for entry in ["left cancelled", "right cancelled", "completion true"] where !entries.contains(entry) {
            entries += await journal.wait(for: entry)
        }
        #expect(entries.filter { cancelled.contains($0) } == cancelled)
    }

    // MARK: All

    @Test func handlersOfThePartsRunBeforeThoseOfTheWhole() async {
        let chain = future(7).completion({ self.journal("inner") }).then({ $0 + 1 })
        let entries = await chain.events(journal)
        #expect(entries == ["action 7", "inner", "response 8 true", "completion true"])
    }

    @Test func aLongChainNeedsNoDeepStack() async throws {
        var chain = ResponseFuture(result: 0)
        for _ in 0..<10_000 { chain = chain.then({ $0 + 1 }) }
        #expect(try await chain.fetchResult() == 10_000)
    }
}
