import PiuPiuAsync
import SuiteSupport
import Testing
@testable import PiuPiuCurl

/// When HTTP/3 is tried with an origin that advertises it.
struct HTTP3AlternativesTests {
    private static let origin = "https://a.example:443"
    private static let second: Int64 = 1_000_000_000
    /// Any start: the engine's clock begins nowhere in particular.
    private var now: Int64 = 77 * second
    private var table = HTTP3Alternatives()

    private mutating func advertise(_ field: String, _ origin: String = origin) {
        table.note(AltSvcParser.advertisement(in: [field]), of: origin, now: now)
    }

    private mutating func next(_ origin: String = origin) -> HTTP3Alternatives.Use { table.next(for: origin, now: now) }

    private mutating func wait(_ seconds: Int64) { now += seconds * Self.second }

    @Test mutating func nothingIsTriedThatIsNotAdvertised() {
        #expect(next() == .none)
        advertise(#"h3=":443""#, "https://b.example:443")
        #expect(next() == .none)
        advertise(#"h2=":443", h3=":444""#)
        #expect(next() == .none)
        #expect(table.count == 1)
    }

    @Test mutating func oneRequestTriesIt() {
        advertise(#"h3=":443""#)
        #expect(!table.isConfirmed(Self.origin, now: now))
        #expect(next() == .trial)
        for _ in 0..<3 { #expect(next() == .none) }
        advertise(#"h3=":443""#)
        #expect(next() == .none)
        table.worked(for: Self.origin)
        for _ in 0..<3 { #expect(next() == .usual) }
        #expect(table.isConfirmed(Self.origin, now: now))
    }

    @Test mutating func aTrialThatIsGivenUpSaysNothing() {
        advertise(#"h3=":443""#)
        #expect(next() == .trial)
        table.abandoned(for: Self.origin)
        #expect(next() == .trial)
        table.worked(for: Self.origin)
        table.abandoned(for: Self.origin)
        #expect(next() == .usual)
    }

    @Test mutating func itExpires() {
        advertise(#"h3=":443"; ma=60"#)
        #expect(next() == .trial)
        table.worked(for: Self.origin)
        wait(59)
        #expect(next() == .usual)
        advertise(#"h3=":443"; ma=60"#)
        wait(59)
        #expect(next() == .usual && table.isConfirmed(Self.origin, now: now))
        wait(1)
        #expect(!table.isConfirmed(Self.origin, now: now))
        #expect(next() == .none)
        #expect(table.count == 0)
        advertise(#"h3=":443"; ma=60"#)
        #expect(next() == .trial)
    }

    @Test mutating func itHoldsForADayByDefaultAndForThirtyAtMost() {
        for (field, seconds) in [(#"h3=":443""#, Int64(86_400)), (#"h3=":443"; ma=31536000"#, 30 * 86_400)] {
            advertise(field)
            table.worked(for: Self.origin)
            wait(seconds - 1)
            #expect(next() == .usual)
            wait(1)
            #expect(next() == .none)
        }
    }

    @Test(arguments: ["clear", #"h2=":443""#, #"h3=":443"; ma=0"#, "nothing of sense"])
    mutating func whatIsAdvertisedReplacesWhatWas(_ field: String) {
        advertise(#"h3=":443""#)
        table.worked(for: Self.origin)
        #expect(next() == .usual)
        advertise(field)
        #expect(next() == .none)
        #expect(table.count == 0)
        // What ends late changes nothing.
        table.worked(for: Self.origin)
        table.failed(for: Self.origin, now: now)
        #expect(next() == .none)
    }

    @Test mutating func whatFailsIsNotTriedForLongerAndLonger() {
        var pause: Int64 = 300
        for round in 0..<12 {
            advertise(#"h3=":443"; ma=2592000"#)
            #expect(next() == .trial, "\(round)")
            table.failed(for: Self.origin, now: now)
            // Others that failed at the same time change nothing, nor does what is advertised meanwhile.
            table.failed(for: Self.origin, now: now)
            advertise(round % 2 == 0 ? "clear" : #"h3=":443""#)
            advertise(#"h3=":443"; ma=2592000"#)
            #expect(next() == .none)
            wait(pause - 1)
            #expect(next() == .none, "\(round)")
            wait(1)
            pause = min(pause * 2, 86_400)
        }
        #expect(pause == 86_400)
        #expect(next() == .trial)
        table.worked(for: Self.origin)
        #expect(next() == .usual)
        // It begins with the shortest pause again.
        table.failed(for: Self.origin, now: now)
        #expect(next() == .none && !table.isConfirmed(Self.origin, now: now))
        wait(300)
        #expect(next() == .trial)
    }

    @Test mutating func whatDoesNotServeTheOriginIsForgottenAndNotTriedSoon() {
        advertise(#"h3=":443""#)
        table.worked(for: Self.origin)
        table.refused(for: Self.origin, now: now)
        advertise(#"h3=":443"; ma=86400"#)
        #expect(next() == .none)
        wait(300)
        #expect(next() == .trial)
        table.refused(for: Self.origin, now: now)
        wait(600)
        // Without another advertisement, there is nothing to try.
        #expect(next() == .none)
    }

    @Test mutating func itRemembersSoManyOriginsAndNoMore() {
        for index in 0..<3 * HTTP3Alternatives.limit {
            advertise(#"h3=":443""#, "https://\(index).example:443")
            #expect(table.count <= HTTP3Alternatives.limit)
        }
        #expect(next("https://\(3 * HTTP3Alternatives.limit - 1).example:443") == .trial)
    }
}
