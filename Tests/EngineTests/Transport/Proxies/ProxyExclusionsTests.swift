import PiuPiuAsync
import SuiteSupport
import Testing

/// Which servers are reached without a proxy.
struct ProxyExclusionsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        let list: String
        let isExcluded: Bool

        /// Reads a row such as `a.example | .example | true`.
        init(_ line: String) {
            let parts: [String] = line.components(separatedBy: " | ")
            host = parts[0]
            list = parts[1]
            isExcluded = parts[2] == "true"
        }

        var testDescription: String { "\(host) in \(list.prefix(60))" }
    }

    private static func table(_ text: String) -> [Row] {
        var rows: [Row] = []
        for line in text.split(separator: "\n") { rows.append(Row(String(line))) }
        return rows
    }

    /// The cases of curl's own test (`tests/unit/unit1614.c`), but for the first: curl has ended a list at a blank without a
    /// comma since 7.86, and other clients do not.
    private static let curls: [Row] = table(
        """
        www.example.com | localhost .example.com .example.de | true
        www.example.com | localhost,.example.com,.example.de | true
        www.example.com. | localhost,.example.com,.example.de | true
        example.com | localhost,.example.com,.example.de | true
        example.com. | localhost,.example.com,.example.de | true
        www.example.com | localhost,.example.com.,.example.de | true
        www.example.com | localhost,www.example.com.,.example.de | true
        example.com | localhost,example.com,.example.de | true
        example.com. | localhost,example.com,.example.de | true
        nexample.com | localhost,example.com,.example.de | false
        www.example.com | localhost,example.com,.example.de | true
        127.0.0.1 | 127.0.0.1,localhost | true
        127.0.0.1 | 127.0.0.1,localhost, | true
        127.0.0.1 | 127.0.0.1/8,localhost, | true
        127.0.0.1 | 127.0.0.1/28,localhost, | true
        127.0.0.1 | 127.0.0.1/31,localhost, | true
        127.0.0.1 | localhost,127.0.0.1 | true
        127.0.0.1 | localhost,127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1. | false
        127.0.0.1 | localhost,127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1 | false
        localhost | localhost,127.0.0.1 | true
        localhost | 127.0.0.1,localhost | true
        foobar | barfoo | false
        foobar | foobar | true
        192.168.0.1 | foobar | false
        192.168.0.1 | 192.168.0.0/16 | true
        192.168.0.1 | 192.168.0.0/24 | true
        192.168.0.1 | 192.168.0.0/32 | false
        192.168.0.1 | 192.168.0.0 | false
        192.168.1.1 | 192.168.0.0/24 | false
        192.168.1.1 | 192.168.0.0/33 | false
        192.168.1.1 | foo, bar, 192.168.0.0/24 | false
        192.168.1.1 | foo, bar, 192.168.0.0/16 | true
        [::1] | foo, bar, 192.168.0.0/16 | false
        [::1] | foo, bar, ::1/64 | true
        [::1] | ::1/64 | true
        [::1] | ::1/96 | true
        [::1] | ::1/129 | false
        bar | foo, bar, ::1/64 | true
        BAr | foo, bar, ::1/64 | true
        BAr | foo,,,,,              bar, ::1/64 | true
        www.example.com | foo, .example.com | true
        www.example.com | www2.example.com, .example.net | false
        example.com | .example.com, .example.net | true
        nonexample.com | .example.com, .example.net | false
        """
    )

    /// The cases of curl's test of networks: an address, another, the bits.
    private static let networks: [Row] = table(
        """
        192.160.0.1 | 192.160.0.1/33 | false
        192.160.0.1 | 192.160.0.1/32 | true
        192.160.0.1 | 192.160.0.1/0 | true
        192.160.0.1 | 192.160.0.1/24 | true
        192.160.0.1 | 192.160.0.1/26 | true
        192.160.0.1 | 192.160.0.1/20 | true
        192.160.0.1 | 192.160.0.1/18 | true
        192.160.0.1 | 192.160.0.1/12 | true
        192.160.0.1 | 192.160.0.1/8 | true
        192.160.0.1 | 10.0.0.1/8 | false
        192.160.0.1 | 10.0.0.1/32 | false
        192.160.0.1 | 10.0.0.1/0 | false
        ::1 | ::1/0 | true
        ::1 | ::1/128 | true
        ::1 | 0:0::1/128 | true
        ::1 | 0:0::1/129 | false
        fe80::ab47:4396:55c9:8474 | fe80::ab47:4396:55c9:8474/64 | true
        """
    )

    @Test(arguments: curls) func listsAreReadAsCurlReadsThem(_ row: Row) {
        #expect(ProxyExclusions(row.list).contains(row.host) == row.isExcluded)
    }

    @Test(arguments: networks) func networksAreThoseOfCurl(_ row: Row) {
        #expect(ProxyExclusions(row.list).contains(row.host) == row.isExcluded)
    }

    private static let others: [Row] = table(
        """
        a.example |  | false
        a.example | * | true
        10.0.0.1 | * | true
        [::1] | * | true
         | * | false
        a.example | *,b | true
        a.example | b * | true
        a.example |   | false
        a.example | . | false
        a.example | .. | false
        a.example | ,,, | false
        a.example | example | true
        a.example | A.EXAMPLE | true
        a.example | a.example:80 | false
        aexample | example | false
        a.example | \ta.example\t,b | true
        10.1.2.3 | 10.0.0.0/8 | true
        10.1.2.3 | 10.0.0.0/9 | true
        10.128.2.3 | 10.0.0.0/9 | false
        10.1.2.3 | 10.1.2.2/31 | true
        10.1.2.3 | 10.1.2.4/31 | false
        10.1.2.3 | 10.1.2.3/ | false
        10.1.2.3 | 10.1.2.3/x | false
        10.1.2.3 | 10.1.2.3/+8 | false
        10.1.2.3 | 10.1.2.3/8/8 | false
        10.1.2.3 | 010.1.2.3 | false
        10.1.2.3 | 10.1.2 | false
        10.1.2.3 | 2.3 | false
        10.1.2.3 | 10.1.2.3. | false
        a.10.1.2.3.b | 10.1.2.3/8 | false
        [fe80::1] | fe80::/10 | true
        [fec0::1] | fe80::/10 | false
        [febf::1] | fe80::/10 | true
        [fe80::1%25eth0] | fe80::1 | true
        [::1] | [::1] | true
        ::1 | [::1]/128 | true
        [2001:db8::1] | 2001:DB8:0:0:0:0:0:1 | true
        [::ffff:1.2.3.4] | ::ffff:102:304 | true
        [::1] | ::2/127 | false
        [::3] | ::2/127 | true
        [::1] | ::1: | false
        1.2.3.4 | ::/1 | false
        [::102:304] | 1.2.3.4 | false
        """
    )

    @Test(arguments: others) func otherListsFollowTheSameRules(_ row: Row) {
        #expect(ProxyExclusions(row.list).contains(row.host) == row.isExcluded)
    }

    /// What Go's `httpproxy`, httpx and requests read, and curl does not.
    private static let urls: [Row] = table(
        """
        http://a.example/ | a.example:80 | true
        http://a.example:80/ | a.example:80 | true
        http://a.example:8080/ | a.example:80 | false
        http://a.example:8080/ | a.example:8080 | true
        https://a.example/ | a.example:443 | true
        https://a.example/ | a.example:80 | false
        http://b.a.example:8080/ | a.example:8080 | true
        http://a.example/ | .a.example:80 | true
        http://a.example/ | a.example: | true
        http://a.example:81/ | *.example:81 | true
        http://10.1.2.3:81/ | 10.1.2.3:81 | true
        http://10.1.2.3/ | 10.1.2.3:81 | false
        http://[::1]:81/ | [::1]:81 | true
        http://[::1]/ | [::1]:81 | false
        http://[::1]:81/ | ::1:81 | false
        http://a.example/ | *.example | true
        http://b.a.example/ | *.example | true
        http://example/ | *.example | false
        http://aexample/ | *.example | false
        http://A.EXAMPLE/ | *.ExAmple. | true
        http://b.a.example/ | *.a.example | true
        http://a.example/ | *:80 | true
        https://a.example/ | *:80 | false
        http://c/ | a b c | true
        http://c/ | a\tb\tc | true
        http://c/ | a,\tb ,, c | true
        http://b/ | a b,c | true
        http://a.example/ | http://a.example | true
        https://a.example/ | http://a.example | false
        https://a.example/ | https://a.example:443 | true
        https://a.example/ | HTTPS://A.example/ | true
        https://a.example/ | all://a.example | true
        https://a.example/ | all://* | true
        http://a.example/ | https://* | false
        https://a.example/ | https://* | true
        http://10.1.2.3/ | all://10.0.0.0/8 | true
        http://[::1]/ | all://[::1] | true
        http://a_b.example/ | a_b.example | true
        http://a.example/ | xn--bcher-kva.example,a.example | true
        ftp://a.example/ | a.example | false
        """
    )

    @Test(arguments: urls) func entriesMayHavePortsSchemesAndWildcards(_ row: Row) throws {
        #expect(ProxyExclusions(row.list).contains(try #require(URL(string: row.host))) == row.isExcluded)
        let environment = ProxyEnvironment(["http_proxy": "p:1", "https_proxy": "p:1", "no_proxy": row.list])
        guard row.host.hasPrefix("http") else { return }
        let target = try RequestTarget(try #require(URL(string: row.host)))
        #expect(environment.hasProxy(for: target) != row.isExcluded)
    }

    @Test func anEntryWithAPortStandsForNoHostAlone() {
        let exclusions: ProxyExclusions = "a:80,https://b,c"
        #expect(["a", "b", "c"].map(exclusions.contains) == [false, false, true])
        #expect(exclusions.ignoredEntries == [])
    }

    @Test func whatStandsForNoServerIsToldOf() {
        let words = [
            "a:b", "a:0", "a:65536", "a:1:2", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/", "10.", "192.168.", "10.1.2",
            "192.168.*", "a*.example", "*example", "*.*", "*.", ".", "..", "a..b", "a;b", "\"a\"", "ftp://a", "http://",
            "http://a/b", "[::1", "::1]", "[a]", "::g", "::1%eth0", "1.2.3.4:x", "b\u{FC}cher.example", "/", "a/8",
            "<local>",
        ]
        let list = "ok," + words.joined(separator: ",") + " fine"
        #expect(ProxyExclusions(list).ignoredEntries == words)
        #expect(ProxyExclusions(list).contains("ok") && ProxyExclusions(list).contains("fine"))
        let secret = ProxyExclusions("http://user:s3cret@host:1, a").ignoredEntries
        #expect(secret == ["<redacted>@host:1"])
        #expect(ProxyExclusions(" , ,*").ignoredEntries == [])
    }

    @Test func theReportHasWhatTheEnvironmentDoes() {
        let report = ProxyReport([
            "http_proxy": "http://u:s3cret@p.example:3128", "https_proxy": "p:x", "NO_PROXY": "a, 10., b;c",
        ])
        #expect(report.lines == ["http: p.example:3128 (http_proxy)"])
        #expect(report.problems.count == 3 && report.problems[0].hasPrefix("https_proxy does not name a usable proxy"))
        #expect(report.problems[1] == "NO_PROXY has an entry that matches no server: 10.")
        #expect(report.problems[2].hasSuffix(": b;c") && !"\(report)".contains("s3cret"))
        #expect(ProxyReport([:]).lines == [] && ProxyReport([:]).problems == [])
        #expect(ProxyReport(["HTTP_PROXY": "p:1"]).problems.count == 1)
        #expect(ProxyReport(["no_proxy": String(repeating: "10.,", count: 100)]).problems.count == 21)
    }

    private static let noAddresses: [String] = [
        "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1..2.3", "", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
        "1::2::3", "::12345", "::g", "1:2:3:4:5:6:7::8:9", ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", "::1.2.3",
        "1.2.3.4::", "::1%1", "1:2:3:4:5:6:7:1.2.3.4", "0x1.2.3.4", String(repeating: ":", count: 1000),
    ]

    @Test(arguments: noAddresses)
    func whatIsNoAddress(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func aLongListTakesLinearTime() {
        let parts: [String] = ["a,", " ", "1:"]
        for part in parts {
            let list = String(repeating: part, count: 100_000)
            #expect(!ProxyExclusions(list).contains("b"))
        }
    }
}
