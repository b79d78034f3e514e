import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

/// No secret reaches the file, and the file still replays.
struct HARRedactionTests {
    /// Whether a file has a text somewhere, as it is or in base64.
    private func expectNoSecrets(_ har: HAR, _ location: SourceLocation = #_sourceLocation) throws {
        let text = String(decoding: try har.data(), as: UTF8.self)
        #expect(!text.contains("s3cr3t"), "\(text)", sourceLocation: location)
        for entry in har.entries {
            for data in [entry.request.postData?.data, entry.response.content.data] {
                let bytes = data ?? Data()
                #expect(bytes.range(of: Data("s3cr3t".utf8)) == nil, "a body", sourceLocation: location)
            }
        }
    }

    private let url = "https://ada:s3cr3t-pw@example.com/a?page=2&access_token=s3cr3t-1&accessToken=s3cr3t&key=s3cr3t"

    @Test func headersAndURLs() async throws {
        let recorder = HARRecorder()
        let dispatcher = HARFixture.recording(with: recorder, sensitiveHeaders: ["X-Mine"]) { request in
            .scripted(
                200,
                for: request,
                headers: [
                    "Set-Cookie": "sid=s3cr3t; Path=/", "Set-Cookie": "other=s3cr3t", "X-Auth-Token": "s3cr3t",
                    "Content-Location": "//u:s3cr3t@example.com/x?sig=s3cr3t&page=3",
                    "Link": "<https://example.com/?page=3&access_token=s3cr3t>; rel=next, <https://u:s3cr3t@h/>; rel=a",
                    "X-Plain": "kept@example.com a=b",
                ],
                body: "ok"
            )
        }
        let request = HARFixture.request(
            url,
            headers: [
                "Authorization": "Bearer s3cr3t", "Cookie": "sid=s3cr3t", "Proxy-Authorization": "Basic s3cr3t",
                "X-Mine": "s3cr3t", "x-api-key": "s3cr3t", "Referer": "https://example.com/cb?state=1#id_token=s3cr3t",
                "Accept": "*/*",
            ]
        )
        _ = try await dispatcher.data(for: request)
        let har = recorder.har
        try expectNoSecrets(har)
        let entry = try #require(har.entries.first)
        #expect(entry.request.url.hasPrefix("https://example.com/a?page=2&access_token=%3Credacted%3E&accessToken=%3C"))
        #expect(entry.request.headers["Authorization"] == "<redacted>")
        #expect(entry.request.headers["Referer"] == "https://example.com/cb?state=1#id_token=%3Credacted%3E")
        #expect(entry.request.headers["Accept"] == "*/*")
        #expect(entry.response.headers["X-Plain"] == "kept@example.com a=b")
        // In a response, a text of the same kind stands in place of a secret.
        let text = try #require(entry.response.headers["X-Auth-Token"])
        #expect(text.wholeMatch(of: /[0-9a-z]{6}/) != nil)
        #expect(entry.response.headers["Content-Location"] == "//example.com/x?sig=\(text)&page=3")
        #expect(entry.response.headers.values(for: "Set-Cookie") == ["sid=\(text); Path=/", "other=\(text)"])

        var matching = HARMatching.strict
        matching.headers = ["Authorization", "Referer", "Accept", "X-Mine"]
        #expect(try await HARFixture.offline(har, matching).text(request) == "ok")
        var other = request
        other.url = Fixture.url(url.replacingOccurrences(of: "page=2", with: "page=4"))
        let error = try await failure { try await HARFixture.offline(har, matching).data(for: other) }
        #expect((error as? HARError)?.code == .noMatch)
        #expect(!Fixture.allTexts(of: error).contains("s3cr3t"))
    }

