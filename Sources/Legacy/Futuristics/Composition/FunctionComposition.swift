/// Composes two functions that return values.
///
/// Both run one after the other, on the thread that calls the composition. A chain of more than 100 continues on a thread
/// of its own, for which the caller waits, so that the stack does not overflow.
///
/// - Parameters:
///   - left: The function that is called first.
///   - right: The function that is called with the value of the first one, unless that one throws.
/// - Returns: A function that takes what `left` takes and returns what `right` returns. It throws what either throws.
public func >>> <A, B, C>(
    left: sending @escaping (A) throws -> B,
    right: sending @escaping (B) throws -> C
) -> @Sendable (A) throws -> C {
    let left = Operand(left)
    let right = Operand(right)
    return { a in try NestedCalls.call({ try right(left($0)) }, a) }
}

/// Calls a function with a value.
///
/// - Parameters:
///   - left: The value.
///   - right: The function.
/// - Returns: What the function returns.
/// - Throws: What the function throws.
@discardableResult public func |> <A, B>(left: A, right: (A) throws -> B) throws -> B {
    try right(left)
}
