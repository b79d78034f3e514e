import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// Secrets in bodies and URLs, whatever stands around them.
@Suite(.timeLimit(.generous)) struct SecretScrubberTests {
    private let scrubber = SecretScrubber(
        items: SecretWords.usualNames + SecretScrubber.usualItemNames,
        fields: SecretWords.usualNames + SecretScrubber.usualFieldNames
    )

    private func scrubbed(_ body: String, _ type: String) -> String {
        String(decoding: scrubber.body(Data(body.utf8), type: type, keepsShape: false), as: UTF8.self)
    }

    @Test(arguments: [
        "application/json", "text/html", "application/octet-stream", "application/xml", "text/csv", "", "nonsense",
        "a/b", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded",
    ])
    func aFormOfAnyType(type: String) {
        #expect(scrubbed("password=hunter2&user=ada", type) == "password=%3Credacted%3E&user=ada")
        #expect(scrubbed("user=ada&client_secret=hunter2", type) == "user=ada&client_secret=%3Credacted%3E")
        #expect(scrubbed("user=ada\r\npassword=hunter2\r\n", type) == "user=ada\r\npassword=%3Credacted%3E\r\n")
    }

    @Test(arguments: [
        ("a?x=1&amp;password=hunter2&amp;y=2", "a?x=1&amp;password=%3Credacted%3E&amp;y=2"),
        ("a?x=1&#38;password=hunter2", "a?x=1&#38;password=%3Credacted%3E"),
        ("a?x=1&#x26;token=hunter2\"", "a?x=1&#x26;token=%3Credacted%3E\""),
        ("a?x=1;token=hunter2", "a?x=1;token=%3Credacted%3E"),
        (
            "a?u=https%3A%2F%2Fh%2F%3Ftoken%3Dhunter2%26y%3D1&z=2",
            "a?u=https%3A%2F%2Fh%2F%3Ftoken%3D%3Credacted%3E%26y%3D1&z=2"
        ),
        ("a?u=h%3Fx%3D1%26token%3Dhunter2", "a?u=h%3Fx%3D1%26token%3D%3Credacted%3E"),
        ("a?u=h%253Ftoken%253Dhunter2%2526y&z", "a?u=h%253Ftoken%253D%3Credacted%3E%2526y&z"),
        ("a?u=h%25253Ftoken%25253dhunter2&z", "a?u=h%25253Ftoken%25253d%3Credacted%3E&z"),
        ("a?u=h%23access_token%3Dhunter2", "a?u=h%23access_token%3D%3Credacted%3E"),
        ("a?u=https://h/?token=hunter2", "a?u=https://h/?token=%3Credacted%3E"),
        // An escaped delimiter is a part of a value that is not escaped.
        ("a?password=a%26hunter2&y", "a?password=%3Credacted%3E&y"),
        ("a?p%61ssword=hunter2", "a?p%61ssword=%3Credacted%3E"),
        ("a?access%5Ftoken=hunter2", "a?access%5Ftoken=%3Credacted%3E"),
        ("a?x=100%&token=hunter2", "a?x=100%&token=%3Credacted%3E"),
        ("a?x=%2&token=hunter2", "a?x=%2&token=%3Credacted%3E"),
        ("a?to\u{212A}en=hunter2", "a?to\u{212A}en=%3Credacted%3E"), ("a?page=1&x=%26y%3D2", "a?page=1&x=%26y%3D2"),
    ])
    func URLsWithinURLs(url: String, shown: String) {
        #expect(scrubbed(url, "text/html") == shown)
        if !url.contains("\"") { #expect(scrubber.url(url) == shown) }
        #expect(scrubbed(shown, "text/html") == shown)
    }

    @Test(arguments: [
        (
            #"{"DBPassword":"hunter2","AWSSecretKey":"hunter2"}"#,
            #"{"DBPassword":"<redacted>","AWSSecretKey":"<redacted>"}"#
        ),
        (#"{"Set-Cookie":"sid=hunter2; Path=/"}"#, #"{"Set-Cookie":"<redacted>"}"#),
        (#"{"headers":{"set-cookie":["a=hunter2","b=hunter2"]}}"#, #"{"headers":{"set-cookie":"<redacted>"}}"#),
        (
            #"{"setCookie":"hunter2","cookies":{"sid":"hunter2"}}"#,
            #"{"setCookie":"<redacted>","cookies":"<redacted>"}"#
        ),
        (#"{"X-Api-Key":"hunter2"}"#, #"{"X-Api-Key":"<redacted>"}"#),
        (
            #"[{"name":"Set-Cookie","value":"hunter2"},{"name":"a","value":"b"}]"#,
            #"[{"name":"Set-Cookie","value":"<redacted>"},{"name":"a","value":"b"}]"#
        ),
        (
            #"[{ "Key" : "authorization" , "Value" : "hunter2" }]"#,
            #"[{ "Key" : "authorization" , "Value" : "<redacted>" }]"#
        ),
        (#"{"pass\u0077or\u0064":"hunter2"}"#, #"{"pass\u0077or\u0064":"<redacted>"}"#),
        (
            #"{"\ud83d\ude00":"kept","\ud800":"kept","\q":"kept"}"#,
            #"{"\ud83d\ude00":"kept","\ud800":"kept","\q":"kept"}"#
        ),
        (#"{"name":"ada","value":1}"#, #"{"name":"ada","value":1}"#),
    ])
    func fieldsOfJSON(body: String, shown: String) {
        #expect(scrubbed(body, "application/json") == shown)
        #expect(scrubbed(shown, "application/json") == shown)
    }

    @Test(arguments: [
        "Content-Encoding: gzip", "content-transfer-encoding: base64", "Content-Transfer-Encoding:quoted-printable",
    ])
    func partsThatCannotBeReadAreNotShown(field: String) {
        let form = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\(field)\r\n\r\naHVudGVyMg==\r\n--b--\r\n"
        #expect(!scrubbed(form, "multipart/form-data; boundary=b").contains("aHVudGVyMg"))
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 8, 0], "application/json", nil, false), ([0x1F, 0x8B, 8, 0], "application/gzip", nil, true),
            ([0x78, 0x9C, 1, 2], "", nil, false), ([0x28, 0xB5, 0x2F, 0xFD], "text/plain", nil, false),
            ([0x7B, 0x7D], "application/json", nil, true), ([0x7B, 0x7D], "application/json", "gzip", false),
            ([0x7B, 0x7D], "image/png", "br", false), ([0x7B, 0x7D], "text/plain", "identity", true),
            ([0x7B, 0x7D], "text/plain", " identity , Identity", true),
            ([0x7B, 0x7D], "text/plain", "x-unknown", false),
            ([], "text/plain", nil, true), ([0x78], "text/plain", nil, true),
        ] as [([UInt8], String, String?, Bool)]
    )
    func whatCannotBeRead(bytes: [UInt8], type: String, coding: String?, isReadable: Bool) {
        #expect(ReadableBody.isReadable(Data(bytes), type: type, coding: coding) == isReadable)
    }

    @Test func codingsThatRemain() {
        #expect(ReadableBody.coding([], isDecoded: true) == nil)
        #expect(ReadableBody.coding(["gzip"], isDecoded: true) == nil)
        #expect(ReadableBody.coding(["gzip"], isDecoded: false) == "gzip")
        #expect(ReadableBody.coding(["x-gzip, identity"], isDecoded: true) == nil)
        #expect(ReadableBody.coding(["x-unknown", "gzip"], isDecoded: true) == "x-unknown, gzip")
        #expect(ReadableBody.coding(["identity"], isDecoded: false) == nil)
    }

    /// Bodies of 256 KiB and of four times as much.
    @Test(arguments: [
        "\"a\":1,", "\"token\":1,", "\"\\u0061\":1,", "\"\\\\\":1,", "&a=1", "&&&&", ";;;;", "%25", "%2525252525",
        "&%25", "????", "\"é\":1,", "\"", "{\"token\":", "[[", "%26token%3D", "&token=a", "\r\n", "\\u0026",
        "\"name\":\"", "a%", "--b\r\n\r\n", "--b\r\ncontent-disposition:a\r\n\r\n", "\"value\":\"\"", "\u{212A}",
        "&\u{212A}=", "cookie: <redacted> ", "'password: <redacted> ",
    ])
    func theTimeGrowsWithTheLength(piece: String) {
        // Of this thread, which other programs do not lengthen.
        func processorTime() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        func time(_ size: Int) -> Duration {
            let body = Data(String(repeating: piece, count: size / piece.utf8.count).utf8)
            return (0..<3).map { _ in
                let start = processorTime()
                for type in ["application/json", "multipart/form-data; boundary=b"] {
                    _ = scrubber.body(body, type: type, keepsShape: true)
                }
                return processorTime() - start
            }.min() ?? .zero
        }
        let (short, long) = (time(64 * 1024), time(256 * 1024))
        #expect(long < short * 10 + .milliseconds(20), "\(short) \(long)")
    }

    // MARK: JSON in strings, and XML

    private static func wrapped(_ text: String, _ depth: Int) throws -> String {
        var text = text
        for _ in 0..<depth {
            text = String(decoding: try JSONEncoder().encode(["body": text]), as: UTF8.self)
        }
        return text
    }

    private static let secrets =
        #"{"password":"hun\"ter\\2\nhunter2", "a" : [{"token":12},{"x":"y\\"}],"h":{"name":"Cookie","value":"hunter2"}}"#

    @Test(arguments: 1...3, [false, true])
    func JSONInStringsOfJSON(depth: Int, keepsShape: Bool) throws {
        let body = Data(try Self.wrapped(Self.secrets, depth).utf8)
        var shown = scrubber.body(body, type: "application/json", keepsShape: keepsShape)
        for _ in 0..<depth {
            shown = Data(try #require(JSONDecoder().decode([String: String].self, from: shown)["body"]).utf8)
        }
        let token = keepsShape ? "0" : "\"<redacted>\""
        let wanted =
            #"{"password":"<redacted>", "a" : [{"token":"# + token
            + #"},{"x":"y\\"}],"h":{"name":"Cookie","value":"<redacted>"}}"#
        #expect(String(decoding: shown, as: UTF8.self) == wanted)
        // Wherever it is cut off.
        for count in 0..<body.count {
            let cut = scrubber.body(body.prefix(count), type: "application/json", keepsShape: keepsShape)
            #expect(!String(decoding: cut, as: UTF8.self).contains("ter"))
        }
    }

    @Test func JSONWithLineBreaksInAString() throws {
        let pretty = "{\n\t\"password\" :\n \"hunter2\",\r\n\"user\": \"ada\"}"
        let shown = scrubbed(try Self.wrapped(pretty, 2), "text/plain")
        #expect(shown == (try Self.wrapped(pretty, 2)).replacing("hunter2", with: "<redacted>"))
    }

    @Test(arguments: [
        ("<Password>hunter2</Password>", "<Password>&lt;redacted&gt;</Password>"),
        (
            "<a:b><wsse:Password Type=\"x>y\">hunter2</wsse:Password ><c>1</c></a:b>",
            "<a:b><wsse:Password Type=\"x>y\">&lt;redacted&gt;</wsse:Password ><c>1</c></a:b>"
        ),
        (
            "<token><value>hunter2</value></token><access-token><![CDATA[<hunter2>]]></access-token>",
            "<token>&lt;redacted&gt;</token><access-token>&lt;redacted&gt;</access-token>"
        ),
        ("<passwords>3</passwords>", "<passwords>3</passwords>"),
        ("<password/><password></password>", "<password/><password></password>"),
        ("<password>hunter2</passwords>", "<password>&lt;redacted&gt;"),
        ("<p><password a='b'>hunter2", "<p><password a='b'>&lt;redacted&gt;"),
        ("<password \"<token>hunter2</token>", "<password \"<token>&lt;redacted&gt;"), ("<password", "<password"),
        ("a < b and password > c", "a < b and password > c"),
        ("<key>name</key><code>42</code>", "<key>name</key><code>42</code>"),
    ])
    func elementsOfXML(body: String, shown: String) {
        for type in ["application/soap+xml; charset=utf-8", "text/xml", "text/html", ""] {
            #expect(scrubbed(body, type) == shown)
            #expect(scrubbed(shown, type) == shown)
        }
    }
}
