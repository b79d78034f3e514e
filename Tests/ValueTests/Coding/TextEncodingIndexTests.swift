import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuValues

/// Every character of every encoding is that of the Encoding Standard.
///
/// The digests are FNV-1a hashes of the characters' numbers, computed from the standard's indexes by a transcription of its
/// decoders in another language.
struct TextEncodingIndexTests {
    private static func digest(_ label: String, _ bytes: [UInt8]) throws -> UInt64 {
        let encoding = try #require(TextEncoding(label: label))
        let text = try #require(encoding.text(of: Data(bytes), isRepaired: true), "\(label) is not offered")
        return text.unicodeScalars.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1.value)) &* 0x100_0000_01B3 }
    }

    @Test(
        arguments: [
            ("ibm866", 0xE80A_00CC_88B8_82BD), ("iso-8859-2", 0x1FE3_5A76_8ABE_DF4E),
            ("iso-8859-3", 0xF88D_CC0B_67D9_BF44), ("iso-8859-4", 0x40F9_A75E_46C1_7D41),
            ("iso-8859-5", 0xB1EC_712A_A17A_51C1), ("iso-8859-6", 0x1FD1_D863_7F72_A259),
            ("iso-8859-7", 0x91A5_3D82_E031_7A7F), ("iso-8859-8", 0x24E2_30D5_08F3_8234),
            ("iso-8859-10", 0x586C_45B5_8997_516E), ("iso-8859-13", 0x99C1_E41F_17F1_140C),
            ("iso-8859-14", 0x971D_A2C2_FA53_0684), ("iso-8859-15", 0x036B_5261_7878_4987),
            ("iso-8859-16", 0xCFF2_A0B6_5412_10EB), ("koi8-r", 0x90A9_7FC4_A62A_F069),
            ("koi8-u", 0xF190_D101_E084_A267), ("macintosh", 0xFCF2_F2B7_35BC_FFE8),
            ("windows-874", 0x98BB_C1ED_D7CE_36D1), ("windows-1250", 0xA1FA_1552_C38E_DF05),
            ("windows-1251", 0x9A87_2E59_5F76_D19D), ("windows-1252", 0xD5FD_16FD_FDE3_858F),
            ("windows-1253", 0xCF18_7496_9039_38AB), ("windows-1254", 0x8065_40A5_F267_B8C7),
            ("windows-1255", 0xBD0B_F0C2_A6F6_6FAF), ("windows-1256", 0x9DB2_4AE2_CEC2_23E0),
            ("windows-1257", 0xE13D_7E48_7299_82E4), ("windows-1258", 0x4B8C_3BB3_BACD_42B6),
            ("x-mac-cyrillic", 0x5899_7254_5F2F_6E02),
        ] as [(String, UInt64)]
    )
    func everyByteIsThatOfTheIndex(label: String, digest: UInt64) throws {
        #expect(try Self.digest(label, Array(0x80...0xFF)) == digest)
        #expect(try Self.digest(label, Array(0..<0x80)) == Self.digest("utf-8", Array(0..<0x80)))
    }

    @Test func everyPairOfBytesIsThatOfTheIndexOrWhatTheStandardPutsInItsPlace() throws {
        let pieces: [UInt8] = [
            0x1B, 0x24, 0x28, 0x42, 0x40, 0x49, 0x4A, 0x21, 0x30, 0x5C, 0x7E, 0x0A, 0x0E, 0x80, 0x46, 0x7C,
        ]
        let noise = Self.noise
        let rows: [(String, [UInt8], UInt64)] = [
            ("gb18030", Self.pairs(), 0xBA96_7818_81C2_3519), ("big5", Self.pairs(), 0xF751_81A8_13F3_F308),
            ("euc-jp", Self.pairs(), 0x5B5E_D320_46D3_F396), ("shift_jis", Self.pairs(), 0x6778_CBCB_E72C_1A2F),
            ("euc-kr", Self.pairs(), 0x18C5_A32B_3CB3_2D05),
            ("euc-jp", Self.pairs(after: [0x8F]), 0x680A_D966_830E_90E8),
            ("gb18030", Self.fourBytes, 0x7A18_C042_B356_F2CE), ("iso-2022-jp", Self.escapes, 0x38F8_B488_F693_947D),
            ("gb18030", noise, 0xD068_22EF_4757_337D), ("big5", noise, 0x37E8_CC58_CEEA_7D9E),
            ("euc-jp", noise, 0xB424_2E54_1545_468C), ("shift_jis", noise, 0xD635_14E4_14CC_54A5),
            ("euc-kr", noise, 0x6607_7EB2_47AC_C4CB),
            ("iso-2022-jp", noise.map { pieces[Int($0 & 15)] }, 0x6946_57CE_DA1A_EE55),
        ]
        for (number, (label, bytes, digest)) in rows.enumerated() {
            #expect(try Self.digest(label, bytes) == digest, "\(label), row \(number)")
        }
    }

    // MARK: Texts

    /// Every pair with a first byte from 0x80, each on a line.
    private static func pairs(after prefix: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        for first in UInt8(0x80)...0xFF {
            for second in UInt8.min...UInt8.max { bytes += prefix + [first, second, 0x0A] }
        }
        return bytes
    }

    /// All characters of four bytes up to U+FFFF, some of the others, and those beside the ends.
    private static var fourBytes: [UInt8] {
        var bytes: [UInt8] = []
        let others = Array(stride(from: 40_000, to: 1_587_600, by: 997))
        for pointer: Int in Array(0..<40_000) + others + [188_999, 189_000, 1_237_575, 1_237_576] {
            bytes.append(UInt8(pointer / 12_600) + 0x81)
            bytes.append(UInt8(pointer / 1260 % 10) + 0x30)
            bytes.append(UInt8(pointer % 1260 / 10) + 0x81)
            bytes.append(UInt8(pointer % 10) + 0x30)
        }
        return bytes
    }

    /// Every pair in the set of two bytes, and every byte in the others.
    private static var escapes: [UInt8] {
        var bytes: [UInt8] = []
        let escapes: [[UInt8]] = [
            [0x24, 0x42], [0x24, 0x40], [0x28, 0x49], [0x28, 0x4A], [0x28, 0x42], [0x28, 0x44],
        ]
        for (number, escape) in escapes.enumerated() {
            let seconds: ClosedRange<UInt8> = number == 0 ? 0...0xFF : 0x20...0x21
            bytes += [0x1B] + escape
            for first in UInt8.min...UInt8.max {
                for second in seconds { bytes += [first, second] }
            }
        }
        return bytes
    }

    private static var noise: [UInt8] {
        var state: UInt64 = 1
        return (0..<100_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
    }
}
