import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport

@testable import PiuPiuValues

extension FuzzTarget {
    static let proxies: [FuzzTarget] = [proxyServer, proxyExclusions]

    // MARK: ProxyServer

    static let proxyServer = FuzzTarget(
        "ProxyServer",
        seeds: [
            "http://user:password@proxy.example:3128/", "proxy.example", "https://[::1]:1", "socks4://ada@10.0.0.1:9",
            "socks5://a%40b:c%3Ad%2F%25@p", "user@pl4ce:word@p:65535", "http://:@p", "http://u:%FF@p", "ftp://u:p@p",
            "http://u:p@p:65536", "socks4a://p:", "http://p?a#b", "socks5h://[fe80::1%25eth0]:1",
        ],
        tokens: [
            "://", "http", "https", "socks", "4", "4a", "5", "5h", ":", "@", "/", "[", "]", "%", "%00", "%0D%0A", "%zz",
            "::", "65535", "0", "é", ".", "#", "?",
        ],
        limit: 300
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        guard let proxy = try? ProxyServer(text) else { return }
        try demand((1...65535).contains(proxy.port), "the port is none")
        try demand(proxy.host.utf8.count <= 255 && !proxy.host.isEmpty, "the host is too long or missing")
        try demand(proxy.host.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "the host has other characters")
        let credentials = [proxy.user ?? "", proxy.password]
        for part in credentials {
            let isPrintable = part.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            try demand(isPrintable, "a control character")
        }
        try demand(!proxy.isHTTP || !credentials[0].contains(":"), "the user name ends elsewhere")
        try demand(proxy.isHTTP || credentials.allSatisfy { $0.utf8.count <= 255 }, "SOCKS cannot say it")
        try demand(proxy.user != nil || proxy.password.isEmpty, "a password without a user")
        // Written again, it is the same proxy.
        var written = "\(proxy.kind)://"
        if let user = proxy.user { written += escaped(user) + ":" + escaped(proxy.password) + "@" }
        written += proxy.location
        let again = try? ProxyServer(written, resolvesNamesLocally: proxy.kind == .socks5)
        try demand(again == proxy, "written and read it is another")
        let without = try ProxyServer(proxy.kind, host: proxy.host, port: proxy.port)
        let shown = String(reflecting: without)
        for part in credentials where part.utf8.count >= 6 && !shown.contains(part) {
            try demand(!String(reflecting: proxy).contains(part), "credentials are shown")
        }
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    // MARK: ProxyExclusions

    /// An input is a host and a list.
    static let proxyExclusions = FuzzTarget(
        "ProxyExclusions",
        seeds: [
            "www.example.com\u{1E}localhost,.example.com,.example.de", "192.168.0.1\u{1E}192.168.0.0/16", "a\u{1E}*",
            "[::1]\u{1E}foo, bar, ::1/64", "10.1.2.3\u{1E}10.0.0.0/9,a b,c", "a.b.\u{1E},, ,b.",
            "[fe80::1%25e]\u{1E}fe80::/10",
        ],
        tokens: [",", " ", "\t", ".", "/", "/8", "/33", "/128", "*", "[", "]", "%", ":", "::", "10.", "\u{1E}", "é"],
        limit: 300
    ) { input, random in
        let parts = input.texts(2)
        let (host, list) = (parts[0], parts[1])
        let isExcluded = ProxyExclusions(list).contains(host)
        try demand(!isExcluded || !host.isEmpty, "the empty host is excluded")
        try demand(ProxyExclusions(list).contains(uppercased(host)) == isExcluded, "the case of the host matters")
        try demand(ProxyExclusions(uppercased(list)).contains(host) == isExcluded, "the case of the list matters")
        if isExcluded, list != "*" {
            try demand(ProxyExclusions(list + ",x").contains(host), "a further entry takes another back")
        }
        if !list.utf8.contains(where: { $0.isHTTPWhitespace }), list != "*" {
            let entries = list.split(separator: ",").filter { $0 != "*" }
            let isAny = entries.contains { ProxyExclusions(String($0)).contains(host) }
            try demand(isAny == isExcluded, "the list is more or less than its entries")
        }
        if let address = IPAddress(host) {
            for bits in 1...address.bitWidth {
                try demand(ProxyExclusions("\(host)/\(bits)").contains(host), "an address is not in its own network")
            }
        } else if !host.isEmpty, host.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) {
            try demand(ProxyExclusions(host).contains("x." + host + "."), "a name does not stand for those below it")
            try demand(!ProxyExclusions("x." + host).contains(host), "a name stands for those above it")
        }
        if random.below(500) == 0 {
            try Growth.check(16 << 10) { size in
                let count = size / max(1, list.utf8.count + 1) + 1
                _ = ProxyExclusions(String(repeating: list + ",", count: count)).contains(host)
            }
        }
    }

    private static func uppercased(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
    }
}
