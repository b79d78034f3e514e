import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport

extension FuzzTarget {
    // MARK: RedirectPolicy

    /// A method, a status code, and the URLs: the first one is asked, the others are locations.
    static let redirects = FuzzTarget(
        "RedirectPolicy",
        seeds: [
            "GET\u{1E}302\u{1E}https://a.example/1\u{1E}/2\u{1E}//b.example/3\u{1E}https://a.example/4",
            "POST\u{1E}307\u{1E}http://a.example/1\u{1E}https://a.example/2\u{1E}http://a.example/3",
            "PUT\u{1E}303\u{1E}https://u:hunter3@a.example/1\u{1E}?x\u{1E}https://u:hunter3@a.example:444/",
            "POST\u{1E}301\u{1E}https://a.example\u{1E}https://a.example@b.example/\u{1E}https:///\\b.example/",
            "GET\u{1E}308\u{1E}https://a.example/1#f\u{1E}../..//x/./y#g\u{1E}HTTPS://A.example:443/2\u{1E}javascript:a",
            "GET\u{1E}302\u{1E}https://a.example/1\u{1E}https:b.example\u{1E}///b.example\u{1E}/\\b.example\u{1E}1",
        ],
        tokens: [
            "\u{1E}", "//", "/\\", "@", "https://", "http://", "https:", "a.example", "b.example", ":443", ":80", "#",
            "?", "..", "%2F", "%00", "POST", "GET", "HEAD", "301", "302", "303", "307", "308", "A.EXAMPLE", "[::1]",
        ],
        limit: 500
    ) { input, random in
        let texts = input.texts(8)
        guard let start = URL(string: texts[2]), let code = Int(texts[1]), !texts[0].isEmpty else { return }
        guard (try? RequestTarget(start)) != nil, texts[0].utf8.allSatisfy(\.isTokenCharacter) else { return }
        let locations = Array(texts[3...].filter { !$0.isEmpty })
        let step = Locked(0)
        let transport = ScriptedTransport { request in
            let index = step.withLock { step in
                step += 1
                return step - 1
            }
            guard index < locations.count else { return .scripted(200, for: request, body: "end") }
            return .scripted(code, for: request, headers: ["Location": locations[index], "Set-Cookie": "a=hunter2"])
        }
        let policy = RedirectPolicy(limit: random.element(of: [0, 2, 20]), allowsCycles: random.picks(50))
        let request = RedirectFixture.request(texts[0], start.absoluteString, body: texts[0] == "GET" ? nil : "body")
        let call = TransportRequest(request, options: RequestOptions(sensitiveHeaders: ["X-Api-Key"]))
        do {
            _ = try await InterceptorChain([policy], transport: transport)(call)
        } catch let error as TransportError {
            let codes: [TransportError.Code] = [.unsafeRedirect, .invalidRedirect, .redirectLoop, .tooManyRedirects]
            try demand(codes.contains(error.code), "another error than there may be")
        }
        let sent = transport.requests.map(\.urlRequest)
        try demand(sent.count <= policy.limit + 1, "more redirects are followed than the limit")
        try judge(sent, code)
    }

    private static func judge(_ sent: [URLRequest], _ code: Int) throws {
        var isElsewhere = false
        for (earlier, later) in zip(sent, sent.dropFirst()) {
            guard let source = earlier.url.flatMap({ try? RequestTarget($0) }), let url = later.url,
                let target = try? RequestTarget(url)
            else { throw FuzzFailure("a request goes to no target") }
            try demand([301, 302, 303, 307, 308].contains(code), "what is no redirect is followed")
            try demand(target.isSecure || !source.isSecure, "https leads to http")
            if source.origin != target.origin { isElsewhere = true }
            let names = RedirectFixture.names(later)
            try demand(!isElsewhere || Set(names).isDisjoint(with: RedirectFixture.bound), "a secret goes elsewhere")
            let values = (later.allHTTPHeaderFields ?? [:]).values.joined()
            try demand(!isElsewhere || !values.contains("hunter2"), "a secret's value goes elsewhere")
            try demand(
                target.userInformation == nil || source.origin == target.origin,
                "user information goes elsewhere"
            )
            try demand(
                target.userInformation == nil || target.userInformation == source.userInformation,
                "it is another user"
            )
            let becomesGet = RedirectPolicy.becomesGet(earlier.httpMethod ?? "GET", statusCode: code)
            try demand(later.httpMethod == (becomesGet ? "GET" : earlier.httpMethod), "the method is another")
            try demand(!becomesGet || later.httpBody == nil, "a body stays")
            try demand(!becomesGet || Set(names).isDisjoint(with: RedirectFixture.ofBody), "a field of the body stays")
            try demand(names.contains("accept") && names.contains("x-trace"), "a field is lost")
        }
    }
}
