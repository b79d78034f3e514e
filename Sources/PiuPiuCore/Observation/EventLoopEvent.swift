/// An event of a dispatcher's event loop.
public struct EventLoopEvent: Sendable, Hashable {
    /// The kind of event.
    public enum Kind: Sendable, Hashable {
        /// A job of a task that runs on the loop took so long, at least 50 milliseconds, that everything else on the loop waited.
        ///
        /// A job is the work of a task between two suspensions. The event follows the job.
        case heldUp(Duration)
    }

    /// The number of the loop, from 0.
    public let loop: Int
    /// The kind of event.
    public let kind: Kind

    package init(loop: Int, _ kind: Kind) {
        self.loop = loop
        self.kind = kind
    }
}