    @Test func redirectsWithTokens() async throws {
        let recorder = HARRecorder()
        let dispatcher = HARFixture.recording(with: recorder) { request in
            switch request.urlRequest.url?.path {
            case "/login":
                .scripted(302, for: request, headers: ["Location": "/cb?code=s3cr3t&state=1#access_token=s3cr3t"])
            case "/cb":
                .scripted(307, for: request, headers: ["Location": "https://u:s3cr3t@example.com/in?token=s3cr3t"])
            default: .scripted(200, for: request, body: "in")
            }
        }
        let request = HARFixture.request("POST", "https://example.com/login", body: "password=s3cr3t")
        let live = try await dispatcher.data(for: request)
        try expectNoSecrets(recorder.har)
        let replayed = try await HARFixture.offline(recorder.har).data(for: request)
        #expect(replayed.data == live.data)
        #expect(replayed.history.map(\.statusCode) == [.found, .temporaryRedirect])
    }

    @Test func whatWasNotDecompressedIsNotRecorded() async throws {
        let recorder = HARRecorder()
        let dispatcher = HARFixture.recording(with: recorder) { request in
            .scripted(200, for: request, headers: ["Content-Encoding": "gzip"], body: "s3cr3t in gzip")
        }
        let request = HARFixture.request("GET", "https://example.com/", headers: ["Accept-Encoding": "gzip"])
        #expect(try await dispatcher.data(for: request).data == Data("s3cr3t in gzip".utf8))
        let content = try #require(recorder.har.entries.first?.response.content)
        #expect(content.text == nil && content.isTruncated && content.size == 14)
    }

