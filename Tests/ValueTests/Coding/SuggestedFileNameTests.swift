import PiuPiuAsync
import SuiteSupport
import Testing

/// Names for files that come from servers; fields are in `TextEncodingTests`.
struct SuggestedFileNameTests {
    @Test(arguments: [
        ("http://a/b.bin", "b.bin"), ("http://a/b/c%20d?e=f/g#h", "c d"), ("http://a", "download"),
        ("http://a/", "download"), ("http://a/b/", "download"), ("http://a/..", "download"),
        ("http://a/%2E%2E", "download"), ("http://a/%2Fetc%2Fpasswd", "download"), ("http://a/x%00y", "download"),
        ("http://a/x%0Ay", "download"), ("http://a/x%FFy", "download"), ("http://a/%C3%A4", "ä"), ("http://a/..x", "x"),
        ("http://a/.bashrc", "bashrc"), ("http://a/-rf", "rf"), ("http://a/a%5Cb", "download"),
        ("http://a/a%1B%5B31mb", "download"), ("http://a/a%E2%80%AEgpj.exe", "download"), ("http://a/a.", "a"),
        ("http://a/" + String(repeating: "x", count: 256), "download"), ("http://a/a%2F%CC%81b", "download"),
        ("http://a/a%2F%EF%B8%8Fb", "download"), ("http://a/a%5C%CC%81b", "download"),
        ("http://a/.%EF%B8%8Fprofile", "profile"), ("http://a/-%CC%81rf", "rf"), ("http://a/e%CC%81", "e\u{301}"),
    ])
    func aURLsLastPartStaysInItsFolder(text: String, name: String) throws {
        #expect((SuggestedFileName.lastPart(of: try #require(URL(string: text))) ?? SuggestedFileName.none) == name)
    }
}
