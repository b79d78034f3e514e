import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct ResumptionPlanTests {
    private static let tag = "\"v1\""
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    private static func record(size: Int64? = 10, validator: String = tag, coding: String? = nil) throws
        -> ResumptionRecord
    {
        let text =
            "{\"resource\":\"r\",\"validator\":\(validator.debugDescription)"
            + (size.map { ",\"size\":\($0)" } ?? "") + (coding.map { ",\"coding\":\"\($0)\"" } ?? "") + "}"
        return try JSONDecoder().decode(ResumptionRecord.self, from: Data(text.utf8))
    }

    /// The plan of most tests: four of ten bytes are there.
    private let plan: ResumptionPlan

    init() throws {
        plan = ResumptionPlan(record: try Self.record(), partLength: 4)
    }

    private static func head(_ status: Int, _ range: String? = nil, tag: String? = tag) -> ResponseHead {
        var headers = HTTPHeaderFields()
        if let range { headers.append(name: "Content-Range", value: range) }
        if let tag { headers.append(name: "ETag", value: tag) }
        return Fixture.head(StatusCode(rawValue: status), headers: headers)
    }

    private static func fields(_ plan: ResumptionPlan) -> [String] { plan.fields.map { "\($0.name): \($0.value)" } }

    // MARK: What to ask

    @Test func aPartIsContinuedAtItsEnd() {
        #expect(plan.offset == 4)
        #expect(Self.fields(plan) == ["Range: bytes=4-", "If-Range: \"v1\""])
    }

    @Test(
        "A part of unknown size is continued at its end, and a complete part is asked for its last byte",
        arguments: [(nil, 1 << 40, "1099511627776"), (10, 10, "9")] as [(Int64?, Int64, String)]
    )
    func otherParts(_ row: (size: Int64?, length: Int64, offset: String)) throws {
        let plan = ResumptionPlan(record: try Self.record(size: row.size), partLength: row.length)
        #expect(Self.fields(plan) == ["Range: bytes=\(row.offset)-", "If-Range: \"v1\""])
    }

    @Test(arguments: [(10, 0), (10, 11), (10, -1), (1, 1), (0, 0), (0, 1), (-1, 1), (-5, -5), (nil, 0), (.min, .min)])
    func aPartThatCannotBeContinuedIsBegunAgain(_ row: (Int64?, Int64)) throws {
        let plan = ResumptionPlan(record: try Self.record(size: row.0), partLength: row.1)
        #expect(plan == .fromTheStart)
        #expect(plan.fields.isEmpty)
    }

    @Test func aPartWithoutRecordIsBegunAgain() {
        #expect(ResumptionPlan(record: nil, partLength: 100) == .fromTheStart)
    }

    // MARK: What to make of the answer

    @Test(
        arguments: [
            ("bytes 4-9/10", 10), ("bytes 4-9/10", nil), ("Bytes 4-9/10", 10), ("bytes 4-6/10", 3), ("bytes 4-9/*", 6),
        ] as [(String, Int64?)]
    )
    func theRestIsWrittenWhereItBelongs(_ row: (String, Int64?)) {
        let length = row.1.map { $0 == 10 ? 6 : $0 }
        #expect(plan.decide(Self.head(206, row.0), length: length) == .write(at: 4, total: 10))
    }

    @Test func theServerMayTellTheSizeThatWasNotKnown() throws {
        let plan = ResumptionPlan(record: try Self.record(size: nil), partLength: 4)
        #expect(plan.decide(Self.head(206, "bytes 4-9/10"), length: 6) == .write(at: 4, total: 10))
        // There is no way to tell whether that is all.
        #expect(plan.decide(Self.head(206, "bytes 4-9/*"), length: 6) == .askAgain)
    }

    @Test(
        arguments: [
            nil, "", "bytes", "bytes 3-9/10", "bytes 5-9/10", "bytes 0-9/10", "bytes 4-9/11", "bytes 4-8/9",
            "bytes */10",
            "items 4-9/10", "bytes=4-9/10", "bytes 4-9", "bytes 9-4/10", "bytes 4-10/10", "bytes 4-10/*",
        ] as [String?]
    )
    func anotherRangeThanWasAskedForIsNotTaken(_ range: String?) {
        #expect(plan.decide(Self.head(206, range), length: nil) == .askAgain)
    }

    // Otherwise the file would be longer or shorter than it says, or have a gap.
    @Test(arguments: [0, 5, 7, 10, .max] as [Int64])
    func aBodyThatIsNotAsLongAsItsRangeIsNotTaken(_ length: Int64) {
        #expect(plan.decide(Self.head(206, "bytes 4-9/10"), length: length) == .askAgain)
    }

    @Test(arguments: ["\"v2\"", "W/\"v1\"", "v1", ""])
    func aPartOfSomethingElseIsNotTaken(_ tag: String) {
        #expect(plan.decide(Self.head(206, "bytes 4-9/10", tag: tag), length: 6) == .askAgain)
    }

    /// The decision about the rest of the file, whose head has more fields.
    private static func decision(_ plan: ResumptionPlan, fields: [String: String]) -> ResumptionPlan.Decision {
        var headers: HTTPHeaderFields = ["Content-Range": "bytes 4-9/10"]
        for (name, value) in fields { headers.append(name: name, value: value) }
        return plan.decide(Fixture.head(.partialContent, headers: headers), length: 6)
    }

    @Test(
        "A partial response with a validator has the one that was asked with",
        arguments: [
            (tag, ["ETag": "\"v1\"", "Last-Modified": later], true), (tag, ["Last-Modified": date], false),
            (date, ["Last-Modified": date, "ETag": "\"v1\""], true), (date, ["ETag": "\"v1\""], false),
            (date, ["Last-Modified": later], false), (date, [:], true),
        ]
    )
    func sameValidator(_ row: (validator: String, fields: [String: String], isTaken: Bool)) throws {
        let plan = ResumptionPlan(record: try Self.record(validator: row.validator), partLength: 4)
        #expect(Self.decision(plan, fields: row.fields) == (row.isTaken ? .write(at: 4, total: 10) : .askAgain))
    }

    @Test(
        "Bytes of one coding are never followed by those of another",
        arguments: [
            (nil, nil, true), (nil, "identity", true), (nil, "gzip", false), ("gzip", "GZIP", true),
            ("gzip", nil, false),
            ("gzip", "br", false), ("gzip,br", "gzip , br", true), ("gzip,br", "gzip", false),
        ] as [(String?, String?, Bool)]
    )
    func sameCoding(_ row: (first: String?, next: String?, isTaken: Bool)) throws {
        let plan = ResumptionPlan(record: try Self.record(coding: row.first), partLength: 4)
        var fields = ["ETag": Self.tag]
        fields["Content-Encoding"] = row.next
        #expect(Self.decision(plan, fields: fields) == (row.isTaken ? .write(at: 4, total: 10) : .askAgain))
    }

    @Test(arguments: [204, 205]) func anAnswerThatHasNoContentIsNoFile(_ status: Int) {
        for length in [nil, 0] as [Int64?] { #expect(plan.decide(Self.head(status), length: length) == .askAgain) }
    }

    @Test func anAnswerThatSaysNothingAboutItselfIsTaken() {
        #expect(plan.decide(Self.head(206, "bytes 4-9/10", tag: nil), length: 6) == .write(at: 4, total: 10))
    }

    @Test func aRangeThatIsRefusedIsNotAskedForAgain() {
        #expect(plan.decide(Self.head(416, "bytes */3"), length: 0) == .askAgain)
        #expect(ResumptionPlan.fromTheStart.decide(Self.head(416), length: 0) == .other)
    }

    @Test(arguments: [200, 201, 203, 226, 299])
    func aWholeAnswerIsWrittenFromTheStart(_ status: Int) {
        for plan in [plan, .fromTheStart] {
            #expect(plan.decide(Self.head(status, tag: "\"v2\""), length: 20) == .write(at: 0, total: 20))
            #expect(plan.decide(Self.head(status), length: nil) == .write(at: 0, total: nil))
        }
    }

    @Test(arguments: [200, 203]) func aRangeWithTheStatusOfTheWholeIsNotTheWhole(_ status: Int) {
        for range in ["bytes 4-9/10", "bytes 4-9/*", "bytes 0-9/10", "bytes */10", "4-9"] {
            #expect(plan.decide(Self.head(status, range), length: 6) == .askAgain)
            #expect(plan.decide(Self.head(status, range, tag: "\"v2\""), length: nil) == .askAgain)
        }
    }

    @Test func aWholeOfAnotherLengthContradictsTheRecord() throws {
        for length in [0, 6, 9, 11] as [Int64] {
            #expect(plan.decide(Self.head(200), length: length) == .askAgain)
            #expect(plan.decide(Self.head(200, tag: nil), length: length) == .askAgain)
        }
        #expect(plan.decide(Self.head(200), length: 10) == .write(at: 0, total: 10))
        // Of another version, only as many bytes as were asked for are suspicious.
        #expect(plan.decide(Self.head(200, tag: "\"v2\""), length: 6) == .askAgain)
        #expect(plan.decide(Self.head(200, tag: "\"v2\""), length: 7) == .write(at: 0, total: 7))
        let unknown = ResumptionPlan(record: try Self.record(size: nil), partLength: 4)
        #expect(unknown.decide(Self.head(200), length: 6) == .write(at: 0, total: 6))
    }

    @Test func rangesThatContradictEachOtherSayNothing() {
        for (second, expected) in [
            ("bytes 4-9/10", .write(at: 4, total: 10)), ("bytes 0-5/10", .askAgain), ("bytes 4-8/10", .askAgain),
            ("", .askAgain),
        ] as [(String, ResumptionPlan.Decision)] {
            for lines in [["bytes 4-9/10", second], [second, "bytes 4-9/10"]] {
                var headers: HTTPHeaderFields = ["ETag": Self.tag]
                for line in lines { headers.append(name: "Content-Range", value: line) }
                #expect(plan.decide(Fixture.head(.partialContent, headers: headers), length: 6) == expected)
            }
        }
    }

    // A caller may have asked for a range of its own.
    @Test func aPartThatWasNotAskedForIsTheCallersBusiness() {
        let head = Self.head(206, "bytes 4-9/10")
        #expect(ResumptionPlan.fromTheStart.decide(head, length: 6) == .write(at: 0, total: 6))
    }

    @Test(arguments: [199, 300, 301, 304, 400, 404, 500, 503, 999])
    func everythingElseIsAnAnswerLikeAnyOther(_ status: Int) {
        for plan in [plan, .fromTheStart] {
            #expect(plan.decide(Self.head(status, "bytes 4-9/10"), length: 6) == .other)
        }
    }

    // MARK: Content-Range

    @Test(
        arguments: [
            ("bytes 0-0/1", 0, 0, 1), ("bytes 5-9/10", 5, 9, 10), ("BYTES 5-9/*", 5, 9, nil),
            ("bytes 05-09/010", 5, 9, 10),
            ("bytes 0-9223372036854775806/9223372036854775807", 0, .max - 1, .max),
            ("bytes 0-9223372036854775807/*", 0, .max, nil),
        ] as [(String, Int64, Int64, Int64?)]
    )
    func aRangeIsRead(_ row: (String, Int64, Int64, Int64?)) throws {
        let range = try #require(ContentRange(row.0))
        #expect((range.first, range.last, range.total) == (row.1, row.2, row.3))
    }

    @Test(
        arguments: [
            nil, "", " ", "bytes", "bytes ", "bytes 1", "bytes 1-", "bytes -1", "bytes -", "bytes 1-2", "bytes 1-2/",
            "bytes /3", "bytes */3", "bytes 2-1/3", "bytes 1-3/3", "bytes 1-2/3/4", "bytes 1-2-3/4", "bytes +1-2/3",
            "bytes 1-+2/3", "bytes 1--2/3", "bytes 1-2/-3", "bytes 1 -2/3", "bytes 1-2 /3", "bytes 1-2/3 ",
            "bytes 0x1-2/3",
            "bytes 1-2/3,4-5/6", "bytes ١-٢/٣", "octets 1-2/3", "bytes=1-2/3", "1-2/3", "bytes 1-2/**", "bytes\t1-2/3",
            "bytes 0-9223372036854775808/*", "bytes 99999999999999999999-99999999999999999999/*",
            "bytes 1-2/" + String(repeating: "0", count: 100) + "3",
        ] as [String?]
    )
    func whatIsNoRangeIsRefused(_ text: String?) {
        #expect(ContentRange(text) == nil)
    }

    @Test(arguments: [81, 82] as [UInt64])
    func randomRangesAreEitherRefusedOrSound(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "bytes", " ", "-", "/", "*", "0", "1", "9", "42", "9223372036854775807", "x", "+", "", "\u{0}", "é",
        ]
        for _ in 0..<rounds(20_000) {
            let text = (0..<Int.random(in: 0...8, using: &random)).reduce(
                Bool.random(using: &random) ? "bytes " : ""
            ) { text, _ in text + (pieces.randomElement(using: &random) ?? "") }
            guard let range = ContentRange(text) else { continue }
            #expect(range.first >= 0 && range.first <= range.last)
            #expect(range.count > 0)
            #expect(range.last < range.total ?? .max || range.total == nil)
        }
    }
}
