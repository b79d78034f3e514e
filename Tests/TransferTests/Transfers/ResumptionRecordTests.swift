import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct ResumptionRecordTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    private static func validator(_ headers: HTTPHeaderFields) -> String? {
        ResumptionRecord.validator(of: Fixture.head(headers: headers))
    }

    private static func record(_ headers: HTTPHeaderFields, size: Int64? = 10) throws -> ResumptionRecord {
        try #require(ResumptionRecord(Fixture.head(headers: headers), resource: "r", size: size))
    }

    // MARK: Validators

    @Test(arguments: ["\"\"", "\"a\"", "\"W/\"", "\"a b\"", "\"" + String(repeating: "x", count: 1022) + "\""])
    func aStrongTagIsAValidator(_ tag: String) {
        #expect(Self.validator(["ETag": tag]) == tag)
        #expect(Self.validator(["etag": tag, "Last-Modified": Self.date, "Date": Self.later]) == tag)
    }

    @Test(
        "A tag of a file that may have changed within the second of its response is none",
        arguments: [
            (date, date, false), (later, date, false), (date, later, true), (nil, date, true), (date, nil, true),
            ("yesterday", date, true), (date, "today", true),
        ] as [(String?, String?, Bool)]
    )
    func tagWithinASecond(_ row: (modified: String?, sent: String?, isValidator: Bool)) {
        var headers: HTTPHeaderFields = ["ETag": "\"a\""]
        headers["Last-Modified"] = row.modified
        headers["Date"] = row.sent
        #expect(Self.validator(headers) == (row.isValidator ? "\"a\"" : nil))
    }

    // The date isn't one either in this case: a server that sends weak tags says that the bytes may differ.
    @Test(arguments: [
        "W/\"a\"", "w/\"a\"", "", "a", "\"", "\"a", "a\"", "\"a\"b", "'a'", "\"a\tb\"",
        "\"" + String(repeating: "x", count: 1023) + "\"",
    ])
    func anotherTagIsNone(_ tag: String) {
        #expect(Self.validator(["ETag": tag]) == nil)
        #expect(Self.validator(["ETag": tag, "Last-Modified": Self.date, "Date": Self.later]) == nil)
    }

    @Test(
        arguments: [
            (date, later, true), (date, date, false), (later, date, false), (date, nil, false), (nil, date, false),
            ("yesterday", date, false), (date, "today", false), (nil, nil, false),
        ] as [(String?, String?, Bool)]
    )
    func aDateIsAValidatorWhereTheResponseIsYounger(_ row: (modified: String?, sent: String?, isValidator: Bool)) {
        var headers = HTTPHeaderFields()
        headers["Last-Modified"] = row.modified
        headers["Date"] = row.sent
        #expect(Self.validator(headers) == (row.isValidator ? row.modified : nil))
    }

    @Test func withoutAValidatorThereIsNoRecord() throws {
        #expect(ResumptionRecord(Fixture.head(), resource: "r", size: 10) == nil)
        let record = try Self.record(["ETag": "\"a\""], size: nil)
        #expect(record.validator == "\"a\"")
        #expect(record.resource == "r")
        #expect(record.size == nil)
    }

    @Test func aCodedBodyHasARecordOnlyIfItsLengthIsKnown() throws {
        let headers: HTTPHeaderFields = [
            "ETag": "\"a\"", "Content-Encoding": "GZip, identity", "content-encoding": " br",
        ]
        #expect(ResumptionRecord(Fixture.head(headers: headers), resource: "r", size: nil) == nil)
        #expect(try Self.record(headers).coding == "gzip,br")
        #expect(try Self.record(["ETag": "\"a\"", "Content-Encoding": "Identity"], size: nil).coding == nil)
    }

    @Test func aHeadAgreesWhereItSaysTheSameOrNothing() throws {
        let tagged = try Self.record(["ETag": "\"a\""])
        #expect(tagged.agrees(with: Fixture.head(headers: ["ETag": "\"a\""])))
        #expect(tagged.agrees(with: Fixture.head()))
        #expect(!tagged.agrees(with: Fixture.head(headers: ["Last-Modified": Self.later])))
        for tag in ["\"A\"", "W/\"a\"", "a", ""] {
            #expect(!tagged.agrees(with: Fixture.head(headers: ["ETag": tag])))
        }
        #expect(!tagged.agrees(with: Fixture.head(headers: ["Content-Encoding": "gzip"])))
        let dated = try Self.record(["Last-Modified": Self.date, "Date": Self.later])
        #expect(dated.agrees(with: Fixture.head(headers: ["Last-Modified": Self.date])))
        #expect(dated.agrees(with: Fixture.head(headers: ["Date": Self.later])))
        #expect(!dated.agrees(with: Fixture.head(headers: ["Last-Modified": Self.later])))
    }

    // MARK: Resources

    private static func resource(_ url: String, method: String? = "GET", accepting codings: String? = nil) -> String? {
        var request = URLRequest(url: Fixture.url(url))
        request.setValue(codings, forHTTPHeaderField: "Accept-Encoding")
        request.httpMethod = method
        return ResumptionRecord.resource(of: request)
    }

    @Test func secretsAndFragmentsMakeNoOtherResource() {
        let plain = Self.resource("https://example.com/a?b=c")
        #expect(plain == StableHash.text(of: "GET https://example.com/a?b=c"))
        for url in [
            "https://user:hunter2@example.com/a?b=c", "https://user@example.com/a?b=c", "https://example.com/a?b=c#d",
            "https://:hunter2@example.com/a?b=c#",
        ] {
            #expect(Self.resource(url) == plain)
        }
        #expect(Self.resource("https://example.com/a?b=c", method: nil) == plain)
    }

    @Test func otherRequestsAreOtherResources() {
        let urls = [
            "https://example.com/a", "http://example.com/a", "https://example.com:444/a", "https://example.org/a",
            "https://example.com/b", "https://example.com/a?", "https://example.com/a?b", "https://example.com/%61",
        ]
        let resources =
            urls.map { Self.resource($0) } + [Self.resource(urls[0], method: "POST")]
            + ["identity", "gzip"].map { Self.resource(urls[0], accepting: $0) }
        #expect(Set(resources).count == resources.count)
        #expect(!resources.contains(nil))
        var nowhere = URLRequest(url: Fixture.url)
        nowhere.url = nil
        #expect(ResumptionRecord.resource(of: nowhere) == nil)
    }

    // MARK: Files

    @Test(arguments: [10, nil, .max] as [Int64?])
    func aRecordIsReadBack(_ size: Int64?) throws {
        let folder = try FormFolder()
        let url = folder.url.appending(path: "record")
        let record = try Self.record(["ETag": "\"a/\\é\u{2028}\""], size: size)
        // In the place of another, which may be longer.
        _ = try folder.file("record", Data(repeating: 0x20, count: 10_000))
        try record.write(to: url)
        #expect(ResumptionRecord.read(url, resource: "r") == record)
        #expect(ResumptionRecord.read(url, resource: "other") == nil)
    }

    @Test func aRecordSaysNothingAboutTheAddress() throws {
        let folder = try FormFolder()
        let request = URLRequest(url: Fixture.url("https://user:hunter2@secret.example/token?key=hunter2"))
        let resource = try #require(ResumptionRecord.resource(of: request))
        let head = Fixture.head(headers: ["ETag": "\"a\""])
        let url = folder.url.appending(path: "record")
        try #require(ResumptionRecord(head, resource: resource, size: 1)).write(to: url)
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        for secret in ["hunter2", "secret", "token", "user", "key"] { #expect(!text.contains(secret)) }
    }

    @Test func aRecordIsNotWrittenThroughALink() throws {
        let folder = try FormFolder()
        let victim = try folder.file("victim", Data("mine".utf8))
        let url = folder.url.appending(path: "record")
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: victim)
        try Self.record(["ETag": "\"a\""]).write(to: url)
        #expect(try Data(contentsOf: victim) == Data("mine".utf8))
        #expect(ResumptionRecord.read(url, resource: "r") != nil)
    }

    private static func json(validator: String = "\\\"a\\\"", size: String = "10") -> String {
        "{\"resource\":\"r\",\"validator\":\"\(validator)\",\"size\":\(size)}"
    }

    @Test(arguments: [
        "", " ", "{}", "null", "[]", "\"r\"", "{", json() + "x", "{\"resource\":\"r\"}", "\u{0}", json(size: "\"10\""),
        json(size: "1e400"), json(size: "1.5"), json(size: "9223372036854775808"), json(size: "NaN"),
        String(repeating: "[", count: 8_000), String(repeating: "{\"a\":", count: 3_000),
        json() + String(repeating: " ", count: 16 * 1024),
        // What a header field may not hold.
        json(validator: "\\\"a\\\"\\r\\nX-Evil: 1"), json(validator: "\\\"a\\nb\\\""),
        json(validator: "\\\"a\\u0000\\\""),
        json(validator: "\\\"a\\u007f\\\""), json(validator: "\\\"a\\r\\\""), json(validator: "\\\"a\\u0001\\\""),
        // Values that are not strong validators, which no version of this library writes.
        json(validator: ""), json(validator: "W/\\\"a\\\""), json(validator: "a"), json(validator: "\\\""),
        json(validator: "\\\"" + String(repeating: "x", count: 2_000) + "\\\""),
    ])
    func whatIsNoRecordIsIgnored(_ text: String) throws {
        let folder = try FormFolder()
        #expect(ResumptionRecord.read(try folder.file("record", Data(text.utf8)), resource: "r") == nil)
    }

    @Test func aSoundRecordIsRead() throws {
        let folder = try FormFolder()
        let record = ResumptionRecord.read(try folder.file("record", Data(Self.json().utf8)), resource: "r")
        #expect(record?.validator == "\"a\"")
        #expect(record?.size == 10)
        let dated = try folder.file("dated", Data(Self.json(validator: Self.date).utf8))
        #expect(ResumptionRecord.read(dated, resource: "r")?.validator == Self.date)
    }

    @Test func whatIsNoFileIsIgnored() throws {
        let folder = try FormFolder()
        #expect(ResumptionRecord.read(folder.url.appending(path: "missing"), resource: "r") == nil)
        #expect(ResumptionRecord.read(folder.url, resource: "r") == nil)
        #expect(ResumptionRecord.read(try folder.sparseFile("huge", length: 1 << 40), resource: "r") == nil)
    }
}
