extension ResponseFuture {
    /// Does two things at the same time, and gives both values.
    ///
    /// The first error cancels the other side and ends the new future. So does cancelling either side.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, now; it is started with this one.
    /// - Returns: A future of both values.
    public func parallelJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>
    ) -> ResponseFuture<(Success, NewSuccess)> {
        let other = callback()
        return beside { try await other.value($0) }
    }

    /// Does two things at the same time, if there is a second, and gives both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, now; `nil` gives no second value.
    /// - Returns: A future of both values.
    public func parallelNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>?
    ) -> ResponseFuture<(Success, NewSuccess?)> {
        let other = callback()
        return beside { try await other?.value($0) }
    }

    /// Does two things at the same time; an error of the second is a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, now; it is started with this one.
    /// - Returns: A future of the value and the other result. It is cancelled where the other one is.
    public func safeParallelJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>)> {
        let other = callback()
        return beside { try await other.result($0) }
    }

    /// Does two things at the same time, if there is a second; an error of the second is a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, now; `nil` gives no second result.
    /// - Returns: A future of the value and the other result. It is cancelled where the other one is.
    public func safeParallelNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>?
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>?)> {
        let other = callback()
        return beside { try await other?.result($0) }
    }

    private func beside<NewSuccess: Sendable>(
        _ other: @escaping @Sendable (FutureContext) async throws -> NewSuccess
    ) -> ResponseFuture<(Success, NewSuccess)> {
        chained { future, context in
            let sides: [Side<Success, NewSuccess>] = try await context.concurrently(2) { index, context in
                index == 0 ? .left(try await future.value(context)) : .right(try await other(context))
            }
            var left: Success?
            var right: NewSuccess?
            for side in sides {
                switch side {
                case .left(let value): left = value
                case .right(let value): right = value
                }
            }
            guard let left, let right else { throw CancellationError() }
            return (left, right)
        }
    }
}

private enum Side<Left: Sendable, Right: Sendable>: Sendable {
    case left(Left)
    case right(Right)
}

extension FutureContext {
    /// Does parts of the work at the same time; the first error cancels the rest.
    ///
    /// - Parameters:
    ///   - count: How many parts there are.
    ///   - part: Does a part, told which one and what it finds around it.
    /// - Returns: What they gave, as it came.
    /// - Throws: The first error.
    func concurrently<Part: Sendable>(
        _ count: Int,
        _ part: @escaping @Sendable (Int, FutureContext) async throws -> Part
    ) async throws -> [Part] {
        let cancellers = (0..<count).map { _ in FutureCanceller(partOf: canceller) }
        // Not `async let`, which would look at the second error only after the first value.
        return try await withThrowingTaskGroup(of: Part.self) { group in
            for (index, canceller) in cancellers.enumerated() {
                group.addTask {
                    try await withTaskCancellationHandler {
                        try await part(index, FutureContext(canceller: canceller, receiver: receiver))
                    } onCancel: {
                        canceller.cancel()
                    }
                }
            }
            var values: [Part] = []
            do {
                for try await value in group { values.append(value) }
            } catch {
                // The others end because of the error, and are not to cancel the whole before it is told.
                for canceller in cancellers { canceller.detach() }
                throw error
            }
            return values
        }
    }
}
