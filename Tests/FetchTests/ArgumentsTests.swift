import Foundation
import Testing

@testable import Fetch

struct ArgumentsTests {
    private static func mistake(_ words: [String]) -> Arguments.Mistake? {
        do {
            _ = try Arguments(words)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [[], ["--"]])
    func nothingIsTheDemonstration(words: [String]) throws {
        #expect(try Arguments(words).action == .demonstrate)
    }

    @Test(arguments: [["--help"], ["-h"], ["--resume", "--help"], ["http://example.org", "-h", "x", "--frob"]])
    func helpGoesBeforeEverything(words: [String]) throws {
        #expect(try Arguments(words).action == .help)
    }

    @Test func escapesInURLsStay() throws {
        let arguments = try Arguments(["http://h/x?a[]=1&b=%5B%5D", "http://h/a%2Fb|c?d=%zz", "http://h/a/../b"])
        #expect(
            arguments.urls.map(\.absoluteString) == [
                "http://h/x?a%5B%5D=1&b=%5B%5D", "http://h/a%2Fb%7Cc?d=%25zz", "http://h/a/../b",
            ]
        )
    }

    @Test func optionsMayStandAnywhere() throws {
        let arguments = try Arguments(["-fsSL", "http://a/b", "-ofile", "--retry=3", "http://c", "-o", "-", "-m2.5"])
        #expect(arguments.urls.map(\.absoluteString) == ["http://a/b", "http://c"])
        #expect(arguments.outputs == ["file", "-"])
        #expect(arguments.fails && arguments.isSilent && arguments.followsRedirects)
        #expect(arguments.retries == 3)
        #expect(arguments.maximumTime == .milliseconds(2500))
    }

    @Test func dashesEndTheOptions() {
        #expect(Self.mistake(["http://a", "--", "-s"])?.code == .badURL)
    }

    @Test(
        arguments: [
            (["-O"], "GET"), (["-I"], "HEAD"), (["-d", ""], "POST"), (["--json", "{}"], "POST"),
            (["-F", "a=b"], "POST"),
            (["-T", "x"], "PUT"), (["-T", "x", "-X", "PATCH"], "PATCH"), (["-X", "get"], "get"),
        ] as [([String], String)]
    )
    func theMethodFollowsFromTheBody(options: [String], method: String) throws {
        #expect(try Arguments(options + ["http://a"]).effectiveMethod == method)
    }

    @Test func headersAreKeptInOrder() throws {
        let arguments = try Arguments(["http://a", "-H", "A:  b: c ", "--header=A:d", "-HEmpty:"])
        #expect(arguments.headers.map(\.name) == ["A", "A", "Empty"])
        #expect(arguments.headers.map(\.value) == ["b: c", "d", ""])
    }

