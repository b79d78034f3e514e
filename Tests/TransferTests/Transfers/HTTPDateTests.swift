import PiuPiuAsync
import SuiteSupport
import Testing

struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Sun, 01 Oct 2023 00:00:00 GMT", 1_696_118_400),
        ] as [(String, Double)]
    )
    func datesAreRead(_ pair: (String, Double)) {
        #expect(HTTPDate.parse(pair.0)?.timeIntervalSince1970 == pair.1)
    }

    @Test(arguments: [
        "", "yesterday", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "06 Nov 1994 08:49:37 GMT",
        "1994-11-06T08:49:37Z", "784111777", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT", " GMT", "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37.5 GM",
        "Sun, 06 Nov 1994 08:49:37+0GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    ])
    func whatIsNoDateIsRefused(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    // Foundation's formatter on Linux ends the process for the first one (Swift 6.3), which a server can send.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT\u{301} GMT", "Sun, 06 Nov 1994 08:49:37\u{301} GMT",
        "Su\u{301}n, 06 Nov 94 08:49:37 GMT", "🎈, 06 Nov 1994 08:49:37 GMT",
    ])
    func charactersOfSeveralUnitsAreNoDate(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    // MARK: The obsolete forms

    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
            ("Thursday, 01-Oct-26 00:00:00 GMT", 1_790_812_800), ("Thursday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
            ("Thursday, 01-Jan-76 00:00:00 GMT", 3_345_062_400), ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
        ] as [(String, Double)]
    )
    func allFormsAreReadIfAsked(_ pair: (String, Double)) {
        #expect(HTTPDate.parse(pair.0, now: Self.now)?.timeIntervalSince1970 == pair.1)
    }

    @Test(arguments: ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func onlyThePreferredFormIsReadOtherwise(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test(arguments: [
        "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 PST", "Sunday, 32-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-9x 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT ", "Sunday, ", "Sunday, 6-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 ", "Sun Nov  0 08:49:37 1994", "Sun Nov    08:49:37 1994",
        "Sun Foo  6 08:49:37 1994", "Xyz Nov  6 08:49:37 1994", "Sun Nov  6 08:49:37 +994", "Sun Nov  6T08:49:37 1994",
        "Su\u{301}nday, 06-Nov-94 08:49:37 G", "🎈🎈🎈🎈🎈🎈", "Sunday, 🎈🎈🎈🎈🎈xx",
    ])
    func whatIsOfNoFormIsRefused(_ text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == nil)
    }

    @Test func anyTwoDigitsAreAYearNearThePresent() {
        for year in 0..<100 {
            let text = "Sunday, 06-Nov-\(year < 10 ? "0" : "")\(year) 08:49:37 GMT"
            let years = HTTPDate.parse(text, now: Self.now).map { $0.timeIntervalSince(Self.now) / 31_556_952 } ?? 1000
            #expect(years > -50 && years < 51)
        }
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: Date(timeIntervalSince1970: .nan)) == nil)
    }
}
