import PiuPiuAsync
import SuiteSupport
import Testing

/// Which servers are reached without a proxy.
struct ProxyExclusionsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        let list: String
        let isExcluded: Bool

        var testDescription: String { "\(host) in \(list.prefix(60))" }
    }

    /// Reads rows from lines such as `a.example | + | .example | a.example`: a host, whether it is excluded, and lists.
    private static func table(_ text: String) -> [Row] {
        text.split(separator: "\n").flatMap { line in
            let parts: [String] = line.components(separatedBy: " | ")
            return parts.dropFirst(2).map { Row(host: parts[0], list: $0, isExcluded: parts[1] == "+") }
        }
    }

    /// The cases of curl's own test (`tests/unit/unit1614.c`), but for the first: curl has ended a list at a blank without a
    /// comma since 7.86, and other clients do not.
    private static let curls: [Row] = table(
        """
        www.example.com | + | localhost .example.com .example.de | localhost,.example.com,.example.de
        www.example.com | + | localhost,.example.com.,.example.de | localhost,www.example.com.,.example.de
        www.example.com | + | localhost,example.com,.example.de | foo, .example.com
        www.example.com. | + | localhost,.example.com,.example.de
        example.com | + | localhost,.example.com,.example.de | localhost,example.com,.example.de
        example.com | + | .example.com, .example.net
        example.com. | + | localhost,.example.com,.example.de | localhost,example.com,.example.de
        nexample.com | - | localhost,example.com,.example.de
        127.0.0.1 | + | 127.0.0.1,localhost | 127.0.0.1,localhost, | 127.0.0.1/8,localhost, | 127.0.0.1/28,localhost,
        127.0.0.1 | + | 127.0.0.1/31,localhost, | localhost,127.0.0.1
        127.0.0.1 | - | localhost,127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.
        127.0.0.1 | - | localhost,127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1
        localhost | + | localhost,127.0.0.1 | 127.0.0.1,localhost
        foobar | - | barfoo
        foobar | + | foobar
        192.168.0.1 | - | foobar | 192.168.0.0/32 | 192.168.0.0
        192.168.0.1 | + | 192.168.0.0/16 | 192.168.0.0/24
        192.168.1.1 | - | 192.168.0.0/24 | 192.168.0.0/33 | foo, bar, 192.168.0.0/24
        192.168.1.1 | + | foo, bar, 192.168.0.0/16
        [::1] | - | foo, bar, 192.168.0.0/16 | ::1/129
        [::1] | + | foo, bar, ::1/64 | ::1/64 | ::1/96
        bar | + | foo, bar, ::1/64
        BAr | + | foo, bar, ::1/64 | foo,,,,,              bar, ::1/64
        www.example.com | - | www2.example.com, .example.net
        nonexample.com | - | .example.com, .example.net
        """
    )

    /// The cases of curl's test of networks: an address, another, the bits.
    private static let networks: [Row] = table(
        """
        192.160.0.1 | - | 192.160.0.1/33 | 10.0.0.1/8 | 10.0.0.1/32 | 10.0.0.1/0
        192.160.0.1 | + | 192.160.0.1/32 | 192.160.0.1/0 | 192.160.0.1/24 | 192.160.0.1/26 | 192.160.0.1/20
        192.160.0.1 | + | 192.160.0.1/18 | 192.160.0.1/12 | 192.160.0.1/8
        ::1 | + | ::1/0 | ::1/128 | 0:0::1/128
        ::1 | - | 0:0::1/129
        fe80::ab47:4396:55c9:8474 | + | fe80::ab47:4396:55c9:8474/64
        """
    )

    @Test(arguments: curls + networks + others) func listsAreReadAsCurlReadsThem(_ row: Row) {
        #expect(ProxyExclusions(row.list).contains(row.host) == row.isExcluded)
    }

    private static let others: [Row] = table(
        """
        a.example | - |  |   | . | .. | ,,, | a.example:80
        a.example | + | * | *,b | b * | example | A.EXAMPLE | \ta.example\t,b
        10.0.0.1 | + | *
        [::1] | + | * | [::1]
         | - | *
        aexample | - | example
        10.1.2.3 | + | 10.0.0.0/8 | 10.0.0.0/9 | 10.1.2.2/31
        10.128.2.3 | - | 10.0.0.0/9
        10.1.2.3 | - | 10.1.2.4/31 | 10.1.2.3/ | 10.1.2.3/x | 10.1.2.3/+8 | 10.1.2.3/8/8 | 010.1.2.3 | 10.1.2 | 2.3
        10.1.2.3 | - | 10.1.2.3.
        a.10.1.2.3.b | - | 10.1.2.3/8
        [fe80::1] | + | fe80::/10
        [fec0::1] | - | fe80::/10
        [febf::1] | + | fe80::/10
        [fe80::1%25eth0] | + | fe80::1
        ::1 | + | [::1]/128
        [2001:db8::1] | + | 2001:DB8:0:0:0:0:0:1
        [::ffff:1.2.3.4] | + | ::ffff:102:304
        [::1] | - | ::2/127 | ::1:
        [::3] | + | ::2/127
        1.2.3.4 | - | ::/1
        [::102:304] | - | 1.2.3.4
        """
    )

    /// What Go's `httpproxy`, httpx and requests read, and curl does not.
    private static let urls: [Row] = table(
        """
        http://a.example/ | + | a.example:80 | .a.example:80 | a.example: | *.example | *:80 | http://a.example
        http://a.example/ | + | xn--bcher-kva.example,a.example
        http://a.example:80/ | + | a.example:80
        http://a.example:8080/ | - | a.example:80
        http://a.example:8080/ | + | a.example:8080
        https://a.example/ | + | a.example:443 | https://a.example:443 | HTTPS://A.example/ | all://a.example | all://*
        https://a.example/ | + | https://*
        https://a.example/ | - | a.example:80 | *:80 | http://a.example
        http://b.a.example:8080/ | + | a.example:8080
        http://a.example:81/ | + | *.example:81
        http://10.1.2.3:81/ | + | 10.1.2.3:81
        http://10.1.2.3/ | - | 10.1.2.3:81
        http://[::1]:81/ | + | [::1]:81
        http://[::1]/ | - | [::1]:81
        http://[::1]:81/ | - | ::1:81
        http://b.a.example/ | + | *.example | *.a.example
        http://example/ | - | *.example
        http://aexample/ | - | *.example
        http://A.EXAMPLE/ | + | *.ExAmple.
        http://c/ | + | a b c | a\tb\tc | a,\tb ,, c
        http://b/ | + | a b,c
        http://a.example/ | - | https://*
        http://10.1.2.3/ | + | all://10.0.0.0/8
        http://[::1]/ | + | all://[::1]
        http://a_b.example/ | + | a_b.example
        ftp://a.example/ | - | a.example
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
