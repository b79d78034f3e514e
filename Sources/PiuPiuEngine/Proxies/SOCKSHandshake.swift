#if os(Linux)
/// The conversation with a SOCKS proxy, of version 4, 4a or 5 (RFC 1928, RFC 1929); a pure value.
///
/// | State | Event | Step | Next state |
/// |---|---|---|---|
/// | method | the proxy chooses no authentication | write the request | reply |
/// | method | the proxy chooses a password, and there is a user name | write both | authentication |
/// | method | the proxy chooses anything else | failed | over |
/// | authentication | accepted | write the request | reply |
/// | authentication | not accepted | failed | over |
/// | reply, reply of version 4 | success, and its last byte | done | over |
/// | reply, reply of version 4 | any other code | failed | over |
/// | all but over | the first byte is not the version's | failed | over |
/// | all but over | a part of a message | needs more | unchanged |
/// | over | any | needs more, and takes nothing | over |
///
/// Versions 4 and 4a begin with the reply. A refusal is reported as soon as its code has arrived. The address in a successful
/// reply is skipped, because it is the local end of the proxy's own connection.
package struct SOCKSHandshake: Sendable {
    /// The destination that the proxy is asked to connect to.
    package enum Destination: Sendable, Hashable {
        /// An IPv4 or IPv6 address; the proxy does not get the zone.
        case address(SocketAddress)
        /// A name, which the proxy resolves.
        case name(String, port: UInt16)
    }

    package enum Version: Sendable, Hashable {
        /// Version 4, or 4a if the destination is a name.
        case four
        case five
    }

    private enum State: Sendable {
        case method, authentication, reply, replyOfFour, over
    }

    /// The bytes to send first.
    package let greeting: [UInt8]
    private let authentication: [UInt8]?
    private let request: [UInt8]
    private var state: State
    /// The part of the proxy's message that has arrived: at most 262 bytes.
    private var message: [UInt8] = []

    /// The longest name, user name and password, in bytes: each has its length in one byte.
    private static let maximumText = 255

    /// Creates a handshake.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - destination: The destination that the proxy is asked to connect to.
    ///   - user: The user name; `nil` for none.
    ///   - password: The password, which version 4 does not support.
    /// - Throws: ``SOCKSRefusal`` for an argument that the protocol cannot carry.
    package init(
        _ version: Version,
        to destination: Destination,
        user: String? = nil,
        password: String = ""
    ) throws(SOCKSRefusal) {
        let user = user.map { Array($0.utf8) }
        guard user?.count ?? 0 <= Self.maximumText else { throw .userTooLong }
        if case .name(let name, _) = destination {
            guard name.utf8.count <= Self.maximumText else { throw .nameTooLong }
            guard !name.isEmpty, !name.utf8.contains(0) else { throw .addressUnsupported }
        }
        switch version {
        case .four:
            greeting = try Self.requestOfFour(destination, user ?? [])
            (authentication, request, state) = (nil, [], .replyOfFour)
        case .five:
            let password = Array(password.utf8)
            guard password.count <= Self.maximumText else { throw .passwordTooLong }
            // The methods are "no authentication", and a user name with a password.
            greeting = user == nil ? [5, 1, 0] : [5, 2, 0, 2]
            authentication = user.map { [1, UInt8($0.count)] + $0 + [UInt8(password.count)] + password }
            request = [5, 1, 0] + (try Self.addressOfFive(destination))
            state = .method
        }
    }

    private static func requestOfFour(
        _ destination: Destination,
        _ user: [UInt8]
    ) throws(SOCKSRefusal) -> [UInt8] {
        // NUL would be the end of the user name.
        guard !user.contains(0) else { throw .userRejected }
        switch destination {
        case .address(let address):
            guard case .v4(let bits, let port) = address.storage else { throw .addressUnsupported }
            return [4, 1] + bytes(of: port) + bytes(of: bits) + user + [0]
        case .name(let name, let port):
            return [4, 1] + bytes(of: port) + [0, 0, 0, 1] + user + [0] + Array(name.utf8) + [0]
        }
    }

    private static func addressOfFive(_ destination: Destination) throws(SOCKSRefusal) -> [UInt8] {
        switch destination {
        case .address(let address):
            switch address.storage {
            case .v4(let bits, let port): return [1] + bytes(of: bits) + bytes(of: port)
            case .v6(let high, let low, _, let port): return [4] + bytes(of: high) + bytes(of: low) + bytes(of: port)
            case .unix, .abstract: throw .addressUnsupported
            }
        case .name(let name, let port):
            return [3, UInt8(truncatingIfNeeded: name.utf8.count)] + Array(name.utf8) + bytes(of: port)
        }
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    // MARK: Receiving

    /// Takes the next received bytes, removes those that it used, and returns the next step.
    package mutating func receive(_ input: inout UnsafeRawBufferPointer) -> TunnelHandshake.Step {
        while state != .over, let byte = input.first {
            input = UnsafeRawBufferPointer(rebasing: input[1...])
            message.append(byte)
            let step: TunnelHandshake.Step
            do throws(SOCKSRefusal) {
                step = try afterByte()
            } catch {
                step = .failed(.socks(error))
            }
            switch step {
            case .needsMore: continue
            case .write: message = []
            case .done, .failed: state = .over
            }
            return step
        }
        return .needsMore
    }

    private mutating func afterByte() throws(SOCKSRefusal) -> TunnelHandshake.Step {
        switch state {
        case .method:
            guard message[0] == 5 else { throw .wrongVersion }
            return message.count < 2 ? .needsMore : try afterMethod(message[1])
        case .authentication:
            // The first byte differs between proxies.
            guard message.count == 2 else { return .needsMore }
            guard message[1] == 0 else { throw .userRejected }
            state = .reply
            return .write(request)
        case .reply:
            guard message[0] == 5 else { throw .wrongVersion }
            if message.count == 2, message[1] != 0 { throw Self.refusal(message[1]) }
            return try isReplyComplete() ? .done : .needsMore
        case .replyOfFour:
            guard message[0] == 0 else { throw .wrongVersion }
            if message.count == 2, message[1] != 90 { throw Self.refusalOfFour(message[1]) }
            return message.count == 8 ? .done : .needsMore
        case .over: return .needsMore
        }
    }

    private mutating func afterMethod(_ method: UInt8) throws(SOCKSRefusal) -> TunnelHandshake.Step {
        if method == 0 {
            state = .reply
            return .write(request)
        }
        guard method == 2, let authentication else { throw .noAuthentication }
        state = .authentication
        return .write(authentication)
    }

    /// Whether all bytes of a version 5 reply have arrived; their number depends on the kind of its address.
    private func isReplyComplete() throws(SOCKSRefusal) -> Bool {
        guard message.count > 4 else {
            if message.count == 4, ![1, 3, 4].contains(message[3]) { throw .malformedReply }
            return false
        }
        let length =
            switch message[3] {
            case 1: 4
            case 4: 16
            default: 1 + Int(message[4])
            }
        return message.count == 4 + length + 2
    }

    private static func refusal(_ code: UInt8) -> SOCKSRefusal {
        switch code {
        case 1: .generalFailure
        case 2: .forbidden
        case 3: .networkUnreachable
        case 4: .hostUnreachable
        case 5: .refusedByServer
        case 6: .tooFar
        case 7: .commandUnsupported
        case 8: .addressUnsupported
        default: .unknownReply
        }
    }

    private static func refusalOfFour(_ code: UInt8) -> SOCKSRefusal {
        switch code {
        case 91: .requestFailed
        case 92: .noIdentd
        case 93: .otherUser
        default: .unknownReply
        }
    }
}

extension SOCKSHandshake: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text without the user name and the password.
    package var description: String { "SOCKSHandshake" }

    /// A text without the user name and the password.
    package var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
