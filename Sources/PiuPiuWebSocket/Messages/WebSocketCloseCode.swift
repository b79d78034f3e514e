/// The code with which a WebSocket connection is closed (RFC 6455 §7.4).
///
/// Codes from 3000 to 3999 are for libraries and frameworks, codes from 4000 to 4999 for applications.
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number of the code; it need not be a valid one.
    public let rawValue: UInt16

    /// Creates a code from a number.
    ///
    /// - Parameter rawValue: Any number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

extension WebSocketCloseCode {
    /// 1000: the purpose of the connection is fulfilled.
    public static let normalClosure = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server shuts down, or the client leaves.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the peer violated the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: the peer sent a kind of message that is not accepted.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: the peer closed the connection without a code; never sent.
    public static let noStatusReceived = WebSocketCloseCode(rawValue: 1005)
    /// 1006: the connection ended without a close frame; never sent.
    public static let abnormalClosure = WebSocketCloseCode(rawValue: 1006)
    /// 1007: the peer sent a message that contradicts its type, such as a text that is not UTF-8.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// 1008: the peer sent a message that violates a policy.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: the peer sent a message that is too big.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1010: the server did not agree to an extension that the client needs; only sent by clients.
    public static let mandatoryExtensionMissing = WebSocketCloseCode(rawValue: 1010)
    /// 1011: an unexpected condition prevents the peer from going on.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// 1013: the server is overloaded; the client may try again later.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// 1014: a gateway received an invalid response from the server behind it.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)
    /// 1015: the TLS handshake failed; never sent.
    public static let tlsHandshake = WebSocketCloseCode(rawValue: 1015)

    /// Whether the code may be in a close frame of a server.
    package var mayBeReceived: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Whether the code may be in a close frame of a client (RFC 6455 §7.4.1, with 1011 as in its erratum 3227).
    package var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1011, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    private static let names: [UInt16: String] = [
        1000: "normal closure", 1001: "going away", 1002: "protocol error", 1003: "unsupported data",
        1005: "no status received", 1006: "abnormal closure", 1007: "invalid payload", 1008: "policy violation",
        1009: "message too big", 1010: "mandatory extension missing", 1011: "internal error",
        1012: "service restart", 1013: "try again later", 1014: "bad gateway", 1015: "TLS handshake",
    ]

    /// The number, and the name if the code has one, such as "1001 (going away)".
    public var description: String {
        Self.names[rawValue].map { "\(rawValue) (\($0))" } ?? "\(rawValue)"
    }
}
