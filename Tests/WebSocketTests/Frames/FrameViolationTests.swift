import Testing

@testable import PiuPiuWebSocket

/// What a client must refuse (RFC 6455 §5, RFC 7692 §6).
@Suite struct FrameViolationTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var section: String
        var name: String
        var bytes: [UInt8]
        var code = WebSocketCloseCode.protocolError
        /// The number of bytes after which the violation is certain; `nil` for all.
        var end: Int?
        var isCompressed = false

        var testDescription: String { "§\(section) \(name)" }
    }

    private static let lengths: [Case] = [
        Case(section: "5.2", name: "2 for 0 bytes", bytes: [0x82, 126, 0, 0]),
        Case(section: "5.2", name: "2 for 125 bytes", bytes: [0x82, 126, 0, 125]),
        Case(section: "5.2", name: "8 for 0 bytes", bytes: [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 0]),
        Case(section: "5.2", name: "8 for 65535 bytes", bytes: [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
        Case(section: "5.2", name: "the top bit", bytes: [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], end: 2),
        Case(section: "5.2", name: "all bits", bytes: [0x82, 127] + [UInt8](repeating: 0xFF, count: 8), end: 2),
        Case(
            section: "10.4",
            name: "the largest length",
            bytes: [0x82, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7),
            code: .messageTooBig,
            end: 9
        ),
        Case(section: "5.5", name: "a ping of 126 bytes", bytes: frame(0x9, .init(repeating: 0, count: 126)), end: 1),
        Case(section: "5.5", name: "a pong of 64 KiB", bytes: frame(0xA, .init(repeating: 0, count: 1 << 16)), end: 1),
        Case(section: "5.5", name: "a close of 126 bytes", bytes: [0x88, 126, 0, 126, 3, 0xE8], end: 1),
        Case(section: "5.5.1", name: "a close of 1 byte", bytes: frame(0x8, [3]), end: 1),
    ]

    private static let order: [Case] = [
        Case(section: "5.4", name: "a continuation of nothing", bytes: more([1]), end: 0),
        Case(section: "5.4", name: "the end of nothing", bytes: more([1], isFinal: true), end: 0),
        Case(section: "5.4", name: "a text in a text", bytes: text("a", isFinal: false) + text("b"), end: 3),
        Case(section: "5.4", name: "bytes in a text", bytes: text("a", isFinal: false) + frame(0x2), end: 3),
        Case(
            section: "5.4",
            name: "a continuation after the end",
            bytes: text("a", isFinal: false) + more([0x62], isFinal: true) + more([0x62], isFinal: true),
            end: 6
        ),
        Case(section: "5.4", name: "a fragment of a ping", bytes: frame(0x9, isFinal: false), end: 0),
        Case(section: "5.4", name: "a fragment of a pong", bytes: frame(0xA, isFinal: false), end: 0),
        Case(section: "5.4", name: "a fragment of a close", bytes: frame(0x8, isFinal: false), end: 0),
        Case(section: "5.1", name: "a mask", bytes: [0x81, 0x85, 1, 2, 3, 4, 0x49, 0x67, 0x6F, 0x68, 0x6E], end: 1),
        Case(section: "5.1", name: "a mask of nothing", bytes: [0x8A, 0x80, 1, 2, 3, 4], end: 1),
    ]

    private static let opcodes: [Case] = [3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF].flatMap { opcode in
        [
            Case(section: "5.2", name: "opcode \(opcode)", bytes: frame(opcode), end: 0),
            Case(
                section: "5.2",
                name: "opcode \(opcode) in a text",
                bytes: text("a", isFinal: false) + frame(opcode),
                end: 3
            ),
        ]
    }

    private static let reserved: [Case] = (1...7).flatMap { rsv in
        [0x1, 0x2, 0x8, 0x9, 0xA].map { opcode in
            Case(section: "5.2", name: "RSV \(rsv) of \(opcode)", bytes: frame(opcode, rsv: UInt8(rsv)), end: 0)
        }
    }

    private static let compressed: [Case] = [
        Case(section: "6 (7692)", name: "RSV1 of a ping", bytes: frame(0x9, rsv: 4), end: 0),
        Case(section: "6 (7692)", name: "RSV1 of a close", bytes: frame(0x8, rsv: 4), end: 0),
        Case(
            section: "6.1 (7692)",
            name: "RSV1 of a continuation",
            bytes: frame(0x1, [0], isFinal: false, rsv: 4) + frame(0x0, [0], rsv: 4),
            end: 3
        ),
        Case(
            section: "6.1 (7692)",
            name: "RSV1 of the end of a text that is not compressed",
            bytes: text("a", isFinal: false) + frame(0x0, [0], rsv: 4),
            end: 3
        ),
        Case(section: "6 (7692)", name: "RSV2", bytes: frame(0x1, rsv: 2), end: 0),
        Case(section: "6 (7692)", name: "RSV1 and RSV3", bytes: frame(0x1, rsv: 5), end: 0),
    ].map { row in
        var row = row
        row.isCompressed = true
        return row
    }

    @Test(arguments: lengths + order + opcodes + reserved + compressed)
    func isRefused(row: Case) {
        // Whether at once, or a byte at a time; and whether or not a message has come before.
        for before in [[], text("x")] {
            let bytes = before + row.bytes
            let inflater = { row.isCompressed ? MessageInflater() : nil }
            let trace = FrameTrace(bytes + text("y"), inflater: inflater())
            #expect(trace.code == row.code)
            #expect(!trace.texts.contains("y") && (before.isEmpty || trace.texts.first == "x"))
            let split = FrameTrace((bytes + text("y")).map { [$0] }, inflater: inflater())
            #expect(split.violation == trace.violation && split.events == trace.events)
            // Before the byte, nothing is wrong.
            if let end = row.end {
                let start = FrameTrace(Array(bytes.prefix(before.count + end)), inflater: inflater())
                #expect(start.violation == nil)
                #expect(FrameTrace(Array(bytes.prefix(before.count + end + 1)), inflater: inflater()).code == row.code)
            }
        }
    }

    @Test func violationsHaveNoContentOfTheServer() {
        let trace = FrameTrace(text("secret", isFinal: false) + text("secret"))
        #expect(trace.violation.map { "\($0)".contains("secret") } == false)
    }
}
