extension LoggingObserver {
    /// The importance of a line.
    public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// For debugging; no line has it, unless ``LoggingObserver/level`` returns it.
        case debug
        /// Normal operation.
        case info
        /// Worth a look, but not a failure of the network or the server.
        case notice
        /// Something failed, or was slow.
        case warning
        /// Someone should act; no line has it, unless ``LoggingObserver/level`` returns it.
        case error

        /// Returns the level of an exchange or a call by its outcome.
        ///
        /// | Level | Outcome |
        /// |---|---|
        /// | `info` | a response up to 399; cancelled |
        /// | `notice` | a response with 4xx |
        /// | `warning` | any other response; a failure |
        ///
        /// A failure is not an `error`, because a retry may follow, and the caller gets the error of the call in any case.
        ///
        /// - Parameter outcome: How it ended.
        /// - Returns: The level.
        public static func usual(for outcome: ObservedOutcome) -> Level {
            switch outcome {
            case .response(let statusCode):
                switch statusCode.type {
                case .informational, .success, .redirect: .info
                case .clientError: .notice
                case .serverError, .invalid: .warning
                }
            case .cancelled: .info
            case .failure: .warning
            }
        }

        /// Compares two levels.
        ///
        /// - Parameters:
        ///   - lhs: A level.
        ///   - rhs: Another level.
        /// - Returns: `true` if the first is less important.
        public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}

extension LoggingObserver.Level: CustomStringConvertible {
    /// The level's name, such as `info`.
    public var description: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "error"
        }
    }
}
