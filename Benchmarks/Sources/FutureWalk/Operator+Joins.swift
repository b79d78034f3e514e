import PiuPiuFutures

extension Operator {
    /// What does several things at the same time.
    static var joining: [Operator] {
        [
            Operator(
                .parallelJoin,
                [.other],
                apply: { $0.parallelJoin(Int.self, callback: $1.other) },
                value: { checked($0.0, $0.1) }
            ),
            Operator(
                .parallelNullableJoin,
                [.other],
                apply: { $0.parallelNullableJoin(Int.self, callback: $1.other) },
                value: { checked($0.0, $0.1 ?? 0) }
            ),
            Operator(
                .parallelNullableJoin,
                [],
                " with nil",
                apply: { future, _ in future.parallelNullableJoin(Int.self) { nil } },
                value: { $0.0 }
            ),
            Operator(
                .safeParallelJoin,
                [.other],
                apply: { $0.safeParallelJoin(Int.self, callback: $1.other) },
                value: { checked($0.0, try $0.1.get()) }
            ),
            Operator(
                .safeParallelJoin,
                [.other],
                " with a failure",
                apply: { $0.safeParallelJoin(Int.self, callback: $1.failingOther) },
                value: { $0.0 }
            ),
            Operator(
                .safeParallelNullableJoin,
                [.other],
                apply: { $0.safeParallelNullableJoin(Int.self, callback: $1.other) },
                value: { checked($0.0, try $0.1?.get() ?? 0) }
            ),
            Operator(
                .safeParallelNullableJoin,
                [],
                " with nil",
                apply: { future, _ in future.safeParallelNullableJoin(Int.self) { nil } },
                value: { $0.0 }
            ),
        ] + children
    }

    private static var children: [Operator] {
        [
            Operator(
                .childFutures,
                [.other],
                apply: { ResponseFuture<[Int]>(childFutures: [$0, $1.other(), $1.other()]) },
                value: { checked($0[0], $0[1]) }
            ),
            Operator(
                .childFuturesCallback,
                [.other],
                apply: { future, stage in ResponseFuture<[Int]> { [future, stage.other()] } },
                value: { checked($0[0], $0[1]) }
            ),
            Operator(
                .arrayLiteral,
                [.other],
                apply: { ResponseFuture<[Int]>(arrayLiteral: $0, $1.other()) },
                value: { checked($0[0], $0[1]) }
            ),
        ]
    }

    /// What does one thing after the other.
    static var inSeries: [Operator] {
        [
            Operator(
                .replace,
                [.other],
                apply: { future, stage in
                    future.replace(Int.self) { value in stage.other().then { _ in value } }
                },
                value: { $0 }
            ),
            Operator(
                .seriesJoin,
                [.other],
                apply: { future, stage in future.seriesJoin(Int.self) { _ in stage.other() } },
                value: { checked($0.0, $0.1) }
            ),
            Operator(
                .seriesNullableJoin,
                [.other],
                apply: { future, stage in future.seriesNullableJoin(Int.self) { _ in stage.other() } },
                value: { checked($0.0, $0.1 ?? 0) }
            ),
            Operator(
                .seriesNullableJoin,
                [],
                " with nil",
                apply: { future, _ in future.seriesNullableJoin(Int.self) { _ in nil } },
                value: { $0.0 }
            ),
            Operator(
                .safeSeriesJoin,
                [.other],
                apply: { future, stage in future.safeSeriesJoin(Int.self) { _ in stage.failingOther() } },
                value: { $0.0 }
            ),
            Operator(
                .safeSeriesNullableJoin,
                [.other],
                apply: { future, stage in future.safeSeriesNullableJoin(Int.self) { _ in stage.other() } },
                value: { checked($0.0, try $0.1?.get() ?? 0) }
            ),
            Operator(
                .addingSeriesResult,
                [.other],
                apply: { future, stage in future.then { [$0] }.addingSeriesResult { _ in stage.other() } },
                value: { checked($0[0], $0[1]) }
            ),
        ]
    }
}

/// The source's number, if the added future gave its own.
private func checked(_ value: Int, _ other: Int) -> Int {
    other == Stage.otherValue ? value : 0
}
