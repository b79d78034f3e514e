import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// Random fields and requests, to the jar and to ``CookieModel``.
@Suite(.timeLimit(.generous)) struct CookieModelTests {
    private struct Generator {
        var random: SeededRandom
        /// How many different names there are: few, so that cookies are replaced, or many, so that there are too many.
        let names: Int

        static let hosts = [
            "a.example", "b.a.example", "c.b.a.example", "x.example", "example", "a.co.uk", "b.a.co.uk", "co.uk",
            "u.github.io", "127.0.0.1", "10.0.0.1", "[::1]", "localhost", "app.localhost", "a.example.", "A.EXAMPLE",
        ]
        static let paths = ["/", "/x", "/x/", "/x/y", "/xy", "/x/y/z", "", "/x//y", "/%78", "/x/y?/q"]
        static let values = ["1", "2", "", "\"q\"", "a=b", "__Host-x", "é", "x y"]

        mutating func url() -> URL {
            let scheme = random.picks(60) ? "https" : "http"
            let host = random.picks(30) ? "h\(random.below(100)).example" : random.element(of: Self.hosts)
            return Fixture.url("\(scheme)://\(host)\(random.picks(10) ? ":8080" : "")\(random.element(of: Self.paths))")
        }

        mutating func field(_ now: Double) -> String {
            let prefix = random.picks(5) ? random.element(of: ["__Host-", "__secure-", "__HOST-"]) : ""
            var field = random.picks(3) ? "" : "\(prefix)n\(random.below(names))="
            field += random.element(of: Self.values)
            if random.picks(40) {
                let domains = Self.hosts + ["", ".a.example", "example", "uk", ".", "io", "com", "0.1", "é.example"]
                field += "; Domain=\(random.element(of: domains))"
            }
            if random.picks(40) { field += "; Path=\(random.element(of: Self.paths + ["x", "/x/y/z/w"]))" }
            if random.picks(30) { field += "; Secure" }
            if random.picks(10) { field += "; HttpOnly" }
            if random.picks(20) { field += "; SameSite=\(random.element(of: ["None", "Lax", "strict", "?"]))" }
            if random.picks(30) {
                field += "; Max-Age=\(random.element(of: ["0", "-1", "5", "100", "99999999999", "x"]))"
            }
            if random.picks(15) {
                let dates = [
                    "Fri, 07 Aug 2099 08:04:19 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "1 Jan 2027 00:00:00", "never",
                ]
                field += "; Expires=\(random.element(of: dates))"
            }
            return field
        }
    }

    @Test(arguments: [(seed: 1, names: 3), (seed: 2, names: 40), (seed: 3, names: 400)])
    func theJarDoesWhatTheModelDoes(_ kind: (seed: Int, names: Int)) throws {
        var generator = Generator(random: SeededRandom(seed: UInt64(kind.seed)), names: kind.names)
        var machine = CookieMachine()
        var model = CookieModel()
        var now: Double = 1_798_700_000
        let steps = (isThorough ? 40_000 : 10_000) / 3 + 1
        for step in 0..<steps {
            if generator.random.picks(50) { now += Double(generator.random.below(30)) }
            let url = generator.url()
            let target = try #require(CookieTarget(url), "\(url)")
            if generator.random.picks(60) {
                let text = generator.field(now)
                guard let field = SetCookie(text.utf8) else { continue }
                machine.store(field, from: target, now: now)
                model.store(field, target, now)
            } else {
                let (sent, expected) = (machine.field(for: target, now: now), model.send(target, now))
                guard sent == expected else {
                    Issue.record("step \(step) to \(url): \(sent ?? "nothing") for \(expected ?? "nothing")")
                    return
                }
            }
            guard machine.count == model.cookies.count else {
                Issue.record("step \(step) to \(url): \(machine.count) cookies for \(model.cookies.count)")
                return
            }
        }
        #expect(machine.all(now: now).count > 20)
    }

    /// Many hosts with many cookies, until the limit of all is reached.
    @Test func theJarMakesRoomAsTheModelDoes() throws {
        var random = SeededRandom(seed: 4)
        var machine = CookieMachine()
        var model = CookieModel()
        var now: Double = 1_798_700_000
        for step in 0..<4000 {
            now += Double(random.below(2))
            let target = try #require(CookieTarget(Fixture.url("https://h\(random.below(200)).example/")))
            if step.isMultiple(of: 5) {
                let (sent, expected) = (machine.field(for: target, now: now), model.send(target, now))
                #expect(sent == expected)
            } else {
                let age = random.picks(5) ? "; Max-Age=\(random.below(3000))" : ""
                let field = try #require(
                    SetCookie("n\(random.below(60))=1\(age)\(random.picks(50) ? "; Secure" : "")".utf8)
                )
                machine.store(field, from: target, now: now)
                model.store(field, target, now)
            }
            guard machine.count == model.cookies.count else {
                Issue.record("step \(step): \(machine.count) cookies for \(model.cookies.count)")
                return
            }
        }
        #expect(machine.count > 2000)
    }
}
