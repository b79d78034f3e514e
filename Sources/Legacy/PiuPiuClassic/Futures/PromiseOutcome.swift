/// The value of a ``Promise`` that ended without an error.
public enum PromiseOutcome<T, E> {
    /// The value of a success.
    case success(T)
    /// The value of a failure, such as an error response.
    case failure(E)

    /// Returns what a closure makes of the value.
    ///
    /// - Parameters:
    ///   - success: Is called for a success.
    ///   - failure: Is called for a failure.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    func fold<U>(_ success: (T) throws -> U, _ failure: (E) throws -> U) rethrows -> U {
        switch self {
        case .success(let object): try success(object)
        case .failure(let object): try failure(object)
        }
    }
}

extension PromiseOutcome: Sendable where T: Sendable, E: Sendable {}

extension PromiseOutcome: Equatable where T: Equatable, E: Equatable {}
