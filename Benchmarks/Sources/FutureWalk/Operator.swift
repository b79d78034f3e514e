import PiuPiuFutures

/// An operator of futures, with a future of every other one before it.
struct Operator: Sendable {
    /// A step from a future of a number to one of the same number.
    typealias Step = @Sendable (ResponseFuture<Int>, Stage) -> ResponseFuture<Int>
    /// A treatment of the operator's own future.
    typealias Walk = @Sendable (Treatment, Stage, @Sendable () -> ResponseFuture<Int>) async -> String?

    let api: PublicAPI
    let variant: String
    let features: Set<Feature>
    /// The operator, and `then` to get back to the number.
    let step: Step
    /// Treats what the operator itself makes of a future.
    let walk: Walk

    /// Creates an operator.
    ///
    /// - Parameters:
    ///   - api: Its place in the list of the public API.
    ///   - features: What its futures have.
    ///   - variant: What tells it from others at the same place.
    ///   - apply: Applies it.
    ///   - value: The number of the future before, read from the operator's value.
    init<Success: Sendable>(
        _ api: PublicAPI,
        _ features: Set<Feature> = [],
        _ variant: String = "",
        apply: @escaping @Sendable (ResponseFuture<Int>, Stage) -> ResponseFuture<Success>,
        value: @escaping @Sendable (Success) throws -> Int
    ) {
        self.api = api
        self.variant = variant
        self.features = features
        step = { future, stage in apply(future, stage).then(value) }
        walk = { treatment, stage, make in await treatment.apply(on: stage, { apply(make(), stage) }, value: value) }
    }

    /// Creates an operator whose futures have the same value.
    init(_ api: PublicAPI, apply: @escaping Step) {
        self.init(api, apply: apply, value: { $0 })
    }

    var name: String { api.rawValue + variant }

    /// All operators.
    static let all = transforming + joining + inSeries + ofResponses + handlers + others
}

extension Operator {
    /// What makes another value of the value.
    static var transforming: [Operator] {
        [
            Operator(.then) { future, _ in future.then { $0 } },
            Operator(
                .then,
                [],
                " on a queue",
                apply: { future, _ in future.then(on: .global()) { $0 } },
                value: { $0 }
            ),
            Operator(.thenType) { future, _ in future.then(Int.self) { $0 } },
            Operator(.map) { future, _ in future.map(Int.self) { $0 } },
            Operator(
                .map,
                [],
                " on a queue",
                apply: { future, _ in future.map(String.self, on: .global()) { "\($0)" } },
                value: { Int($0) ?? 0 }
            ),
            Operator(.thenResult) { future, _ in future.thenResult(Int.self) { try $0.get() } },
            Operator(.safeResult, apply: { future, _ in future.safeResult() }, value: { try $0.get() }),
        ]
    }

    /// What sets handlers, and gives the same future.
    static var handlers: [Operator] {
        [
            Operator(.success) { future, stage in future.success { [token = stage.token()] _ in _ = token } },
            Operator(.error) { future, stage in future.error { [token = stage.token()] _ in _ = token } },
            Operator(.completion) { future, stage in future.completion { [token = stage.token()] in _ = token } },
            Operator(.cancellation) { future, stage in future.cancellation { [token = stage.token()] in _ = token } },
            Operator(.updated) { future, stage in future.updated { [token = stage.token()] _ in _ = token } },
            Operator(.result) { future, stage in future.result { [token = stage.token()] _ in _ = token } },
        ]
    }

    /// What passes a future on without an operator.
    static var others: [Operator] {
        [
            Operator(.fulfill) { inner, _ in ResponseFuture { future in inner.fulfill(future) } },
            Operator(.fetchResult) { inner, _ in
                ResponseFuture { () async throws in try await inner.fetchResult() }
            },
            Operator(.completeWith) { inner, _ in
                ResponseFuture { future in
                    inner.result { future.complete(with: $0) }.cancellation { future.cancel() }.send()
                }
            },
        ] + (FormerNames.self as any FormerOperators.Type).all
    }
}

/// Keeps the use of deprecated names from being warned of.
private protocol FormerOperators {
    static var all: [Operator] { get }
}

private enum FormerNames: FormerOperators {
    @available(*, deprecated)
    static var all: [Operator] {
        [
            Operator(.response) { future, stage in future.response { [token = stage.token()] _ in _ = token } },
            Operator(.fulfillWith) { inner, _ in ResponseFuture { future in inner.fulfill(with: future) } },
            Operator(.fulfillBy) { inner, _ in ResponseFuture { future in future.fulfill(by: inner) } },
        ]
    }
}
