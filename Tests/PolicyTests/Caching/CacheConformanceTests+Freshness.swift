extension CacheConformanceTests {
    static let freshness = """
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
          +3 GET = not_cached
        freshness-expires-invalid-utc
          GET < Expires: Thu,_18_Aug_2050_02:01:18_UTC < Date: @0
          +3 GET = not_cached
        freshness-expires-invalid-2-digit-year
          GET < Expires: Thu,_18_Aug_50_02:01:18_GMT < Date: @0
          +3 GET = not_cached
        freshness-expires-invalid-no-comma
          GET < Expires: Thu_18_Aug_2050_02:01:18_GMT < Date: @0
          +3 GET = not_cached
        freshness-expires-invalid-multiple-spaces
          GET < Expires: Thu,_18__Aug__2050_02:01:18_GMT < Date: @0
          +3 GET = not_cached
        freshness-expires-invalid-date-dashes
          GET < Expires: Thu,_18-Aug-2050_02:01:18_GMT < Date: @0
          +3 GET = not_cached
        freshness-expires-invalid-time-periods
          GET < Expires: Thu,_18_Aug_2050_02.01.18_GMT < Date: @0
          +3 GET = not_cached

        """

    static let parsing = """
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

    static let directives = """
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

    static let stale = """
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
}
