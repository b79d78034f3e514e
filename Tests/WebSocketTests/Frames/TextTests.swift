import Testing

@testable import PiuPiuWebSocket

/// UTF-8 of texts (RFC 6455 §8.1, RFC 3629); most rows are from the Autobahn test suite, 6.
@Suite struct TextTests {
    private static let greek: [UInt8] = [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5]

    static let valid: [[UInt8]] =
        [
            Array("Hello-µ@ßöäüàá-UTF-8!!".utf8), greek, [], [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF],
            [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBD], [0xEF, 0xBF, 0xBE],
            [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0xBF, 0xBE], [0xF4, 0x8F, 0xBF, 0xBF],
            [0xEF, 0xBB, 0xBF, 0x61],
        ] + [1, 7, 8, 9, 15, 16, 17, 63].map { count in [UInt8](repeating: 0x61, count: count) + greek }

    static let invalid: [[UInt8]] = [
        // 6.3: a surrogate in a text.
        greek + [0xED, 0xA0, 0x80] + Array("edited".utf8),
        // 6.4: beyond the last character.
        greek + [0xF4, 0x90, 0x80, 0x80] + Array("edited".utf8),
        // 6.6: incomplete.
        [0xCE], [0xE1, 0xBD], [0xE1], greek.dropLast(), [0xF0, 0x90, 0x80], [0xF0, 0x90], [0xF0],
        // 6.8: five and six bytes.
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80],
        // 6.10: beyond the last character.
        [0xF7, 0xBF, 0xBF, 0xBF], [0xFB, 0xBF, 0xBF, 0xBF, 0xBF], [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        // 6.12: continuations alone.
        [0x80], [0xBF], [0x80, 0xBF], Array(0x80...0xBF),
        // 6.13: starts alone.
        Array((0xC0...0xDF).flatMap { [$0, 0x20] }), Array((0xE0...0xEF).flatMap { [$0, 0x20] }),
        [0xF0, 0x20], [0xF8, 0x20], [0xFC],
        // 6.14: incomplete, before another character.
        [0xC0], [0xE0, 0x80], [0xF0, 0x80, 0x80], [0xDF, 0x61], [0xEF, 0xBF, 0x61], [0xF7, 0xBF, 0xBF, 0x61],
        // 6.16 to 6.18: no start at all, overlong forms.
        [0xFE], [0xFF], [0xFE, 0xFE, 0xFF, 0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF],
        [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xC0, 0x80], [0xE0, 0x80, 0x80],
        // 6.20: surrogates, also in pairs.
        [0xED, 0xA0, 0x80], [0xED, 0xAD, 0xBF], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
        // Far from the start.
        [UInt8](repeating: 0x61, count: 37) + [0xFF] + [UInt8](repeating: 0x61, count: 37),
    ]

    @Test func validTextsArriveHoweverTheyAreFragmented() {
        for bytes in Self.valid {
            let expected = String(decoding: bytes, as: UTF8.self)
            for split in 0...bytes.count {
                let fragments =
                    frame(0x1, Array(bytes[..<split]), isFinal: false) + more([])
                    + more(Array(bytes[split...]), isFinal: true)
                #expect(FrameTrace(fragments).texts == [expected], "\(bytes) at \(split)")
                #expect(FrameTrace(fragments.map { [$0] }).texts == [expected], "\(bytes) at \(split)")
            }
        }
    }

    @Test func invalidTextsAreRefusedHoweverTheyAreFragmented() {
        for bytes in Self.invalid {
            #expect(FrameTrace(frame(0x1, bytes)).violation == .invalidText, "\(bytes)")
            for split in 0...bytes.count {
                let fragments =
                    frame(0x1, Array(bytes[..<split]), isFinal: false) + more(Array(bytes[split...]), isFinal: true)
                #expect(FrameTrace(fragments).violation == .invalidText, "\(bytes) at \(split)")
                #expect(FrameTrace(fragments.map { [$0] }).violation == .invalidText, "\(bytes) at \(split)")
            }
        }
    }

    /// 6.4: the first byte that is wrong ends the connection, before the rest arrives.
    @Test func aTextIsRefusedAtItsFirstWrongByte() {
        let wrong: [(bytes: [UInt8], offset: Int)] = [
            ([0x61, 0xC0], 1), ([0xE0, 0x9F], 1), ([0xED, 0xA0], 1), ([0xF4, 0x90], 1), ([0xF0, 0x8F], 1),
            ([0xE2, 0x82, 0x61], 2), ([0xF5], 0), ([0x80], 0), (Self.greek + [0xF4, 0x90, 0x80], Self.greek.count + 1),
        ]
        for row in wrong {
            // The payload announces more than it has.
            let header: [UInt8] = [0x81, 100]
            let before = FrameTrace((header + row.bytes.prefix(row.offset)).map { [$0] })
            #expect(before.violation == nil && before.events.isEmpty, "\(row)")
            #expect(FrameTrace([header, Array(row.bytes.prefix(row.offset + 1))]).violation == .invalidText, "\(row)")
            // So does a fragment that is there.
            #expect(FrameTrace(frame(0x1, row.bytes, isFinal: false)).violation == .invalidText, "\(row)")
        }
    }

    @Test func bytesNeedNotBeText() {
        for bytes in Self.invalid { #expect(FrameTrace(frame(0x2, bytes)).contents == [bytes]) }
    }

    /// Each sequence of up to three bytes, and of four with the bounds of each.
    @Test func theValidatorAgreesWithTheStandardLibrary() {
        func check(_ bytes: [UInt8]) -> Bool {
            var validator = UTF8Validator()
            let isValid = bytes.withUnsafeBytes { validator.accept($0) } && validator.isAtBoundary
            return isValid == (String(validating: bytes, as: UTF8.self) != nil)
        }
        let bounds: [UInt8] = [
            0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
        ]
        var failures: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            if !check([first]) { failures.append([first]) }
            for second in bounds {
                if !check([first, second]) { failures.append([first, second]) }
                for third in bounds where first >= 0xE0 {
                    if !check([first, second, third]) { failures.append([first, second, third]) }
                    for fourth in bounds where first >= 0xF0 && !check([first, second, third, fourth]) {
                        failures.append([first, second, third, fourth])
                    }
                }
            }
        }
        #expect(failures.isEmpty)
    }
}
