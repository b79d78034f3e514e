import Foundation
import PiuPiuAsync
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// The test suites of others.
@Suite struct HTTPStateTests {
    @Test func theCasesOfTheHTTPStateSuite() throws {
        let cases = HTTPStateCases.all
        #expect(cases.count == 222)
        for testCase in cases {
            // The suite's dates are in the years after this one.
            let now = try #require(CookieDate.parse("1 Jan 2010 00:00:00".utf8)).timeIntervalSince1970
            var machine = CookieMachine()
            let source = try #require(CookieTarget(URL(string: "http://home.example.org:8888/cookie-parser?x")))
            let target = try #require(CookieTarget(URL(string: testCase.target)), "\(testCase.name)")
            for field in testCase.received {
                if let field = SetCookie(field.utf8) { machine.store(field, from: source, now: now) }
            }
            let sent = machine.field(for: target, now: now)
            #expect(sent == testCase.sent, "\(testCase.name)")
            #expect(!testCase.received.isEmpty)
            if let reason = testCase.reason { #expect(reason.contains(": "), "\(testCase.name)") }
        }
    }

    /// Of `tests/data/dates` there, `examples.json` and `bsd-examples.json`; `nil` for what is no date.
    private static let dates: [(String, String?)] = [
        ("Mon, 10-Dec-2007 17:02:24 GMT", "2007-12-10T17:02:24Z"),
        ("Wed, 09 Dec 2009 16:27:23 GMT", "2009-12-09T16:27:23Z"),
        ("Thursday, 01-Jan-1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        ("Mon Dec 10 16:32:30 2007 GMT", "2007-12-10T16:32:30Z"),
        ("Wednesday, 01-Jan-10 00:00:00 GMT", "2010-01-01T00:00:00Z"),
        ("Mon, 10-Dec-07 20:35:03 GMT", "2007-12-10T20:35:03Z"),
        ("Wed, 1 Jan 2020 00:00:00 GMT", "2020-01-01T00:00:00Z"),
        ("Saturday, 8-Dec-2012 21:24:09 GMT", "2012-12-08T21:24:09Z"),
        ("Thu, 31 Dec 23:55:55 2037 GMT", "2037-12-31T23:55:55Z"),
        ("Sun,  9 Dec 2012 13:42:05 GMT", "2012-12-09T13:42:05Z"),
        ("Wed Dec 12 2007 08:44:07 GMT-0500 (EST)", "2007-12-12T08:44:07Z"),
        // The suite has a date here; by the RFC, no blank may stand in the time.
        ("Mon, 01-Jan-2011 00: 00:00 GMT", nil),
        ("Sun, 1-Jan-1995 00:00:00 GMT", "1995-01-01T00:00:00Z"),
        ("Wednesday, 01-Jan-10 0:0:00 GMT", "2010-01-01T00:00:00Z"),
        ("Thu, 10 Dec 2009 13:57:2 GMT", "2009-12-10T13:57:02Z"),
        ("Sat, 15-Apr-17 21:01:22 GMT", "2017-04-15T21:01:22Z"),
        ("Thu, 19-Apr-2007 16:00:00 GMT", "2007-04-19T16:00:00Z"),
        ("Wed, 25 Apr 2007 21:02:13 GMT", "2007-04-25T21:02:13Z"),
        (#"Thu, 19/Apr\2007 16:00:00 GMT"#, "2007-04-19T16:00:00Z"),
        ("Fri, 1 Jan 2010 01:01:50 GMT", "2010-01-01T01:01:50Z"),
        ("Wednesday, 1-Jan-2003 00:00:00 GMT", "2003-01-01T00:00:00Z"),
        (", 1-Jan-2003 00:00:00 GMT", "2003-01-01T00:00:00Z"),
        (" 1-Jan-2003 00:00:00 GMT", "2003-01-01T00:00:00Z"),
        ("1-Jan-2003 00:00:00 GMT", "2003-01-01T00:00:00Z"),
        ("Wed,18-Apr-07 22:50:12 GMT", "2007-04-18T22:50:12Z"),
        ("WillyWonka  , 18-Apr-07 22:50:12 GMT", "2007-04-18T22:50:12Z"),
        ("WillyWonka  , 18-Apr-07 22:50:12", "2007-04-18T22:50:12Z"),
        ("WillyWonka  ,  18-apr-07   22:50:12", "2007-04-18T22:50:12Z"),
        ("Mon, 18-Apr-1977 22:50:13 GMT", "1977-04-18T22:50:13Z"),
        ("Mon, 18-Apr-77 22:50:13 GMT", "1977-04-18T22:50:13Z"),
        (#""Sat, 15-Apr-17\"21:01:22\"GMT""#, "2017-04-15T21:01:22Z"),
        ("Partyday, 18- April-07 22:50:12", "2007-04-18T22:50:12Z"),
        ("Partyday, 18 - Apri-07 22:50:12", "2007-04-18T22:50:12Z"),
        ("Wednes, 1-Januar-2003 00:00:00 GMT", "2003-01-01T00:00:00Z"),
        ("Sat, 15-Apr-17 21:01:22", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 21:01:22 GMT-2", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 21:01:22 GMT BLAH", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 21:01:22 GMT-0400", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 21:01:22 GMT-0400 (EDT)", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 21:01:22 DST", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 21:01:22 -0400", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 21:01:22 (hello there)", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 21:01:22 11:22:33", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 ::00 21:01:22", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 boink:z 21:01:22", "2017-04-15T21:01:22Z"),
        ("Sat, 15-Apr-17 91:22:33 21:01:22", nil),
        ("Thu Apr 18 22:50:12 2007 GMT", "2007-04-18T22:50:12Z"),
        ("22:50:12 Thu Apr 18 2007 GMT", "2007-04-18T22:50:12Z"),
        ("Thu 22:50:12 Apr 18 2007 GMT", "2007-04-18T22:50:12Z"),
        ("Thu Apr 22:50:12 18 2007 GMT", "2007-04-18T22:50:12Z"),
        ("Thu Apr 18 2007 22:50:12 GMT", "2007-04-18T22:50:12Z"),
        ("Thu Apr 18 2007 GMT 22:50:12", "2007-04-18T22:50:12Z"),
        ("15-Sat, Apr-17 21:01:22 GMT", "2017-04-15T21:01:22Z"),
        ("15-Sat, Apr 21:01:22 GMT 17", "2017-04-15T21:01:22Z"),
        ("15-Sat, Apr 21:01:22 GMT 2017", "2017-04-15T21:01:22Z"),
        ("15 Apr 21:01:22 2017", "2017-04-15T21:01:22Z"),
        ("15 17 Apr 21:01:22", "2017-04-15T21:01:22Z"),
        ("Apr 15 17 21:01:22", "2017-04-15T21:01:22Z"),
        ("Apr 15 21:01:22 17", "2017-04-15T21:01:22Z"),
        ("2017 April 15 21:01:22", "2017-04-15T21:01:22Z"),
        ("15 April 2017 21:01:22", "2017-04-15T21:01:22Z"),
        ("98 April 17 21:01:22", nil),
        ("Thu, 012-Aug-2008 20:49:07 GMT", nil),
        ("Thu, 12-Aug-31841 20:49:07 GMT", nil),
        ("Thu, 12-Aug-9999999999 20:49:07 GMT", nil),
        ("Thu, 999999999999-Aug-2007 20:49:07 GMT", nil),
        ("Thu, 12-Aug-2007 20:61:99999999999 GMT", nil),
        ("IAintNoDateFool", nil),
        // Of our own: ends of months, leap years, the first year and the last.
        ("29 Feb 2000 00:00:00", "2000-02-29T00:00:00Z"), ("29 Feb 2100 00:00:00", nil),
        ("29 Feb 2023 00:00:00", nil), ("31 Apr 2024 00:00:00", nil), ("0 Jan 2024 00:00:00", nil),
        ("1 Jan 1601 00:00:00", "1601-01-01T00:00:00Z"), ("1 Jan 1600 00:00:00", nil),
        ("31 Dec 9999 23:59:59", "9999-12-31T23:59:59Z"), ("1 Jan 69 24:00:00", nil), ("1 Jan 69 23:60:00", nil),
        ("1 Jan 69 23:59:60", nil), ("1 Jan 69 23:59:59", "2069-01-01T23:59:59Z"), ("", nil),
    ]

    @Test func datesInManyForms() throws {
        for (text, expected) in Self.dates {
            #expect(CookieDate.parse(text.utf8) == expected.flatMap { RFC3339.date(from: $0) }, "\(text)")
        }
    }
}
