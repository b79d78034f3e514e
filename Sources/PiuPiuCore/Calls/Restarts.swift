/// The number of times a transport resends a request because the server has not processed it, as a pure value.
///
/// | ``Cause`` | Restarts | Time | Connection |
/// |---|---|---|---|
/// | ``Cause/refused`` | one | after a pause | its own |
/// | ``Cause/turnedAway`` | one | after a pause | another |
/// | ``Cause/missed`` | two | at once, then after a pause | another, then its own |
///
/// All requests of a call share one value, so that retries do not multiply the restarts. Two refusals, or three causes of any
/// kind, end an attempt. A policy decides about the next attempt, with its own pause and budget.
package struct Restarts: Sendable, Equatable {
    /// The reason why the server has not processed a request.
    package enum Cause: Sendable, CaseIterable {
        /// The server refused the stream of the request.
        case refused
        /// The server processed no request on the connection.
        case turnedAway
        /// The connection stopped accepting new requests before this one reached the server.
        case missed
    }

    /// The way to send a request again.
    package struct Plan: Sendable, Equatable {
        /// The delay before the next attempt, in nanoseconds.
        package var pause: Int64 = 0
        /// Whether the request opens its own connection instead of sharing one.
        package var isAlone = false

        package init(pause: Int64 = 0, isAlone: Bool = false) {
            self.pause = pause
            self.isAlone = isAlone
        }
    }

    /// The maximum number of restarts of a call.
    private static let most: UInt8 = 2
    /// The range of pauses, in nanoseconds.
    static let pauses: ClosedRange<Int64> = 50_000_000...150_000_000

    private var count: UInt8 = 0
    private var wasRefused = false

    /// Creates the value for a new call.
    package init() {}

    /// Decides whether and how to resend an unprocessed request.
    ///
    /// - Parameters:
    ///   - cause: The reason why the server has not processed it.
    ///   - fraction: A random number from 0 to 1, so that requests that were refused together do not return together.
    /// - Returns: The plan; `nil` if the request is not sent again.
    package mutating func next(after cause: Cause, fraction: Double) -> Plan? {
        guard count < Self.most, cause == .missed || !wasRefused else { return nil }
        count += 1
        if cause == .missed, count == 1 { return Plan() }
        if cause != .missed { wasRefused = true }
        let span = Double(Self.pauses.upperBound - Self.pauses.lowerBound)
        let pause = Self.pauses.lowerBound + Int64(span * min(1, max(0, fraction)))
        return Plan(pause: pause, isAlone: cause != .turnedAway)
    }

    /// Counts the restarts of a part of the call whose count started with the call's own.
    mutating func add(_ part: Restarts) {
        count = max(count, part.count)
        wasRefused = wasRefused || part.wasRefused
    }
}
