/// The failure of a system call while a ``LoopbackServer`` starts.
public struct LoopbackServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the system call.
    public let operation: String

    /// The value of `errno`.
    public let code: Int32

    /// A short sentence for logs.
    public var description: String {
        "\(operation) failed with errno \(code)"
    }
}
