import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuExchange

@Suite(.timeLimit(.generous)) struct ShellWordTests {
    private static let pieces = [
        "'", "\"", "\\", "\\'", "$HOME", "$(id)", "`id`", "!", "!!", "%", "%s", "\\n", "\\101", "*", "~", "#", ";",
        "&&", "|", "<", ">", "(", "{a,b}", "[1-3]", "-", "a", "7", " ", "\t", "\n", "\r", "\u{1B}[31m", "\u{7F}", "é",
        "日本", "\u{301}", "\u{85}", "\u{202E}", "\u{A0}", "\u{FEFF}", "👨‍👩‍👧",
    ]

    @Test func visibleTextIsInSingleQuotes() {
        #expect(ShellWord.quoted("") == "''")
        #expect(ShellWord.quoted(#"a $HOME `id` \ "!" é日"#) == #"'a $HOME `id` \ "!" é日'"#)
        #expect(ShellWord.quoted("it's") == #"'it'\''s'"#)
    }

    @Test func aQuoteWithACombiningMarkIsAQuote() {
        #expect(Array(ShellWord.quoted("'\u{301}").utf8) == Array("''\\''\u{301}'".utf8))
    }

    @Test func textThatATerminalReactsToIsPrinted() {
        #expect(ShellWord.quoted("a\tb'!") == #""$(printf 'a\tb\047\041')""#)
        #expect(ShellWord.quoted("\u{202E}x") == #""$(printf '\342\200\256x')""#)
        #expect(ShellWord.quoted("x\n\n") == "\"$(printf 'x')\"'\n\n'")
    }

    @Test func bytesAreEscapedInOctal() {
        #expect(ShellWord.printf([]) == "printf ''")
        #expect(ShellWord.printf("-a%\\é\r\n".utf8) == #"printf '\055a%%\\é\r\n'"#)
        #expect(ShellWord.printf([0, 1, 0x37, 0xFF, 0xC3, 0xA9]) == #"printf '\000\0017\377\303\251'"#)
        // A byte order mark stays.
        #expect(ShellWord.printf("\u{FEFF}a".utf8) == #"printf '\357\273\277a'"#)
    }

    @Test(.enabled(if: !ShellRun.shells.isEmpty, "no shell is installed"), arguments: ShellRun.shells)
    func aShellGetsWordsBackByteForByte(shell: String) async throws {
        var random = SeededRandom(seed: 15)
        var words = Self.pieces + Self.pieces.map { $0 + "\n" } + ["", "-n", "--", "@file", "x\n\n\n"]
        for _ in 0..<200 {
            words.append((0...random.below(9)).map { _ in random.element(of: Self.pieces) }.joined())
        }

        let outputs = try await ShellRun(shell).outputs(of: words.map { "printf '%s' \(ShellWord.quoted($0))" })

        for (word, output) in zip(words, outputs) {
            #expect(output == Data(word.utf8), "\(word.debugDescription)")
        }
    }

    @Test(.enabled(if: !ShellRun.shells.isEmpty, "no shell is installed"), arguments: ShellRun.shells)
    func aShellPrintsBytesByteForByte(shell: String) async throws {
        var random = SeededRandom(seed: 16)
        var bodies = [Data(0...255), Data((0...255).reversed()), Data(), Data("-e".utf8), Data("%d\\c".utf8)]
        for length in [1, 2, 3, 10, 100, 1000, 300_000] {
            bodies.append(Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }))
            bodies.append(Data((0..<length).map { _ in random.element(of: Self.pieces) }.joined().utf8))
        }

        let outputs = try await ShellRun(shell).outputs(of: bodies.map { ShellWord.printf($0) })

        for (body, output) in zip(bodies, outputs) {
            #expect(output == body, "\(body.count) bytes")
        }
    }
}
