import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct WebLinkTests {
    private static func head(_ fields: String..., url: String = "https://example.com/posts?page=1") -> ResponseHead {
        var headers: HTTPHeaderFields = [:]
        for field in fields { headers.append(name: "Link", value: field) }
        return ResponseHead(url: Fixture.url(url), statusCode: .ok, headers: headers)
    }

    @Test(
        arguments: [
            ("</posts?page=2>; rel=next", "https://example.com/posts?page=2"),
            ("<?page=2>; rel=next", "https://example.com/posts?page=2"),
            ("<2>; rel=next", "https://example.com/2"),
            ("<//other.example/2>; rel=next", "https://other.example/2"),
            ("<https://other.example/2>; rel=next", "https://other.example/2"),
            ("<>; rel=next", "https://example.com/posts?page=1"),
            ("</2>; rel=NEXT", "https://example.com/2"),
            ("</2>; rel=\"last  next\"", "https://example.com/2"),
            ("</2>; rel=\"\tnext \"", "https://example.com/2"),
            ("</1>; rel=prev, </2>; rel=next", "https://example.com/2"),
            ("</2>; rel=next, </3>; rel=next", "https://example.com/2"),
            ("</2>; rel=next; anchor=\"\"", "https://example.com/2"),
            ("</2>; rel=next; anchor=\"/posts?page=1\"", "https://example.com/2"),
            ("</2>; anchor=\"https://example.com/posts?page=1\"; rel=next", "https://example.com/2"),
            ("</1>; anchor=\"/a\"; rel=next, </2>; rel=next", "https://example.com/2"),
            ("</p2?filter=%22a%22&x=[1]>; rel=\"next\"", "https://example.com/p2?filter=%22a%22&x=%5B1%5D"),
            ("</p%2F2?q=a b&r=%26|%zz>; rel=next", "https://example.com/p%2F2?q=a%20b&r=%26%7C%25zz"),
            ("<https://example.com/a/../b?x=%5B|>; rel=next", "https://example.com/b?x=%5B%7C"),
            ("<:2>; rel=next", "https://example.com/:2"),
            ("</2>; rel=next; anchor=\"/x/../posts?page=1\"", "https://example.com/2"),
            // The first `rel` counts.
            ("</2>; rel=prev; rel=next", nil),
            ("</2>; rel=nextpage", nil),
            ("</2>; rel=\"\"", nil),
            ("</2>; title=next", nil),
            ("</2>; anchor=\"#part\"; rel=next", nil),
            ("</2>; anchor=\"/posts?page=2\"; rel=next", nil),
            ("</2>; anchor=\"https://other.example/\"; rel=next", nil),
            ("", nil),
        ]
    )
    func theNextPageIsFound(field: String, target: String?) {
        #expect(Self.head(field).link("next")?.target.absoluteString == target)
        #expect(Self.head("</p>; rel=prev", field).link("Next")?.target.absoluteString == target)
    }

    @Test func bytesOfTargetsAreEscapedAsTheyAre() throws {
        let line =
            Array("Link: </caf".utf8) + [0xE9] + Array("?%E9=|>; rel=next; title=\"caf".utf8) + [0xE9]
            + Array("\"\r\n".utf8)
        let raw = RawHead(bytes: Array("HTTP/1.1 200 OK\r\n".utf8) + line + Array("\r\n".utf8))
        let head = ResponseHead(
            record: ResponseRecord(.raw(raw), to: URLRequest(url: Fixture.url("http://a.example/")))
        )
        let link = try #require(head.link("next"))
        #expect(link.target.absoluteString == "http://a.example/caf%E9?%E9=%7C")
        #expect(link.parameter("title") == "café")
        #expect(head.links == [link])
    }

    @Test func linksHaveTheirParameters() {
        let head = Self.head("</2>; rel=\"next Last\"; title=\"a, b\"; TYPE=text/html", "</a>; anchor=\"#x\"")
        #expect(head.links.map(\.relations) == [["next", "last"], []])
        #expect(head.links[0].parameter("Title") == "a, b")
        #expect(head.links[0].parameter("type") == "text/html")
        #expect(head.links[0].parameter("hreflang") == nil)
        #expect(head.links[0].context == head.url)
        #expect(head.links[1].context.absoluteString == "https://example.com/posts?page=1#x")
        let response = Response(data: 1, urlRequest: Fixture.request, head: head)
        #expect(response.links == head.links)
        #expect(response.link("last")?.target == head.links[0].target)
    }

    @Test func descriptionsShowNoQuery() {
        let head = Self.head("<https://user:password@example.com/2?token=hunter2>; rel=next")
        #expect("\(head.links)".contains("https://example.com/2"))
        #expect(!Fixture.allTexts(of: head.links).contains("hunter2"))
        #expect(!Fixture.allTexts(of: head.links).contains("password"))
    }
}
