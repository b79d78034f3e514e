import Foundation
import PiuPiuAsync
import Testing

@testable import Fetch

struct SafeTextTests {
    @Test(
        arguments: [
            ("plain ä 漢", "plain ä 漢"), ("a\u{1B}[31mb", "a�[31mb"), ("a\nb\r\tc", "a�b��c"), ("a\u{9B}2Jb", "a�2Jb"),
            ("a\u{202E}b", "a�b"), ("a\u{200B}b", "a�b"), ("a\u{2028}b", "a�b"), ("\u{7F}", "�"),
        ]
    )
    func nothingInALineMovesTheCursor(text: String, safe: String) {
        #expect(SafeText.line(text) == safe)
    }

    @Test func linesKeepTheirEndsAndTabs() {
        #expect(SafeText.lines("a\tb\n\u{7}\r\n") == "a\tb\n��\n" || SafeText.lines("a\tb\n\u{7}\r\n") == "a\tb\n��")
        #expect(!SafeText.lines("a\u{1B}]0;x\u{7}").unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func theMiddleOfALongTextIsLeftOut() {
        #expect(SafeText.line("abcdefghij", limit: 5) == "ab…ij")
        #expect(SafeText.line("abc", limit: 3) == "abc")
        #expect(SafeText.line("abc", limit: 1) == "a")
        #expect(SafeText.line("abc", limit: 0) == "")
    }

