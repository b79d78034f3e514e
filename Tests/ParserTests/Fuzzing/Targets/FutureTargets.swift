import PiuPiuFutures
import TestSupport

/// What only PiuPiuFutures and the older systems have.
extension FuzzTarget {
    // MARK: Path patterns

    static let pathValues = FuzzTarget(
        "PathPatterns",
        seeds: ["https://example.com/posts/1", "/a//b/", "https://example.com/%2F/%zz/%FF", "a/+5/-0/٣", "?a/b", ""],
        tokens: urlTokens + ["/1/", "9223372036854775808", "+", "-"],
        limit: 200
    ) { input, random in
        guard let url = URL(string: String(decoding: input, as: UTF8.self)) else { return }
        let path = url.path(percentEncoded: true)
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let strings = url.pathValues(matching: parts.map { _ in .wildcard(type: .string) })
        try demand(
            (strings != nil) == parts.allSatisfy { $0.removingPercentEncoding != nil },
            "strings match, or do not"
        )
        try demand(
            strings.map { $0.map(\.string) } ?? parts.compactMap(\.removingPercentEncoding)
                == parts.compactMap(\.removingPercentEncoding),
            "a value is another"
        )
        guard let strings else { return }
        try demand(url.pathMatches(pattern: strings.map { .constant($0.string) }), "a path does not match itself")
        try demand(
            !url.pathMatches(pattern: (strings + [.string("x")]).map { .constant($0.string) }),
            "a longer one matches"
        )
        for (index, value) in strings.enumerated() {
            let pattern = strings.indices.map { PathComponent.wildcard(type: $0 == index ? .integer : .string) }
            try demand(
                url.integerValue(atIndex: index, matching: pattern) == Int(value.string),
                "an integer is another"
            )
        }
        try demand(url.stringValue(atIndex: random.below(3) - 5, matching: []) == nil, "there is a value outside")
    }

    // MARK: MessageMarkdown

    /// A method, a URL, a field's name, its value, a body.
    static let markdown = FuzzTarget(
        "MessageMarkdown",
        seeds: [
            "GET\u{1E}https://u:p@example.com/\u{1E}Cookie\u{1E}hunter3\u{1E}{\"a\":1}",
            "P\nQ\u{1E}/a\u{1E}X\u{1E}a\r\n* B: c\u{1E}```\n````",
            "POST\u{1E}https://example.com\u{1E}authorization\u{1E}hunter3\u{1E}\u{80}\u{0}",
        ],
        tokens: ["```", "`", "\n", "\r\n", "\u{1E}", "## RESPONSE\n", "\u{85}", "\u{2028}", "\u{0}", "Cookie"],
        limit: 500
    ) { input, random in
        let parts = input.parts(5)
        let texts = input.texts(5)
        var request = URLRequest(url: Fixture.url(texts[1]))
        if !texts[0].isEmpty { request.httpMethod = texts[0] }
        request.setValue(texts[3], forHTTPHeaderField: "X-\(texts[2])")
        request.setValue("hunter3", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(parts[4])
        let head = Fixture.head(headers: [HTTPHeaderName(texts[2]): texts[3], "Set-Cookie": "hunter3"])
        for text in [
            MessageMarkdown.text(of: request), MessageMarkdown.text(of: request, head: head, body: Data(parts[4])),
        ] {
            let front = text.components(separatedBy: "\n\n### Body\n\n")[0]
            let count = front.split(separator: "\n", omittingEmptySubsequences: true).count
            try demand(count <= 3 + 2, "a value made another line")
            try demand(
                !front.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" },
                "a control is left"
            )
            // Bytes, because a mark behind the last letter makes it another character, but not in a URL. Foundation writes
            // the names of fields with other letters, and hosts in Punycode.
            let isSecret =
                !front.contains("hunter3") || request.url?.absoluteString.contains("hunter3") == true
                || texts[...3].contains { Array($0.lowercased().utf8).contains(Array("hunter3".utf8)) }
            try demand(isSecret, "a secret is shown")
        }
        // The fence is the only line of so many backticks.
        let body = MessageMarkdown.text(of: request).components(separatedBy: "\n\n### Body\n\n").dropFirst().joined()
        let fence = body.prefix { $0 == "`" }
        guard !parts[4].isEmpty else { return }
        try demand(fence.count >= 3, "there is no fence")
        let lines = body.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
        let fences = lines.filter { $0.starts(with: fence.unicodeScalars) }.count
        try demand(fences == 2, "the body ends its fence")
        _ = random.next()
    }
}
