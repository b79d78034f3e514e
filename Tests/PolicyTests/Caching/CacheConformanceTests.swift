import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The cases of cache-tests.fyi (github.com/http-tests/cache-tests) that are about a private cache in a client, by the names
/// that they have there: all that RFC 9111 requires, and of the others those in which browsers agree.
///
/// Left out, because they are not about such a cache: those marked `browser_skip` (`s-maxage`, `private` in a shared cache,
/// `Authorization` of §3.5, `CDN-Cache-Control`, `Surrogate-Control`, answers of 304 to conditions of the client), parts
/// (this cache stores no 206 and serves no ranges), `POST` that is stored for a later `GET`, `Warning` (obsolete),
/// interim responses and collapsing (which are for the transport and `Coalescing`), and whether `Set-Cookie` is stored (it is
/// not, see RFC 9111 §7.3).
@Suite(.timeLimit(.generous)) struct CacheConformanceTests {
    @Test func thePrivateCacheDoesWhatTheRFCSays() async {
        let scripts =
            CacheScript.parse(Self.freshness + Self.parsing + Self.directives + Self.stale + Self.vary)
            + CacheScript.parse(Self.validation + Self.invalidation + Self.other) + Self.generated()
        #expect(scripts.count >= 160)
        #expect(Set(scripts.map(\.name)).count == scripts.count)
        for script in scripts {
            for fault in await script.run() { Issue.record("\(fault)") }
        }
    }

    /// The same cases with the folder, of which every step takes a file.
    @Test func theFolderDoesTheSame() async throws {
        let folder = try DownloadFolder()
        for (number, script) in CacheScript.parse(Self.validation + Self.vary + Self.invalidation).enumerated() {
            let place = folder["\(number)"]
            for fault in await script.run(.folder(place, limit: 10_000_000)) { Issue.record("\(fault)") }
        }
    }

    // MARK: Many of a kind

    private static func generated() -> [CacheScript] {
        var text = ""
        for code in [200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599] {
            text += """
                status-\(code)-fresh
                  GET \(code) < Expires: @100000 < Cache-Control: max-age=100000 < Last-Modified: @0 < Date: @0
                  GET \(code) = cached
                status-\(code)-stale
                  GET \(code) < Expires: @-5000 < Last-Modified: @-100000 < Date: @0
                  GET \(code) = \(code == 200 ? "lm_validated" : "validated-or-not")

                """
        }
        for code in [200, 203, 204, 404, 405, 410, 414, 501] {
            text += """
                heuristic-\(code)-cached
                  GET \(code) < Last-Modified: @-86400 < Date: @0
                  GET \(code) = cached

                """
        }
        for code in [201, 202, 403, 502, 503, 504, 599] {
            text += """
                heuristic-\(code)-not_cached
                  GET \(code) < Last-Modified: @-86400 < Date: @0
                  GET \(code) = not_cached

                """
        }
        // A tenth of the time since the last modification, as in all browsers.
        for (delta, expectation) in [(5, "lm_validated"), (30, "cached"), (60, "cached"), (3600, "cached")] {
            text += """
                heuristic-delta-\(delta)
                  GET < Last-Modified: ^-\(delta) < Date: ^0
                  +2 GET < Last-Modified: ^-\(delta) = \(expectation)

                """
        }
        let updated = [
            "Test-Header", "X-Test-Header", "Content-Foo", "X-Content-Foo", "Content-Type", "Content-MD5",
            "Content-Location", "Content-Security-Policy", "X-Frame-Options", "X-XSS-Protection", "Public-Key-Pins",
        ]
        for name in updated {
            for (kind, validator) in [("lm", "Last-Modified: ^-86400"), ("etag", "ETag: \"tag\"")] {
                text += """
                    304-\(kind)-update-stored-\(name)
                      GET < Cache-Control: max-age=1 < Date: @0 < \(validator) < \(name): a
                      +3 GET < Cache-Control: max-age=3600 < Date: @0 < \(validator) < \(name): b = \(kind)_validated ! \(name): b
                      +3 GET = cached ! \(name): b
                    304-\(kind)-use-stored-\(name)
                      GET < Cache-Control: max-age=1 < Date: @0 < \(validator) < \(name): a
                      +3 GET < Cache-Control: max-age=3600 < Date: @0 < \(validator) = \(kind)_validated ! \(name): a

                    """
            }
            text += """
                headers-store-\(name)
                  GET < Cache-Control: max-age=3600 < Date: @0 < \(name): a
                  +3 GET = cached ! \(name): a

                """
        }
        let unstored = [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
            "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
        ]
        for name in unstored {
            text += """
                headers-store-\(name)
                  GET < Cache-Control: max-age=3600 < Date: @0 < \(name): a
                  +3 GET = cached !! \(name)

                """
        }
        for method in ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"] {
            text += """
                invalidate-\(method)
                  GET < Cache-Control: max-age=100000 < Date: @0
                  \(method)
                  GET = not_cached
                invalidate-\(method)-failed
                  GET < Cache-Control: max-age=100000 < Date: @0
                  \(method) 500
                  GET = cached
                invalidate-\(method)-location
                  GET /location-target < Cache-Control: max-age=100000 < Date: @0
                  \(method) < Location: location-target
                  GET /location-target = not_cached
                invalidate-\(method)-cl
                  GET /content-target < Cache-Control: max-age=100000 < Date: @0
                  \(method) 201 < Content-Location: http://EXAMPLE.com:80/content-target
                  GET /content-target = not_cached

                """
        }
        return CacheScript.parse(text)
    }
}
