import PiuPiuFutures

/// A future that others are made of.
struct Source: Sendable {
    let api: PublicAPI
    let name: String
    let features: Set<Feature>
    /// Makes it, and gives its number.
    let make: @Sendable (Stage) -> ResponseFuture<Int>
    /// Treats what makes it.
    let walk: @Sendable (Treatment, Stage) async -> String?

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - api: Its place in the list of the public API.
    ///   - features: What it has.
    ///   - variant: What tells it from others at the same place.
    ///   - make: Makes the future.
    ///   - value: The number, read from the future's value.
    init<Success: Sendable>(
        _ api: PublicAPI,
        _ features: Set<Feature> = [],
        _ variant: String = "",
        make: @escaping @Sendable (Stage) -> ResponseFuture<Success>,
        value: @escaping @Sendable (Success) throws -> Int
    ) {
        self.api = api
        name = api.rawValue + variant
        self.features = features
        self.make = { make($0).then(value) }
        walk = { treatment, stage in await treatment.apply(on: stage, { make(stage) }, value: value) }
    }

    /// All sources.
    static let all = plain + ofRequests

    /// Waits at the gate, and can fail and be cancelled: what operators are nested over.
    static let waiting = Source(.initOperation, [.waits, .fails, .cancellableSource], make: { $0.source() }) { $0 }

    private static var plain: [Source] {
        [
            waiting,
            Source(.initResult, make: { _ in ResponseFuture(result: Stage.value) }, value: { $0 }),
            Source(
                .succeed,
                [],
                " at once",
                make: { stage in
                    ResponseFuture { [token = stage.token()] future in
                        _ = token
                        future.succeed(with: Stage.value)
                    }
                },
                value: { $0 }
            ),
            Source(
                .initAction,
                [.waits, .fails],
                " that ends later",
                make: { stage in
                    ResponseFuture { [token = stage.token(), gate = stage.gate, fails = stage.fails] future in
                        Task {
                            _ = token
                            try? await gate.wait()
                            if fails { future.fail(with: WalkError()) } else { future.succeed(with: Stage.value) }
                        }
                    }
                },
                value: { $0 }
            ),
        ]
    }
}
