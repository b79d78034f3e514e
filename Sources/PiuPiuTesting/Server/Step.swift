public import Foundation

/// One thing a ``LoopbackServer`` does on a connection; a script is a list of steps.
///
/// Bytes of neighbouring sending steps may leave in one segment. Every other step starts when all bytes before it have
/// been handed to the system. When a script ends and nothing in it closed the connection, the connection stays open for
/// the next request, unless the client asked to close it.
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
    }

    let kind: Kind

    /// Sends a text as it is.
    ///
    /// - Parameter text: The text, sent as UTF-8.
    /// - Returns: The step.
    public static func send(_ text: String) -> Step {
        Step(kind: .send(Array(text.utf8)))
    }

    /// Sends bytes as they are.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The step.
    public static func send(_ bytes: Data) -> Step {
        Step(kind: .send(Array(bytes)))
    }

    /// Sends a text again and again, never keeping more than about 64 KiB waiting for the client.
    ///
    /// - Parameters:
    ///   - text: The text, sent as UTF-8.
    ///   - count: How often to send it, or `nil` for ever.
    ///   - pause: The time between two of them, or `nil` for as fast as the client reads.
    /// - Returns: The step.
    public static func `repeat`(_ text: String, count: Int? = nil, every pause: Duration? = nil) -> Step {
        Step(kind: .loop(Array(text.utf8), count: count, pause: pause))
    }

    /// Sends bytes again and again, never keeping more than about 64 KiB waiting for the client.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - count: How often to send them, or `nil` for ever.
    ///   - pause: The time between two of them, or `nil` for as fast as the client reads.
    /// - Returns: The step.
    public static func `repeat`(_ bytes: Data, count: Int? = nil, every pause: Duration? = nil) -> Step {
        Step(kind: .loop(Array(bytes), count: count, pause: pause))
    }

    /// Waits for a time.
    ///
    /// - Parameter duration: How long to wait, on the server's clock.
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

    /// Ends the sending direction and goes on reading and discarding until the client closes; later bytes are dropped.
    public static let closeWrite = Step(kind: .closeWrite)

    /// Closes the connection in an orderly way.
    ///
    /// The server ends its sending direction at once and then discards what arrives, for at most two seconds, so that
    /// the client is sure to read everything up to the end. The connection counts as open until then.
    public static let close = Step(kind: .close)

    /// Closes the connection with a reset (RST).
    public static let reset = Step(kind: .reset)

    /// Does nothing more on the connection until the client closes it or the server stops.
    ///
    /// The server goes on reading and discarding, because that is how it notices that the client has gone. After
    /// ``ignoreBody`` it does not, and notices the client's close only if all the client sent fitted in the system's
    /// buffers, and not at all on Apple systems.
    public static let stall = Step(kind: .stall)

    /// Starts the script as soon as the head is there and stops reading, so that an upload blocks; a first step only.
    ///
    /// A later ``drainBody``, an orderly ``close`` or the script's end starts reading again. The recorded request has no
    /// body. In a script of ``LoopbackServer/route(_:respond:)`` it has no effect.
    public static let ignoreBody = Step(kind: .ignoreBody)

    /// As a first step, starts the script as soon as the head is there and discards the body meanwhile.
    ///
    /// As a later step it ends what ``ignoreBody`` began. The recorded request has no body. The body may be of any length,
    /// while one that is recorded is refused with 413 beyond a gibibyte.
    public static let drainBody = Step(kind: .drainBody)
}
