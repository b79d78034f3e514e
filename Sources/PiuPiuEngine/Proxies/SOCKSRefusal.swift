#if os(Linux)
/// Why a SOCKS proxy opens no connection, in words that complete "The proxy refused: …".
package enum SOCKSRefusal: String, Error, Sendable, Hashable, CaseIterable {
    case wrongVersion = "it is not a SOCKS proxy of that version"
    case closed = "it closed the connection"
    case malformedReply = "its reply is malformed"
    case unknownReply = "its reply has an unknown code"

    // Refusals of the authentication.
    case noAuthentication = "it offers no supported authentication method"
    case userRejected = "it does not accept the user name and password"
    case noIdentd = "it cannot reach identd"
    case otherUser = "identd names another user"

    // Refusals of the connection to the server.
    case generalFailure = "it reported a general failure"
    case forbidden = "its rules do not allow the connection"
    case networkUnreachable = "the server's network cannot be reached"
    case hostUnreachable = "the server cannot be reached"
    case refusedByServer = "the server refused the connection"
    case tooFar = "the server is too far away"
    case commandUnsupported = "it does not support connections"
    case addressUnsupported = "it does not support that kind of address"
    case requestFailed = "it rejected the request or cannot reach the server"

    // Requests that the protocol cannot express.
    case nameTooLong = "the server's name is too long"
    case userTooLong = "the user name is too long"
    case passwordTooLong = "the password is too long"
}
#endif
