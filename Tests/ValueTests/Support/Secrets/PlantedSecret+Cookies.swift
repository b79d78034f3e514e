import PiuPiuAsync
import TestSupport

@testable import PiuPiuPolicies

extension PlantedSecret {
    private static let cookie = CookieJar.Cookie(name: "id", value: secret, domain: "example.com")

    private static var jar: CookieJar {
        let jar = CookieJar(CookieJar.Snapshot([cookie]))
        jar.set(secret, from: Fixture.url)
        return jar
    }

    private static func fileError(_ line: String) -> Any {
        do { return try CookieJar.Snapshot(netscape: line.utf8) } catch { return error }
    }

    static var cookies: [PlantedSecret] {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.cookies = jar
        var machine = CookieMachine()
        machine.store(cookie, now: 0)
        var request = transportRequest
        request.cookieJars.append(ObjectIdentifier(jar))
        return [
            PlantedSecret("CookieJar", jar),
            PlantedSecret("CookieJar.Cookie", cookie),
            PlantedSecret("a cookie without a name", jar.snapshot.cookies.last as Any),
            PlantedSecret("CookieJar.Snapshot", jar.snapshot),
            PlantedSecret("CookieMachine", machine),
            PlantedSecret("its lists", machine.domains),
            PlantedSecret("CookieEntry", CookieEntry(cookie, now: 0)),
            PlantedSecret("SetCookie", SetCookie("id=\(secret); Path=/".utf8) as Any),
            PlantedSecret("CookieTarget", CookieTarget(url) as Any),
            PlantedSecret("a configuration with a jar", configuration),
            PlantedSecret("a dispatcher with a jar", URLRequestDispatcher(configuration: configuration)),
            PlantedSecret("a request with a jar", request),
            PlantedSecret("CookieFileError", fileError("example.com\tTRUE\t/\tFALSE\t\(secret)\tid\t\(secret)")),
            PlantedSecret("another one", fileError(secret)),
        ]
    }
}
