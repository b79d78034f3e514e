public import Foundation

/// An action of a ``LoopbackServer`` on a connection; a script is a list of steps.
///
/// The server may send the bytes of consecutive sending steps in one segment. Every other step starts after the system has
/// accepted all bytes before it. If no step of a script closes the connection, it stays open for the next request, unless
/// the client asked to close it.
public struct Step: Sendable {
    enum Kind: Sendable {
        case send([UInt8])
        case respond(ResponseTemplate)
        case echo
        case echoRequest
        case sleep(Duration)
        case hold(String)
        case loop([UInt8], count: Int?, pause: Duration?)
        case closeWrite
        case close
        case reset
        case stall
        case ignoreBody
        case drainBody
        case webSocket(WebSocketStep)
    }

    let kind: Kind

    /// Sends text unchanged.
    ///
    /// - Parameter text: The text, sent as UTF-8.
    /// - Returns: The step.
    public static func send(_ text: String) -> Step {
        Step(kind: .send(Array(text.utf8)))
    }

    /// Sends bytes unchanged.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The step.
    public static func send(_ bytes: Data) -> Step {
        Step(kind: .send(Array(bytes)))
    }

    /// Sends text repeatedly, with at most about 64 KiB waiting for the client.
    ///
    /// - Parameters:
    ///   - text: The text, sent as UTF-8.
    ///   - count: The number of repetitions, or `nil` for no limit.
    ///   - pause: The time between two repetitions, or `nil` to send as fast as the client reads.
    /// - Returns: The step.
    public static func `repeat`(_ text: String, count: Int? = nil, every pause: Duration? = nil) -> Step {
        Step(kind: .loop(Array(text.utf8), count: count, pause: pause))
    }

    /// Sends bytes repeatedly, with at most about 64 KiB waiting for the client.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - count: The number of repetitions, or `nil` for no limit.
    ///   - pause: The time between two repetitions, or `nil` to send as fast as the client reads.
    /// - Returns: The step.
    public static func `repeat`(_ bytes: Data, count: Int? = nil, every pause: Duration? = nil) -> Step {
        Step(kind: .loop(Array(bytes), count: count, pause: pause))
    }

    /// Waits for a duration.
    ///
    /// - Parameter duration: The duration, on the server's clock.
    /// - Returns: The step.
    public static func sleep(_ duration: Duration) -> Step {
        Step(kind: .sleep(duration))
    }

    /// Waits until ``LoopbackServer/release(_:)`` opens a gate.
    ///
    /// - Parameter gate: The gate's name.
    /// - Returns: The step.
    public static func hold(_ gate: String) -> Step {
        Step(kind: .hold(gate))
    }

    /// Ends the sending direction, then reads and discards bytes until the client closes; it drops bytes of later steps.
    public static let closeWrite = Step(kind: .closeWrite)

    /// Closes the connection in an orderly way.
    ///
    /// The server ends its sending direction immediately and then discards incoming bytes for at most two seconds, so
    /// that the client can read everything up to the end. The connection counts as open until then.
    public static let close = Step(kind: .close)

    /// Closes the connection with a reset (RST).
    public static let reset = Step(kind: .reset)

    /// Does nothing further on the connection until the client closes it or the server stops.
    ///
    /// The server keeps reading and discarding, because that is how it notices that the client has disconnected. After
    /// ``ignoreBody`` it does not read. It then notices the client's close only if everything that the client sent fits
    /// into the system's buffers, and on Apple systems not at all.
    public static let stall = Step(kind: .stall)

    /// As a first step only, starts the script as soon as the head arrives and stops reading, so that an upload blocks.
    ///
    /// A later ``drainBody``, an orderly ``close`` or the end of the script resumes reading. The recorded request has
    /// no body. This step has no effect in a script of ``LoopbackServer/route(_:respond:)``.
    public static let ignoreBody = Step(kind: .ignoreBody)

    /// As a first step, starts the script as soon as the head arrives and discards the body in the meantime.
    ///
    /// As a later step, it ends the effect of ``ignoreBody``. The recorded request has no body. The body may have any
    /// length, whereas a recorded body of more than 1 GiB is refused with 413.
    public static let drainBody = Step(kind: .drainBody)
}