    @Test func theFilterKeepsLinesWhateverThePieces() {
        let bytes = Array("a\u{1B}[1m\tä\u{85}b\r\nc\rd\u{0}é".utf8)
        let expected = "a�[1m\tä�b\nc�d�é"
        for size in 1...bytes.count {
            var filter = TerminalFilter()
            var result: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                result += filter.filter(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(String(decoding: result, as: UTF8.self) == expected)
        }
    }

    @Test(
        arguments: [
            ("a\u{202E}gpj.exe", "a�gpj.exe"), ("\u{2066}a\u{2069}", "�a�"), ("a\u{200E}\u{061C}b", "a��b"),
            ("a\u{2028}b", "a�b"), ("a\u{200B}b", "a�b"), ("\u{E0041}", "�"), ("x\u{FEFF}y", "x�y"),
            ("\u{FEFF}text", "text"), ("👩\u{200D}💻 می\u{200C}خواهم 漢字 é", "👩\u{200D}💻 می\u{200C}خواهم 漢字 é"),
            ("\u{E0B0}", "\u{E0B0}"), ("\u{90}\u{9D}", "��"),
        ]
    )
    func theFilterLetsNothingReverseOrHideLetters(text: String, expected: String) {
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var filter = TerminalFilter()
            var result: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                result += filter.filter(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(String(decoding: result + filter.finish(), as: UTF8.self) == expected)
        }
    }

    @Test func bytesThatAreNoUTF8CannotHideAnythingEither() {
        func filtered(_ bytes: [UInt8]) -> [UInt8] {
            var filter = TerminalFilter()
            return filter.filter(bytes) + filter.finish()
        }
        let replacement = Array("\u{FFFD}".utf8)
        #expect(filtered([0xE9, 0x20]) == [0xE9, 0x20])
        #expect(filtered([0x9B, 0x32, 0x4A]) == replacement + [0x32, 0x4A])
        // The beginning of a character, and then a whole one.
        #expect(filtered([0xE2, 0xE2, 0x80, 0xAE, 0x61]) == [0xE2] + replacement + [0x61])
        #expect(filtered([0xE2, 0x80]) == [0xE2] + replacement)
        // Longer than it need be.
        #expect(!filtered([0xF0, 0x82, 0x80, 0xAE]).elementsEqual([0xF0, 0x82, 0x80, 0xAE]))
        #expect(filtered([0xE2, 0x1B]) == [0xE2] + replacement)
        #expect(filtered([0x61, 0x0D]) == [0x61] + replacement)
    }

    @Test func columnsCountWhatIsSeen() {
        #expect(Columns.fit("abc", 5) == "abc  ")
        #expect(Columns.fit("漢字.txt", 10) == "漢字.txt  ")
        #expect(Columns.width(Columns.fit("漢字漢字漢字漢字", 7)) == 7)
        #expect(Columns.fit("abcdef", 4) == "a…ef")
        #expect(Columns.fit("abc", 0) == "")
    }

    @Test(
        arguments: [
            (.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
            (.auto, true, ["NO_COLOR": ""], true), (.always, false, ["NO_COLOR": "1"], true),
            (.never, true, [:], false),
        ] as [(Arguments.Choice, Bool, [String: String], Bool)]
    )
    func coloursFollowTheUserThenTheEnvironment(
        choice: Arguments.Choice,
        isTerminal: Bool,
        environment: [String: String],
        isOn: Bool
    ) {
        #expect(Colours(choice, isTerminal: isTerminal, environment: environment).isOn == isOn)
    }
}

struct JSONFormatterTests {
    private static func format(_ text: String, piece: Int = .max, colours: Bool = false) -> String {
        var formatter = JSONFormatter(colours: Colours(isOn: colours))
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            result += formatter.format(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        return String(decoding: result + formatter.finish(), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("{}", "{}\n"), ("[ ]", "[]\n"), ("", ""), (" \n", ""), ("1", "1\n"), ("true", "true\n"),
            (
                #"{"a":[1,-2.50e+3,{}],"b":{"c":null}}"#,
                """
                {
                  "a": [
                    1,
                    -2.50e+3,
                    {}
                  ],
                  "b": {
                    "c": null
                  }
                }

                """
            ),
            (#"["a\\\"b", "é\u00e9 , : {"]"#, "[\n  \"a\\\\\\\"b\",\n  \"é\\u00e9 , : {\"\n]\n"),
            ("{\"a\":1}\n{\"a\":2}\n", "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n"),
            ("1 2\n\"x\"", "1\n2\n\"x\"\n"), ("[1 2\"x\"{}]", "[\n  1 2 \"x\" {}\n]\n"),
        ] as [(String, String)]
    )
    func jsonIsIndentedWhateverThePieces(text: String, expected: String) {
        for piece in [1, 2, 3, 1000] { #expect(Self.format(text, piece: piece) == expected) }
    }

    @Test(arguments: ["}{", "]]]", ",,", ":", "\"open", "{\"a\":", "nonsense here", "{1:2}", "[1 2]", "\u{0}"])
    func whatIsNoJSONKeepsItsCharacters(text: String) {
        let result = Self.format(text)
        #expect(result.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    @Test func everyColourEnds() {
        let text = Self.format(#"{"a":["b",1,true,null]}"#, piece: 1, colours: true)
        #expect(text.contains("\u{1B}[34;1m\"a\"\u{1B}[0m"))
        #expect(text.contains("\u{1B}[32m\"b\"\u{1B}[0m"))
        #expect(text.contains("\u{1B}[36m1\u{1B}[0m"))
        #expect(text.contains("\u{1B}[35mtrue\u{1B}[0m"))
        #expect(text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") == Self.format(#"{"a":["b",1,true,null]}"#))
        #expect(Self.format("\"open", colours: true).hasSuffix("\u{1B}[0m\n"))
    }

    @Test func deepLevelsDoNotGrowTheOutputWithoutBound() {
        let depth = 20_000
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(Self.format(text).utf8.count < depth * 150)
    }
}

struct BodySinkTests {
    private func plan(_ words: [String], _ type: String?, isTerminal: Bool) throws -> BodySink.Plan {
        BodySink.Plan(
            try Arguments(words + ["http://a"]),
            mediaType: type,
            Colours(isOn: false),
            isTerminal: isTerminal
        )
    }

    @Test(
        arguments: [
            ([], "application/json", true, true, true),
            ([], "application/problem+json; charset=utf-8", true, true, true),
            ([], "text/html", true, true, false), ([], nil, true, true, false),
            ([], "application/json", false, false, false),
            (["--pretty", "always"], "application/json", false, false, true),
            (["--raw"], "application/json", true, false, false),
            (["--pretty", "never"], "application/json", true, true, false),
        ] as [([String], String?, Bool, Bool, Bool)]
    )
    func aBodyIsShownByItsType(words: [String], type: String?, isTerminal: Bool, isFiltered: Bool, isFormatted: Bool)
        throws
    {
        let plan = try plan(words, type, isTerminal: isTerminal)
        #expect(plan.isFiltered == isFiltered)
        #expect(plan.isFormatted == isFormatted)
    }

    @Test func bytesPassUnchangedToAPipe() throws {
        var sink = BodySink(plan: try plan([], "text/plain", isTerminal: false), isNamed: false)
        let data = Data((0...255).map { UInt8($0) })
        #expect(try sink.take(data) == Array(data))
        #expect(sink.finish() == [])
    }

    @Test func whatIsNoTextIsNotShownOnATerminal() throws {
        var sink = BodySink(plan: try plan([], nil, isTerminal: true), isNamed: false)
        #expect(throws: FetchError.self) { try sink.take(Data([1, 0, 2])) }
        var named = BodySink(plan: try plan([], nil, isTerminal: true), isNamed: true)
        #expect(try String(decoding: named.take(Data([0x61, 0, 0x1B])), as: UTF8.self) == "a��")
        #expect(named.finish() == [0x0A])
    }
}