    @Test(arguments: [
        ("application/json", #"{"user":"ada","password":"s3cr3t","n":[{"client-secret":{"v":"s3cr3t","n":7}}]}"#),
        ("application/json", #"{"user":"ada","pass\u0077ord" : "s3\"s3cr3t\\", "token":-1.5e3}"#),
        (
            "application/json",
            "{\"\u{FEFF}token\":\"s3cr3t\",\"\\ufeff\u{FEFF}pass\\u0077\u{FEFF}ord\":{\"a\":\"s3cr3t\"}}"
        ),
        ("text/plain", "data: {\"token\": \"s3cr3t\"}\n\ndata: {\"page\": 1}\n\n"),
        ("application/json", #"{"next":"https://u:p@h/?page=1&access_token=s3cr3t&x=1"}"#),
        ("application/json", #"{"next":"https:\/\/h\/?page=1\u0026access_token=ab\/s3cr3t\u0026x=1"}"#),
        ("application/json", #"{"next":"https://h/?access_token\u003ds3cr3t"}"#),
        ("application/json", #"{"a":1,"password":"s3cr3t that is cut of"#),
        ("application/x-www-form-urlencoded", "password=s3cr3t&user=ada&client%5Fsecret=s3cr3t&code=s3cr3t&otp=s3cr3t"),
        ("", #"{"token":["s3cr3t",["s3cr3t"]]}"#),
        ("text/html", #"<script>var s = {"token": "s3cr3t"}; it's "</script><a href="/?token=s3cr3t">"#),
    ])
    func bodies(type: String, body: String) async throws {
        let recorder = HARRecorder()
        let dispatcher = HARFixture.recording(with: recorder) { request in
            .scripted(200, for: request, headers: ["Content-Type": type], body: body)
        }
        let request = HARFixture.request("POST", "https://example.com/", headers: ["Content-Type": type], body: body)
        _ = try await dispatcher.data(for: request)
        try expectNoSecrets(recorder.har)
        let recorded = try #require(recorder.har.entries.first?.request.postData?.text)
        #expect(recorded.contains("redacted"))
        let offline = HARFixture.offline(recorder.har, .strict)
        let replayed = try await offline.text(request)
        #expect(!replayed.contains("s3cr3t") && !replayed.contains("redacted"))
        // Valid JSON stays valid, and of its shape.
        if (try? JSONSerialization.jsonObject(with: Data(body.utf8))) != nil {
            #expect((try? JSONSerialization.jsonObject(with: Data(replayed.utf8))) != nil)
        }
    }

    @Test func whatIsNoSecretStaysAsItWas() async throws {
        let body = #"{ "tokens" : 3, "user":"a\"b", "password":null, "token":true, "keys":["key=1"], "x":"?a=1&b" }"#
        let entry = HARFixture.entry("https://example.com/?tokens=1&a#b", body: body)
        #expect(HAR(entries: [entry]).redacted() == HAR(entries: [entry]))
    }

    @Test func redactedResponsesCanStillBeDecoded() throws {
        struct Login: Codable, Equatable {
            struct Token: Codable, Equatable {
                var value: String
                var expires: Int
            }
            var token: Token
            var user: String
        }
        let body = #"{"token":{"value":"s3cr3t","expires":3600},"user":"ada"}"#
        let har = HAR(entries: [HARFixture.entry("https://example.com/", body: body)]).redacted()
        let data = try #require(har.entries.first?.response.content.data)
        let login = try JSONDecoder().decode(Login.self, from: data)
        #expect(login.token.value.wholeMatch(of: /[0-9a-z]{6}/) != nil && login.token.value != "s3cr3t")
        #expect((1000..<3000).contains(login.token.expires) && login.user == "ada")
    }

    @Test func formsWithParts() async throws {
        let recorder = HARRecorder()
        let dispatcher = HARFixture.recording(with: recorder) { .scripted(200, for: $0, body: "ok") }
        func form(_ password: String, _ name: String = "Ada") -> MultipartFormData {
            var form = MultipartFormData()
            form.append(name, name: "name")
            form.append(password, name: "password")
            form.append(Data(#"{"token":"\#(password)"}"#.utf8), name: "json", contentType: "application/json")
            form.append(Data([0xFF, 0, 0x80]), name: "file", fileName: "a.bin")
            return form
        }
        let request = HARFixture.request("POST", "https://example.com/")
        _ = try await dispatcher.upload(for: request, from: .multipart(form("s3cr3t"))).response()
        try expectNoSecrets(recorder.har)
        let offline = HARFixture.offline(recorder.har, .strict)
        let other = try await failure {
            try await offline.upload(for: request, from: .multipart(form("other", "Bob"))).response()
        }
        #expect((other as? HARError)?.code == .noMatch)
        let same = try await offline.upload(for: request, from: .multipart(form("another"))).response()
        #expect(same.data == Data("ok".utf8))
    }

    @Test func namesAndRulesOfOnesOwn() async throws {
        var redaction = HARRedaction.default
        redaction.fields += ["iban"]
        redaction.queryItems += ["who"]
        redaction.headers += ["X-Who"]
        redaction.custom = { $0.request.url = $0.request.url.replacingOccurrences(of: "/s3cr3t/", with: "/somebody/") }
        let recorder = HARRecorder(redaction: redaction)
        let dispatcher = HARFixture.recording(with: recorder) { .scripted(200, for: $0, body: #"{"IBAN":"s3cr3t"}"#) }
        let request = HARFixture.request("https://example.com/s3cr3t/?who=s3cr3t", headers: ["x-who": "s3cr3t"])
        _ = try await dispatcher.data(for: request)
        try expectNoSecrets(recorder.har)
    }

    /// Also those that mean something else if nobody lists them.
    @Test func everyNameOnAListCounts() throws {
        let long = String(repeating: "a_very_long_name_", count: 5)
        let names = ["resume_token", "page_token", "content_key", "my_sync_token", long]
        var redaction = HARRedaction.default
        redaction.fields += names
        redaction.queryItems += names
        for name in names {
            let body = #"{"\#(name)":"s3cr3t","next_page_token":"kept"}"#
            let entry = HARFixture.entry("https://example.com/?\(name)=s3cr3t&next_page_token=kept", body: body)
            let har = HAR(entries: [entry]).redacted(redaction)
            try expectNoSecrets(har)
            let shown = try #require(har.entries.first)
            #expect(shown.request.url.hasSuffix("&next_page_token=kept"))
            #expect(shown.response.content.text?.contains(#""next_page_token":"kept""#) == true)
            #expect(HAR(entries: [entry]).redacted() == HAR(entries: [entry]))
        }
    }

    @Test(
        arguments: [
            ("a=1; Path=/, session=S3CRETS3CRETS3CRET; HttpOnly", false),
            ("a=1, session=S3CRETS3CRETS3CRET; Path=/", nil),
            ("a=1; Secure, session=S3CRETS3CRETS3CRET", false), ("a=1; Secure, S3CRETS3CRETS3CRET", false),
            ("a=1; Expires=Wed, session=S3CRETS3CRETS3CRET", false), ("a=1; Expires=Wed, S3CRETS3CRETS3CRET", false),
            ("a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT, session=S3CRETS3CRETS3CRET", false),
            ("a=1; session=S3CRETS3CRETS3CRET", false), ("S3CRETS3CRETS3CRET, a=1; Path=/", false),
            ("a=1; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Max-Age=5; SameSite=Lax; Secure; HttpOnly", true),
            ("a=1; expires=Wednesday, 09-Jun-27 10:18:14 GMT; path=/; Partitioned; Priority=High;", true),
            ("a=1; Expires=0; Version=1; Comment=x", true),
        ] as [(String, Bool?)]
    )
    func aFieldWithSeveralCookiesIsHidden(field: String, isKept: Bool?) throws {
        let fields: HTTPHeaderFields = ["Set-Cookie": field]
        let entry = HARFixture.entry("GET", "https://example.com/", responseHeaders: fields, body: "S3CRETS3CRETS3CRET")
        let shown = try #require(HAR(entries: [entry]).redacted().entries.first)
        let value = try #require(shown.response.headers["Set-Cookie"])
        #expect(!value.contains("S3CRET"), "\(value)")
        guard let isKept else { return }
        let attributes = field.drop { $0 != ";" }
        #expect(isKept ? value.hasPrefix("a=") && value.hasSuffix(attributes) : value == "<redacted>", "\(value)")
    }

    /// So that a replay finds in a body what it was recorded with.
    @Test func whoSomeoneIsStaysInBodies() throws {
        let (id, zone) = ("550e8400-e29b-41d4-a716-446655440000", "America/New_York")
        let body = #"{"id":"\#(id)","zone":"\#(zone)"}"#
        let headers: HTTPHeaderFields = ["X-User-Id": id, "X-User-Timezone": zone]
        let har = HAR(entries: [HARFixture.entry("https://example.com/users/\(id)", headers: headers, body: body)])
        let shown = try #require(har.redacted().entries.first)
        #expect(shown.response.content.text == body && shown.request.url == "https://example.com/users/\(id)")
        #expect(shown.request.headers.map(\.value) == ["<redacted>", "<redacted>"])
    }

    @Test func nothingShowsWhatAFileOfAnotherToolHas() async throws {
        let headers: HTTPHeaderFields = ["Authorization": "s3cr3t"]
        let har = HAR(entries: [
            HARFixture.entry(
                "POST",
                url,
                headers: headers,
                postData: HAR.PostData(mimeType: "text/plain", text: "s3cr3t"),
                responseHeaders: ["Set-Cookie": "s3cr3t"],
                body: "s3cr3t"
            )
        ])
        let entry = try #require(har.entries.first)
        for value in [har.entries, entry, entry.request, entry.response, entry.response.content] as [Any] {
            #expect(!Fixture.allTexts(of: value).contains("s3cr3t"))
        }
        let request = HARFixture.request("POST", url + "&more=1", headers: ["Authorization": "s3cr3t"], body: "s3cr3t")
        let error = try await failure { try await HARFixture.offline(har).data(for: request) }
        #expect(!Fixture.allTexts(of: error).contains("s3cr3t"))
        try expectNoSecrets(HARRecorder(continuing: HAR(entries: [HARFixture.entry(url)])).har)
    }

    /// Under any name, and anywhere in a text.
    @Test(arguments: [false, true]) func whatWasSentIsASecretWhereverABodyRepeatsIt(isObserved: Bool) async throws {
        let (token, key, session) = ("s3cr3t-of-a-token", "123456123456", "s3cr3t/of/a/session")
        let recorder = HARRecorder()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.cookies = CookieJar()
        if isObserved { configuration.observers = [recorder] }
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [recorder],
            transport: ScriptedTransport { request in
                let cookie = request.urlRequest.value(forHTTPHeaderField: "Cookie") ?? "none"
                let text =
                    #"{"key":\#(key),"said":"\#(token), \#(cookie)","csrf":"s3cr3t\/of\/a\/session","user":"ada"}"#
                // The second time, only the request tells.
                let fields: HTTPHeaderFields = cookie == "none" ? ["Set-Cookie": "id=\(session)"] : [:]
                return .scripted(200, for: request, headers: fields, body: text)
            }
        )
        let headers = ["Authorization": "Bearer \(token)", "X-API-Key": key, "Content-Type": "text/plain"]
        let request = HARFixture.request("POST", "https://example.com/", headers: headers, body: "I am \(token)")
        for _ in 0..<2 { _ = try await dispatcher.data(for: request) }
        let har = recorder.har
        #expect(har.entries.count == 2)
        try expectNoSecrets(har)
        let texts = har.entries.map { String(decoding: $0.response.content.data ?? Data(), as: UTF8.self) }
        let first = try #require(
            texts[0].wholeMatch(
                of:
                    /\{"key":([0-9]{12}),"said":"([0-9a-z]{6}-..-.-.{5}), none","csrf":"(.{6}\\\/..\\\/.\\\/.{7})","user":"ada"\}/
            )
        )
        // The same secret has the same text.
        #expect(texts[1].hasPrefix(#"{"key":\#(first.1),"said":"\#(first.2), "#))
        #expect(texts[1].hasSuffix(#"","csrf":"\#(first.3)","user":"ada"}"#))
        // With another token, too.
        let other = ["Authorization": "Bearer another", "Content-Type": "text/plain"]
        let asked = HARFixture.request("POST", "https://example.com/", headers: other, body: "I am another")
        #expect(try await HARFixture.offline(har).text(asked) == texts[0])
        #expect(har.redacted() == har)
    }

    @Test func whatAFileHasIsASecretWhereverItRepeatsIt() throws {
        let (token, password) = ("s3cr3t-of-a-token", "s3cr3t-of-a-user")
        var entry = HARFixture.entry(
            "POST",
            "https://ada:\(password)@example.com/",
            headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/x-www-form-urlencoded"],
            postData: HAR.PostData(mimeType: "application/x-www-form-urlencoded", text: "authenticity=\(token)&a=1"),
            responseHeaders: ["X-Echo": "for \(token)", "X-Plain": "kept", "Content-Type": "application/octet-stream"],
            body: "\u{1}\(token)\u{0}\(password)"
        )
        entry.request.postData?.params = [HTTPHeaderField(name: "authenticity", value: token)]
        var redaction = HARRedaction.default
        // What is removed first is a secret nevertheless.
        redaction.custom = { $0.request.headers = [:] }
        let har = HAR(entries: [entry]).redacted(redaction)
        try expectNoSecrets(har)
        let shown = try #require(har.entries.first)
        #expect(shown.request.postData?.text == "authenticity=<redacted>&a=1")
        #expect(shown.request.postData?.params.first?.value == "<redacted>")
        #expect(shown.response.headers["X-Echo"]?.wholeMatch(of: /for [0-9a-z]{6}-..-.-.{5}/) != nil)
        #expect(shown.response.headers["X-Plain"] == "kept")
        let asterisks = String(repeating: "*", count: token.utf8.count)
        let others = String(repeating: "*", count: password.utf8.count)
        #expect(shown.response.content.data == Data("\u{1}\(asterisks)\u{0}\(others)".utf8))
    }
}
