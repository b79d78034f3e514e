#if os(Linux)
import TestSupport
import Testing

/// A case of h2spec for clients: the frames that a server answers a request with, and what the client makes of them.
///
/// The cases are those of summerwind/h2spec, folder `client`, by their descriptions. h2spec is of RFC 7540; where the client does
/// something else than a case demands, the row says why, by RFC 9113, which has replaced it.
struct HTTP2Case: Sendable, CustomTestStringConvertible {
    /// What h2spec demands.
    enum Demand: Sendable {
        /// The client goes on as if nothing had happened.
        case acceptance
        /// An error of the stream with one of the codes; it may be made one of the connection (RFC 9113 §5.4.1).
        case streamError([HTTP2ErrorCode])
        /// An error of the connection with one of the codes.
        case connectionError([HTTP2ErrorCode])
    }

    /// What the client does.
    enum Reaction: Sendable, Equatable {
        /// It goes on, and sends the next request over the same connection.
        case goesOn
        /// It resets the request's stream, and sends the next request over the same connection. Newer versions of nghttp2
        /// make it an error of the connection, as they may.
        case resetsStream(HTTP2ErrorCode)
        /// It sends GOAWAY and closes the connection.
        case closesConnection(HTTP2ErrorCode)
    }

    /// What the caller gets.
    enum Outcome: Sendable, Equatable {
        /// The whole response, with this body.
        case response(String)
        /// `TransportError` with the code `http2`, and the name of this error in its description.
        case failure(HTTP2ErrorCode)
    }

    /// The frames for a stream.
    typealias Frames = @Sendable (_ stream: Int) -> [HTTP2Frame]

    /// The section of RFC 7540 under which h2spec has the case.
    let section: String
    /// h2spec's description.
    let title: String
    let demand: Demand
    let reaction: Reaction
    /// Why the reaction is not what h2spec demands; `nil` if it is.
    let reason: String?
    let outcome: Outcome
    let frames: Frames

    init(
        _ section: String,
        _ title: String,
        _ demand: Demand,
        _ reaction: Reaction,
        _ outcome: Outcome,
        because reason: String? = nil,
        _ frames: @escaping Frames
    ) {
        self.section = section
        self.title = title
        self.demand = demand
        self.reaction = reaction
        self.reason = reason
        self.outcome = outcome
        self.frames = frames
    }

    /// A case that demands an error of the connection with one code, gets it, and lets the request fail with it.
    static func closing(
        _ section: String,
        _ title: String,
        _ code: HTTP2ErrorCode = .protocolError,
        _ frames: @escaping Frames
    ) -> HTTP2Case {
        HTTP2Case(section, title, .connectionError([code]), .closesConnection(code), .failure(code), frames)
    }

    /// A case that is harmless: the response arrives.
    static func harmless(
        _ section: String,
        _ title: String,
        _ body: String = "test",
        _ frames: @escaping Frames
    ) -> HTTP2Case {
        HTTP2Case(section, title, .acceptance, .goesOn, .response(body), frames)
    }

    /// Whether the reaction is what h2spec demands.
    var isMet: Bool {
        switch (demand, reaction) {
        case (.acceptance, .goesOn): true
        case (.streamError(let codes), .resetsStream(let code)),
            (.streamError(let codes), .closesConnection(let code)),
            (.connectionError(let codes), .closesConnection(let code)):
            codes.contains(code)
        default: false
        }
    }

    var testDescription: String { "\(section) \(title)" }

    /// All cases, in the order of their sections.
    static let all = framing + streams + errors + messages + parameters + control + continuations
}
#endif
