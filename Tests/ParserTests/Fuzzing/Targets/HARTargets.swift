import PiuPiuAsync
import SuiteSupport
import TestSupport
@testable import PiuPiuRecording

extension FuzzTarget {
    private static let secret = "hunter3hunter3"

    // MARK: HAR

    static let har = FuzzTarget(
        "HAR",
        seeds: [
            #"{"log":{"version":"1.2","entries":[{"startedDateTime":"2024-01-01T00:00:00.5Z","time":1.5,"#
                + #""request":{"method":"GET","url":"https://u:p@a.example/?token=x","httpVersion":"HTTP/1.1","#
                + #""headers":[{"name":"Cookie","value":"a"}],"bodySize":-1},"response":{"status":200,"statusText":"OK","#
                + #""headers":[{"name":"Set-Cookie","value":"a\nb"}],"content":{"size":2,"mimeType":"text/plain","text":"ok"}},"#
                + #""timings":{"send":0,"wait":1.5,"receive":-1}}],"comment":"c"}}"#,
            #"{"log":{"entries":[{"startedDateTime":"2024-01-01T00:00:00Z","request":{"method":"POST","url":"/a","#
                + #""postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"password","value":"x"}]}},"#
                + #""response":{"status":0,"content":{"mimeType":"image/png","text":"AA==","encoding":"base64"}}}]}}"#,
            #"{"log":{"entries":[]}}"#, "{}", "\u{FEFF}{\"log\":{\"entries\":[]}}", "", "[[[[[[[[",
        ],
        tokens: [
            "\"", "{", "}", "[", "]", ",", ":", "null", "true", "1e400", "-0", "\\ud800", "\\u0000", "\"base64\"",
            "\"encoding\":", "\"text\":", "\"params\":", "\"headers\":", "\"time\":", "9223372036854775808", "-1",
            "[[[[",
        ],
        limit: 1500
    ) { input, _ in
        let har: HAR
        do {
            har = try HAR(Data(input))
        } catch let error as HARError {
            try demand(error.code == .malformed, "another error than there may be")
            return
        }
        let written = try har.data()
        try demand(try HAR(written) == har, "it is another one when it is written")
        try demand(try HAR(written).data() == written, "it is written differently")
        let redacted = har.redacted()
        try demand(redacted.redacted() == redacted, "redacting again changes something")
        try demand(redacted.entries.count == har.entries.count, "entries are lost")
        for entry in har.entries { _ = ("\(entry)", entry.response.content.data, entry.request.postData?.data) }
        let mock = HARReplayer(har)
        _ = "\(mock)"
    }

    // MARK: HARBody

    /// A content type and a body.
    static let harBody = FuzzTarget(
        "HARBody",
        seeds: [
            "text/plain; charset=utf-8\u{1E}schön", "text/html;charset=\"ISO-8859-1\"\u{1E}caf\u{E9}",
            "image/png\u{1E}\u{89}PNG",
            "text/plain; charset=utf-16\u{1E}\u{FEFF}", "\u{1E}", "a;charset=windows-1252;charset=x\u{1E}\u{80}\u{81}",
        ],
        tokens: ["charset=", ";", "\u{1E}", "utf-8", "latin1", "\"", "="],
        limit: 300
    ) { input, _ in
        let parts = input.parts(2)
        let type = String(decoding: parts[0], as: UTF8.self)
        let body = HARBody(Data(parts[1]), mimeType: type)
        try demand(body.data(mimeType: type) == Data(parts[1]), "the bytes are others")
        let text = String(decoding: parts[1], as: UTF8.self)
        _ = HARBody(text: text, encoding: nil).data(mimeType: type)
        _ = HARBody(text: text, encoding: nil).isWrittenAsUTF8(mimeType: type)
        _ = HARBody(text: text, encoding: "base64").data(mimeType: type)
    }

    // MARK: SecretScrubber

