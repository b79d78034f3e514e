extension CacheConformanceTests {
    static let vary = """
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

    static let validation = """
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
        304-vary-longer
          GET > A: 1 > B: 1 < Cache-Control: max-age=2 < ETag: "a" < Vary: A
          +3 GET > A: 1 > B: 1 < Cache-Control: max-age=60 < ETag: "a" < Vary: A,_B = etag_validated ! Vary: A, B
          GET > A: 1 > B: 1 = cached
          GET > A: 1 > B: 2 < ETag: "b" = unconditional
        304-vary-new
          GET > A: 1 < Cache-Control: max-age=2 < ETag: "a"
          +3 GET > A: 1 < Cache-Control: max-age=60 < ETag: "a" < Vary: A = etag_validated
          GET > A: 1 = cached
          GET > A: 2 < ETag: "b" = unconditional
        304-vary-shorter
          GET > A: 1 > B: 1 < Cache-Control: max-age=2 < ETag: "a" < Vary: A,_B
          +3 GET > A: 1 > B: 1 < Cache-Control: max-age=60 < ETag: "a" < Vary: A = etag_validated
          GET > A: 1 > B: 2 = cached
        304-vary-star
          GET < Cache-Control: max-age=2 < ETag: "a"
          +3 GET < Cache-Control: max-age=60 < ETag: "a" < Vary: * = etag_validated
          GET < ETag: "b" = unconditional
        head-vary-longer
          GET > A: 1 < Cache-Control: max-age=2 < ETag: "a"
          +3 HEAD > A: 1 < Cache-Control: max-age=1000 < ETag: "a" < Vary: A
          GET > A: 1 = cached
          GET > A: 2 < ETag: "b" = unconditional
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

    static let invalidation = """
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

    static let other = """
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
