#if os(Linux)
import Testing

@testable import PiuPiuEngine

/// What SOCKS proxies are told, and what their answers mean.
struct SOCKSHandshakeTests {
    private static let name = SOCKSHandshake.Destination.name("a.example", port: 443)

    private static func address(_ literal: String) throws -> SOCKSHandshake.Destination {
        .address(try #require(SocketAddress(literal: literal, port: 258)))
    }

    /// The conversation with a proxy after its replies.
    private static func conversation(
        _ version: SOCKSHandshake.Version = .five,
        user: String? = nil,
        after replies: [UInt8]...
    ) throws -> TunnelConversation {
        var conversation = TunnelConversation(try SOCKSHandshake(version, to: name, user: user))
        for reply in replies { conversation.receive(reply) }
        return conversation
    }

    // MARK: What is sent

    @Test func version5TellsNamesAndAddresses() throws {
        let rows: [(SOCKSHandshake.Destination, [UInt8])] = [
            (Self.name, [3, 9] + Array("a.example".utf8) + [1, 187]),
            (try Self.address("127.0.0.9"), [1, 127, 0, 0, 9, 1, 2]),
            (try Self.address("102:304::5"), [4, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 11) + [5, 1, 2]),
            (try Self.address("fe80::1%lo"), [4, 0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1, 1, 2]),
        ]
        for (destination, bytes) in rows {
            var conversation = TunnelConversation(try SOCKSHandshake(.five, to: destination))
            conversation.receive([5, 0])
            #expect(conversation.sent == [[5, 1, 0], [5, 1, 0] + bytes])
        }
    }

    @Test(arguments: ["", "secret"]) func version5TellsAPasswordIfItIsAskedFor(_ password: String) throws {
        let handshake = try SOCKSHandshake(.five, to: Self.name, user: "ada", password: password)
        var conversation = TunnelConversation(handshake)
        #expect(conversation.sent == [[5, 2, 0, 2]])
        conversation.receive([5, 2])
        let told = [1, 3] + Array("ada".utf8) + [UInt8(password.utf8.count)] + Array(password.utf8)
        #expect(conversation.sent.dropFirst() == [told])
        conversation.receive([1, 0])
        #expect(conversation.sent.count == 3)
        var other = TunnelConversation(handshake)
        other.receive([5, 0])
        #expect(other.sent.last == conversation.sent.last)
    }

    @Test func version4TellsNamesAndAddressesOfIPv4() throws {
        let rows: [(SOCKSHandshake.Destination, String?, [UInt8])] = [
            (Self.name, nil, [4, 1, 1, 187, 0, 0, 0, 1, 0] + Array("a.example".utf8) + [0]),
            (Self.name, "ada", [4, 1, 1, 187, 0, 0, 0, 1] + Array("ada\0a.example\0".utf8)),
            (try Self.address("127.0.0.9"), "ada", [4, 1, 1, 2, 127, 0, 0, 9] + Array("ada\0".utf8)),
        ]
        for (destination, user, bytes) in rows {
            #expect(try SOCKSHandshake(.four, to: destination, user: user).greeting == bytes)
        }
    }

    @Test func whatCannotBeToldIsRefusedBefore() throws {
        let long = String(repeating: "a", count: 256)
        let fits = String(repeating: "a", count: 255)
        let socket = try #require(SocketAddress.unixSocket(path: "/a"))
        _ = try SOCKSHandshake(.five, to: .name(fits, port: 1), user: fits, password: fits)
        _ = try SOCKSHandshake(.four, to: .name(fits, port: 1), user: fits)
        for version in [SOCKSHandshake.Version.four, .five] {
            #expect(throws: SOCKSRefusal.nameTooLong) { try SOCKSHandshake(version, to: .name(long, port: 1)) }
            #expect(throws: SOCKSRefusal.userTooLong) { try SOCKSHandshake(version, to: Self.name, user: long) }
            for name in ["", "a\0b"] {
                #expect(throws: SOCKSRefusal.addressUnsupported) {
                    try SOCKSHandshake(version, to: .name(name, port: 1))
                }
            }
            #expect(throws: SOCKSRefusal.addressUnsupported) { try SOCKSHandshake(version, to: .address(socket)) }
        }
        #expect(throws: SOCKSRefusal.passwordTooLong) {
            try SOCKSHandshake(.five, to: Self.name, user: "a", password: long)
        }
        #expect(throws: SOCKSRefusal.addressUnsupported) { try SOCKSHandshake(.four, to: Self.address("::1")) }
        #expect(throws: SOCKSRefusal.userRejected) { try SOCKSHandshake(.four, to: Self.name, user: "a\0b") }
    }

    // MARK: What arrives

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: SOCKSHandshake.Version
        var user: String?
        /// One reply to each message.
        let replies: [[UInt8]]

        func conversation() throws -> TunnelConversation {
            TunnelConversation(try SOCKSHandshake(version, to: SOCKSHandshakeTests.name, user: user, password: "p"))
        }
    }

    static let stories = [
        Story(testDescription: "IPv4", version: .five, replies: [[5, 0], [5, 0, 0, 1, 9, 9, 9, 9, 0, 80]]),
        Story(
            testDescription: "IPv6",
            version: .five,
            replies: [[5, 0], [5, 0, 7, 4] + [UInt8](repeating: 9, count: 18)]
        ),
        Story(
            testDescription: "a password, and an empty name",
            version: .five,
            user: "ada",
            replies: [[5, 2], [5, 0], [5, 0, 0, 3, 0, 0, 80]]
        ),
        Story(
            testDescription: "the longest name",
            version: .five,
            user: "ada",
            replies: [[5, 0], [5, 0, 0, 3, 255] + [UInt8](repeating: 9, count: 257)]
        ),
        Story(testDescription: "version 4", version: .four, replies: [[0, 90, 1, 2, 3, 4, 5, 6]]),
    ]

    @Test(arguments: stories, [0, 1, 3]) func aTunnelIsOpenAfterTheLastByte(_ story: Story, _ length: Int) throws {
        var conversation = try story.conversation()
        for (index, reply) in story.replies.enumerated() {
            let isLast = index == story.replies.count - 1
            conversation.receive(reply + (isLast ? [1, 2, 3] : []), inPiecesOf: length)
            #expect(conversation.sent.count == min(index + 2, story.replies.count))
        }
        #expect(conversation.step == .done)
        #expect(conversation.rest == [1, 2, 3])
    }

    @Test(arguments: stories) func everyPartOfTheRepliesNeedsMore(_ story: Story) throws {
        let length = story.replies.reduce(0) { $0 + $1.count }
        for count in 0..<length {
            var conversation = try story.conversation()
            var rest = count
            for reply in story.replies where rest > 0 {
                conversation.receive(Array(reply.prefix(rest)))
                rest -= reply.count
            }
            #expect(!conversation.isOver, "\(count)")
            #expect(conversation.handshake.failureOfEnd == .socks(.closed))
        }
    }

    private static let refusals: [UInt8: SOCKSRefusal] = [
        1: .generalFailure, 2: .forbidden, 3: .networkUnreachable, 4: .hostUnreachable, 5: .refusedByServer, 6: .tooFar,
        7: .commandUnsupported, 8: .addressUnsupported,
    ]

    @Test(arguments: UInt8(1)...255) func everyCodeOfVersion5IsARefusal(_ code: UInt8) throws {
        let step = try Self.conversation(after: [5, 0], [5, code]).step
        #expect(step == .failed(.socks(Self.refusals[code] ?? .unknownReply)))
    }

    @Test(arguments: UInt8(0)...255) func everyCodeOfVersion4ButOneIsARefusal(_ code: UInt8) throws {
        let refusals: [UInt8: SOCKSRefusal] = [91: .requestFailed, 92: .noIdentd, 93: .otherUser]
        let refusal = TunnelHandshake.Step.failed(.socks(refusals[code] ?? .unknownReply))
        #expect(try Self.conversation(.four, after: [0, code]).step == (code == 90 ? .needsMore : refusal))
    }

    @Test(arguments: UInt8(0)...255) func onlyAMethodThatWasOfferedIsTaken(_ method: UInt8) throws {
        for user in [nil, "ada"] {
            let conversation = try Self.conversation(user: user, after: [5, method])
            let isOffered = method == 0 || method == 2 && user != nil
            #expect((conversation.sent.count == 2) == isOffered)
            if !isOffered { #expect(conversation.step == .failed(.socks(.noAuthentication))) }
        }
    }

    @Test(arguments: UInt8(1)...255) func anyStatusButZeroRejectsThePassword(_ status: UInt8) throws {
        let conversation = try Self.conversation(user: "ada", after: [5, 2], [1, status])
        #expect(conversation.step == .failed(.socks(.userRejected)))
        #expect(conversation.sent.count == 2)
    }

    @Test(arguments: UInt8(0)...255) func anotherVersionIsNotSpoken(_ byte: UInt8) throws {
        let wrong = TunnelHandshake.Step.failed(.socks(.wrongVersion))
        #expect(try Self.conversation(after: [byte]).step == (byte == 5 ? .needsMore : wrong))
        #expect(try Self.conversation(after: [5, 0], [byte]).step == (byte == 5 ? .needsMore : wrong))
        #expect(try Self.conversation(.four, after: [byte]).step == (byte == 0 ? .needsMore : wrong))
    }

    @Test(arguments: UInt8(0)...255) func anUnknownKindOfAddressIsRefused(_ kind: UInt8) throws {
        let step = try Self.conversation(after: [5, 0], [5, 0, 0, kind]).step
        #expect(step == ([1, 3, 4].contains(kind) ? .needsMore : .failed(.socks(.malformedReply))))
    }

    @Test func afterTheEndNothingIsTaken() throws {
        var handshake = try SOCKSHandshake(.four, to: Self.name)
        [UInt8]([0, 91, 1, 2]).withUnsafeBytes { bytes in
            var input = bytes
            #expect(handshake.receive(&input) == .failed(.socks(.requestFailed)))
            #expect(handshake.receive(&input) == .needsMore)
            #expect(input.count == 2)
        }
    }

    @Test func itShowsNeitherUserNorPassword() throws {
        let handshake = try SOCKSHandshake(.five, to: Self.name, user: "ada", password: "s3cret")
        var text = "\(handshake) \(String(reflecting: handshake)) \(TunnelHandshake(handshake))"
        dump(TunnelHandshake(handshake), to: &text)
        for secret in ["ada", "s3cret"] {
            let bytes = secret.utf8.map { "\($0)" }.joined(separator: ", ")
            #expect(!text.contains(secret) && !text.contains(bytes))
        }
    }
}
#endif
