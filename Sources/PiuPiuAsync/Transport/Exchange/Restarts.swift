/// How often a transport sends a request of a call again because its server has not processed it, as a pure value.
///
/// | ``Cause`` | How often | When | On which connection |
/// |---|---|---|---|
/// | ``Cause/refused`` | once | after a pause | one of its own |
/// | ``Cause/turnedAway`` | once | after a pause | another |
/// | ``Cause/missed`` | twice | at once, then after a pause | another, then one of its own |
///
/// The call has one value for all its requests, so that retries do not multiply the restarts: two refusals, or three causes of
/// any kind, end an attempt, and a policy decides about the next one, with its pause and its budget.
package struct Restarts: Sendable, Equatable {
    /// Why the server has not processed a request.
    package enum Cause: Sendable, CaseIterable {
        /// The server refused the stream of the request.
        case refused
        /// The server processed no request at all on the connection.
        case turnedAway
        /// The connection ended for new requests before this one reached the server.
        case missed
    }

    /// How a request is sent again.
    package struct Plan: Sendable, Equatable {
        /// The time until then, in nanoseconds.
        package var pause: Int64 = 0
        /// Whether the request opens a connection of its own instead of joining others.
        package var isAlone = false

        package init(pause: Int64 = 0, isAlone: Bool = false) {
            self.pause = pause
            self.isAlone = isAlone
        }
    }

    /// The most restarts of a call.
    private static let most: UInt8 = 2
    /// The shortest pause and the longest one, in nanoseconds.
    static let pauses: ClosedRange<Int64> = 50_000_000...150_000_000

    private var count: UInt8 = 0
    private var wasRefused = false

    /// Creates the value of a call that begins.
    package init() {}

    /// Decides about a request that was not processed.
    ///
    /// - Parameters:
    ///   - cause: Why it was not.
    ///   - fraction: A random number from 0 to 1, so that requests that were refused together do not return together.
    /// - Returns: How it is sent again; `nil` if it is not.
    package mutating func next(after cause: Cause, fraction: Double) -> Plan? {
        guard count < Self.most, cause == .missed || !wasRefused else { return nil }
        count += 1
        if cause == .missed, count == 1 { return Plan() }
        if cause != .missed { wasRefused = true }
        let span = Double(Self.pauses.upperBound - Self.pauses.lowerBound)
        let pause = Self.pauses.lowerBound + Int64(span * min(1, max(0, fraction)))
        return Plan(pause: pause, isAlone: cause != .turnedAway)
    }

    /// Counts the restarts that a part of the call made, which began with those of the call.
    mutating func add(_ part: Restarts) {
        count = max(count, part.count)
        wasRefused = wasRefused || part.wasRefused
    }
}