    private static let types = [
        "application/json", "text/plain", "", "application/problem+json; charset=utf-8", "text/html", "application/xml",
    ]
    private static let bodyTokens = [
        "\"", "\\", "\\\"", "\\/", "\\u0026", "\\u003d", ":", ",", "{", "}", "[", "]", "&", "=", "?", "#", "token",
        "\"password\":", "password=", "?token=", "http://u:p@h/", "//", "@", "'", "\r\n", "\r\n\r\n", "--b", "1", "-",
        "null",
    ]
    private static let bodies = [
        #"{"a":[1,"x",{"password":"p","b":null}],"token":{"x":[1,2,"y"]},"url":"https:\/\/h\/?token=abc&b=c"}"#,
        "user=a&password=b&c=d+e", "see https://h/?access_token=abc#id_token=x 'and' more", "[1,2",
        "\"token\": -1.5e3,", "{\"password\" : true, \"pass\\u0077ord\": \"x\\\"y\"}", "<a href=\"?key=v&amp;b\">", "",
        "{\"a\":\"\\u0022token\\u0022:\\u0022x\\u0022\"}",
    ]

    static let secretScrubber = FuzzTarget(
        "SecretScrubber",
        seeds: bodies,
        tokens: bodyTokens,
        limit: 600
    ) { input, random in
        let scrubber = HARRedaction.default.scrubber
        let keepsShape = random.picks(50)
        let type = random.element(of: types)
        let once = scrubber.body(Data(input), type: type, keepsShape: keepsShape)
        try demand(scrubber.body(once, type: type, keepsShape: keepsShape) == once, "scrubbing again changes something")
        // What was said before it cannot make a secret at the beginning look like something else.
        for (start, type) in [
            ("{\"password\":\"\(secret)\",", types[0]), ("password=\(secret)&", "application/x-www-form-urlencoded"),
            ("https://a.example/?token=\(secret)&", "text/plain"), ("{\"access_token\" : \"\(secret)\"}", ""),
            (
                "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b",
                "multipart/form-data; boundary=b"
            ),
        ] {
            let body = scrubber.body(Data(start.utf8) + Data(input), type: type, keepsShape: keepsShape)
            try demand(!body.contains(secret), "a secret stays in \(type)")
        }
        let url = scrubber.url(
            "https://u:\(secret)@a.example/?token=\(secret)&" + String(decoding: input, as: UTF8.self)
        )
        try demand(!url.contains(secret), "a secret stays in a URL")
        _ = scrubber.field(String(decoding: input, as: UTF8.self))
        let form = "multipart/form-data; boundary=b"
        _ = scrubber.body(Data(input), type: form, keepsShape: keepsShape)
        for type in ["text/plain; charset=utf-16le", "text/plain; charset=utf-32", "application/json; charset=utf-16"] {
            _ = scrubber.body(Data(input), type: type, keepsShape: keepsShape)
        }
    }

