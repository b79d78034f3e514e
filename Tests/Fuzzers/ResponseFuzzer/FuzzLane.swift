#if os(Linux)
import PiuPiuAsync

/// What a lane is doing.
struct LaneActivity: Sendable {
    /// Tells what is under way, for people to read; `nil` for nothing.
    var context: (@Sendable () -> [String])?
    var since = ContinuousClock.now
}

/// A dispatcher that works through numbers, one after the other.
protocol FuzzLane: Sendable {
    var dispatcher: URLRequestDispatcher { get }
    var activity: LaneActivity { get }

    /// Does what a number stands for, and tells what was found first.
    @discardableResult
    func run(number: Int) async -> Finding.Kind?
}
#endif
