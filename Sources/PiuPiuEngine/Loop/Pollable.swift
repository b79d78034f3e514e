#if os(Linux)
import CShims

/// An object with a socket and a timer that a ``Reactor`` serves.
package class Pollable: DeadlineHeapItem {
    /// The events to wait for.
    package struct Interest: OptionSet {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let reading = Interest(rawValue: 1)
        package static let writing = Interest(rawValue: 2)

        var events: UInt32 {
            (contains(.reading) ? UInt32(CS_READABLE) : 0) | (contains(.writing) ? UInt32(CS_WRITABLE) : 0)
        }
    }

    /// The events that occurred on the socket.
    package struct Readiness {
        package var isReadable: Bool
        package var isWritable: Bool
        /// Whether the connection has ended in both directions, or with an error.
        package var isBroken: Bool
    }

    // Exclusive access is checked in debug builds only: the loop's thread alone reads and writes these, as a whole.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package final var dueAt: Int64 = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package final var heapIndex: Int?

    /// The object's place in the reactor; `nil` while it is not watched.
    final var place: Int?
    final var watched: Int32 = -1
    final var registered: Interest = []

    package init() {}

    /// Serves the socket.
    package func ready(_ readiness: Readiness) {}

    /// Serves the timer, which is no longer set.
    package func timerFired() {}

    /// Sends the bytes that were put off to the end of the turn.
    package func flush() {}
}
#endif