    static let jsonScrubber = FuzzTarget("JSONScrubber", seeds: bodies, tokens: bodyTokens, limit: 600) {
        input,
        random in
        let keepsShape = random.picks(50)
        func scrubbed(_ bytes: [UInt8]) -> [UInt8] {
            JSONScrubber(bytes, keepsShape: keepsShape) { ["password", "token"].contains($0) }.scrubbed()
        }
        let once = scrubbed(input)
        try demand(scrubbed(once) == once, "scrubbing again changes something")
        guard let value = try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed) else {
            return
        }
        guard let after = try? JSONSerialization.jsonObject(with: Data(once), options: .fragmentsAllowed) else {
            throw FuzzFailure("JSON becomes something else")
        }
        try judge(value, after, isSecret: false, keepsShape)
        if random.below(300) == 0 {
            try Growth.check(16 << 10) { size in
                _ = scrubbed(Array(repeatElement(input, count: size / max(1, input.count) + 1).joined().prefix(size)))
            }
        }
    }

    /// Compares JSON with what became of it.
    private static func judge(_ before: Any, _ after: Any, isSecret: Bool, _ keepsShape: Bool) throws {
        switch (before, after) {
        case (let before as [String: Any], let after as [String: Any]) where !isSecret || keepsShape:
            try demand(Set(before.keys) == Set(after.keys), "names are lost")
            for (name, value) in before {
                let bare = String(name.unicodeScalars.filter { $0 != "\u{FEFF}" })
                let isSecret = isSecret || ["password", "token"].contains(bare)
                if let other = after[name] { try judge(value, other, isSecret: isSecret, keepsShape) }
            }
        case (let before as [Any], let after as [Any]) where !isSecret || keepsShape:
            try demand(before.count == after.count, "elements are lost")
            for (value, other) in zip(before, after) { try judge(value, other, isSecret: isSecret, keepsShape) }
        case (is NSNull, is NSNull): break
        // An empty text is no secret, and a page that has one says so.
        case (let before as String, let text as String) where isSecret && keepsShape && before.isEmpty:
            try demand(text.isEmpty, "an empty text is filled")
        case (_, let text as String) where isSecret: try demand(text == Redaction.placeholder, "a secret text stays")
        case (let before as NSNumber, let after as NSNumber):
            let isTruth = isBool(before)
            try demand(isSecret && !isTruth ? after == 0 : before == after, "a number is another, or a secret stays")
        case (let before as String, let after as String): try demand(before == after, "a text is another")
        default: throw FuzzFailure("a value has another kind")
        }
    }

    private static func isBool(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    // MARK: HARPattern

    /// A pattern and a text.
    static let harPattern = FuzzTarget(
        "HARPattern",
        seeds: [
            "a<redacted>b\u{1E}axxb", "<redacted>\u{1E}", "a%3Credacted%3Eb<redacted>\u{1E}ab", "a\u{1E}a", "\u{1E}",
            "<redacted>ab<redacted>ab\u{1E}ab",
        ],
        tokens: ["<redacted>", "%3Credacted%3E", "a", "b", "ab", "\u{1E}", "<redacted", "redacted>"],
        limit: 200
    ) { input, random in
        let parts = input.parts(2)
        let pattern = HARPattern(Data(parts[0]))
        try demand(pattern.matches(Data(parts[0])), "a pattern does not match itself")
        let isMatch = pattern.matches(Data(parts[1]))
        try demand(isMatch == glob(pieces(parts[0]), parts[1]), "it matches, or does not")
        let filled = pieces(parts[0]).map { Data($0) }.reduce(nil as Data?) { text, piece in
            text.map { $0 + Data(repeating: 0x78, count: random.below(5)) + piece } ?? piece
        }
        try demand(pattern.matches(filled ?? Data()), "it does not match a text with other secrets")
    }

    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        SecretReplacement.placeholders.reduce([bytes]) { pieces, placeholder in
            pieces.flatMap { piece -> [[UInt8]] in
                var result: [[UInt8]] = [[]]
                var rest = piece[...]
                while let byte = rest.first {
                    if rest.starts(with: placeholder.utf8) {
                        rest = rest.dropFirst(placeholder.utf8.count)
                        result.append([])
                    } else {
                        result[result.count - 1].append(byte)
                        rest = rest.dropFirst()
                    }
                }
                return result
            }
        }
    }

    /// Whether a text consists of pieces in order with anything between them, by trying everything.
    private static func glob(_ pieces: [[UInt8]], _ text: [UInt8]) -> Bool {
        guard text.starts(with: pieces[0]) else { return false }
        var ends: Set<Int> = [pieces[0].count]
        for piece in pieces.dropFirst() {
            guard let first = ends.min() else { return false }
            let starts = (first...max(first, text.count)).filter { text.dropFirst($0).starts(with: piece) }
            ends = Set(starts.map { $0 + piece.count })
        }
        return ends.contains(text.count)
    }

    // MARK: HARTarget

    static let harTarget = FuzzTarget(
        "HARTarget",
        seeds: ["https://A.example:443/a%20b?x=1&y=%zz&&z#f", "HTTP://u:p@h:80", "/a?b", "", "//h//x", "a:b:c//d@e"],
        tokens: ["//", ":80", ":443", ":", "@", "?", "&", "=", "#", "%", "%2F", "+", "https:", "http:"],
        limit: 200
    ) { input, _ in
        let url = String(decoding: input, as: UTF8.self)
        let target = HARTarget(url)
        try demand(target.origin == target.origin.lowercased(), "the origin has upper case")
        try demand(target.items.count <= url.utf8.count { $0 == 0x26 } + 1, "there are more items than parts")
        guard !url.utf8.contains(0x23) else { return }
        let other = HARTarget(url + "#f?g//h@i")
        let isSame = other.origin == target.origin && other.path == target.path && other.items == target.items
        try demand(isSame, "a fragment matters")
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
