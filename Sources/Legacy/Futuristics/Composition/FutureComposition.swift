/// Composes two functions that return futures.
///
/// - Parameters:
///   - left: The function that is called first, on the thread that calls the composition.
///   - right: The function that is called later on the main queue, with the value of the first future.
///     It is not called if that future is rejected.
/// - Returns: A function whose future ends on the main queue, with the value of the second future or the first error.
public func >>> <A, B: Sendable, C: Sendable>(
    left: sending @escaping (A) -> Future<B>,
    right: sending @escaping (B) -> Future<C>
) -> @Sendable (A) -> Future<C> {
    let left = Operand(left)
    let right = Operand(right)
    return { a in nested { chain(try left(a), right) } }
}

/// Composes a function that returns a value with one that returns a future.
///
/// - Parameters:
///   - left: The function that is called first, on the thread that calls the composition. If it throws, the future is
///     rejected with the error.
///   - right: The function that is called with the value, on the same thread.
/// - Returns: A function whose future has the value of the second function's future, or the first error.
public func >>> <A, B, C: Sendable>(
    left: sending @escaping (A) throws -> B,
    right: sending @escaping (B) -> Future<C>
) -> @Sendable (A) -> Future<C> {
    let left = Operand(left)
    let right = Operand(right)
    return { a in nested { try right(left(a)) } }
}

/// Composes a function that returns a future with one that returns a value.
///
/// - Parameters:
///   - left: The function that is called first, on the thread that calls the composition.
///   - right: The function that is called later on the main queue, with the value of the future;
///     `onBackgroundQueue(right)` runs elsewhere. If it throws, the new future is rejected with the error.
/// - Returns: A function whose future ends on the main queue, with the value of the second function or the first error.
public func >>> <A, B: Sendable, C: Sendable>(
    left: sending @escaping (A) -> Future<B>,
    right: sending @escaping (B) throws -> C
) -> @Sendable (A) -> Future<C> {
    let right = Operand(right)
    return left >>> { b in Promise<C>().resolve { try right(b) } }
}

/// Calls a function that returns a future with a value.
///
/// - Parameters:
///   - left: The value.
///   - right: The function.
/// - Returns: The function's future.
@discardableResult public func |> <A, B: Sendable>(left: A, right: (A) -> Future<B>) -> Future<B> {
    right(left)
}

/// Calls a function that returns a future with the value of another future.
///
/// - Parameters:
///   - left: The future.
///   - right: The function, which is called on the main queue, never inside this call.
/// - Returns: A future that ends on the main queue, with the value of the function's future or the first error.
@discardableResult public func |> <A: Sendable, B: Sendable>(left: Future<A>, right: sending @escaping (A) -> Future<B>)
    -> Future<B>
{
    chain(left, Operand(right))
}

/// Creates a future with the value of the future that a function makes from another future's value.
private func chain<B: Sendable, C: Sendable>(_ future: Future<B>, _ next: Operand<B, Future<C>>) -> Future<C> {
    let promise = Promise<C>()
    promise.follow(future, next)
    return promise.future
}

/// Creates a future in a call that may be nested in similar calls to any depth.
private func nested<C: Sendable>(_ make: @escaping () throws -> Future<C>) -> Future<C> {
    let promise = Promise<C>()
    NestedCalls.run { promise.follow(make) }
    return promise.future
}
