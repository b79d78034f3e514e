import PiuPiuAsync

/// One thing a ``ConformancePeer`` does to answer a request.
///
/// An answer is a list of them with one ``head(_:_:announcesLength:)``. It is complete at the end of the list, unless it
/// hangs there. A peer leaves the body out where there may be none: for `HEAD`, 204 and 304 (RFC 9112 §6.3).
public enum PeerStep: Sendable {
    /// The head, with a status code and header fields.
    ///
    /// `Content-Length` is the length of the pieces that follow. It is left out with `announcesLength: false`, for 204,
    /// and where the fields have one already.
    case head(Int, HTTPHeaderFields = [:], announcesLength: Bool = true)
    /// A piece of the body.
    case body(Data)
    /// The same piece of the body again and again, a number of times, as fast as it is taken.
    case repeated(Data, count: Int)
    /// Waits until the case opens a gate.
    case wait(String)
    /// Waits for a time.
    case pause(Duration)
    /// Does nothing more, and does not end either.
    case hang
}

extension [PeerStep] {
    /// A whole answer.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The body, as UTF-8.
    /// - Returns: The steps.
    public static func response(_ status: Int = 200, headers: HTTPHeaderFields = [:], body: String = "") -> [PeerStep] {
        [.head(status, headers), .body(Data(body.utf8))]
    }

    /// How many bytes the pieces of the body have.
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
    /// What is done, without header fields and bytes.
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
