import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

@testable import PiuPiuPolicies
@testable import PiuPiuRecording

/// Secrets in bodies under the names that programs give them, in a recording and in a log.
struct SecretBodiesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let type: String
        let body: String

        init(_ type: String, _ body: String) {
            (self.type, self.body) = (type, body)
        }

        var testDescription: String { "\(type) \(body)" }
    }

    private static let form = "application/x-www-form-urlencoded"
    private static let json = "application/json"

    /// Forms.
    private static let forms = [
        "user[password]=S&user[name]=kept", "user%5Bpassword%5D=S&a=kept", "user%5bpassword%5d=S&a=kept",
        "password[]=S&password[]=S&a=kept", "user.password=S&a=kept", "a=kept&user[new_password]=S",
        "a=kept&account[profile][api_key]=S", "user[password_confirmation]=S&a=kept", "newPassword=S&a=kept",
        "new-password=S&a=kept", "password1=S&password2=S&a=kept", "userPassword=S", "USER_PASSWORD=S", "pin=S&a=kept",
        "card_pin=S", "pinCode=S", "pwd=S", "user_pwd=S", "login-passwd=S", "passphrase=S", "key.passphrase=S", "jwt=S",
        "id_token_hint=S", "assertion=S&a=kept", "client_assertion=S", "grant_type=kept&subject_token=S", "otp=S",
        "login[otp_attempt]=S", "authenticity_token=S&a=kept", "csrfmiddlewaretoken=S", "_csrf=S&a=kept",
        "__RequestVerificationToken=S", "credential=S", "user[credentials]=S", "bearer=S", "PHPSESSID=S&a=kept",
        "j_password=S&j_username=kept", "os_password=S", "db.password=S", "apiKey=S", "api-key=S",
        "stripe_secret_key=S",
        "code=S&a=kept", "pass=S&user=kept", "a=kept\r\nuser[password]=S\r\n", "x=kept&password=\"S\"",
    ].map { Row(form, $0) }

    /// JSON, at any depth, and within strings of JSON.
    private static let objects = [
        #"{"new_password":"S","a":"kept"}"#, #"{"password_confirmation":"S"}"#, #"{"user_password":"S"}"#,
        #"{"passwordConfirmation":"S"}"#, #"{"currentPassword":"S","a":"kept"}"#, #"{"jwt":"S"}"#, #"{"bearer":"S"}"#,
        #"{"assertion":"S"}"#, #"{"credential":"S"}"#, #"{"pin":"S","pinned":"kept"}"#, #"{"user":{"cardPin":"S"}}"#,
        #"{"APIKey":"S"}"#, #"{"x-api-key":"S"}"#, #"{"dbPassword":"S"}"#, #"{"oauth_token":"S","a":"kept"}"#,
        #"{"oauthToken":"S"}"#, #"{"token":"S","token_type":"kept"}"#, #"{"aws":{"secretAccessKey":"S"}}"#,
        #"{"user[password]":"S"}"#, #"{"user.password":"S"}"#, #"{"Private-Token":"S"}"#, #"{"X-Session":"S"}"#,
        #"{"privateKeyPem":"S"}"#, #"{"resetPasswordToken":"S"}"#, #"{"vault":[{"secret":["S","S"]}],"a":"kept"}"#,
        #"{"webhookSecret":"S"}"#, #"{"log":"user=kept password=S"}"#, #"{"query":"password=S&a=kept"}"#,
        #"{"body":"user%5Bpassword%5D=S&a=kept"}"#, #"{"text":"user: kept\npassword: S\nnext: kept"}"#,
        #"{"text":"password = S"}"#, #"{"curl":"curl -H \"Authorization: Bearer S\" https://kept.example/"}"#,
        #"{"curl":"curl -H 'Authorization: Bearer S' https://kept.example/"}"#,
        #"{"html":"<input value=\"S\" name=\"password\"><p>kept"}"#,
        #"{"inner":"{\"user\":\"kept\",\"new_password\":\"S\"}"}"#,
        #"{"inner":"{\"deep\":\"{\\\"userPassword\\\":\\\"S\\\"}\"}"}"#,
        #"{"query":"mutation { login(user: \"kept\", password: \"S\") { ok } }"}"#,
        #"{"query":"mutation { login(password: \"S\", user: \"kept\") { ok } }"}"#,
        #"{"query":"mutation { signIn(input: {email: \"kept\", newPassword: \"S\"}) { id } }"}"#,
        #"{"query":"{ unlock(pin: 1234567890123, door: \"kept\") }"}"#,
        #"{"query":"mutation {\n  login(\n    password: \"S\"\n    user: \"kept\"\n  ) { ok }\n}"}"#,
        #"{"query":"mutation($p: String!) { login(p: $p) { kept } }","variables":{"password":"S"}}"#,
        #"{"parameters":[{"name":"user_password","value":"S"},{"name":"a","value":"kept"}]}"#,
    ].map { Row(json, $0) }

    /// Plain text, and text of programs and their settings.
    private static let texts = [
        "Authorization: Bearer S", "GET / HTTP/1.1\r\nHost: kept\r\nAuthorization: Basic S\r\n\r\nkept",
        "> authorization: Bearer S\n> accept: kept", "kept\nProxy-Authorization: Negotiate S\nkept",
        "Cookie: a=S; b=S\r\nHost: kept", "Set-Cookie: sid=S; Path=/", "X-Api-Key: S\nkept", "PRIVATE-TOKEN: S",
        "password: S", "user: kept\npassword: correct S staple\nkept", "kept, password: S, kept",
        "Your new password: S",
        "your PIN: S kept", "- password: S\n- name: kept", "  new_password : S\n", "password=S", "kept password=S kept",
        "kept;password=S", "(token=S) kept", "password = S\nname = kept", "password = \"S\"\nname = \"kept\"",
        "export API_KEY=S", "DB_PASSWORD='S'\nDB_NAME=kept", "--password=S --kept",
        "login(user: 'kept', password: 'S')",
        "$_POST['password'] = 'S'; // kept", "['password' => 'S', 'user' => 'kept']",
        "{:password=>\"S\", :a=>\"kept\"}",
        "{'password': 'S', 'user': 'kept'}", "{password: \"S\", user: \"kept\"}", "let apiKey = \"S\" // kept",
        "api_key := \"S\"", "secret=`S`", "token: \"\"\"S\"\"\"", "level=info token=S msg=kept", "password:S",
        "password: \"S with a space\" kept",
    ].map { Row("text/plain", $0) }

    /// HTML and XML.
    private static let elements = [
        "<input name=\"password\" value=\"S\"><p>kept", "<input value='S' type=hidden name='csrf_token'>kept",
        "<INPUT TYPE=\"password\" VALUE=\"S\">kept", "<input id=user_password value=S>kept",
        "<input\n name=\"user[password]\"\n value=\"S\"\n/>kept",
        "<meta name=\"csrf-token\" content=\"S\"/><b>kept</b>",
        "<textarea name=\"secret\">S</textarea>kept", "<add key=\"Password\" value=\"S\"/><a>kept</a>",
        "<entry key=\"api_key\">S</entry><entry key=\"a\">kept</entry>", "<user password=\"S\" name=\"kept\"/>",
        "<userPassword>S</userPassword><a>kept</a>", "<ns:new-password>S</ns:new-password><a>kept</a>",
        "<a data-token='S' href='/kept'>", "<param value=\"S\" name=\"Token\"/>kept",
        "<input value=\"S\" autocomplete=\"current-password\" name=\"p\">kept",
    ].map { Row("text/html", $0) }

    /// Parts of forms.
    private static let parts = [
        "Content-Disposition: form-data; name=\"user[password]\"", "Content-Disposition: form-data; name=password",
        "Content-Disposition: form-data; name=\"password[]\"; filename=\"a\"",
        "Content-Disposition: form-data; filename=\"a;b\"; name=\"new_password\"",
        "Content-Disposition: form-data;\r\n name=\"user_password\"",
        "Content-Disposition: form-data;\r\n\tname=\"pin\"",
        "Content-Disposition: form-data; name*=utf-8''user%5Bpassword%5D",
        "Content-Disposition: form-data; NAME*=UTF-8'en'pass%77ord",
        "content-disposition : form-data; name = \"token\"",
        "Content-Disposition: form-data; name*0=\"pass\"; name*1=\"word\"",
        "Content-Disposition: form-data; name=\"user%5Bpassword%5D\"",
        "Content-Disposition: form-data; name=\"pass\\word\"",
        "Content-Type: text/plain\r\nContent-Disposition: form-data; name=\"db.password\"",
    ].flatMap { head -> [Row] in
        let body =
            "--b\r\n\(head)\r\n\r\nS\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nkept\r\n--b--\r\n"
        return [body, body.replacing("\r\n", with: "\n")].map { Row("multipart/form-data; boundary=b", $0) }
    }

    private static let secret = "hunter2-S3cret9"

    /// What a recording and a log show of a body.
    private static func shown(_ type: String, _ body: String) -> (request: String, response: String, log: String?) {
        let postData = HAR.PostData(Data(body.utf8), mimeType: type)
        var entry = HARFixture.entry("POST", "https://example.com/", postData: postData, body: body)
        entry.response.content.mimeType = type
        HARRedaction.default.apply(to: &entry)
        let observed = ObservedBody(
            beginning: Data(body.utf8),
            size: body.utf8.count,
            isComplete: true,
            contentType: type
        )
        var line = LogLine("call")
        line.add("body", LoggingObserver.Bodies.upTo(10_000).shown(observed, hiding: SecretFinder([[UInt8]]())))
        let isLogged = !type.hasPrefix("multipart")
        return (entry.request.postData?.text ?? "", entry.response.content.text ?? "", isLogged ? line.text : nil)
    }

    @Test(arguments: [forms, objects, texts, elements, parts].joined())
    func noSecretIsKept(_ row: Row) {
        let body = row.body.replacing(/\bS\b/, with: Self.secret)
        let kept = body.ranges(of: "kept").count
        let shown = Self.shown(row.type, body)
        for text in [shown.request, shown.response, shown.log].compactMap(\.self) {
            for part in ["hunter2", "S3cret9", "1234567890123", "correct", "staple", "space"] {
                #expect(!text.contains(part), "\(text)")
            }
            #expect(text.ranges(of: "kept").count == kept, "\(text)")
        }
        #expect(shown.request.contains("redacted") && !shown.response.contains("redacted"), "\(shown.response)")
        // JSON stays JSON.
        if row.type == Self.json {
            for text in [shown.request, shown.response] {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
            }
        }
    }

    @Test(arguments: [
        Row(
            form,
            "pinned=1&spin=fast&opinion=x&shipping=1&passwordless=yes&secretary=ada&keyboard=de&country_code=US&monkey=1"
        ),
        Row(form, "token_type=bearer&password_changed_at=1&page_token=abc&zip_code=1&next_token=x&public_key=abc"),
        Row(json, #"{"pinned":"a","spinner":"b","pins":["a"],"tokens":3,"tokenizer":"bpe","max_tokens":"10"}"#),
        Row(json, #"{"token_type":"Bearer","token_endpoint":"https://h/","expires_in":5,"token_count":"7"}"#),
        Row(json, #"{"authorization_endpoint":"https://h/a","id_token_signing_alg_values_supported":["RS256"]}"#),
        Row(json, #"{"passwordless":"on","password_policy":"long","password_min_length":"8","passwordChangedAt":"x"}"#),
        Row(json, #"{"secretary":"ada","sessions":"3","keyboard":"de","primary_key":"id","key":"name","code":"42"}"#),
        Row(
            json,
            #"{"nextPageToken":"abc","publicKey":"abc","author":"ada","jwks_uri":"https://h/","bos_token":"<s>"}"#
        ),
        Row(json, #"{"csrf_header":"X-CSRF","passwordLabel":"Password","forgot_password":"Forgot your password?"}"#),
        Row(json, #"{"query":"mutation($password: String!) { login(password: $password) { token } }"}"#),
        Row(json, #"{"password":null,"token":true,"pin":false}"#),
        Row("text/plain", "The password is long. Tokens: 5, pinned: yes, spin: fast\nauthor: ada\nkey: name"),
        Row("text/plain", "if token == other { return password != old }"),
        Row("text/plain", "case .token::x, password"),
        Row(
            "text/html",
            "<label for=\"password\">Password</label><input type=\"password\" name=\"password\"><b>pin</b>"
        ),
        Row("text/html", "<meta name=\"csrf-param\" content=\"authenticity_token\"><input name=\"page\" value=\"2\">"),
        Row("text/html", "<a class=\"password-reset\" href=\"/forgot\">Forgot?</a><label>Password: <input></label>"),
        Row("application/xml", "<passwordPolicy>long</passwordPolicy><tokens>3</tokens><pinned>yes</pinned>"),
    ])
    func whatIsNoSecretStays(_ row: Row) {
        let shown = Self.shown(row.type, row.body)
        #expect(shown.request == row.body)
        #expect(shown.response == row.body)
        #expect(shown.log.map { !$0.contains("redacted") } ?? true, "\(shown.log ?? "")")
    }

    @Test(arguments: [
        "password=a ", "\"a\": b, ", "<input name=\"a\" value=\"b\">", "token: ", "<a ", "<a b=\"", "'", "\\\"", "a=\\",
        "=",
        "::", "A", "aB", "a_", "x[y]=", "<input name=password value=", "\\n", "pin: \\\"", "` ", "%5B", "é",
        "cookie: <redacted> ", "'password: <redacted> ",
    ])
    func theTimeGrowsWithTheLength(piece: String) {
        func time(_ size: Int) -> Duration {
            let body = Data(String(repeating: piece, count: size / piece.utf8.count).utf8)
            return (0..<3).map { _ in
                Self.processorTime {
                    for (type, replacement) in [("text/html", .standIns(SecretStandIns())), ("", .placeholder)]
                        as [(String, SecretReplacement)]
                    {
                        _ = HARRedaction.default.scrubber.body(body, type: type, keepsShape: true, replacement)
                    }
                }
            }.min() ?? .zero
        }
        let (short, long) = (time(32 * 1024), time(128 * 1024))
        #expect(long < short * 10 + .milliseconds(20), "\(short) \(long)")
    }

    /// The time that a thread takes, which other programs do not lengthen.
    private static func processorTime(_ body: () -> Void) -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        body()
        return now() - start
    }
}
