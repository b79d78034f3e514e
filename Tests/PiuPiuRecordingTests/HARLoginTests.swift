import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// A program that logs in with a token of a page, recorded and replayed.
@Suite(.timeLimit(.generous)) struct HARLoginTests {
    private static let token = "8f3c09d1b7a64e52c8d0f1e2a3b4c5d6"
    private static let password = "hunter2-S3cret9"

    /// What a program does.
    private struct Program: Sendable {
        let server: URL
        /// The expression that finds the token in the head and in the body of the page.
        let expression: String

        /// Opens the page, finds the token, and sends it back with the form.
        ///
        /// - Returns: The token, and the text of the page at the end.
        func run(_ dispatcher: URLRequestDispatcher) async throws -> (token: String, text: String) {
            let page = try await dispatcher.data(from: server.appending(path: "login"))
            let cookies = page.headers.values(for: "Set-Cookie").joined(separator: "\n")
            let match = try (cookies + "\n" + page.decodeString()).firstMatch(of: Regex(expression))
            let token = try #require(match?.output[1].substring, "The page has no token")
            var request = URLRequest(url: server.appending(path: "login"), method: .post)
            request.setValue(String(token), forHTTPHeaderField: "X-Csrf-Token")
            request.setFormBody([
                "csrf_token": String(token), "user[password]": HARLoginTests.password, "user[name]": "ada",
            ])
            let sent = request
            let home = try await dispatcher.data(for: sent)
            #expect(home.history.map(\.statusCode) == [.seeOther])
            return (String(token), try home.decodeString())
        }
    }

    private static func dispatcher(_ interceptor: any Interceptor) -> URLRequestDispatcher {
        .forTests(interceptors: [interceptor]) { $0.cookies = CookieJar() }
    }

    @Test(arguments: [
        (
            "text/html",
            #"<form method=post><input type="hidden" name="csrf_token" value="T"><input name=user></form>"#,
            #"name="csrf_token" value="([0-9a-f]{32})""#
        ),
        ("text/html", #"<input value='T' name='authenticity_token'>"#, #"value='([0-9a-f]{32})' name='authenticity"#),
        ("text/html", #"<meta name="csrf-token" content="T" />"#, #"csrf-token" content="([0-9a-f]{32})""#),
        ("text/html", #"<script>window.state = {"csrf": "T", "page": 1}</script>"#, #""csrf": "([0-9a-f]{32})""#),
        ("text/html", #"<script>var csrfToken = 'T';</script>"#, #"csrfToken = '([0-9a-f]{32})'"#),
        ("text/html", #"<a href="/login?csrf_token=T&amp;page=1">in</a>"#, #"csrf_token=([0-9a-f]{32})&amp;page"#),
        // Only the cookie tells that it is a secret.
        ("text/html", #"<body data-x="T">"#, #"data-x="([0-9a-f]{32})""#),
        ("application/json", #"{"data":{"csrfToken":"T","expires_in":3600}}"#, #""csrfToken":"([0-9a-f]{32})""#),
        ("text/html", "<form>", #"csrf_token=([0-9a-f]{32}); Path=/"#),
    ])
    func aLoginWithATokenOfAPageReplays(type: String, page: String, expression: String) async throws {
        let server = try LoopbackServer()
        let body = page.replacing(/\bT\b/, with: Self.token)
        let cookie = "csrf_token=\(Self.token); Path=/; HttpOnly"
        server.route("GET", "/login", .response(headers: ["Content-Type": type, "Set-Cookie": cookie], body: body))
        server.route("POST", "/login", .redirect(to: "/home", status: 303))
        server.route("GET", "/home", .response(headers: ["Content-Type": "text/html"], body: "Hello, Ada"))
        let program = Program(server: server.baseURL, expression: expression)
        let recorder = HARRecorder()
        let live = try await program.run(Self.dispatcher(recorder))
        #expect(live.token == Self.token && live.text == "Hello, Ada")
        server.stop()

        let file = try recorder.har.data()
        let text = String(decoding: file, as: UTF8.self)
        #expect(!text.contains(Self.token) && !text.contains(Self.password), "\(text)")
        let saved = try HAR(file)
        let replayed = try await program.run(Self.dispatcher(HARReplayer(saved)))
        #expect(replayed.text == live.text)
        #expect(replayed.token != live.token)
        // The cookie and the page have the same text.
        let entry = try #require(recorder.har.entries.first)
        #expect(entry.response.headers["Set-Cookie"] == "csrf_token=\(replayed.token); Path=/; HttpOnly")
        // It is known to be no secret.
        #expect(saved.redacted() == saved)
        #expect(HARRecorder(continuing: saved).har.entries == saved.entries)
    }

    @Test func eachSecretHasOneTextInARecording() async throws {
        let tokens = ["8f3c09d1", "77aa00b2", "8f3c09d1"]
        let recorder = HARRecorder()
        let dispatcher = HARFixture.recording(with: recorder) { request in
            let page = Int(request.urlRequest.url?.lastPathComponent ?? "") ?? 0
            return .scripted(200, for: request, headers: ["X-Csrf-Token": tokens[page]], body: "token=\(tokens[page])")
        }
        for page in tokens.indices { _ = try await dispatcher.data(from: Fixture.url("https://example.com/\(page)")) }
        let har = recorder.har
        let texts = har.entries.compactMap { $0.response.headers["X-Csrf-Token"] }
        #expect(texts.count == 3 && texts[0] == texts[2] && texts[0] != texts[1])
        #expect(har.entries.map(\.response.content.text) == texts.map { "token=\($0)" })
        #expect(texts.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{8}/) != nil && !tokens.contains($0) })
    }
}
