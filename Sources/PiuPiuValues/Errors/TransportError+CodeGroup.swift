extension TransportError {
    /// Several codes that a `catch` clause can name together.
    ///
    /// ```swift
    /// do {
    ///     let post: Post = try await dispatcher.get("https://example.com/posts/1")
    ///     show(post)
    /// } catch TransportError.Code.timeout {
    ///     show("The server takes too long.")
    /// } catch TransportError.Code.tls {
    ///     show("The connection is not safe.")
    /// } catch TransportError.Code.noConnection {
    ///     show("The server cannot be reached.")
    /// }
    /// ```
    ///
    /// The groups overlap: ``Code/timeout`` and ``Code/noConnection`` both contain `timeout(.connect)`, and Swift runs the
    /// first clause that matches.
    public struct CodeGroup: Sendable, Hashable {
        private enum Storage: Sendable, Hashable {
            case timeout, noConnection
        }

        private let storage: Storage

        fileprivate static let timeout = CodeGroup(storage: .timeout)
        fileprivate static let noConnection = CodeGroup(storage: .noConnection)

        /// Returns whether the group contains a code.
        ///
        /// - Parameter code: The code.
        /// - Returns: `true` if it is.
        public func contains(_ code: Code) -> Bool {
            switch storage {
            case .timeout: code.timeoutPhase != nil
            case .noConnection:
                [.cannotResolveHost, .cannotConnect, .tls, .proxy, .timeout(.connect)].contains(code)
            }
        }
    }
}

extension TransportError.CodeGroup: CustomStringConvertible {
    /// The group's name, such as `timeout`.
    public var description: String { "\(storage)" }
}

extension TransportError.CodeGroup: ErrorPattern {
    /// Returns whether an error is a ``TransportError`` with a code of the group.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: `true` if it is.
    public func matches(_ error: any Error) -> Bool { (error as? TransportError).map { contains($0.code) } ?? false }
}

extension TransportError.Code {
    /// Any time limit, for `catch TransportError.Code.timeout`: ``timeout(_:)`` with any phase.
    ///
    /// Outside a `catch` clause, compare ``timeoutPhase`` with `nil`.
    public static var timeout: TransportError.CodeGroup { .timeout }

    /// Any failure to get a connection, for `catch TransportError.Code.noConnection`.
    ///
    /// The codes are ``cannotResolveHost``, ``cannotConnect``, ``tls``, ``proxy`` and `timeout(.connect)`. A connection that is
    /// lost later is not included: it is ``connectionLost`` or ``truncatedBody``. ``tls`` alone is any failure of TLS.
    public static var noConnection: TransportError.CodeGroup { .noConnection }
}
