import Logging

extension LoggerObserver {
    /// How important the lines of a ``LoggerObserver`` are; `nil` for no line.
    ///
    /// By default, none is more important than `info`, as
    /// [swift-log's practices](https://swiftpackageindex.com/apple/swift-log/main/documentation/logging/001-choosingloglevels)
    /// demand of libraries.
    public struct Levels: Sendable, Hashable {
        /// An exchange with a response below 400.
        public var success: Logger.Level?
        /// An exchange with a response of 400 or more.
        public var errorStatus: Logger.Level?
        /// An exchange that failed with an error.
        public var failure: Logger.Level?
        /// An exchange that was cancelled or whose streamed response was dropped before its end.
        public var cancelled: Logger.Level?

        /// Creates levels.
        ///
        /// - Parameters:
        ///   - success: For a response below 400.
        ///   - errorStatus: For a response of 400 or more.
        ///   - failure: For an error.
        ///   - cancelled: For a cancelled exchange.
        public init(
            success: Logger.Level? = .debug,
            errorStatus: Logger.Level? = .info,
            failure: Logger.Level? = .info,
            cancelled: Logger.Level? = .debug
        ) {
            self.success = success
            self.errorStatus = errorStatus
            self.failure = failure
            self.cancelled = cancelled
        }

        /// The same level for all exchanges.
        ///
        /// - Parameter level: The level.
        /// - Returns: The levels.
        public static func all(_ level: Logger.Level) -> Levels {
            Levels(success: level, errorStatus: level, failure: level, cancelled: level)
        }

        var all: [Logger.Level] { [success, errorStatus, failure, cancelled].compactMap(\.self) }

        subscript(ending: ExchangeEnding) -> Logger.Level? {
            switch ending {
            case .success: success
            case .errorStatus: errorStatus
            case .failure: failure
            case .cancelled: cancelled
            }
        }
    }
}
