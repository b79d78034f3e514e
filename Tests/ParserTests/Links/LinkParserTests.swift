import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct LinkParserTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let field: String
        /// Each link as `target name=value name=value`.
        let links: [String]

        init(_ field: String, _ links: String...) {
            self.field = field
            self.links = links
        }

        var testDescription: String { field }
    }

    static let rows: [Row] = [
        Row(""), Row(" , ,\t,"), Row("</2>", "/2"), Row("</2>; rel=next", "/2 rel=next"),
        Row("</2>;rel=\"next\"", "/2 rel=next"), Row("</2> ;\t rel = \"next\" ", "/2 rel=next"),
        Row("</2>; REL=Next", "/2 rel=Next"), Row("</1>; rel=prev, </3>; rel=next", "/1 rel=prev", "/3 rel=next"),
        Row("</1>; rel=prev,</3>; rel=next", "/1 rel=prev", "/3 rel=next"), Row("</1>,,</3>,", "/1", "/3"),
        // Without a comma between them, as the algorithm of the RFC has it.
        Row("</1> </3>", "/1", "/3"), Row("</a,b;c>; rel=next", "/a,b;c rel=next"),
        Row("</2>; title=\"a, b; c <d> = e\"; rel=next", "/2 title=a, b; c <d> = e rel=next"),
        Row(#"</2>; title="a \"quoted\" \\ \x"; rel=next"#, #"/2 title=a "quoted" \ x rel=next"#),
        Row("</2>; title=\"no end; rel=next, </3>; rel=prev", "/2 title=no end; rel=next, </3>; rel=prev"),
        Row(#"</2>; title="no end\"#, "/2 title=no end"), Row("</2>; rel=\"next last\"", "/2 rel=next last"),
        Row("</2>; rel=next; rel=prev", "/2 rel=next rel=prev"),
        Row("</2>; title=x; rel=next; anchor=\"#a\"", "/2 title=x rel=next anchor=#a"),
        Row("</2>; preload; rel=next", "/2 preload= rel=next"), Row("</2>;; rel=next", "/2 = rel=next"),
        Row("</2>; =x; rel=next", "/2 =x rel=next"), Row("</2>; rel=", "/2 rel="),
        Row("</2>; rel=a b ;x=y", "/2 rel=a b x=y"),
        // What follows a quoted string up to the next separator is not a parameter, and is skipped.
        Row("</2>; rel=\"next\"junk; a=b, </3>", "/2 rel=next", "/3"), Row("</2", ""), Row("<>; rel=next", " rel=next"),
        Row("junk, </2>; rel=next", "/2 rel=next"), Row("junk </1>, </2>", "/2"), Row("</é>; title=ü", "/é title=ü"),
        Row("<a><b>", "a", "b"),
    ]

    private static func links(_ fields: String...) -> [LinkParser.Link] {
        LinkParser.links(in: fields.map { Array($0.utf8) })
    }

    private static func text(_ link: LinkParser.Link) -> String {
        ([link.target] + link.parameters.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
    }

    @Test(arguments: rows) func fieldsAreReadByTheRules(row: Row) {
        #expect(Self.links(row.field).map(Self.text) == row.links.filter { $0 != "" })
    }

    @Test func linesAreReadInOrder() {
        #expect(Self.links("</1>", "", "</2>, </3>").map(\.target) == ["/1", "/2", "/3"])
        // A quoted string ends with its line.
        #expect(Self.links("</1>; a=\"", "</2>").map(\.target) == ["/1", "/2"])
    }

    @Test func thereIsALimit() {
        let many = Array(repeating: "</1>", count: 3000).joined(separator: ",")
        #expect(Self.links(many).count == LinkParser.maximumCount)
        #expect(Self.links(many, many).count == LinkParser.maximumCount)
    }

    @Test func anyInputIsRead() {
        let tokens = [
            "<", ">", ";", ",", "\"", "\\", "=", "rel", "next", " ", "\t", "</2>", "; rel=\"next\"", "é", "\0", "#",
            "\u{200D}", "\u{301}",
        ]
        for seed in 0..<4000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let field = (0..<random.below(40)).map { _ in random.element(of: tokens) }.joined()
            let links = Self.links(field)
            #expect(links.count <= field.utf8.count { $0 == UInt8(ascii: "<") })
            // Written by the grammar and read again, it is the same.
            let written = links.map(\.written)
            #expect(Self.links(written.joined(separator: ", ")) == links, "\(field)")
            _ = WebLink.first("next", in: [Array(field.utf8)], base: Fixture.url)
        }
    }

    @Test(arguments: ["<", "</2>;", ",", "</2>; a=\"", "\\", "</2>; rel=next next,", "</2>;a=b", " ", "<>", "junk,"])
    func timeIsLinear(piece: String) throws {
        try Growth.check(20_000) { count in
            _ = Self.links(String(repeating: piece, count: count))
            _ = WebLink.first("prev", in: [Array(String(repeating: piece, count: count).utf8)], base: Fixture.url)
        }
    }
}
