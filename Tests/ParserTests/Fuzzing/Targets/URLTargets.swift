import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport

@testable import PiuPiuValues

extension FuzzTarget {
    private static let urls = [
        "https://example.com/posts/1?a=b#c", "http://user:pass@example.com:8080/", "HTTPS://EXAMPLE.COM:443",
        "http://[::1]:80/a", "http://[fe80::1%25eth0]/", "http://a_b.example/%2F/..//?x=%20+y",
        "https://example.com:0/",
        "https://example.com:65536/", "http://a@b@c/", "http:///path", "ftp://example.com/", "//example.com/", "a/b",
        "https://exa\\mple.com", "http://example.com:/", "https://bücher.example/", "http://1.2.3.4/?#",
    ]
    static let urlTokens = [
        "://", "//", "@", ":", "#", "?", "[", "]", "%25", "%00", "%0D%0A", "\\", "/../", "https", "http", "localhost",
        ":65535", ":0", "user:hunter2@", ".", "..", "%", "%zz",
    ]

    // MARK: RequestTarget

    static let requestTarget = FuzzTarget("RequestTarget", seeds: urls, tokens: urlTokens, limit: 300) { input, _ in
        guard let url = URL(string: String(decoding: input, as: UTF8.self)) else { return }
        guard let target = try? RequestTarget(url) else { return }
        let scheme = target.isSecure ? "https://" : "http://"
        try demand(target.url.lowercased().hasPrefix(scheme), "the scheme is another")
        try demand(target.url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "there is a byte that is not printed")
        try demand(!target.url.contains("#"), "there is a fragment")
        let authority = target.url.dropFirst(scheme.count).prefix { !"/?".contains($0) }
        try demand(!authority.contains("@") && !authority.isEmpty, "the authority has user information, or is empty")
        try demand(target.origin == target.origin.lowercased(), "the origin has upper case")
        guard let again = URL(string: target.url), let other = try? RequestTarget(again) else {
            throw FuzzFailure("what is sent is no target")
        }
        try demand(other.origin == target.origin && other.url == target.url, "what is sent has another origin")
        try demand(other.userInformation == nil, "user information is left")
        // Foundation finds the same host and port.
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = parts.encodedHost
        else {
            throw FuzzFailure("Foundation finds no host")
        }
        let port = parts.port ?? (target.isSecure ? 443 : 80)
        try demand("\(scheme)\(host.lowercased()):\(port)" == target.origin, "Foundation finds another host or port")
    }

    // MARK: PreparedRequest

    private static let connectionFields = [
        "transfer-encoding", "content-length", "te", "trailer", "upgrade", "keep-alive", "proxy-connection",
    ]

    /// A method, a URL, a field's name, its value, a body.
    static let preparedRequest = FuzzTarget(
        "PreparedRequest",
        seeds: [
            "GET\u{1E}https://example.com/\u{1E}Accept\u{1E}text/html\u{1E}",
            "POST\u{1E}http://u:p@example.com/a\u{1E}Content-Length\u{1E}3\u{1E}abc",
            "PUT\u{1E}http://example.com/a\u{1E}Transfer-Encoding\u{1E}chunked\u{1E}abc",
            "DELETE\u{1E}http://example.com/a\u{1E}Connection\u{1E}close\u{1E}",
            "HEAD\u{1E}http://example.com/a\u{1E}X\u{1E}a\r\nB: c\u{1E}",
            "CONNECT\u{1E}http://example.com/a\u{1E}TE\u{1E}\u{1E}",
            "GET\u{1E}http://u%3Av@example.com/\u{1E}X\u{1E} \t\u{1E}",
        ],
        tokens: urlTokens + ["\r\n", "\0", "Host", "\u{1E}", "Content-Length", "Transfer-Encoding", "close", "é"],
        limit: 600
    ) { input, _ in
        let texts = input.texts(5)
        guard let url = URL(string: texts[1]) else { return }
        var request = URLRequest(url: url)
        if !texts[0].isEmpty { request.httpMethod = texts[0] }
        if !texts[2].isEmpty { request.setValue(texts[3], forHTTPHeaderField: texts[2]) }
        if !texts[4].isEmpty { request.httpBody = Data(texts[4].utf8) }
        let prepared: PreparedRequest
        do {
            prepared = try PreparedRequest(TransportRequest(request), userAgent: "T")
        } catch is TransportError {
            return
        }
        try demand(
            !prepared.method.isEmpty && prepared.method.utf8.allSatisfy(\.isTokenCharacter),
            "the method is no token"
        )
        let lines = prepared.fields.lines
        try demand(lines.isEmpty || lines.suffix(2) == [0x0D, 0x0A], "the last line has no end")
        var names = 0
        prepared.fields.forEach { _, _ in names += 1 }
        let text = prepared.fields.text
        try demand(text.count == names && lines.filter { $0 == 0x0A }.count == names, "a line is no field")
        for line in text {
            let name = line.utf8.prefix(while: \.isTokenCharacter)
            try demand(!name.isEmpty && line.utf8.dropFirst(name.count).first == 0x3A, "a line has no name")
            try demand(line.utf8.allSatisfy(\.isFieldCharacter), "a line has a control character")
            let isFraming = connectionFields.contains(String(decoding: name, as: UTF8.self).lowercased())
            try demand(!isFraming, "a line is the transport's")
        }
    }

    // MARK: Redaction

    static let redaction = FuzzTarget(
        "Redaction",
        seeds: urls.map { String($0.drop { $0 != "/" }.dropFirst(2)) },
        tokens: urlTokens,
        limit: 300
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        // User information is what stands before the last @ of an authority (RFC 3986 §3.2).
        guard text.utf8.firstRange(of: "hunter3".utf8) == nil, let url = URL(string: "https://user:hunter3@\(text)")
        else { return }
        let redaction = Redaction.standard
        try demand(!redaction.text(of: url).contains("hunter3"), "the password is in the text")
        try demand(!redaction.url(url).absoluteString.contains("hunter3"), "the password is in the URL")
        try demand(redaction.url(url).password == nil, "the URL has a password")
    }
}
