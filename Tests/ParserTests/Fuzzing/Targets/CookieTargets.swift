import PiuPiuAsync
import SuiteSupport
import TestSupport

@testable import PiuPiuPolicies

extension FuzzTarget {
    static let cookies = [setCookie, cookieDate, cookieFile]

    // MARK: SetCookie and CookieMachine

    /// A URL, a `Set-Cookie` field, and another URL.
    private static let setCookie = FuzzTarget(
        "SetCookie",
        seeds: [
            "https://a.example/x/y\u{1E}a=1; Path=/; Domain=a.example; Secure; HttpOnly\u{1E}https://b.a.example/",
            "http://127.0.0.1/\u{1E}a=\"b; c\" ; Max-Age=5; Expires=Fri, 07 Aug 2099 08:04:19 GMT\u{1E}http://127.0.0.1:8080/x",
            "https://a.co.uk/\u{1E}__Host-a=1; Secure; Path=/; SameSite=None\u{1E}https://a.co.uk/x?y#z",
            "https://[::1]/\u{1E}x\u{1E}https://[0::1]/",
            "http://localhost\u{1E}=x=y; secure; Domain=.localhost\u{1E}http://localhost",
        ],
        tokens: [
            "\u{1E}", ";", "=", ",", " ", "\t", "Domain=", "Path=/", "Max-Age=", "Expires=", "; Secure",
            "SameSite=None", "__Host-", "__Secure-", ".", "a.example", "co.uk", "github.io", "127.1", "[::1]", "é",
            "\0", "99999999999999999999", "-1", "%2F", "?", "#", "@", ":80",
        ],
        limit: 600
    ) { input, _ in
        let parts = input.parts(3)
        let now: Double = 1_800_000_000
        let urls = [parts[0], parts[2]].map { URL(string: String(decoding: $0, as: UTF8.self)) }
        guard let field = SetCookie(parts[1]) else { return }
        try demand(field.name.utf8.count + field.value.utf8.count <= 4096, "the cookie is too long")
        try demand(
            !(field.name + field.value).utf8.contains { $0 == 0x3B || $0 == 0x0D || $0 == 0x0A || $0 == 0 },
            "a bad byte"
        )
        guard let source = CookieTarget(urls[0]), let target = CookieTarget(urls[1] ?? urls[0]) else { return }
        var machine = CookieMachine()
        let isStored = machine.store(field, from: source, now: now)
        let all = machine.all(now: now)
        try demand(all.count <= (isStored ? 1 : 0), "there are more cookies than were set")
        let sent = machine.field(for: target, now: now)
        guard let cookie = all.first else { return try demand(sent == nil, "a cookie is sent that is not there") }
        try demand(cookie.isHostOnly || !PublicSuffixes.contains(cookie.domain), "a cookie is for a public suffix")
        try demand(
            source.host == cookie.domain || source.host.hasSuffix("." + cookie.domain),
            "a cookie is for another domain than that of its host"
        )
        try demand(!cookie.isSecure || source.isSecure, "a cookie without TLS says that it is secure")
        try demand((cookie.expires?.timeIntervalSince1970 ?? now) <= now + 400 * 86_400, "a cookie lives for too long")
        if sent != nil {
            try demand(
                target.host == cookie.domain || target.host.hasSuffix("." + cookie.domain),
                "it is sent elsewhere"
            )
            try demand(!cookie.isSecure || target.isSecure, "it is sent without TLS")
        }
        // What a server set can be stored again, also by way of a file.
        var copy = CookieMachine()
        try demand(copy.store(cookie, now: now), "a stored cookie cannot be stored")
        try demand(copy.all(now: now) == all, "it is another one when it is stored again")
    }

    // MARK: CookieDate

    private static let cookieDate = FuzzTarget(
        "CookieDate",
        seeds: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "29 Feb 2000 0:0:0", "31-dec-9999 23:59:59", "1 jan 1601 00:00:00",
        ],
        tokens: [":", "-", " ", "00", "99", "9999", "29", "Feb", "\u{301}", "\0", "é", "08:49:37"],
        limit: 100
    ) { input, _ in
        guard let date = CookieDate.parse(input) else { return }
        let seconds = date.timeIntervalSince1970
        try demand(seconds == seconds.rounded() && seconds >= -11_644_473_600, "the date is before 1601")
        try demand(seconds < 253_402_300_800, "the date has more than four digits")
        guard let written = RFC3339.string(from: date) else { return }
        // Year, day, month and time of another parser, written so that this one can read them.
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = written.split { "-TZ".contains($0) }
        guard let month = Int(parts[1]) else { throw FuzzFailure("the month is no number") }
        let text = "\(parts[3]) \(parts[2]) \(months[month - 1]) \(parts[0])"
        try demand(CookieDate.parse(text.utf8) == date, "the date is another when it is written")
    }

    // MARK: cookies.txt

    private static let cookieFile = FuzzTarget(
        "CookieFile",
        seeds: [
            "# Netscape HTTP Cookie File\n\n#HttpOnly_.example.com\tTRUE\t/\tTRUE\t1893456000\tid\tv\n",
            "example.com\tFALSE\t/x\tFALSE\t0\ta\tb\tc\r\n127.0.0.1\tFALSE\t/\tFALSE\t\ta\n[::1]\tFALSE\t/\tFALSE\t1.5\t\tx",
            "\u{FEFF}.co.uk\ttrue\t/\tfalse\t9999999999999999999\t__Host-é\t\n",
        ],
        tokens: [
            "\t", "\n", "\r\n", "TRUE", "FALSE", "#HttpOnly_", "#", ".", "/", "0", "1893456000", "-1", "1e9", "=", ";",
            "\0", "é", "\u{301}", "[::1]", "127.1", "a.example", ":80", "@",
        ],
        limit: 800
    ) { input, _ in
        let snapshot: CookieJar.Snapshot
        do throws(CookieFileError) {
            snapshot = try CookieJar.Snapshot(netscape: input)
        } catch {
            let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false).count
            return try demand((1...lines).contains(error.line), "the error names a line that is not there")
        }
        let text = snapshot.netscape
        let again = try CookieJar.Snapshot(netscape: text.utf8)
        try demand(again.netscape == text, "written and read it is another")
        let written = snapshot.cookies.filter { !($0.name + $0.path).utf8.contains(0x09) }
        let pairs = again.cookies.map { [$0.domain, $0.path, $0.name, $0.value] }
        try demand(pairs == written.map { [$0.domain, $0.path, $0.name, $0.value] }, "a cookie is lost")
        var machine = CookieMachine()
        for cookie in snapshot.cookies { machine.store(cookie, now: 1_800_000_000) }
        for cookie in machine.all(now: 1_800_000_000) {
            try demand(cookie.isHostOnly || !PublicSuffixes.contains(cookie.domain), "a cookie is for a public suffix")
            let target = CookieTarget(URL(string: "https://\(cookie.domain)\(cookie.path)"))
            guard let target, let field = machine.field(for: target, now: 1_800_000_000) else { continue }
            try demand(field.utf8.allSatisfy(SetCookie.isAllowed), "a field has a control character")
        }
    }
}
