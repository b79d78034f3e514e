import PiuPiuAsync
import PiuPiuTransforms
import SuiteSupport
import TestSupport
import Testing

struct IncludedTransformsTests {
    private let path: [any CodingKey] = [Name("user"), Name("value")]

    /// What a transform throws, which has to have the path it was told.
    private func failure(_ body: () throws -> Any, _ location: SourceLocation = #_sourceLocation) -> (any Error)? {
        let error = #expect(throws: (any Error).self, sourceLocation: location) { _ = try body() }
        #expect(codingPath(of: error) == ["user", "value"], sourceLocation: location)
        return error
    }

    @Test func timeZonesAreIdentifiers() throws {
        let transform = TimeZoneTransform()
        let zone = try transform.from(json: "America/Montreal", codingPath: path)
        #expect(zone.identifier == "America/Montreal")
        #expect(transform.toJSON(zone, codingPath: path) == "America/Montreal")
    }

    // PiuPiu 1 threw an error of its own here, without a path.
    @Test(arguments: [
        "", "Nowhere/City", "../../etc/passwd", "UTC\0x", "\0", "🇩🇪", "GMT+5:.-1", "GMT+", "GMT-5:",
        "GMT+-5", String(repeating: "a", count: 99_999),
    ])
    func otherTextsAreNoTimeZones(text: String) {
        #expect(failure { try TimeZoneTransform().from(json: text, codingPath: path) } is DecodingError)
    }

    @Test func urlsAreTexts() throws {
        let transform = URLTransform()
        let url = try transform.from(json: "https://example.com/a?b=c#d", codingPath: path)
        #expect(url.host() == "example.com")
        #expect(transform.toJSON(url, codingPath: path) == "https://example.com/a?b=c#d")
        let relative = try #require(URL(string: "posts/1", relativeTo: url))
        #expect(transform.toJSON(relative, codingPath: path) == "https://example.com/posts/1")
    }

    @Test func urlsMayContainCharactersThatNeedEncoding() throws {
        let url = try URLTransform().from(json: "https://example.com/a b", codingPath: path)
        #expect(url.absoluteString == "https://example.com/a%20b")
    }

    @Test(arguments: [
        ("http://h/x?a[]=1&b=%5B%5D", "http://h/x?a%5B%5D=1&b=%5B%5D"), ("/p?q=%26|%zz", "/p?q=%26%7C%25zz"),
        ("../x?a=%2F|", "../x?a=%2F%7C"), ("https://é.example/%C3|", "https://xn--9ca.example/%C3%7C"),
        ("mailto:a%40b c", "mailto:a%40b%20c"),
    ])
    func escapesOfURLsStay(_ pair: (String, String)) throws {
        #expect(try URLTransform().from(json: pair.0, codingPath: path).absoluteString == pair.1)
    }

    @Test(arguments: ["", "http://[::1", "ht tp://x"])
    func otherTextsAreNoURLs(text: String) {
        #expect(failure { try URLTransform().from(json: text, codingPath: path) } is DecodingError)
    }

    @Test func errorsDoNotRepeatWhatWasRead() {
        let error = failure { try URLTransform().from(json: "http://me:secret@[::1", codingPath: path) }
        #expect(error.map { "\($0)" }?.contains("secret") == false)
    }

    @Test func textsBecomeIntegersInBothDirections() throws {
        let transform = IntFromStringTransform()
        for number in [0, 7, -7, .max, .min] as [Int64] {
            #expect(try transform.from(json: "\(number)", codingPath: path) == number)
            #expect(try transform.toJSON("\(number)", codingPath: path) == number)
        }
        #expect(try transform.from(json: "+07", codingPath: path) == 7)
    }

    static let noIntegers = [
        "", " 1", "1 ", "1.0", "1e3", "0x10", "٣", "９", "NaN", "inf", "-", "+", "9223372036854775808", "\0", "1\0",
        "-9223372036854775809", String(repeating: "9", count: 99_999),
    ]

    @Test(arguments: noIntegers)
    func otherTextsAreNoIntegers(text: String) {
        #expect(failure { try IntFromStringTransform().from(json: text, codingPath: path) } is DecodingError)
        #expect(failure { try IntFromStringTransform().toJSON(text, codingPath: path) } is EncodingError)
        #expect(failure { try IntAsStringTransform(Int64.self).from(json: text, codingPath: path) } is DecodingError)
        #expect(failure { try StringAsIntTransform().toJSON(text, codingPath: path) } is EncodingError)
    }

    @Test func integersBecomeTextsInBothDirections() {
        let transform = StringFromIntTransform()
        #expect(transform.from(json: .min, codingPath: path) == "-9223372036854775808")
        #expect(transform.toJSON(.max, codingPath: path) == "9223372036854775807")
    }

    @Test func integersThatAreTextsHaveAnyWidth() throws {
        #expect(try IntAsStringTransform(UInt8.self).from(json: "255", codingPath: path) == 255)
        #expect(failure { try IntAsStringTransform(UInt8.self).from(json: "256", codingPath: path) } is DecodingError)
        #expect(failure { try IntAsStringTransform(UInt.self).from(json: "-1", codingPath: path) } is DecodingError)
        #expect(try IntAsStringTransform<UInt64>().from(json: "\(UInt64.max)", codingPath: path) == .max)
        #expect(IntAsStringTransform().toJSON(UInt64.max, codingPath: path) == "18446744073709551615")
    }

    @Test(arguments: ["007", "+7", "-0", "00"])
    func textsThatWouldComeBackOtherwiseAreNotWrittenAsIntegers(text: String) {
        #expect(failure { try StringAsIntTransform().toJSON(text, codingPath: path) } is EncodingError)
    }

    @Test func emptyTextsAreNone() {
        let transform = EmptyStringTransform()
        #expect(transform.from(json: "", codingPath: path) == nil)
        #expect(transform.from(json: nil, codingPath: path) == nil)
        #expect(transform.from(json: " ", codingPath: path) == " ")
        #expect(transform.toJSON("", codingPath: path) == nil)
        #expect(transform.toJSON(nil, codingPath: path) == nil)
        #expect(transform.toJSON("x", codingPath: path) == "x")
    }

    @available(*, deprecated)
    @Test func namesBeforeOneEightStillWork() throws {
        #expect(try IntFromStringTransform().transform(json: "7") == 7)
        #expect(try StringFromIntTransform().transform(value: 7) == "7")
        let error = #expect(throws: DecodingError.self) { try URLTransform().transform(json: "") }
        #expect(codingPath(of: error) == [])
    }
}
