import Testing

@testable import PiuPiuAsync

@Suite struct HTTPDateTests {
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
}
