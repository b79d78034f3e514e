/// A system call that failed while a ``LoopbackServer`` was being started.
public struct LoopbackServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the system call.
    public let operation: String

    /// The value `errno` had.
    public let code: Int32

    /// A short sentence for logs.
    public var description: String {
        "\(operation) failed with errno \(code)"
    }
}
