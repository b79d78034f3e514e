import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// How values become a line, and the line of each kind of event.
struct LogLineTests {
    @Test(arguments: [
        ("plain/%20~{id}", "plain/%20~{id}"), ("", #""""#), ("two words", #""two words""#), ("a=b", #""a=b""#),
        (#"say "x""#, #""say \"x\"""#), (#"a"b"#, #""a\"b""#), (#"a\b"#, #"a\\b"#), (#"a\" b"#, #""a\\\" b""#),
        ("a\nb", #"a\u{a}b"#), ("a\r\n b", #""a\u{d}\u{a} b""#), ("\u{1B}[31mred", #"\u{1b}[31mred"#),
        ("a\u{0}b", #"a\u{0}b"#), ("\u{202E}evil", #"\u{202e}evil"#), ("\u{2028}", #"\u{2028}"#),
        ("e\u{301}", #"e\u{301}"#), ("日本", "日本"), ("\u{85}", #"\u{85}"#), ("\u{7F}", #"\u{7f}"#),
        // Letters that make one character with the quotation mark before or after them.
        ("a\"\u{E33} b=c", #""a\"\#u{E33} b=c""#), ("a\u{D4E}\" b=c", #""a\#u{D4E}\" b=c""#),
    ])
    func aValueCannotBreakTheLine(_ value: String, _ shown: String) {
        var line = LogLine("call")
        line.add("method", value)
        line.add("call", 7)
        #expect(line.text == "event=call method=\(shown) call=7")
        #expect(!line.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(arguments: ["a", "\u{1B}", "é", " "])
    func aLongValueIsCutOff(_ character: Character) {
        var line = LogLine("call")
        line.add("url", String(repeating: character, count: 100_000), limit: 50)
        #expect(line.text.hasSuffix("…") || line.text.hasSuffix("…\""))
        #expect(line.text.unicodeScalars.count < 80)
    }

    @Test func whatIsNotKnownIsLeftOut() {
        var line = LogLine("call")
        line.add("error", nil as String?)
        line.add("status", nil as Int?)
        line.add("ms", nil as Duration?)
        #expect(line.text == "event=call")
        let exchange = observedExchange()
        let summary = ExchangeSummary(outcome: .cancelled)
        #expect(
            LogLine.exchange(exchange, summary, isSlow: false).text
                == "event=exchange call=1 exchange=1 method=GET url=https://example.com/posts/1 ms=0.000 error=cancelled"
        )
    }

    @Test func everythingThatIsKnownIsInTheLine() {
        let exchange = observedExchange(
            attempts: [.first, Attempt(number: 2, cause: .status(.serviceUnavailable))],
            redirectCount: 1
        )
        var metrics = ExchangeMetrics(
            queued: .microseconds(1500),
            firstByte: .milliseconds(9),
            total: .milliseconds(12)
        )
        metrics.bytesReceived = 1234
        metrics.bytesSent = 180
        let summary = ExchangeSummary(
            outcome: .failure(TransportError(.truncatedBody, underlyingDescription: "end of\nfile")),
            statusCode: .ok,
            connection: ObservedConnection(
                isReused: true,
                remoteAddress: "[::1]:443",
                httpVersion: "HTTP/2",
                proxy: "http://proxy.example:3128"
            ),
            metrics: metrics,
            duration: .nanoseconds(12_345_678)
        )
        #expect(
            LogLine.exchange(exchange, summary, isSlow: true).text
                == "event=exchange call=1 exchange=1 method=GET url=https://example.com/posts/1 status=200 ms=12.345 "
                + "queued_ms=1.500 first_byte_ms=9.000 in=1234 out=180 http=HTTP/2 connection=reused "
                + "remote=[::1]:443 proxy=http://proxy.example:3128 attempt=2 cause=503 redirect=1 error=truncatedBody "
                + #"message="The connection ended before the body was complete: end of\u{a}file" slow=true"#
        )
    }

    @Test(
        arguments: [
            (.status(.badGateway), "502"), (.failure(.timeout(.idle)), "timeout(idle)"), (.otherFailure, "failure"),
            (.credentials, "credentials"), (.hedge, "hedge"), (.call, "call"),
        ] as [(Attempt.Cause, String)]
    )
    func aRetryHasItsCauseAndItsDelay(_ cause: Attempt.Cause, _ word: String) {
        #expect(
            LogLine.retry(of: observedCall(), cause, .milliseconds(250)).text
                == "event=retry call=1 method=GET url=https://example.com/posts/1 cause=\(word) delay_ms=250.000"
        )
    }

    @Test func aRouteIsShown() {
        var request = observedRequest()
        request.options.routeTemplate = "/posts/{id}"
        let line = LogLine.call(observedCall(request), .cancelled).text
        #expect(
            line
                == "event=call call=1 method=GET url=https://example.com/posts/1 route=/posts/{id} ms=0.000 error=cancelled"
        )
    }

    @Test func oddRequestsAreShownInOneLine() {
        for method in ["", " ", "GET\r\nX: y", String(repeating: "M", count: 10_000)] {
            let line = LogLine.call(observedCall(observedRequest(method: method)), .cancelled).text
            #expect(line.utf8.allSatisfy { $0 >= 0x20 })
            #expect(line.utf8.count < 500)
        }
        #expect(LogLine.call(observedCall(observedRequest(nil)), .cancelled).text.contains(#" url="(no URL)""#))
        let long = Fixture.url("https://example.com/" + String(repeating: "%0A=", count: 10_000))
        #expect(LogLine.call(observedCall(observedRequest(long)), .cancelled).text.utf8.count < 1200)
    }

    @Test(
        arguments: [
            (.nanoseconds(-5), "0.000"), (.zero, "0.000"), (.nanoseconds(999), "0.000"), (.microseconds(7), "0.007"),
            (.microseconds(1070), "1.070"), (.seconds(90), "90000.000"), (.seconds(Int64.max), "9223372036854.775"),
        ] as [(Duration, String)]
    )
    func timesAreMilliseconds(_ time: Duration, _ text: String) {
        #expect(time.milliseconds == text)
    }
}
