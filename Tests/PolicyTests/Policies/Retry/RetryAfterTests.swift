import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private static func delay(_ value: String, date: String? = nil, now: Date = now) -> Duration? {
        var headers: HTTPHeaderFields = ["Retry-After": value]
        if let date { headers.append(name: "Date", value: date) }
        return RetryAfter.delay(of: Fixture.head(.serviceUnavailable, headers: headers)) { now }
    }

    @Test func withoutTheFieldThereIsNoTime() {
        #expect(RetryAfter.delay(of: Fixture.head(.serviceUnavailable), now: { Self.now }) == nil)
    }

    @Test(
        arguments: [
            (["Retry-After": "120"], 120), (["Retry-After": "soon"], nil), ([:], nil),
            (["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], 30),
            // Without a `Date`, the present counts.
            (["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"], 0),
        ] as [(HTTPHeaderFields, Int?)]
    )
    func responsesAndErrorsHaveTheTime(_ headers: HTTPHeaderFields, _ seconds: Int?) {
        let head = Fixture.head(.serviceUnavailable, headers: headers)
        let times = [
            head.retryAfter, Response(data: 1, urlRequest: Fixture.request, head: head).retryAfter,
            HTTPResponse(data: 1, urlRequest: Fixture.request, head: head).retryAfter,
            UnacceptableResponseError(.statusCode, response: head).retryAfter,
            TransferError(.unacceptableStatus, response: head).retryAfter,
            TransportError(.truncatedBody, response: head).retryAfter,
        ]
        #expect(times == Array(repeating: seconds.map { Duration.seconds($0) }, count: 6))
        #expect(TransportError(.tls).retryAfter == nil && TransferError(.noSpace).retryAfter == nil)
    }

    @Test(arguments: [("0", 0), ("1", 1), ("120", 120), ("007", 7)])
    func secondsAreRead(_ pair: (String, Int)) {
        #expect(Self.delay(pair.0) == .seconds(pair.1))
    }

    @Test(arguments: ["1000000001", "99999999999999999999", String(repeating: "9", count: 10_000)])
    func moreSecondsThanAClockHoldsAreALongTime(_ text: String) {
        #expect(Self.delay(text) == Backoff.longest)
    }

    @Test(arguments: [
        "", "-1", "+1", "1e400", "5, soon", "5 10", "5;", "0x10", "١", "nan", "inf", "soon", "Sun", "5x", ".", "1.5.2",
        "\u{301}", ",", "5,", "1.-5", "Sun, 06 Nov 1994", "Sun, 99 Nov 1994 08:49:37 GMT", "06 Nov 1994 24:00:00 GMT",
        "06 Nov 1994 08:49:37 +9999", "06 Nov 1994 08:49:37 there", "06 Nov 08:49:37", "1994 08:49:37", "08:49:37",
        "06 Nov Dec 1994 08:49:37", "06 Nov 1994 08:49:37 08:49:37", "06 Nov 199 08:49:37", "31 Feb 2026 08:49:37",
    ])
    func anythingElseIsNoTime(_ text: String) {
        #expect(Self.delay(text) == nil)
    }

    @Test(arguments: [
        ("1.5", 2), ("1.0", 1), ("0.000000001", 1), ("0.0", 0), ("2.", 2), (".5", 1), (" 3 ", 3), ("5s", 5), ("5 S", 5),
        ("1500ms", 2), ("2 minutes", 120), ("1.5m", 90), ("1h", 3600), ("10 seconds", 10), ("5, 10", 10), ("1.5, 1", 2),
        ("0.9999", 1), ("1.0001", 2), ("99999999999999999999.9", 1_000_000_000), ("999999999999h", 1_000_000_000),
    ])
    func whatServersSendIsReadAndRoundedUp(_ pair: (String, Int)) {
        #expect(Self.delay(pair.0) == .seconds(pair.1))
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:50:07 -0000", 30), ("Sun, 6 Nov 1994 08:50:07 +0000", 30), ("06 Nov 94 08:50:07 UTC", 30),
        ("Sun, 06 Nov 1994 10:50:07 +0200", 30), ("Sun, 06 Nov 1994 00:50:07 PST", 30), ("6 Nov 1994 08:50:07", 30),
        ("Sun, 06 Nov 1994 08:50:07", 30), ("sunday, 06-nov-1994 08:50:07 gmt", 30), ("Nov 6 1994 08:50:07 GMT", 30),
        ("Sun Nov 6 08:50:07 GMT 1994", 30), ("1994-11-06T08:50:07Z", 30), ("1994-11-06 09:50:06.2+01:00", 30),
        ("Sun, 06 Nov 1994 08:50:06.001 GMT", 30), ("Sun, 06 Nov 1994 10:20:07 GMT+1:30", 30),
        // To the end of the minute that is named.
        ("Sun, 06 Nov 1994 08:50 GMT", 83), ("Sun, 06 Nov 1994 08:49 -0000", 23), ("Sun, 06 Nov 1994 08:48 GMT", 0),
        ("Sun, 06 Nov 1994 23:59 GMT", 54_623),
    ])
    func datesAreReadAsServersWriteThem(_ pair: (String, Int)) {
        #expect(Self.delay(pair.0) == .seconds(pair.1))
    }

    @Test(arguments: ["Sun, 06 Nov 1994 08:50:07 GMT", "Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:50:07 1994"])
    func datesOfEachFormAreRead(_ text: String) {
        #expect(Self.delay(text) == .seconds(30))
    }

    @Test func aDateIsComparedWithTheServersClock() {
        let date = "Sun, 06 Nov 1994 08:50:07 GMT"
        #expect(Self.delay(date, date: "Sun, 06 Nov 1994 08:50:00 GMT") == .seconds(7))
        #expect(Self.delay(date, date: "Sunday, 06-Nov-94 08:50:00 GMT") == .seconds(7))
        // Ours is hours off, which does not matter.
        let wrong = Self.now.addingTimeInterval(-10_000)
        #expect(Self.delay(date, date: "Sun, 06 Nov 1994 08:50:00 GMT", now: wrong) == .seconds(7))
        #expect(Self.delay(date, date: "today") == .seconds(30))
    }

    @Test func aDateInThePastIsNow() {
        #expect(Self.delay("Sun, 06 Nov 1994 08:49:00 GMT") == .zero)
        #expect(Self.delay("Thu, 01 Jan 1970 00:00:00 GMT") == .zero)
    }

    @Test(arguments: [Double.nan, Double.infinity, -Double.infinity, 1e300, -1e300])
    func anyWallClockIsAllowed(_ interval: Double) {
        let now = Date(timeIntervalSince1970: interval)
        for text in [
            "Sun, 06 Nov 1994 08:49:00 GMT", "Sunday, 06-Nov-94 08:50:07 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            let delay = Self.delay(text, now: now) ?? .zero
            #expect(delay >= .zero && delay <= Backoff.longest)
        }
    }

    @Test func ofSeveralTheLongestCounts() {
        let headers: HTTPHeaderFields = ["Retry-After": "5", "retry-after": "12", "RETRY-AFTER": "soon"]
        #expect(
            RetryAfter.delay(of: Fixture.head(.serviceUnavailable, headers: headers), now: { Self.now }) == .seconds(12)
        )
    }
}
