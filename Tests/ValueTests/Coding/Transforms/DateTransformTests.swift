import PiuPiuAsync
import PiuPiuTransforms
import SuiteSupport
import TestSupport
import Testing

struct DateTransformTests {
    private let path: [any CodingKey] = [Name("date")]

    private func formatter(_ format: String = "yyyy-MM-dd HH:mm:ss") -> DateFormatter {
        let formatter = DateFormatter.rfc3339
        formatter.dateFormat = format
        return formatter
    }

    @Test func datesAreTextsInTheFormat() throws {
        let transform = DateTransform(formatter: formatter())
        let date = Date(timeIntervalSince1970: 1_523_575_250)
        #expect(try transform.toJSON(date, codingPath: path) == "2018-04-12 23:20:50")
        #expect(try transform.from(json: "2018-04-12 23:20:50", codingPath: path) == date)
    }

    @available(*, deprecated)
    @Test func longerInitialiserDoesTheSame() throws {
        let transform = DateTransform(formatter: formatter("yyyy"), codingPath: [])
        #expect(try transform.toJSON(Date(timeIntervalSince1970: 0), codingPath: path) == "1970")
    }

    @Test func changingTheFormatterLaterChangesNothing() throws {
        let formatter = formatter("yyyy")
        let transform = DateTransform(formatter: formatter)
        formatter.dateFormat = "MM"
        transform.formatter.dateFormat = "dd"
        #expect(try transform.toJSON(Date(timeIntervalSince1970: 0), codingPath: path) == "1970")
        #expect(transform.formatter.dateFormat == "yyyy")
    }

    @Test func defaultDateIsKept() throws {
        let formatter = formatter("HH:mm")
        formatter.defaultDate = Date(timeIntervalSince1970: 0)
        let transform = DateTransform(formatter: formatter)
        #expect(try transform.from(json: "01:00", codingPath: path) == Date(timeIntervalSince1970: 3600))
        #expect(transform.formatter.defaultDate == formatter.defaultDate)
    }

    private final class SecondsFormatter: DateFormatter, @unchecked Sendable {
        // Has no state of its own.
        override func date(from string: String) -> Date? { Double(string).map(Date.init(timeIntervalSince1970:)) }
    }

    @Test func subclassesKeepTheirMeaning() throws {
        let transform = DateTransform(formatter: SecondsFormatter())
        #expect(try transform.from(json: "12.5", codingPath: path) == Date(timeIntervalSince1970: 12.5))
    }

    // The first two ended the process: Foundation on Linux traps if reading stops inside a character.
    @Test(arguments: [
        "2018-04-12 23:20:50\u{301}", "2018-04-12 23:20:5\u{20E3}0", "", "\0", "2018-04-12", "12.4.2018", "🇩🇪",
        "2018-04-12 23:20:50\u{200D}", "2018-04-12 23:20:50\r\n", "2018-04-12 23:20:50 x", "e\u{301}",
        String(repeating: "9", count: 99_999), String(repeating: "\u{301}", count: 99_999),
    ])
    func otherTextsAreNoDates(text: String) {
        for isLenient in [false, true] {
            let formatter = formatter()
            formatter.isLenient = isLenient
            let transform = DateTransform(formatter: formatter)
            do {
                _ = try transform.from(json: text, codingPath: path)
                #expect(isLenient)
            } catch {
                #expect(codingPath(of: error) == ["date"])
            }
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e15, -1e15, .signalingNaN])
    func datesBeyondTheCalendarAreNotWritten(seconds: Double) {
        let error = #expect(throws: EncodingError.self) {
            try DateTransform(formatter: formatter()).toJSON(Date(timeIntervalSince1970: seconds), codingPath: path)
        }
        #expect(codingPath(of: error) == ["date"])
        // Foundation's text of a date that is NaN ends the process.
        #expect(error.map { "\($0)" }?.isEmpty == false)
    }

    @Test(arguments: ["yyyy-MM-dd", "EEEE, d MMMM yyyy 'um' h:mm a zzzz", "yyyyMMddHHmmss", "G YYYY ww e QQQ", "", "'"])
    func hostileTextsDoNotTrap(format: String) {
        var random = SeededRandom(seed: 7)
        let odd = ["\u{301}", "\u{200D}", "\0", "é", "मी", "🇩", "\r\n", "\u{E000}", "٣", "９", "\u{FFFF}", "'", "-", " "]
        for locale in ["en_US_POSIX", "hi_IN", "th_TH", "ar_EG", "ja_JP@calendar=japanese"] {
            let formatter = formatter(format)
            formatter.locale = Locale(identifier: locale)
            formatter.isLenient = Bool.random(using: &random)
            let transform = DateTransform(formatter: formatter)
            for _ in 0..<100 {
                let date = Date(timeIntervalSince1970: .random(in: -1e11...1e11, using: &random))
                var text = (try? transform.toJSON(date, codingPath: path)) ?? ""
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let scalars = text.unicodeScalars
                    let position = scalars.index(
                        scalars.startIndex,
                        offsetBy: .random(in: 0...scalars.count, using: &random)
                    )
                    text.unicodeScalars.insert(
                        contentsOf: (odd.randomElement(using: &random) ?? "").unicodeScalars,
                        at: position
                    )
                }
                do {
                    _ = try transform.from(json: text, codingPath: path)
                } catch {
                    #expect(codingPath(of: error) == ["date"])
                }
            }
        }
    }

    @Test func oneTransformServesManyTasks() async throws {
        let original = formatter()
        let transform = DateTransform(formatter: original)
        let path = path
        try await withThrowingTaskGroup { group in
            for worker in 0..<8 {
                group.addTask {
                    for step in 0..<50 {
                        let date = Date(timeIntervalSince1970: Double(worker * 1_000_000 + step * 1000))
                        let text = try transform.toJSON(date, codingPath: path)
                        #expect(try transform.from(json: text, codingPath: path) == date)
                        original.dateFormat = "HH'\(step)'"
                        #expect(transform.formatter.dateFormat == "yyyy-MM-dd HH:mm:ss")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
