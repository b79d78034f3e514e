import PiuPiuAsync

/// A step in which a ``ConformancePeer`` answers a request.
///
/// An answer is a list of steps with one ``head(_:_:announcesLength:)``. It is complete at the end of the list, unless
/// a step hangs. A peer leaves out the body if the message cannot have one: for `HEAD`, 204 and 304 (RFC 9112 §6.3).
public enum PeerStep: Sendable {
    /// The head, with a status code and header fields.
    ///
    /// `Content-Length` is the total length of the pieces that follow. The peer leaves it out with
    /// `announcesLength: false`, for 204, and if the fields already contain it.
    case head(Int, HTTPHeaderFields = [:], announcesLength: Bool = true)
    /// A piece of the body.
    case body(Data)
    /// The same piece of the body, sent a number of times as fast as the transport reads it.
    case repeated(Data, count: Int)
    /// Waits until the case opens a gate.
    case wait(String)
    /// Waits for a duration.
    case pause(Duration)
    /// Does nothing more, and does not end the answer.
    case hang
}

extension [PeerStep] {
    /// Creates a complete answer.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The body, as UTF-8.
    /// - Returns: The steps.
    public static func response(_ status: Int = 200, headers: HTTPHeaderFields = [:], body: String = "") -> [PeerStep] {
        [.head(status, headers), .body(Data(body.utf8))]
    }

    /// The total length of the pieces of the body, in bytes.
    public var bodyLength: Int {
        reduce(0) { sum, step in
            switch step {
            case .body(let piece): sum + piece.count
            case .repeated(let piece, let count): sum + piece.count * count
            default: sum
            }
        }
    }
}

extension PeerStep: Redacted {
    /// The kind of the step, without header fields and bytes.
    public var description: String {
        switch self {
        case .head(let status, _, _): "head(\(status))"
        case .body(let piece): "body(\(piece.count) bytes)"
        case .repeated(let piece, let count): "repeated(\(piece.count) bytes, \(count) times)"
        case .wait(let gate): "wait(\(gate))"
        case .pause(let duration): "pause(\(duration))"
        case .hang: "hang"
        }
    }

    /// The same as the description.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
