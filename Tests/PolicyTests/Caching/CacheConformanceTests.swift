import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

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
        let scripts = CacheScript.parse(Self.freshness + Self.parsing + Self.directives + Self.stale + Self.vary)
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

    // MARK: Tables

    private static let freshness = """
        freshness-none
          GET
          +3 GET = not_cached
        freshness-max-age
          GET < Cache-Control: max-age=3600
          +3 GET = cached
        freshness-max-age-stale
          GET < Cache-Control: max-age=2
          +3 GET = not_cached
        freshness-max-age-0
          GET < Cache-Control: max-age=0
          +3 GET = not_cached
        freshness-max-age-max
          GET < Cache-Control: max-age=2147483648
          +3 GET = cached
        freshness-max-age-max-minus-1
          GET < Cache-Control: max-age=2147483647
          +3 GET = cached
        freshness-max-age-max-plus
          GET < Cache-Control: max-age=99999999999
          +3 GET = cached
        freshness-max-age-negative
          GET < Cache-Control: max-age=-3600
          +3 GET = not_cached
        freshness-max-age-age
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 12000
          GET = not_cached
        freshness-max-age-date
          GET < Date: @-7200 < Cache-Control: max-age=3600
          GET = not_cached
        freshness-max-age-expires
          GET < Cache-Control: max-age=3600 < Expires: @-7200 < Date: @0
          +3 GET = cached
        freshness-max-age-expires-invalid
          GET < Cache-Control: max-age=3600 < Expires: 0 < Date: @0
          +3 GET = cached
        freshness-max-age-0-expires
          GET < Cache-Control: max-age=0 < Expires: @10000 < Date: @0
          +3 GET = not_cached
        freshness-max-age-extension
          GET < Cache-Control: foobar,_max-age=3600
          +3 GET = cached
        freshness-max-age-case-insenstive
          GET < Cache-Control: MaX-aGe=3600
          +3 GET = cached
        freshness-max-age-s-maxage-private
          GET < Cache-Control: s-maxage=3600,_max-age=1
          +3 GET = not_cached
        freshness-max-age-s-maxage-private-multiple
          GET < Cache-Control: s-maxage=3600 < Cache-Control: max-age=1
          +3 GET = not_cached
        freshness-expires-future
          GET < Expires: @2592000 < Date: @0
          +3 GET = cached
        freshness-expires-past
          GET < Expires: @-2592000 < Date: @0
          +3 GET = not_cached
        freshness-expires-present
          GET < Expires: @0 < Date: @0
          GET = not_cached
        freshness-expires-old-date
          GET < Expires: @300 < Date: @400
          +3 GET = not_cached
        freshness-expires-invalid
          GET < Expires: 0 < Date: @0
          +3 GET = not_cached
        freshness-expires-invalid-date
          GET < Date: foo < Expires: @10
          GET = cached
        freshness-expires-age-slow-date
          GET < Date: @-10 < Expires: @10 < Age: 25
          GET = not_cached
        freshness-expires-age-fast-date
          GET < Date: @10 < Expires: @20 < Age: 15
          GET = not_cached
        freshness-expires-rfc850
          GET < Expires: Thursday,_18-Aug-50_02:01:18_GMT < Date: @0
          +3 GET = cached
        freshness-expires-ansi-c
          GET < Expires: Thu_Aug_18_02:01:18_2050 < Date: @0
          +3 GET = cached
        freshness-expires-wrong-case-weekday
          GET < Expires: THU,_18_Aug_2050_02:01:18_GMT < Date: @0
          +3 GET = cached
        freshness-expires-wrong-case-month
          GET < Expires: Thu,_18_AUG_2050_02:01:18_GMT < Date: @0
          +3 GET = cached
        freshness-expires-wrong-case-tz
          GET < Expires: Thu,_18_Aug_2050_02:01:18_gMT < Date: @0
          +3 GET = cached
        freshness-expires-invalid-1-digit-hour
          GET < Expires: Thu,_18_Aug_2050_2:01:18_GMT < Date: @0
          +3 GET = cached

        """

    private static let parsing = """
        freshness-max-age-two-fresh-stale-sameline
          GET < Cache-Control: max-age=1800,_max-age=1
          +3 GET = cached
        freshness-max-age-two-fresh-stale-sepline
          GET < Cache-Control: max-age=1800 < Cache-Control: max-age=1
          +3 GET = cached
        freshness-max-age-two-stale-fresh-sameline
          GET < Cache-Control: max-age=1,_max-age=1800
          +3 GET = not_cached
        freshness-max-age-two-stale-fresh-sepline
          GET < Cache-Control: max-age=1 < Cache-Control: max-age=1800
          +3 GET = not_cached
        freshness-max-age-ignore-quoted
          GET < Cache-Control: extension="max-age=3600",_max-age=1
          +3 GET = not_cached
        freshness-max-age-ignore-quoted-rev
          GET < Cache-Control: max-age=1,_extension="max-age=3600"
          +3 GET = not_cached
        freshness-max-age-ignore-quoted-escaped
          GET < Cache-Control: extension="\\",_max-age=3600",_max-age=1
          +3 GET = not_cached
        freshness-max-age-quoted
          GET < Cache-Control: max-age="3600"
          +3 GET = cached
        freshness-max-age-space-before-equals
          GET < Cache-Control: max-age_=3600
          +3 GET = not_cached
        freshness-max-age-space-after-equals
          GET < Cache-Control: max-age=_3600
          +3 GET = not_cached
        freshness-max-age-leading-zero
          GET < Cache-Control: max-age=003600
          +3 GET = cached
        freshness-max-age-single-quoted
          GET < Cache-Control: max-age='3600'
          +3 GET = not_cached
        freshness-max-age-decimal-five
          GET < Cache-Control: max-age=3600.5
          +3 GET = not_cached
        freshness-max-age-a100
          GET < Cache-Control: max-age=a3600
          +3 GET = not_cached
        freshness-max-age-100a
          GET < Cache-Control: max-age=3600a
          +3 GET = not_cached
        age-parse-nonnumeric
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: abc
          +3 GET = cached
        age-parse-negative
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: -7200
          +3 GET = cached
        age-parse-float
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 7200.0
          +3 GET = cached
        age-parse-suffix
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 7200,0
          +3 GET = not_cached
        age-parse-suffix-twoline
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 7200 < Age: 0
          +3 GET = not_cached
        age-parse-prefix
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 0,7200
          +3 GET = cached
        age-parse-prefix-twoline
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 0 < Age: 7200
          +3 GET = cached
        age-parse-dup-0
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 0,_0
          +3 GET = cached
        age-parse-dup-old
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 7200,_7200
          +3 GET = not_cached
        age-parse-dup-old-twoline
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 7200 < Age: 7200
          +3 GET = not_cached
        age-parse-parameter
          GET < Date: @0 < Cache-Control: max-age=3600 < Age: 7200;foo=bar
          +3 GET = cached

        """

    private static let directives = """
        cc-resp-private-private
          GET < Cache-Control: private,_max-age=3600
          GET = cached
        cc-resp-no-store
          GET < Cache-Control: no-store
          GET = not_cached
        cc-resp-no-store-case-insensitive
          GET < Cache-Control: No-StOrE
          GET = not_cached
        cc-resp-no-store-fresh
          GET < Cache-Control: max-age=10000,_no-store < Expires: @10000 < Date: @0
          GET = not_cached
        cc-resp-no-store-old-new
          GET < Cache-Control: max-age=10000 < A: 1
          +3 GET < Cache-Control: no-store < A: 2 = cached ! A: 1
        cc-resp-no-cache
          GET < Cache-Control: max-age=10000,_no-cache < Expires: @10000 < Date: @0
          GET = not_cached
        cc-resp-no-cache-case-insensitive
          GET < Cache-Control: max-age=10000,_No-CaChE < Expires: @10000 < Date: @0
          GET = not_cached
        cc-resp-no-cache-revalidate
          GET < Cache-Control: no-cache < ETag: "abcd"
          GET = etag_validated
        cc-resp-no-cache-revalidate-fresh
          GET < Cache-Control: max-age=10000,_no-cache < Expires: @10000 < Date: @0 < ETag: "abcd"
          GET = etag_validated
        headers-omit-headers-listed-in-Cache-Control-no-cache-single
          GET < Cache-Control: no-cache="a" < a: 1 < b: 2 < Cache-Control: max-age=3600 < Date: @0
          +3 GET = cached ! b: 2 !! a
        headers-omit-headers-listed-in-Cache-Control-no-cache
          GET < Cache-Control: no-cache="a,_b" < a: 1 < b: 2 < c: 3 < Cache-Control: max-age=3600 < Date: @0
          +3 GET = cached ! c: 3 !! a b
        headers-omit-headers-listed-in-Connection
          GET < Connection: a,_b < a: 1 < b: 2 < c: 3 < Cache-Control: max-age=3600 < Date: @0
          +3 GET = cached ! c: 3 !! a b Connection
        cc-resp-must-revalidate-fresh
          GET < Cache-Control: max-age=10000,_must-revalidate < ETag: "abcd"
          GET = cached
        cc-resp-must-revalidate-stale
          GET < Cache-Control: max-age=2,_must-revalidate < ETag: "abcd"
          GET = cached
          +3 GET < ETag: "abcd" = etag_validated
        cc-resp-immutable-fresh
          GET < Cache-Control: max-age=10000,_immutable < ETag: "abcd"
          +3 GET > Cache-Control: max-age=0 = cached
        cc-resp-immutable-stale
          GET < Cache-Control: max-age=2,_immutable < ETag: "abcd"
          +3 GET > Cache-Control: max-age=0 < ETag: "abcd" = etag_validated
        ccreq-ma0
          GET < Cache-Control: max-age=100000 < Date: @0
          +3 GET > Cache-Control: max-age=0 = not_cached
        ccreq-ma1
          GET < Cache-Control: max-age=100000 < Date: @0
          +3 GET > Cache-Control: max-age=1 = not_cached
        ccreq-magreaterage
          GET < Cache-Control: max-age=3600 < Age: 1800
          GET > Cache-Control: max-age=600 = not_cached
        ccreq-max-stale
          GET < Cache-Control: max-age=1
          +3 GET > Cache-Control: max-stale=1000 = cached
        ccreq-max-stale-any
          GET < Cache-Control: max-age=1
          +99999 GET > Cache-Control: max-stale = cached
        ccreq-max-stale-age
          GET < Cache-Control: max-age=1500 < Age: 2000
          GET > Cache-Control: max-stale=1000 = cached
        ccreq-max-stale-exceeded
          GET < Cache-Control: max-age=1
          +3 GET > Cache-Control: max-stale=1 = not_cached
        ccreq-max-stale-must-revalidate
          GET < Cache-Control: max-age=1,_must-revalidate
          +3 GET > Cache-Control: max-stale=1000 = not_cached
        ccreq-min-fresh
          GET < Cache-Control: max-age=1500
          GET > Cache-Control: min-fresh=2000 = not_cached
        ccreq-min-fresh-age
          GET < Cache-Control: max-age=1500 < Age: 1000
          GET > Cache-Control: min-fresh=1000 = not_cached
        ccreq-min-fresh-enough
          GET < Cache-Control: max-age=1500 < Age: 400
          GET > Cache-Control: min-fresh=1000 = cached
        ccreq-no-cache
          GET < Cache-Control: max-age=3600
          GET > Cache-Control: no-cache = not_cached
        ccreq-no-cache-lm
          GET < Cache-Control: max-age=3600 < Last-Modified: @-10000 < Date: @0
          GET > Cache-Control: no-cache = lm_validated
        ccreq-no-cache-etag
          GET < Cache-Control: max-age=3600 < ETag: "abc"
          GET > Cache-Control: no-cache = etag_validated
        ccreq-no-store
          GET < Cache-Control: max-age=3600
          GET > Cache-Control: no-store = not_cached
        ccreq-no-store-stores-nothing
          GET > Cache-Control: no-store < Cache-Control: max-age=3600
          GET = not_cached
        ccreq-oic
          GET > Cache-Control: only-if-cached = 504
        ccreq-oic-fresh
          GET < Cache-Control: max-age=3600
          GET > Cache-Control: only-if-cached = cached
        ccreq-oic-stale
          GET < Cache-Control: max-age=1
          +3 GET > Cache-Control: only-if-cached = 504
        pragma-request-no-cache
          GET < Cache-Control: max-age=3600
          GET > Pragma: no-cache = not_cached
        pragma-request-extension
          GET < Cache-Control: max-age=3600
          GET > Pragma: unrecognised-extension = cached
        pragma-response-no-cache
          GET < Cache-Control: max-age=3600 < Pragma: no-cache
          GET = cached
        pragma-response-no-cache-heuristic
          GET < Last-Modified: @-10000 < Date: @0 < Pragma: no-cache
          GET = cached

        """

    private static let stale = """
        stale-close
          GET < Cache-Control: max-age=2
          +3 GET x = fails
        stale-503
          GET < Cache-Control: max-age=2
          +3 GET 503 = not_cached
        stale-sie-close
          GET < Cache-Control: max-age=2,_stale-if-error=60
          +3 GET x = stale
        stale-sie-close-exceeded
          GET < Cache-Control: max-age=2,_stale-if-error=60
          +63 GET x = fails
        stale-sie-503
          GET < Cache-Control: max-age=2,_stale-if-error=60
          +3 GET 503 = stale
        stale-sie-request
          GET < Cache-Control: max-age=2
          +3 GET 503 > Cache-Control: stale-if-error=60 = stale
        stale-sie-404
          GET < Cache-Control: max-age=2,_stale-if-error=60
          +3 GET 404 = not_cached
        stale-close-must-revalidate
          GET < Cache-Control: max-age=2,_must-revalidate,_stale-if-error=60
          +3 GET x = fails
        stale-close-proxy-revalidate
          GET < Cache-Control: max-age=2,_proxy-revalidate
          +3 GET x = fails
        stale-close-no-cache
          GET < Cache-Control: max-age=2,_no-cache,_stale-if-error=60
          +3 GET x = fails
        stale-close-s-maxage=2
          GET < Cache-Control: max-age=2,_s-maxage=2
          +3 GET x = fails
        stale-while-revalidate
          GET < Cache-Control: max-age=1,_stale-while-revalidate=3600
          +3 GET < Cache-Control: max-age=3600 = stale
          GET = cached-anew
        stale-while-revalidate-window
          GET < Cache-Control: max-age=1,_stale-while-revalidate=4
          +8 GET = not_cached
        stale-while-revalidate-must-revalidate
          GET < Cache-Control: max-age=1,_stale-while-revalidate=3600,_must-revalidate
          +3 GET = not_cached

        """

    private static let vary = """
        vary-match
          GET > Foo: 1 < Expires: @5000 < Date: @0 < Vary: Foo
          GET > Foo: 1 = cached
        vary-no-match
          GET > Foo: 1 < Expires: @5000 < Date: @0 < Vary: Foo
          GET > Foo: 2 = not_cached
        vary-omit-stored
          GET < Expires: @5000 < Date: @0 < Vary: Foo
          GET > Foo: 1 = not_cached
        vary-omit
          GET > Foo: 1 < Expires: @5000 < Date: @0 < Vary: Foo
          GET = not_cached
        vary-invalidate
          GET > Foo: 1 < Expires: @5000 < Date: @0 < Vary: Foo < A: 1
          GET > Foo: 2 < Expires: @5000 < Date: @0 < Vary: Foo < A: 2 = not_cached
          GET > Foo: 1 = other ! A: 1
          GET > Foo: 2 = other ! A: 2
        vary-cache-key
          GET > Foo: 1 > Other: 2 < Expires: @5000 < Date: @0 < Vary: Foo
          GET > Foo: 1 > Other: 3 = cached
        vary-2-match
          GET > Foo: 1 > Bar: abc < Expires: @5000 < Date: @0 < Vary: Foo,_Bar
          GET > Foo: 1 > Bar: abc = cached
        vary-2-no-match
          GET > Foo: 1 > Bar: abc < Expires: @5000 < Date: @0 < Vary: Foo,_Bar
          GET > Foo: 2 > Bar: abc = not_cached
        vary-2-match-omit
          GET > Foo: 1 < Expires: @5000 < Date: @0 < Vary: Foo,_Bar
          GET = not_cached
        vary-3-match
          GET > Foo: 1 > Bar: abc > Baz: 789 < Expires: @5000 < Date: @0 < Vary: Foo,_Bar,_Baz
          GET > Foo: 1 > Bar: abc > Baz: 789 = cached
        vary-3-no-match
          GET > Foo: 1 > Bar: abc > Baz: 789 < Expires: @5000 < Date: @0 < Vary: Foo,_Bar,_Baz
          GET > Foo: 2 > Bar: abc > Baz: 789 = not_cached
        vary-3-order
          GET > Foo: 1 > Bar: abc4 > Baz: 789 < Expires: @5000 < Date: @0 < Vary: Foo,_Bar,_Baz
          GET > Foo: 1 > Bar: abc > Baz: 789 = not_cached
        vary-3-omit
          GET > Foo: 1 > Baz: 789 < Expires: @5000 < Date: @0 < Vary: Foo,_Bar,_Baz
          GET > Foo: 1 > Baz: 789 = cached
        vary-star
          GET > Foo: 1 > Baz: 789 < Expires: @5000 < Date: @0 < Vary: *
          GET > Foo: 1 > Baz: 789 = not_cached
        vary-normalise-space
          GET > Foo: 1,2 < Expires: @5000 < Date: @0 < Vary: Foo
          GET > Foo: 1,_2 = cached
        vary-normalise-combine
          GET > Foo: 1,_2 < Expires: @5000 < Date: @0 < Vary: Foo
          GET > Foo: 1 > Foo: 2 = cached
        vary-normalise-case
          GET > Foo: 1 < Expires: @5000 < Date: @0 < Vary: FOO
          GET > foo: 1 = cached
        vary-syntax-star-star
          GET < Expires: @5000 < Date: @0 < Vary: *,_*
          GET = not_cached
        vary-syntax-star-star-lines
          GET < Expires: @5000 < Date: @0 < Vary: * < Vary: *
          GET = not_cached
        vary-syntax-empty-star
          GET < Expires: @5000 < Date: @0 < Vary: ,_*
          GET = not_cached
        vary-syntax-empty-star-lines
          GET < Expires: @5000 < Date: @0 < Vary: < Vary: *
          GET = not_cached
        vary-syntax-star-foo
          GET > Foo: 1 < Expires: @5000 < Date: @0 < Vary: *,_Foo
          GET > Foo: 1 = not_cached
        vary-syntax-foo-star
          GET > Foo: 1 < Expires: @5000 < Date: @0 < Vary: Foo,_*
          GET > Foo: 1 = not_cached

        """

    private static let validation = """
        conditional-etag-strong-generate
          GET < Cache-Control: max-age=2 < ETag: "abcdef"
          +3 GET < ETag: "abcdef" = etag_validated
        conditional-etag-weak-generate-weak
          GET < Cache-Control: max-age=2 < ETag: W/"abcdef"
          +3 GET < ETag: W/"abcdef" = etag_validated
        conditional-etag-vary-headers
          GET > Abc: 123 < Expires: @1 < ETag: "abcdef" < Date: @0 < Vary: Abc
          +3 GET > Abc: 123 < Vary: Abc = etag_validated
        conditional-etag-vary-headers-mismatch
          GET > Abc: 123 < Expires: @10000 < ETag: "abcdef" < Date: @0 < Vary: Abc
          +3 GET > Abc: 456 = unconditional
        conditional-lm-generate
          GET < Cache-Control: max-age=2 < Last-Modified: ^-3000 < Date: @0
          +3 GET < Last-Modified: ^-3000 = lm_validated
        conditional-lm-too-weak
          GET < Cache-Control: max-age=2 < Last-Modified: ^0 < Date: @0
          +3 GET = unconditional
        conditional-other-tag
          GET < Cache-Control: max-age=2 < ETag: "a"
          +3 GET < ETag: "b" = other
          +3 GET < ETag: "b" = other
        conditional-new-response
          GET /a < Cache-Control: max-age=2
          +3 GET /a < Cache-Control: max-age=3600 = not_cached
          GET /a = cached
        304-freshens
          GET < Cache-Control: max-age=2 < ETag: "a" < Date: @0
          +3 GET < Cache-Control: max-age=3600 < Date: @0 < ETag: "a" = etag_validated ! Cache-Control: max-age=3600
          +1000 GET = cached
          +3000 GET < ETag: "a" = etag_validated
        304-no-store
          GET < Cache-Control: max-age=2 < ETag: "a"
          +3 GET < Cache-Control: no-store < ETag: "a" = etag_validated
          GET < Cache-Control: max-age=9 = unconditional
        304-set-cookie
          GET < Cache-Control: max-age=2 < ETag: "a"
          +3 GET < Cache-Control: max-age=60 < ETag: "a" < Set-Cookie: a=b = etag_validated ! Set-Cookie: a=b
          GET = cached !! Set-Cookie
        304-content-length
          GET < Cache-Control: max-age=2 < ETag: "a" < Content-Length: 8
          +3 GET < ETag: "a" < Content-Length: 10 = etag_validated ! Content-Length: 8
        head-200-freshness-update
          GET < Cache-Control: max-age=2 < A: 1 < ETag: "a"
          +3 HEAD < Cache-Control: max-age=1000 < A: 2 < ETag: "a"
          GET = cached ! A: 2
        head-200-retain
          GET < Cache-Control: max-age=2 < A: 1
          +3 HEAD < Cache-Control: max-age=1000
          GET = cached ! A: 1
        head-other-representation
          GET < Cache-Control: max-age=2 < ETag: "a"
          +3 HEAD < Cache-Control: max-age=1000 < ETag: "b"
          GET = unconditional
        head-410-update
          GET < Cache-Control: max-age=2 < A: 1 < ETag: "a"
          +3 HEAD 410 < Cache-Control: max-age=1000 < A: 2
          GET < ETag: "a" = etag_validated
        head-stores-nothing
          HEAD < Cache-Control: max-age=1000
          GET = not_cached

        """

    private static let invalidation = """
        invalidate-other-origin
          GET /target < Cache-Control: max-age=100000 < Date: @0
          POST < Location: http://example.org/target
          GET /target = cached
        invalidate-other-scheme
          GET /target < Cache-Control: max-age=100000 < Date: @0
          POST < Location: https://example.com/target
          GET /target = cached
        invalidate-safe
          GET < Cache-Control: max-age=100000 < Date: @0
          OPTIONS
          GET = cached
        invalidate-all-variants
          GET > Foo: 1 < Cache-Control: max-age=9999 < Vary: Foo
          GET > Foo: 2 < Cache-Control: max-age=9999 < Vary: Foo
          DELETE 204
          GET > Foo: 1 < Cache-Control: max-age=9999 < Vary: Foo = not_cached
          GET > Foo: 2 < Cache-Control: max-age=9999 < Vary: Foo = not_cached
        invalidate-all-users
          GET > Authorization: a < Cache-Control: max-age=9999
          POST > Authorization: b
          GET > Authorization: a = not_cached
        invalidate-no-answer
          GET < Cache-Control: max-age=9999
          POST x = fails
          GET = not_cached

        """

    private static let other = """
        other-age-gen
          GET < Expires: @2592000 < Date: @0
          +3 GET = cached ! Age: min3
        other-age-update-expires
          GET < Expires: @2592000 < Date: @0 < Age: 30
          +3 GET = cached ! Age: min33
        other-age-update-max-age
          GET < Cache-Control: max-age=600 < Date: @0 < Age: 30
          +3 GET = cached ! Age: min33
        other-date-update
          GET < Expires: @2592000 < Date: @0
          +3 GET = cached ! Date: @-3
        other-fresh-content-disposition-attachment
          GET < Cache-Control: max-age=3600 < Content-Disposition: attachment;_filename=example.txt
          GET = cached
        other-set-cookie
          GET < Cache-Control: max-age=3600 < Set-Cookie: a=b
          GET = cached !! Set-Cookie
        other-cookie
          GET < Cache-Control: max-age=3600
          GET > Cookie: a=b = not_cached
        query-args-different
          GET /?a=1 < Cache-Control: max-age=3600
          GET /?a=2 = not_cached
        query-args-same
          GET /?a=1 < Cache-Control: max-age=3600
          GET /?a=1 = cached
        range-passes
          GET < Cache-Control: max-age=3600
          GET 206 > Range: bytes=0-1 < Content-Range: bytes_0-1/8 = not_cached
          GET = hit
        partial-store-partial
          GET 206 > Range: bytes=0-1 < Cache-Control: max-age=3600 < Content-Range: bytes_0-1/8
          GET > Range: bytes=0-1 = not_cached
        partial-unasked
          GET 206 < Cache-Control: max-age=3600 < Content-Range: bytes_0-1/8
          GET = not_cached
        partial-with-200
          GET 200 < Cache-Control: max-age=3600 < Content-Range: bytes_0-1/8
          GET = not_cached
        conditional-etag-forward
          GET > If-None-Match: "x" = not_cached
        conditional-of-caller-stores-nothing
          GET > If-None-Match: "x" < Cache-Control: max-age=3600
          GET = not_cached
        head-hit
          GET < Cache-Control: max-age=3600 < A: 1
          HEAD = head ! A: 1
        must-understand
          GET 599 < Cache-Control: max-age=3600,_must-understand
          GET = not_cached

        """
}
