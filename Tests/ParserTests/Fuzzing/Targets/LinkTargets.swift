import TestSupport

@testable import PiuPiuAsync

extension FuzzTarget {
    // MARK: LinkParser and WebLink

    static let links = FuzzTarget(
        "Link",
        seeds: [
            "</2>; rel=next", "</1>; rel=prev, </3>; rel=\"next last\"; title=\"a, b; <c>\"",
            "<//b.example/2?a,b;c>;rel=next;anchor=\"#x\"", #"<2>; title="a \"b\" \\"; rel="next"; rel=prev"#,
            "junk, <>;rel=next", "</2>; title=\"no end; rel=next, </3>", "<https://a.example:444/2> ; REL = Next ,, ",
            "<javascript:alert(1)>; rel=next", "</2>; rel=next; anchor=\"https://b.example/\"",
        ],
        tokens: [
            "<", ">", ";", ",", "\"", "\\", "=", "rel", "next", "anchor", "; rel=\"next\"", "//", "https://", "#", "?",
            " ", "\t", "..", "%2F", "é",
        ],
        limit: 600
    ) { input, _ in
        let field = String(decoding: input, as: UTF8.self)
        let links = LinkParser.links(in: [Array(field.utf8)])
        try demand(links.count <= field.utf8.count { $0 == UInt8(ascii: "<") }, "there are more links than begin")
        let written = links.map(\.written)
        try demand(
            LinkParser.links(in: [Array(written.joined(separator: ", ").utf8)]) == links,
            "written and read it is another"
        )
        let head = ResponseHead(url: Fixture.url, statusCode: .ok, headers: ["Link": field])
        guard let next = head.link("next") else { return }
        try demand(next.context.absoluteString == Fixture.url.absoluteString, "the link starts elsewhere")
        try demand(next.relations.contains("next"), "the link is of another type")
        var machine = PageMachine(Fixture.request, PaginationOptions(), sensitiveHeaders: [])
        _ = machine.begin()
        guard let request = try? machine.next(machine.request(for: next.target)), let url = request.url else { return }
        let origins = [url, Fixture.url].map { try? RequestTarget($0).origin }
        try demand(origins[0] != nil && origins[0] == origins[1], "the next page has another origin")
    }
}