    @Test(
        arguments: [
            (["--resume"], "A URL is missing."),
            (["--frob", "http://a"], "There is no option --frob."),
            (["--retyr", "3"], "There is no option --retyr. Did you mean --retry?"),
            (["--max", "3"], "There is no option --max. Did you mean --max-time?"),
            (["--=", "http://a"], "There is no option --."),
            (["-sZ", "http://a"], "There is no option -Z."),
            (["http://a", "-o"], "Something is missing after -o."),
            (["http://a", "--request="], "Something is missing after --request."),
            (["http://a", "--resume=yes"], "--resume takes no value."),
            (["http://a", "-X", "GE T"], "This is no method: GE T."),
            (["http://a", "--parallel", "0"], "--parallel takes a number from 1 to 256, not 0."),
            (["http://a", "--parallel", "+4"], "--parallel takes a number from 1 to 256, not +4."),
            (
                ["http://a", "--retry", "99999999999999999999"],
                "--retry takes a number from 0 to 1000, not 99999999999999999999."
            ),
            (["http://a", "--max-time", "soon"], "--max-time takes a number of seconds, not soon."),
            (["http://a", "--max-time", "0"], "--max-time takes a number of seconds, not 0."),
            (["http://a", "--max-time", "nan"], "--max-time takes a number of seconds, not nan."),
            (["http://a", "--limit-rate", "k"], "--limit-rate takes bytes a second, such as 500k or 2M, not k."),
            (["http://a", "--limit-rate", "-1k"], "--limit-rate takes bytes a second, such as 500k or 2M, not -1k."),
            (["http://a", "--color", "blue"], "--color takes auto, always or never, not blue."),
            (["http://a", "-d", "a", "-T", "b"], "Only one of --data, --json, --form and --upload-file can be sent."),
            (["http://a", "-I", "-d", "a"], "--head asks for a head only, and sends no body."),
            (["http://a", "--resume"], nil),
            (["http://a", "--resume", "-o", "-"], "--resume needs a file: use -o or -O."),
            (["http://a", "--resume", "-O", "-T", "b"], "Only a download with GET can continue."),
            (["http://a", "-o", "x", "-O"], "Only one of --output and --remote-name is possible."),
            (["http://a", "-o", "x", "-o", "y"], "There are more --output than URLs."),
            (["http://a", "http://b", "-o", "x"], "There are 2 URLs and 1 --output: name a file for each, or use -O."),
            (["http://a", "http://b", "-T", "-"], "Standard input can be sent to one URL only."),
            (["http://a", "-d@-", "-d@-"], "Standard input can be read once only."),
            (["http://a", "--key", "x"], "--key needs the certificate, --cert."),
            (["http://a", "-u", "a:b", "--bearer", "T"], "Only one of --user and --bearer can be sent."),
            (["http://a", "-F", "a"], "A field of --form is written as name=value or name=@file."),
            (["http://a", "-F", "a=@"], "The file of the field a is missing."),
        ] as [([String], String?)]
    )
    func mistakesAreNamed(words: [String], text: String?) {
        #expect(Self.mistake(words)?.description == text)
        if text != nil { #expect(Self.mistake(words)?.code == .usage) }
    }

    @Test(
        arguments: [
            ("example.org/x", .badURL), ("http://", .badURL), ("http:x", .badURL), ("", .badURL),
            ("http:// x", .badURL),
            ("ftp://example.org/x", .unsupportedProtocol), ("file:///etc/passwd", .unsupportedProtocol),
            ("://x", .unsupportedProtocol),
        ] as [(String, ExitCode)]
    )
    func onlyHTTPIsAURL(text: String, code: ExitCode) {
        #expect(Self.mistake([text])?.code == code)
    }

    @Test(
        arguments: [("1", 1), ("500", 500), ("2k", 2048), ("1.5M", 1_572_864), ("1g", 1 << 30)] as [(String, Int)]
    )
    func ratesHavePowersOf1024(text: String, rate: Int) throws {
        #expect(try Arguments(["http://a", "--limit-rate", text]).rate == rate)
    }

    @Test(arguments: [
        "secret", ": secret", "A b: secret", "Ä: secret", "A: sec\r\nret", "A\n: secret", "A: \u{0}secret",
    ])
    func aHeaderThatCannotBeSentIsNotShown(text: String) {
        let words = Self.mistake(["http://a", "--header", text])?.description
        #expect(words?.isEmpty == false)
        #expect(words?.contains("sec") == false)
    }

    @Test(arguments: ["eyJhbGciOi.x.y", "ghp-123 4", "", "@"])
    func aTokenInTheCommandLineIsRefusedAndNotShown(text: String) {
        let words = Self.mistake(["http://a", "--bearer", text])?.description
        #expect(words?.isEmpty == false)
        if text.count > 1 { #expect(words?.contains(text) == false) }
    }

    @Test func secretsAreReadFromTheEnvironmentAndFromFiles() throws {
        let variable = try SecretSource("TOKEN", of: "--bearer")
        #expect(try variable.read("--bearer", environment: ["TOKEN": " abc\n"]) == "abc")
        #expect(throws: Arguments.Mistake.self) { try variable.read("--bearer", environment: [:]) }
        let file = try SecretSource("@/nowhere/at/all", of: "--bearer")
        #expect(throws: Arguments.Mistake.self) { try file.read("--bearer", environment: [:]) }
    }

    @Test func everyOptionHasItsOwnNames() {
        #expect(Set(Option.all.map(\.long)).count == Option.all.count)
        let letters = Option.all.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
    }

    @Test func theHelpHasEveryOptionAndFitsEightyColumns() {
        let lines = Help.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.filter { $0.count > Help.width } == [])
        for option in Option.all { #expect(lines.contains { $0.contains("--\(option.long)") }) }
        for code in ExitCode.allCases { #expect(Help.text.contains(" \(code.rawValue)  \(code.meaning)")) }
    }
}
