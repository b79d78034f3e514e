/// Composes two functions that return values.
///
/// Both run one after the other, on the thread that calls the composition. A chain of more than 100 functions continues on
/// a separate thread while the caller waits, so that the stack does not overflow.
///
/// - Parameters:
///   - left: The function that is called first.
///   - right: The function that is called with the value of the first one, unless that one throws.
/// - Returns: A function from the input of `left` to the output of `right`. It throws the errors of both.
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
/// - Returns: The result of the function.
/// - Throws: The error of the function.
@discardableResult public func |> <A, B>(left: A, right: (A) throws -> B) throws -> B {
    try right(left)
}
