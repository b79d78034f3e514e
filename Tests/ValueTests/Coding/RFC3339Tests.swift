import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct RFC3339Tests {
    /// The examples of RFC 3339 §5.8, and the edges.
    private static let examples: [(String, Double)] = [
        ("1970-01-01T00:00:00Z", 0), ("1985-04-12T23:20:50.52Z", 482_196_050.52),
        ("1996-12-19T16:39:57-08:00", 851_042_397), ("1990-12-31T23:59:60Z", 662_688_000),
        ("1990-12-31T15:59:60-08:00", 662_688_000), ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13),
        ("2000-02-29T00:00:00z", 951_782_400), ("2018-04-12t23:20:50+00:00", 1_523_575_250),
        ("1969-12-31T23:59:59Z", -1), ("2400-02-29T00:00:00Z", 13_574_563_200),
        ("1600-02-29T00:00:00Z", -11_670_998_400), ("0000-01-01T00:00:00Z", -62_167_219_200),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("1970-01-01T01:30:00+0130", 0), ("1969-12-31T23:00:00-01", 0),
        ("2018-04-12T20:20:50-03:30", 1_523_577_050),
        ("2018-04-12T23:20:50.123456789012345678901234567890Z", 1_523_575_250.123456789),
    ]

    @Test(arguments: examples)
    func dateTimesAreRead(_ pair: (String, Double)) throws {
        let date = try #require(RFC3339.date(from: pair.0))
        #expect(abs(date.timeIntervalSince1970 - pair.1) < 0.000_01)
    }

    @Test(arguments: [
        "", "Z", "2018", "2018-04-12", "2018-04-12T23:20:50", "2018-04-12 23:20:50Z", "2018-13-12T23:20:50Z",
        "2018-00-12T23:20:50Z", "2018-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2018-04-31T00:00:00Z",
        "2018-04-00T00:00:00Z", "2018-04-12T24:00:00Z", "2018-04-12T23:60:50Z", "2018-04-12T23:20:61Z",
        "2018-04-12T23:20:50.Z", "2018-04-12T23:20:50+01:", "2018-04-12T23:20:50+010", "2018-04-12T23:20:50+24:00",
        "2018-04-12T23:20:50+01:60", "2018-04-12T23:20:50ZZ", " 2018-04-12T23:20:50Z", "+018-04-12T23:20:50Z",
        "٢٠١٨-04-12T23:20:50Z", "2018-04-12T23:20:50Z\0", "12018-04-12T23:20:50Z",
    ])
    func anythingElseIsNil(_ text: String) {
        #expect(RFC3339.date(from: text) == nil)
    }

    @Test func datesAreWrittenInUTCAndWholeSeconds() {
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: 1.9)) == "1970-01-01T00:00:01Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: -0.5)) == "1969-12-31T23:59:59Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: -62_167_219_200)) == "0000-01-01T00:00:00Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: 253_402_300_799)) == "9999-12-31T23:59:59Z")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 253_402_300_800, -62_167_219_201])
    func whatHasNoFormIsNil(_ interval: Double) {
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: interval)) == nil)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .rfc3339
        #expect(throws: EncodingError.self) { try encoder.encode([Date(timeIntervalSince1970: interval)]) }
    }

    @Test func everyDayOfFourCenturiesSurvives() throws {
        for day in stride(from: 0, to: 146_098, by: 1) {
            let date = Date(timeIntervalSince1970: Double(day - 60_000) * 86_400 + 43_210)
            #expect(RFC3339.string(from: date).flatMap { RFC3339.date(from: $0) } == date)
        }
    }

    @Test func theFormatterAgrees() throws {
        let formatter = DateFormatter.rfc3339
        // From 1900 to 2100: before 1582 the formatter uses the Julian calendar.
        for seconds in stride(from: -2_208_988_800, to: 4_102_444_800, by: 40_000_003) {
            let date = Date(timeIntervalSince1970: Double(seconds))
            let text = formatter.string(from: date)
            #expect(RFC3339.string(from: date) == text)
            #expect(formatter.date(from: text) == date)
        }
    }

    @Test func aFormatterIsNobodyElses() {
        DateFormatter.rfc3339.dateFormat = "yyyy"
        #expect(DateFormatter.rfc3339.string(from: Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
    }

    @Test func theStrategiesAreSymmetric() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .rfc3339
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        let date = Date(timeIntervalSince1970: 1_523_575_250)
        let data = try encoder.encode([date])
        #expect(String(decoding: data, as: UTF8.self) == "[\"2018-04-12T23:20:50Z\"]")
        #expect(try decoder.decode([Date].self, from: data) == [date])
        for json in ["[\"yesterday\"]", "[1]", "[null]"] {
            #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: Data(json.utf8)) }
        }
    }

    @Test func noInputTraps() {
        var random = SeededRandom(seed: 9)
        let alphabet = Array("0123456789-:TZ.+ é")
        for _ in 0..<rounds(20_000) {
            var text = Array("2018-04-12T23:20:50.5+01:00")
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let index = Int.random(in: 0..<text.count, using: &random)
                text[index] = alphabet.randomElement(using: &random) ?? "0"
            }
            _ = RFC3339.date(from: String(text.prefix(Int.random(in: 0...text.count, using: &random))))
        }
    }
}
