/// The value of a ``Promise`` that ended without an error.
public enum PromiseOutcome<T, E> {
    /// The value of a success.
    case success(T)
    /// The value of a failure, such as an error response.
    case failure(E)

    /// Returns the result of the closure for the case.
    func fold<U>(_ success: (T) throws -> U, _ failure: (E) throws -> U) rethrows -> U {
        switch self {
        case .success(let object): try success(object)
        case .failure(let object): try failure(object)
        }
    }
}

extension PromiseOutcome: Sendable where T: Sendable, E: Sendable {}

extension PromiseOutcome: Equatable where T: Equatable, E: Equatable {}
