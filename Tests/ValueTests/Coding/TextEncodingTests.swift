import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct TextEncodingTests {
    @Test func anEmptyCharsetIsNone() {
        #expect("text/html; charset=".charset == nil && "text/html; charset=\"\"".charset == nil)
        #expect("text/plain; charset=; charset=UTF-8".charset == "utf-8")
    }

    private static func response(_ type: String?, _ bytes: [UInt8]) -> Response<Data?> {
        Fixture.response("", headers: type.map { ["Content-Type": $0] } ?? [:]).map { _ in Data(bytes) }
    }

    @Test(
        arguments: [
            ("text/plain; charset=ISO-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
            ("text/plain; charset=\"windows-1252\"", [0x80, 0x93], "€“"),
            ("text/plain; charset=latin1", [0x81, 0x41], "\u{81}A"),
            ("text/html; charset=Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
            ("text/html; charset=gbk", [0xD6, 0xD0], "中"), ("text/html; charset=Big5", [0xA4, 0xA4], "中"),
            ("text/html; charset=euc-kr", [0xC7, 0xD1], "한"), ("text/plain; charset=koi8-r", [0xC1], "а"),
            ("text/plain; charset=windows-1251", [0xE0], "а"), ("text/plain; charset=iso-8859-15", [0xA4], "€"),
            ("text/plain; charset=macintosh", [0x8A, 0xDB], "ä€"), ("text/plain; charset=cp866", [0x80], "А"),
            ("text/plain; charset=euc-jp", [0xC6, 0xFC, 0x8E, 0xB1, 0x8F, 0xB0, 0xA1], "日ｱ丂"),
            ("text/plain; charset=ks_c_5601-1987", [0x8C, 0x63], "똠"),
            ("text/plain; charset=iso-ir-149", [0xB0, 0xA1], "가"),
            ("text/plain; charset=big5", [0x88, 0x62], "\u{CA}\u{304}"),
            ("text/plain; charset=iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x4A, 0x5C], "日¥"),
            ("text/plain; charset=gb18030", [0x90, 0x30, 0x81, 0x30, 0x81, 0x30, 0x81, 0x30], "\u{10000}\u{80}"),
            // Labels that few know.
            ("text/plain; charset=iso-ir-148", [0xD0], "Ğ"), ("text/plain; charset=ecma-114", [0xC7], "\u{627}"),
            ("text/plain; charset=elot_928", [0xC1], "Α"), ("text/plain; charset=logical", [0xE0], "\u{5D0}"),
            ("text/plain; charset=iso-ir-58", [0xD6, 0xD0], "中"),
            ("text/plain; charset=utf-16", [0x41, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "A😀"),
            ("text/plain; charset=utf-16be", [0x00, 0x41], "A"),
            // The mark decides, whatever the field says.
            ("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"),
            ("text/plain", [0xFF, 0xFE, 0x41, 0x00], "A"), (nil, [0xFE, 0xFF, 0x00, 0x41], "A"),
            // What is not known, or not there, is UTF-8.
            ("text/plain; charset=klingon", [0xC3, 0xA9], "é"), (nil, [0xC3, 0xA9], "é"),
            ("application/json", [0xC3, 0xA9], "é"), ("text/plain; charset=", [0x41], "A"), ("text/plain", [], ""),
        ] as [(String?, [UInt8], String)]
    )
    func theServersEncodingIsUsed(type: String?, bytes: [UInt8], text: String) throws {
        let response = Self.response(type, bytes)
        #expect(try response.decodeText() == text)
        #expect(try response.decodeText(isStrict: true) == text)
    }

    @Test(
        arguments: [
            ("text/plain", [0x41, 0xFF, 0x42], "A\u{FFFD}B"),
            ("text/plain; charset=shift_jis", [0x41, 0xFF, 0x0A, 0x93, 0xFA, 0x93], "A\u{FFFD}\n日\u{FFFD}"),
            ("text/plain; charset=utf-16le", [0x41, 0x00, 0x42], "A\u{FFFD}"),
            ("text/plain; charset=utf-16le", [0x00, 0xD8, 0x41, 0x00], "\u{FFFD}A"),
            ("text/plain; charset=iso-8859-7", [0xC1, 0xFF, 0x41], "Α\u{FFFD}A"),
            ("text/plain; charset=windows-874", [0xDB], "\u{FFFD}"),
            ("text/plain; charset=big5", [0x81, 0x41, 0x42], "\u{FFFD}AB"),
            ("text/plain; charset=euc-kr", [0xC9, 0xA1, 0x41], "\u{FFFD}A"),
            ("text/plain; charset=euc-jp", [0x8F, 0xA2, 0x41], "\u{FFFD}A"),
            ("text/plain; charset=gbk", [0x81, 0x30, 0x41], "\u{FFFD}0A"),
            ("text/plain; charset=iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0xFF], "日\u{FFFD}"),
        ] as [(String, [UInt8], String)]
    )
    func whatCannotBeReadIsRepairedOrAnError(type: String, bytes: [UInt8], text: String) throws {
        let response = Self.response(type, bytes)
        #expect(try response.decodeText() == text)
        #expect(throws: ResponseError.self) { try response.decodeText(isStrict: true) }
    }

    @Test func noBodyIsNoText() throws {
        #expect(try Fixture.response(nil).decodeText() == "")
    }

    /// Text in an encoding that is not offered is an error, and never another text.
    @Test(
        arguments: [
            "replacement", "iso-2022-kr", "ISO-2022-CN", "iso-2022-cn-ext", "hz-gb-2312", "csiso2022kr",
            "x-user-defined",
        ],
        [false, true]
    )
    func whatIsNotOfferedIsAnError(label: String, isStrict: Bool) throws {
        let type = "text/plain; charset=\(label)"
        let error = #expect(throws: UnsupportedCharsetError.self) {
            try Self.response(type, [0x41]).decodeText(isStrict: isStrict)
        }
        #expect(error?.charset == label.lowercased())
        #expect(error?.description == "The text is in the charset \(label.lowercased()), which cannot be decoded here.")
        #expect(try Self.response(type, [0xEF, 0xBB, 0xBF, 0x41]).decodeText(isStrict: isStrict) == "A")
        #expect(SuggestedFileName.proposed(by: "attachment; filename*=\(label)''x; filename=y") == "y")
    }

    @Test(
        arguments: [
            (#"attachment; filename="a b.txt""#, "a b.txt"), ("attachment; filename=a.txt", "a.txt"),
            (#"attachment; filename="../../etc/passwd""#, "passwd"), (#"attachment; filename="C:\\x\\y.exe""#, "y.exe"),
            (#"attachment; filename="a.txt"; filename*=UTF-8''%C3%A4.txt"#, "ä.txt"),
            (#"attachment; filename*=iso-8859-1'en'%A3%20rates; filename=x"#, "£ rates"),
            (#"attachment; filename*=UTF-8''..%2F..%2Fx"#, "x"),
            (#"attachment; filename*=klingon''x; filename=y"#, "y"),
            (#"attachment; filename*=UTF-8''%+5; filename=y"#, "y"),
            (#"attachment; filename*=UTF-8''%FF; filename=y"#, "y"), (#"attachment; filename=".bashrc""#, "bashrc"),
            (#"attachment; filename="..""#, nil), (#"attachment; filename="-rf .""#, "rf"),
            (#"attachment; filename="a/""#, "a"), ("attachment; filename=\"a\u{1B}[31m\"", nil),
            ("attachment; filename=\"a\u{202E}txt.exe\"", nil), ("attachment", nil), ("", nil), (";;;=;", nil),
            ("attachment; filename", nil), ("attachment; filename=\"", nil),
            (#"attachment; x="; filename=wrong"; filename=right"#, "right"), (#"attachment; filename="""#, nil),
            (#"attachment; FileName = "a\"b;c.txt" ; size=1"#, "a\"b;c.txt"),
            ("attachment; filename=a; filename=b", "a"), (#"attachment; filename*=UTF-8''sub%2F%CC%81x.txt"#, "x.txt"),
            ("attachment; filename=\"sub/\u{FE0F}x.txt\"", "x.txt"), ("attachment; filename=\"a\\\\\u{301}b\"", "b"),
            (#"attachment; filename*=UTF-8''.%EF%B8%8Fprofile"#, "profile"),
            (#"attachment; filename*=UTF-8''-%EF%B8%8Frf"#, "rf"), ("attachment; filename=\"../\u{301}\"", nil),
            (#"attachment; filename="C:\\x\\y.exe""#, "y.exe"),
            ("attachment; filename=\(String(repeating: "a", count: 201))", nil),
        ] as [(String, String?)]
    )
    func aProposedNameIsOneSafeName(field: String, name: String?) {
        #expect(SuggestedFileName.proposed(by: field) == name)
        let response = Fixture.response(nil, headers: ["Content-Disposition": field])
        if field.isFieldValue, field.utf8.allSatisfy({ $0 < 0x80 }) { #expect(response.suggestedFileName == name) }
    }

    @Test func theCharsetIsThatOfTheField() {
        #expect(Self.response("text/plain; Charset=\"UTF-8\"", []).charset == "utf-8")
        #expect(Self.response("text/plain", []).charset == nil)
        #expect(Self.response(nil, []).charset == nil)
    }
}
