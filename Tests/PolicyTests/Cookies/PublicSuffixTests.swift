import Foundation
import PiuPiuAsync
import Testing

@testable import PiuPiuPolicies

@Suite struct PublicSuffixTests {
    /// The list's own test (`tests/test_psl.txt` of https://github.com/publicsuffix/list, which is in the public domain): a
    /// host, and the domain that someone could register.
    private static let rows = """
        COM -
        example.COM example.com
        WwW.example.COM example.com
        .com -
        .example -
        .example.com -
        .example.example -
        example -
        example.example example.example
        b.example.example example.example
        a.b.example.example example.example
        biz -
        domain.biz domain.biz
        b.domain.biz domain.biz
        a.b.domain.biz domain.biz
        com -
        example.com example.com
        b.example.com example.com
        a.b.example.com example.com
        uk.com -
        example.uk.com example.uk.com
        b.example.uk.com example.uk.com
        a.b.example.uk.com example.uk.com
        test.ac test.ac
        mm -
        c.mm -
        b.c.mm b.c.mm
        a.b.c.mm b.c.mm
        jp -
        test.jp test.jp
        www.test.jp test.jp
        ac.jp -
        test.ac.jp test.ac.jp
        www.test.ac.jp test.ac.jp
        kyoto.jp -
        test.kyoto.jp test.kyoto.jp
        ide.kyoto.jp -
        b.ide.kyoto.jp b.ide.kyoto.jp
        a.b.ide.kyoto.jp b.ide.kyoto.jp
        c.kobe.jp -
        b.c.kobe.jp b.c.kobe.jp
        a.b.c.kobe.jp b.c.kobe.jp
        city.kobe.jp city.kobe.jp
        www.city.kobe.jp city.kobe.jp
        ck -
        test.ck -
        b.test.ck b.test.ck
        a.b.test.ck b.test.ck
        www.ck www.ck
        www.www.ck www.ck
        us -
        test.us test.us
        www.test.us test.us
        ak.us -
        test.ak.us test.ak.us
        www.test.ak.us test.ak.us
        k12.ak.us -
        test.k12.ak.us test.k12.ak.us
        www.test.k12.ak.us test.k12.ak.us
        食狮.com.cn 食狮.com.cn
        食狮.公司.cn 食狮.公司.cn
        www.食狮.公司.cn 食狮.公司.cn
        shishi.公司.cn shishi.公司.cn
        公司.cn -
        食狮.中国 食狮.中国
        www.食狮.中国 食狮.中国
        shishi.中国 shishi.中国
        中国 -
        xn--85x722f.com.cn xn--85x722f.com.cn
        xn--85x722f.xn--55qx5d.cn xn--85x722f.xn--55qx5d.cn
        www.xn--85x722f.xn--55qx5d.cn xn--85x722f.xn--55qx5d.cn
        shishi.xn--55qx5d.cn shishi.xn--55qx5d.cn
        xn--55qx5d.cn -
        xn--85x722f.xn--fiqs8s xn--85x722f.xn--fiqs8s
        www.xn--85x722f.xn--fiqs8s xn--85x722f.xn--fiqs8s
        shishi.xn--fiqs8s shishi.xn--fiqs8s
        xn--fiqs8s -
        """

    /// A host as a URL has it: in lower case and in Punycode.
    private static func host(_ text: Substring) -> String {
        text.lowercased().replacing("食狮", with: "xn--85x722f").replacing("公司", with: "xn--55qx5d")
            .replacing("中国", with: "xn--fiqs8s")
    }

    @Test func theTestOfTheList() throws {
        var count = 0
        for row in Self.rows.split(separator: "\n") {
            let columns = row.split(separator: " ")
            let expected = columns[1] == "-" ? nil : Self.host(columns[1])
            #expect(PublicSuffixes.registrableDomain(of: Self.host(columns[0])) == expected, "\(row)")
            count += 1
        }
        #expect(count == 77)
    }

    @Test func moreOfTheTable() {
        #expect(PublicSuffixes.ruleCount > 9000)
        for name in [
            "github.io", "co.uk", "co.uk.", "s3.amazonaws.com", "unlisted", "aaa", "zw",
            "a.airflow.cn-north-1.on.amazonwebservices.com.cn",
        ] {
            #expect(PublicSuffixes.contains(name), "\(name)")
        }
        for name in ["a.github.io", "bbc.co.uk", "example.org", "org.example", "on.amazonwebservices.com.cn"] {
            #expect(!PublicSuffixes.contains(name), "\(name)")
        }
        #expect(PublicSuffixes.registrableDomain(of: "") == nil)
        #expect(PublicSuffixes.registrableDomain(of: "..") == nil)
        #expect(PublicSuffixes.registrableDomain(of: "www.bbc.co.uk.") == "bbc.co.uk")
        let deep = String(repeating: "a.", count: 500) + "kobe.jp"
        #expect(PublicSuffixes.registrableDomain(of: deep) == "a.a.kobe.jp")
    }
}
