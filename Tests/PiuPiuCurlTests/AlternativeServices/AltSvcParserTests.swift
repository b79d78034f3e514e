import PiuPiuAsync
import SuiteSupport
import Testing
@testable import PiuPiuCurl

/// How the field `Alt-Svc` is read (RFC 7838 §3).
struct AltSvcParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let expected: String

        init(_ lines: String..., is expected: String) {
            self.lines = lines
            self.expected = expected
        }

        var testDescription: String { lines.joined(separator: " | ") }
    }

    /// Writes an advertisement as `NAME HOST:PORT AGE`, separated by commas.
    static func text(of advertisement: AltSvcParser.Advertisement) -> String {
        guard case .alternatives(let alternatives) = advertisement else { return "clear" }
        let texts = alternatives.map { alternative -> String in
            let name = String(decoding: alternative.protocolName, as: UTF8.self)
            return "\(name) \(alternative.host):\(alternative.port) \(alternative.age)"
        }
        return texts.joined(separator: ", ")
    }

    private static let wellFormed: [Row] = [
        Row(#"h3=":443""#, is: "h3 :443 86400"),
        Row(#"h3=":443"; ma=3600"#, is: "h3 :443 3600"),
        Row(#"h3=":443";ma=3600;persist=1"#, is: "h3 :443 3600"),
        Row(#"h3=":443"; persist=1; MA=60"#, is: "h3 :443 60"),
        Row(#"h3=":443"; ma="60""#, is: "h3 :443 60"),
        Row(#"h3=":443"; ma=0"#, is: "h3 :443 0"),
        Row(#"h3=":443"; ma=60; ma=70"#, is: "h3 :443 60"),
        Row(#"h3=":443"; v="46,43"; ma=60, h2=":444""#, is: "h3 :443 60, h2 :444 86400"),
        Row(#"h2="alt.example.com:8000", h2=":443""#, is: "h2 alt.example.com:8000 86400, h2 :443 86400"),
        Row(#"h3="Alt.Example:443""#, is: "h3 alt.example:443 86400"),
        Row(#"h3="[2001:db8::1]:443""#, is: "h3 [2001:db8::1]:443 86400"),
        Row(#"w%3Dx%3Ay#z=":443""#, is: "w=x:y#z :443 86400"),
        Row(#"h%33=":443""#, is: "h3 :443 86400"),
        Row(#"x%25y=":443""#, is: "x%y :443 86400"),
        Row(#"h3=":4\43""#, is: "h3 :443 86400"),
        Row(#"h3=":443"; note="a \", b; \\", h2=":1""#, is: "h3 :443 86400, h2 :1 86400"),
        Row("  h3=\":443\" \t;\t ma=5 ,,\t, h2=\":2\" ", is: "h3 :443 5, h2 :2 86400"),
        Row(#"h3=":443""#, #"h2=":443"; ma=9"#, is: "h3 :443 86400, h2 :443 9"),
        Row(#"h3=":1""#, #"h3=":65535""#, is: "h3 :1 86400, h3 :65535 86400"),
        Row(#"h3=":443"; ma=99999999999999999999999999"#, is: "h3 :443 2592000"),
        Row(#"h3=":443"; ma=2592001"#, is: "h3 :443 2592000"),
        Row(#"h3=":00443""#, is: "h3 :443 86400"),
        Row("clear", is: "clear"),
        Row(" clear ", is: "clear"),
        Row(#"h3=":443""#, "clear", is: "clear"),
        Row(#"h3=":443", clear"#, is: "clear"),
    ]

    private static let malformed: [Row] = [
        Row("", is: ""),
        Row(" , ,\t", is: ""),
        Row("Clear", is: ""),
        Row("clear=1", is: ""),
        Row("clear all", is: ""),
        Row("h3", is: ""),
        Row("h3=:443", is: ""),
        Row(#"h3=":443"#, is: ""),
        Row(#"h3=":443\"#, is: ""),
        Row(#"h3="443""#, is: ""),
        Row(#"h3=":""#, is: ""),
        Row(#"h3=":0""#, is: ""),
        Row(#"h3=":65536""#, is: ""),
        Row(#"h3=":18446744073709552059""#, is: ""),
        Row(#"h3=":-1""#, is: ""),
        Row(#"h3=":4 43""#, is: ""),
        Row(#"h3="a b:443""#, is: ""),
        Row(#"h3 = ":443""#, is: ""),
        Row(#"=":443""#, is: ""),
        Row(#"h%3=":443""#, is: ""),
        Row(#"h%zz=":443""#, is: ""),
        Row(#"h3%=":443""#, is: ""),
        Row(#"h3=":443"; ma=soon"#, is: ""),
        Row(#"h3=":443"; ma="#, is: ""),
        Row(#"h3=":443"; ma=-1"#, is: ""),
        Row(#"h3=":443" ma=60"#, is: ""),
        Row(#"h3=":443";"#, is: ""),
        Row(#"h3=":443"; ma="60, h2=":1""#, is: ""),
        Row(#"junk "a, b", h2=":1""#, is: "h2 :1 86400"),
        Row(#"h3=":bad", h3=":443""#, is: "h3 :443 86400"),
        Row(#"h3=":443"; ma=x"#, #"h3=":444""#, is: "h3 :444 86400"),
    ]

    @Test(arguments: wellFormed + malformed)
    func theFieldIsRead(_ row: Row) {
        #expect(Self.text(of: AltSvcParser.advertisement(in: row.lines)) == row.expected)
    }

    @Test func noMoreThanAFewAlternativesAreRead() {
        let field = [String](repeating: #"h3=":443""#, count: 100).joined(separator: ",")
        guard case .alternatives(let alternatives) = AltSvcParser.advertisement(in: [field, field]) else {
            Issue.record("they are cleared")
            return
        }
        #expect(alternatives.count == AltSvcParser.maximumCount)
    }

    @Test(arguments: ["\"", "\\", ",", ";", "h3=\"", "h3=\":443\"; ma=", "%", "a=\"\\\"", "h3=\":443\";a=b"])
    func aLongFieldIsReadInOnePass(_ piece: String) {
        let clock = ContinuousClock()
        let field = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        let duration = clock.measure { _ = AltSvcParser.advertisement(in: [field]) }
        // In quadratic time, it would be hours.
        #expect(duration < .seconds(20))
    }

    @Test(arguments: [
        (#"h3=":443""#, "https://a.example:443", true), (#"h3="A.example:443""#, "https://a.example:443", true),
        (#"h3="b.example:443""#, "https://a.example:443", false), (#"h3=":8443""#, "https://a.example:443", false),
        (#"h3=":43""#, "https://a.example:443", false), (#"h3-29=":443""#, "https://a.example:443", false),
        (#"h2=":443""#, "https://a.example:443", false), (#"H3=":443""#, "https://a.example:443", false),
        (#"h3="[::1]:443""#, "https://[::1]:443", true), (#"h3=":443""#, "https://[::1]:443", true),
    ])
    func onlyHTTP3OnTheSameHostAndPortCounts(_ row: (String, String, Bool)) {
        guard case .alternatives(let alternatives) = AltSvcParser.advertisement(in: [row.0]) else { return }
        #expect(alternatives.count == 1)
        #expect(alternatives.first?.isHTTP3(of: row.1) == row.2)
    }
}
