import PiuPiuAsync
import SuiteSupport
import Testing

struct MediaTypeTests {
    @Test(arguments: [
        "application/json", "Application/JSON", "application/json;charset=utf-8", " application/json ; charset=\"a;b\"",
    ])
    func parametersAndCaseDoNotMatter(_ text: String) {
        #expect(MediaType(text) == MediaType("application/json"))
        #expect(MediaType(text)?.subtype == "json")
    }

    @Test(arguments: [
        "", "json", "/", "a/", "/b", "a/b/c", "a b/c", "text/html, a/b", ";", "a/b\r\n", "é/b", "\u{A0}a/b",
        "a/\u{2009}b", "a/\u{212A}",
    ])
    func whatIsNoMediaTypeIsNil(_ text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(arguments: [
        ("application/json", "application/json", true), ("application/json", "application/*", true),
        ("application/json", "*/*", true), ("text/json", "application/*", false),
        ("application/jsonx", "application/json", false), ("application/problem+json", "application/*+json", true),
        ("application/json", "application/*+json", false), ("application/+json", "application/*+json", false),
        ("application/abjson", "application/*+json", false),
        ("application/problem+json", "application/json", false), ("application/*", "application/json", false),
    ])
    func patterns(type: String, pattern: String, matches: Bool) throws {
        #expect(try #require(MediaType(type)).matches(#require(MediaType(pattern))) == matches)
    }
}
