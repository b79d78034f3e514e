import PiuPiuAsync
import TestSupport

/// Makes requests with everything that means something to a shell, to curl or to a terminal.
struct OddRequests {
    private let base: URL
    /// What a command does that gets out of its quotes.
    private let attack: String
    private var random: SeededRandom

    /// Creates a source of requests.
    ///
    /// - Parameters:
    ///   - base: The server, without a path.
    ///   - mark: The path of a file that exists if a shell runs a part of a request.
    ///   - seed: Equal seeds make equal requests.
    init(base: URL, mark: String, seed: UInt64) {
        self.base = base
        attack = "touch \(mark)"
        random = SeededRandom(seed: seed)
    }

    private static let methods = [
        "GET", "GET", "HEAD", "POST", "POST", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "M-SEARCH",
        "get",
        "X'Y", "$HOME", "`id`", "!#$%&'*+-.^_`|~", "-X",
    ]

    private static let names = [
        "X-A", "x-a", "X-Odd'", "X-$HOME", "X-`id`", "X-!!", "'", "~", "#", "-", "--url", "*", "!#$%&'*+-.^_`|~",
        "X-%s",
        "Accept", "User-Agent", "Host", "Accept-Encoding", "Content-Type", "Authorization", "Cookie", "Referer",
        "Range",
    ]

    private static let texts = [
        "'", "''", "\"", "\\", "\\'", "$HOME", "!", "!!", "!t", "\t", "é", "日本", "👨‍👩‍👧", "\u{202E}", "\u{A0}",
        "'\u{301}", "%", "%s", "%%", "\\n", "\\0", "\\047", "*", "?", "~", "#", " #", ";", "&", "|", "<", ">", "(", ")",
        "{a,b}", "[1-3]", "@", "@file", "=", ",", " ", "  ", "-", "--", "\u{85}", "\u{FEFF}", "${IFS}", "a", "B7",
        "$'x'",
        ":", "/",
    ]

    private static let pathPieces = [
        "/", "/..", "/.", "/%2e%2e", "/a", "//", "%7Ba,b%7D", "%5B1-3%5D", "'", "$(id)", "*", "!", "!!", "&", ";", "=",
        "@", ":", ",", "~", "%00", "%27", "%0D%0A", "%", "(", "+", "$HOME", "-", "%E9", "%20",
    ]

    /// Makes the next request.
    ///
    /// - Parameter number: The value of its `X-Case`.
    /// - Returns: The request.
    mutating func next(_ number: Int) -> URLRequest {
        var request = URLRequest(url: url())
        request.httpMethod = random.element(of: Self.methods)
        var fields: [String: String] = [:]
        for _ in 0..<random.below(6) { fields[random.element(of: Self.names)] = value() }
        // Servers refuse a host that is none, and PiuPiu refuses two.
        if fields["Host"] != nil { fields["Host"] = "other.example" }
        fields["X-Case"] = String(number)
        request.allHTTPHeaderFields = fields
        if !["GET", "HEAD"].contains(request.httpMethod), random.picks(80) { request.httpBody = body() }
        return request
    }

    private mutating func text(_ maximum: Int, of pieces: [String]) -> String {
        let attacks = ["'; \(attack); '", "\"; \(attack); \"", "$(\(attack))", "`\(attack)`", "\\'; \(attack) #"]
        return (0..<random.below(maximum + 1)).map { _ in
            random.picks(15) ? random.element(of: attacks) : random.element(of: pieces)
        }.joined()
    }

    private mutating func value() -> String {
        let text = text(6, of: Self.texts)
        // Without blanks at the ends, which are not a part of the value (RFC 9110 §5.5).
        return random.picks(15) ? "" : text
    }

    private mutating func url() -> URL {
        var text = base.absoluteString
        if random.picks(10) { text.replace("://", with: "://us%27er:p%24$(id)'!@") }
        func pieces(_ random: inout SeededRandom) -> String {
            (0..<random.below(8)).map { _ in random.element(of: Self.pathPieces) }.joined()
        }
        if random.picks(90) { text += "/" + pieces(&random) }
        if random.picks(20) { text += "';touch$IFS;'" }
        if random.picks(50) { text += "?" + pieces(&random) + (random.picks(50) ? "&a[]={x,y}&b=[1-3]?" : "") }
        if random.picks(20) { text += "#" + pieces(&random) }
        return URL(string: text) ?? base
    }

    private mutating func body() -> Data {
        switch random.below(10) {
        case 0: return Data()
        case 1: return Data((0..<random.below(600)).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 2: return Data([0, 0x25, 0x5C, 0x27, 0xFF, 0x0A, 0])
        case 3: return Data("@\(text(4, of: Self.texts))".utf8)
        case 4: return Data("{\n  \"a\": \"\(text(4, of: Self.texts))\",\r\n\t\"b\": [1, 2]\n}\n\n".utf8)
        case 5: return Data(#"{"name":"it's","tags":["a","b"]}"#.utf8)
        case 6: return Data(String(repeating: "0123456789'é", count: 6000).utf8)
        case 7: return Data("-\(text(8, of: Self.texts))\n".utf8)
        default: return Data(text(12, of: Self.texts).utf8)
        }
    }
}
