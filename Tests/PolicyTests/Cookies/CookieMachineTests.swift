import Foundation
import PiuPiuAsync
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite struct CookieMachineTests {
    private static func filled(_ text: String) -> String {
        text.replacing("…", with: String(repeating: "x", count: 1024)).replacing("␉", with: "\t").replacing(
            "␇",
            with: "\u{7}"
        )
        .replacing("‥", with: String(repeating: "x", count: 4095))
    }

    @Test func theTableOfRules() {
        let cases = CookieRuleCases.all
        #expect(cases.count >= 60)
        for (name, steps) in cases {
            var machine = CookieMachine()
            var now: Double = 1_800_000_000
            for step in steps {
                switch step {
                case .set(let url, let field):
                    guard let field = SetCookie(Self.filled(field).utf8), let target = CookieTarget(URL(string: url))
                    else {
                        continue
                    }
                    machine.store(field, from: target, now: now)
                case .pass(let seconds): now += seconds
                case .send(let url, let field):
                    let sent = CookieTarget(URL(string: url)).flatMap { machine.field(for: $0, now: now) }
                    #expect(sent == field.map(Self.filled), "\(name)")
                }
            }
        }
    }

    private static let target = CookieTarget(Fixture.url("https://a.example/"))
    private static let now: Double = 1_800_000_000

    /// Stores fields, one a second.
    private func machine(_ fields: [String], at url: String = "https://a.example/") throws -> CookieMachine {
        var machine = CookieMachine()
        let target = try #require(CookieTarget(Fixture.url(url)))
        for (index, field) in fields.enumerated() {
            machine.store(try #require(SetCookie(field.utf8)), from: target, now: Self.now + Double(index))
        }
        return machine
    }

    private func names(_ machine: CookieMachine, now: Double = now + 100) -> Set<String> {
        Set(machine.all(now: now).map(\.name))
    }

    @Test func ofADomainTheLeastRecentlyUsedMakesRoom() throws {
        var machine = try machine((0..<50).map { "c\($0)=1" })
        let target = try #require(Self.target)
        #expect(machine.count == 50)
        machine.store(try #require(SetCookie("new=1".utf8)), from: target, now: Self.now + 60)
        #expect(machine.count == 50)
        #expect(!names(machine).contains("c0"))
        // What is sent, is used.
        _ = machine.field(for: try #require(CookieTarget(Fixture.url("https://a.example/"))), now: Self.now + 70)
        machine.store(try #require(SetCookie("newer=1".utf8)), from: target, now: Self.now + 80)
        #expect(!names(machine).contains("c1"))
        #expect(names(machine).isSuperset(of: ["c2", "new", "newer"]))
    }

    @Test func endedCookiesMakeRoomFirstAndThenThoseThatAreNotSecure() throws {
        let fields = (0..<48).map { "c\($0)=1; Secure" } + ["open=1", "short=1; Max-Age=5; Secure"]
        var machine = try machine(fields)
        let target = try #require(Self.target)
        machine.store(try #require(SetCookie("d1=1; Secure".utf8)), from: target, now: Self.now + 90)
        #expect(!names(machine).contains("short"))
        #expect(machine.count == 50)
        machine.store(try #require(SetCookie("d2=1; Secure".utf8)), from: target, now: Self.now + 91)
        #expect(!names(machine).contains("open"))
        // Among others that are, one that is not is the first to go, though it is new.
        machine.store(try #require(SetCookie("late=1".utf8)), from: target, now: Self.now + 92)
        #expect(!names(machine).contains("late"))
        machine.store(try #require(SetCookie("d3=1; Secure".utf8)), from: target, now: Self.now + 93)
        #expect(!names(machine).contains("c0"))
        #expect(machine.count == 50)
    }

    @Test func ofAllTheLeastRecentlyUsedMakesRoom() throws {
        var machine = CookieMachine()
        for index in 0..<3000 {
            let target = try #require(CookieTarget(Fixture.url("https://h\(index % 100).example/")))
            let field = try #require(SetCookie("c\(index)=1".utf8))
            machine.store(field, from: target, now: Self.now + Double(index))
        }
        #expect(machine.count == 3000)
        let first = try #require(CookieTarget(Fixture.url("https://h0.example/")))
        _ = machine.field(for: first, now: Self.now + 4000)
        let target = try #require(CookieTarget(Fixture.url("https://new.example/")))
        machine.store(try #require(SetCookie("new=1".utf8)), from: target, now: Self.now + 4001)
        #expect(machine.count == 3000)
        let left = names(machine, now: Self.now + 5000)
        #expect(left.isSuperset(of: ["c0", "c2", "new"]) && !left.contains("c1"))
        #expect(machine.domains.values.allSatisfy { !$0.isEmpty })
    }

    @Test func theCallersFieldIsFirstAndNoNameIsTwice() throws {
        var machine = try machine(["a=1", "b=2", "x", "ab=3"])
        let target = try #require(Self.target)
        let rows: [(field: String?, expected: String?)] = [
            (nil, "a=1; b=2; x; ab=3"), ("", "a=1; b=2; x; ab=3"), ("a=9", "a=9; b=2; x; ab=3"),
            ("c=1;  b = 9 ; a=0", "c=1;  b = 9 ; a=0; x; ab=3"), ("x", "x; a=1; b=2; ab=3"),
            ("a", "a; a=1; b=2; x; ab=3"),
            ("a=1; b=2; x; ab=3", nil), ("A=1", "A=1; a=1; b=2; x; ab=3"),
        ]
        for row in rows {
            #expect(
                machine.field(for: target, after: row.field, now: Self.now + 9) == row.expected,
                "\(row.field ?? "")"
            )
        }
    }

    @Test func joinedFieldsAreTakenApart() {
        let rows: [(line: String, fields: [String])] = [
            ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", " b=2"]), ("a=1,b=2; Path=/,c", ["a=1", "b=2; Path=/,c"]),
            (
                "a=1; Expires=Fri, 07 Aug 2026 08:04:19 GMT, b=2",
                ["a=1; Expires=Fri, 07 Aug 2026 08:04:19 GMT", " b=2"]
            ),
            ("a=1; Expires=Fri, 07-Aug-26 08:04:19 GMT; x", ["a=1; Expires=Fri, 07-Aug-26 08:04:19 GMT; x"]),
            ("", [""]), (",,", [",,"]), ("a=1,", ["a=1,"]), ("a=1, =2", ["a=1, =2"]),
        ]
        for row in rows {
            let fields = JoinedCookies.split(Array(row.line.utf8)).map { String(decoding: $0, as: UTF8.self) }
            #expect(fields == row.fields, "\(row.line)")
        }
    }

    @Test func whatNoServerCouldSetIsNotStored() {
        var machine = CookieMachine()
        func cookie(_ change: (inout CookieJar.Cookie) -> Void) -> CookieJar.Cookie {
            var cookie = CookieJar.Cookie(name: "a", value: "1", domain: "a.example")
            change(&cookie)
            return cookie
        }
        let bad: [(String, CookieJar.Cookie)] = [
            ("a line end", cookie { $0.value = "1\r\nX: y" }), ("another cookie", cookie { $0.value = "1; b=2" }),
            ("blanks", cookie { $0.value = " 1" }), ("a name with =", cookie { $0.name = "a=b" }),
            ("a line end in the name", cookie { $0.name = "a\nb" }),
            ("nothing", cookie { ($0.name, $0.value) = ("", "") }),
            ("a long one", cookie { $0.value = String(repeating: "x", count: 4096) }),
            ("a relative path", cookie { $0.path = "x" }), ("no path", cookie { $0.path = "" }),
            ("no domain", cookie { $0.domain = "" }),
            ("a domain with a path", cookie { $0.domain = "a.example/x" }),
            ("a domain with a port", cookie { $0.domain = "a.example:80" }),
            ("a domain with a user", cookie { $0.domain = "u@a.example" }),
            ("a dot in front", cookie { $0.domain = ".a.example" }),
            ("a line end in the domain", cookie { $0.domain = "a\n" }),
            ("no ASCII", cookie { $0.domain = "bücher.example" }),
            ("a suffix", cookie { ($0.domain, $0.isHostOnly) = ("co.uk", false) }),
            ("a prefix", cookie { $0.name = "__Host-a" }), ("another prefix", cookie { $0.name = "__Secure-a" }),
            ("not secure", cookie { $0.sameSite = CookieJar.SameSite.none }),
            ("ended", cookie { $0.expires = Date(timeIntervalSince1970: Self.now) }),
            ("no date", cookie { $0.expires = Date(timeIntervalSince1970: .nan) }),
        ]
        for (name, cookie) in bad {
            let isStored = machine.store(cookie, now: Self.now)
            #expect(!isStored, "\(name)")
        }
        #expect(machine.count == 0)
        let good: [(String, CookieJar.Cookie)] = [
            ("a cookie", cookie { _ in }), ("capitals", cookie { $0.domain = "B.Example" }),
            ("an address", cookie { $0.domain = "[::1]" }), ("no name", cookie { $0.name = "" }),
            ("no value", cookie { ($0.name, $0.value) = ("b", "") }),
            ("far away", cookie { ($0.name, $0.expires) = ("c", .distantFuture) }),
        ]
        for (name, cookie) in good {
            let isStored = machine.store(cookie, now: Self.now)
            #expect(isStored, "\(name)")
        }
        #expect(machine.count == good.count)
        let latest = machine.all(now: Self.now).compactMap(\.expires).max()?.timeIntervalSince1970
        #expect(latest == Self.now + 400 * 86_400)
    }
}
