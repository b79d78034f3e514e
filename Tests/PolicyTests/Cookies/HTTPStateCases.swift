/// The cases of the test suite of RFC 6265 (https://github.com/abarth/http-state, `tests/data/parser`).
///
/// `<` is a `Set-Cookie` field that `http://home.example.org:8888/cookie-parser` answers with, `@` where the next request
/// goes if it is not `/cookie-parser-result` there, and `>` the `Cookie` field that it has. A row with `!` differs from the
/// suite, whose field it names with the reason. `␠` is a blank at an end, and `…` makes a value too long.
enum HTTPStateCases {
    struct Case {
        let name: String
        var received: [String] = []
        var target = "http://home.example.org:8888/cookie-parser-result"
        var sent: String?
        var reason: String?
    }

    static var all: [Case] {
        var cases: [Case] = []
        for line in text.split(separator: "\n") {
            let rest = String(line.dropFirst(2)).replacing("␠", with: " ").replacing("␀", with: "\0").replacing(
                "␍",
                with: "\r"
            )
            .replacing("…", with: String(repeating: "a", count: 4096))
            switch line.first {
            case "<": cases[cases.count - 1].received.append(rest)
            case "@" where rest.hasPrefix("/"): cases[cases.count - 1].target = "http://home.example.org:8888" + rest
            case "@": cases[cases.count - 1].target = rest
            case ">": cases[cases.count - 1].sent = rest
            case "!": cases[cases.count - 1].reason = rest
            default: cases.append(Case(name: String(line)))
            }
        }
        return cases
    }

    private static let text = #"""
        0001
        < foo=bar
        > foo=bar
        0002
        < foo=bar; Expires=Fri, 07 Aug 2019 08:04:19 GMT
        > foo=bar
        0003
        < foo=bar; Expires=Fri, 07 Aug 2007 08:04:19 GMT
        < foo2=bar2; Expires=Fri, 07 Aug 2017 08:04:19 GMT
        > foo2=bar2
        0004
        < foo
        > foo
        ! nothing: RFC 6265bis stores cookies without a name
        0005
        < foo=bar; max-age=10000;
        > foo=bar
        0006
        < foo=bar; max-age=0;
        0007
        < foo=bar; version=1;
        > foo=bar
        0008
        < foo=bar; version=1000;
        > foo=bar
        0009
        < foo=bar; customvalue=1000;
        > foo=bar
        0010
        < foo=bar; secure;
        0011
        < foo=bar; customvalue="1000 or more";
        > foo=bar
        0012
        < foo=bar; customvalue="no trailing semicolon"
        > foo=bar
        0013
        < foo=bar
        < foo=qux
        > foo=qux
        0014
        < foo1=bar
        < foo2=qux
        > foo1=bar; foo2=qux
        0015
        < a=b
        < z=y
        > a=b; z=y
        0016
        < z=y
        < a=b
        > z=y; a=b
        0017
        < z=y, a=b
        > z=y, a=b
        0018
        < z=y; foo=bar, a=b
        > z=y
        0019
        < foo=b;max-age=3600, c=d;path=/
        > foo=b
        0020
        < a=b
        < =
        < c=d
        > a=b; c=d
        0021
        < a=b
        < =x
        < c=d
        > a=b; x; c=d
        ! a=b; c=d: RFC 6265bis stores cookies without a name
        0022
        < a=b
        < x=
        < c=d
        > a=b; x=; c=d
        0023
        < foo
        <␠
        > foo
        ! nothing: RFC 6265bis stores cookies without a name
        0024
        < foo
        < =
        > foo
        ! nothing: RFC 6265bis stores cookies without a name
        0025
        < foo
        < ; bar
        > foo
        ! nothing: RFC 6265bis stores cookies without a name
        0026
        < foo
        <   ␠
        > foo
        ! nothing: RFC 6265bis stores cookies without a name
        0027
        < foo
        < bar
        > bar
        ! nothing: RFC 6265bis stores cookies without a name, and the second one is the first one
        0028
        < foo
        <   ␠
        > foo
        ! nothing: RFC 6265bis stores cookies without a name
        ATTRIBUTE0001
        < foo=bar; Secure
        ATTRIBUTE0002
        < foo=bar; seCURe
        ATTRIBUTE0003
        < foo=bar; "Secure"
        > foo=bar
        ATTRIBUTE0004
        < foo=bar; Secure=
        ATTRIBUTE0005
        < foo=bar; Secure=aaaa
        ATTRIBUTE0006
        < foo=bar; Secure qux
        > foo=bar
        ATTRIBUTE0007
        < foo=bar; Secure =aaaaa
        ATTRIBUTE0008
        < foo=bar; Secure= aaaaa
        ATTRIBUTE0009
        < foo=bar; Secure; qux
        ATTRIBUTE0010
        < foo=bar; Secure;qux
        ATTRIBUTE0011
        < foo=bar; Secure    ; qux
        ATTRIBUTE0012
        < foo=bar;                Secure
        ATTRIBUTE0013
        < foo=bar;       Secure     ;
        ATTRIBUTE0014
        < foo=bar; Path
        > foo=bar
        ATTRIBUTE0015
        < foo=bar; Path=
        > foo=bar
        ATTRIBUTE0016
        < foo=bar; Path=/
        > foo=bar
        ATTRIBUTE0017
        < foo=bar; Path=/qux
        ATTRIBUTE0018
        < foo=bar; Path    =/qux
        ATTRIBUTE0019
        < foo=bar; Path=    /qux
        ATTRIBUTE0020
        < foo=bar; Path=/qux      ; taz
        ATTRIBUTE0021
        < foo=bar; Path=/qux; Path=/
        > foo=bar
        ATTRIBUTE0022
        < foo=bar; Path=/; Path=/qux
        ATTRIBUTE0023
        < foo=bar; Path=/qux; Path=/cookie-parser-result
        > foo=bar
        ATTRIBUTE0024
        < foo=bar; Path=/cookie-parser-result; Path=/qux
        ATTRIBUTE0025
        < foo=bar; qux; Secure
        ATTRIBUTE0026
        < foo=bar; qux="aaa;bbb"; Secure
        CHARSET0001
        < foo=春节回家路·春运完全手册
        > foo=春节回家路·春运完全手册
        CHARSET0002
        < 春节回=家路·春运完全手册
        > 春节回=家路·春运完全手册
        CHARSET0003
        < 春节回=家路·春运; 完全手册
        > 春节回=家路·春运
        CHARSET0004
        < foo="春节回家路·春运完全手册"
        > foo="春节回家路·春运完全手册"
        CHROMIUM0001
        < a=b
        > a=b
        CHROMIUM0002
        < aBc="zzz "   ;
        > aBc="zzz "
        CHROMIUM0003
        < aBc="zzz " ;
        > aBc="zzz "
        CHROMIUM0004
        < aBc="zz;pp" ; ;
        > aBc="zz
        CHROMIUM0005
        < aBc="zz ;
        > aBc="zz
        CHROMIUM0006
        < aBc="zzz "   "ppp"  ;
        > aBc="zzz "   "ppp"
        CHROMIUM0007
        < aBc="zzz "   "ppp" ;
        > aBc="zzz "   "ppp"
        CHROMIUM0008
        < aBc=A"B ;
        > aBc=A"B
        CHROMIUM0009
        < BLAHHH; path=/;
        > BLAHHH
        ! nothing: RFC 6265bis stores cookies without a name
        CHROMIUM0010
        < "BLA\"HHH"; path=/;
        > "BLA\"HHH"
        ! nothing: RFC 6265bis stores cookies without a name
        CHROMIUM0011
        < a="B
        > a="B
        CHROMIUM0012
        < =ABC
        > ABC
        ! nothing: RFC 6265bis stores cookies without a name
        CHROMIUM0013
        < ABC=;  path = /
        > ABC=
        CHROMIUM0014
        <   A  = BC  ;foo;;;   bar
        > A=BC
        CHROMIUM0015
        <   A=== BC  ;foo;;;   bar
        > A=== BC
        CHROMIUM0016
        < foo="zohNumRKgI0oxyhSsV3Z7D"  ; expires=Sun, 18-Apr-2027 21:06:29 GMT ; path=/  ;  ␠
        > foo="zohNumRKgI0oxyhSsV3Z7D"
        CHROMIUM0017
        < foo=zohNumRKgI0oxyhSsV3Z7D  ; expires=Sun, 18-Apr-2027 21:06:29 GMT ; path=/  ;  ␠
        > foo=zohNumRKgI0oxyhSsV3Z7D
        CHROMIUM0018
        <    ␠
        CHROMIUM0019
        < aaaaaaaaaa…
        CHROMIUM0021
        <␠
        COMMA0001
        < foo=bar, baz=qux
        > foo=bar, baz=qux
        COMMA0002
        < foo="bar, baz=qux"
        > foo="bar, baz=qux"
        COMMA0003
        < foo=bar; b,az=qux
        > foo=bar
        COMMA0004
        < foo=bar; baz=q,ux
        > foo=bar
        COMMA0005
        < foo=bar; Max-Age=50,399
        > foo=bar
        COMMA0006
        < foo=bar; Expires=Fri, 07 Aug 2019 08:04:19 GMT
        > foo=bar
        COMMA0007
        < foo=bar; Expires=Fri 07 Aug 2019 08:04:19 GMT, baz=qux
        > foo=bar
        DISABLED_CHROMIUM0020
        < aaaaaaaaaaa…
        DISABLED_CHROMIUM0022
        < AAA=BB␀ZYX
        ! AAA=BB, which is disabled there: RFC 6265bis ignores fields with control characters
        DISABLED_CHROMIUM0023
        < AAA=BB␍ZYX
        ! AAA=BB, which is disabled there: RFC 6265bis ignores fields with control characters
        DISABLED_PATH0029
        < foo=bar; path=/cookie-parser-result/foo/bar
        @ /cookie-parser-result/f%6Fo/bar?disabled-path0028
        ! foo=bar, which is disabled there: paths are compared as they are sent
        DOMAIN0001
        < foo=bar; domain=home.example.org
        @ http://home.example.org:8888/cookie-parser-result?domain0001
        > foo=bar
        DOMAIN0002
        < foo=bar; domain=home.example.org
        @ http://sibling.example.org:8888/cookie-parser-result?domain0002
        DOMAIN0003
        < foo=bar; domain=.home.example.org
        > foo=bar
        DOMAIN0004
        < foo=bar; domain=home.example.org
        @ http://subdomain.home.example.org:8888/cookie-parser-result?domain0004
        > foo=bar
        DOMAIN0005
        < foo=bar; domain=.home.example.org
        @ http://subdomain.home.example.org:8888/cookie-parser-result?domain0005
        > foo=bar
        DOMAIN0006
        < foo=bar; domain=.home.example.org
        @ http://sibling.example.org:8888/cookie-parser-result?domain0006
        DOMAIN0007
        < foo=bar; domain=sibling.example.org
        @ http://sibling.example.org:8888/cookie-parser-result?domain0007
        DOMAIN0008
        < foo=bar; domain=.example.org
        > foo=bar
        DOMAIN0009
        < foo=bar; domain=example.org
        > foo=bar
        DOMAIN0010
        < foo=bar; domain=..home.example.org
        DOMAIN0011
        < foo=bar; domain=home..example.org
        DOMAIN0012
        < foo=bar; domain=  .home.example.org
        > foo=bar
        DOMAIN0013
        < foo=bar; domain=  .  home.example.org
        DOMAIN0014
        < foo=bar; domain=home.example.org.
        DOMAIN0015
        < foo=bar; domain=home.example.org..
        DOMAIN0016
        < foo=bar; domain=home.example.org .
        DOMAIN0017
        < foo=bar; domain=.org
        DOMAIN0018
        < foo=bar; domain=.org.
        DOMAIN0019
        < foo=bar; domain=home.example.org
        < foo2=bar2; domain=.home.example.org
        > foo=bar; foo2=bar2
        DOMAIN0020
        < foo2=bar2; domain=.home.example.org
        < foo=bar; domain=home.example.org
        > foo2=bar2; foo=bar
        DOMAIN0021
        < foo=bar; domain="home.example.org"
        DOMAIN0022
        < foo=bar; domain=home.example.org
        < foo2=bar2; domain=.example.org
        > foo=bar; foo2=bar2
        DOMAIN0023
        < foo2=bar2; domain=.example.org
        < foo=bar; domain=home.example.org
        > foo2=bar2; foo=bar
        DOMAIN0024
        < foo=bar; domain=.example.org; domain=home.example.org
        @ http://sibling.example.org:8888/cookie-parser-result?domain0024
        DOMAIN0025
        < foo=bar; domain=home.example.org; domain=.example.org
        @ http://sibling.example.org:8888/cookie-parser-result?domain0025
        > foo=bar
        DOMAIN0026
        < foo=bar; domain=home.eXaMpLe.org
        > foo=bar
        DOMAIN0027
        < foo=bar; domain=home.example.org:8888
        DOMAIN0028
        < foo=bar; domain=subdomain.home.example.org
        @ http://subdomain.home.example.org:8888/cookie-parser-result?domain0028
        DOMAIN0029
        < foo=bar
        @ http://subdomain.home.example.org:8888/cookie-parser-result?domain0029
        DOMAIN0031
        < foo=bar; domain=home.example.org; domain=.example.org
        @ http://sibling.example.org:8888/cookie-parser-result?domain0031
        > foo=bar
        DOMAIN0033
        < foo=bar; domain=home.example.org
        @ http://hoMe.eXaMplE.org:8888/cookie-parser-result?domain0033
        > foo=bar
        DOMAIN0034
        < foo=bar; domain=home.example.org; domain=home.example.com
        DOMAIN0035
        < foo=bar; domain=home.example.com; domain=home.example.org
        > foo=bar
        DOMAIN0036
        < foo=bar; domain=home.example.org; domain=home.example.com; domain=home.example.org
        > foo=bar
        DOMAIN0037
        < foo=bar; domain=home.example.com; domain=home.example.org; domain=home.example.com
        DOMAIN0038
        < foo=bar; domain=home.example.org; domain=home.example.org
        > foo=bar
        DOMAIN0039
        < foo=bar; domain=home.example.org; domain=example.org
        > foo=bar
        DOMAIN0040
        < foo=bar; domain=example.org; domain=home.example.org
        > foo=bar
        DOMAIN0041
        < foo=bar; domain=.sibling.example.org
        @ http://sibling.example.org:8888/cookie-parser-result?domain0041
        DOMAIN0042
        < foo=bar; domain=.sibling.home.example.org
        @ http://sibling.home.example.org:8888/cookie-parser-result?domain0042
        MOZILLA0001
        < foo=bar; max-age=-1
        MOZILLA0002
        < foo=bar; max-age=0
        MOZILLA0003
        < foo=bar; expires=Thu, 10 Apr 1980 16:33:12 GMT
        MOZILLA0004
        < foo=bar; max-age=60
        > foo=bar
        MOZILLA0005
        < foo=bar; max-age=-20
        MOZILLA0006
        < foo=bar; max-age=60
        > foo=bar
        MOZILLA0007
        < foo=bar; expires=Thu, 10 Apr 1980 16:33:12 GMT
        MOZILLA0008
        < foo=bar; max-age=60
        < foo1=bar; max-age=60
        > foo=bar; foo1=bar
        MOZILLA0009
        < foo=bar; max-age=60
        < foo1=bar; max-age=60
        < foo=differentvalue; max-age=0
        > foo1=bar
        MOZILLA0010
        < foo=bar; max-age=60
        < foo1=bar; max-age=60
        < foo=differentvalue; max-age=0
        < foo2=evendifferentvalue; max-age=0
        > foo1=bar
        MOZILLA0011
        < test=parser; domain=.parser.test; ;; ;=; ,,, ===,abc,=; abracadabra! max-age=20;=;;
        MOZILLA0012
        < test="fubar! = foo;bar\";" parser; max-age=6
        < five; max-age=2.63,
        > test="fubar! = foo; five
        ! test="fubar! = foo: RFC 6265bis stores cookies without a name
        MOZILLA0013
        < test=kill; max-age=0
        < five; max-age=0
        MOZILLA0014
        < six
        > six
        ! nothing: RFC 6265bis stores cookies without a name
        MOZILLA0015
        < six
        < seven
        > seven
        ! nothing: RFC 6265bis stores cookies without a name
        MOZILLA0016
        < six
        < seven
        <  =eight
        > eight
        ! nothing: RFC 6265bis stores cookies without a name
        MOZILLA0017
        < six
        < seven
        <  =eight
        < test=six
        > eight; test=six
        ! test=six: RFC 6265bis stores cookies without a name
        NAME0001
        < a=bar
        > a=bar
        NAME0002
        < 1=bar
        > 1=bar
        NAME0003
        < $=bar
        > $=bar
        NAME0004
        < !a=bar
        > !a=bar
        NAME0005
        < @a=bar
        > @a=bar
        NAME0006
        < #a=bar
        > #a=bar
        NAME0007
        < $a=bar
        > $a=bar
        NAME0008
        < %a=bar
        > %a=bar
        NAME0009
        < ^a=bar
        > ^a=bar
        NAME0010
        < &a=bar
        > &a=bar
        NAME0011
        < *a=bar
        > *a=bar
        NAME0012
        < (a=bar
        > (a=bar
        NAME0013
        < )a=bar
        > )a=bar
        NAME0014
        < -a=bar
        > -a=bar
        NAME0015
        < _a=bar
        > _a=bar
        NAME0016
        < +=bar
        > +=bar
        NAME0017
        < =a=bar
        > a=bar
        ! nothing: RFC 6265bis stores cookies without a name
        NAME0018
        < a =bar
        > a=bar
        NAME0019
        < "a=bar
        > "a=bar
        NAME0020
        < "a=b"=bar
        > "a=b"=bar
        NAME0021
        < "a=b"=bar
        < "a=qux
        > "a=qux
        NAME0022
        <    foo=bar
        > foo=bar
        NAME0023
        < foo;bar=baz
        > foo
        ! nothing: RFC 6265bis stores cookies without a name
        NAME0024
        < $Version=1; foo=bar
        > $Version=1
        NAME0025
        < ===a=bar
        > ==a=bar
        ! nothing: RFC 6265bis stores cookies without a name
        NAME0026
        < foo=bar   ␠
        > foo=bar
        NAME0027
        < foo=bar    ;
        > foo=bar
        NAME0028
        < =a
        > a
        ! nothing: RFC 6265bis stores cookies without a name
        NAME0029
        < =
        NAME0030
        < foo bar=baz
        > foo bar=baz
        NAME0031
        < "foo;bar"=baz
        > "foo
        ! nothing: RFC 6265bis stores cookies without a name
        NAME0032
        < "foo\"bar
        < "foo\"bar;baz"=qux
        > "foo\"bar
        ! nothing: RFC 6265bis stores cookies without a name
        NAME0033
        < =foo=bar
        < aaa
        > aaa
        ! nothing: RFC 6265bis stores cookies without a name
        OPTIONAL_DOMAIN0030
        < foo=bar; domain=
        > foo=bar
        OPTIONAL_DOMAIN0041
        < foo=bar; domain=example.org; domain=
        > foo=bar
        OPTIONAL_DOMAIN0042
        < foo=bar; domain=foo.example.org; domain=
        > foo=bar
        ! nothing: by RFC 6265bis the last Domain counts, and an empty one is for the host alone
        OPTIONAL_DOMAIN0043
        < foo=bar; domain=foo.example.org; domain=
        @ http://subdomain.home.example.org:8888/cookie-parser-result?optional-domain0043
        ORDERING0001
        < key=val0;
        < key=val1; path=/cookie-parser-result
        < key=val2; path=/
        < key=val3; path=/bar
        < key=val4; domain=.example.org
        < key=val5; domain=.example.org; path=/cookie-parser-result/foo
        @ /cookie-parser-result/foo/baz?ordering0001
        > key=val5; key=val1; key=val2; key=val4
        ! key=val1; key=val2; key=val4; key=val5: the RFC puts longer paths first
        PATH0001
        < a=b; path=/
        < x=y; path=/cookie-parser-result
        > x=y; a=b
        PATH0002
        < a=b; path=/cookie-parser-result
        < x=y; path=/
        > a=b; x=y
        PATH0003
        < x=y; path=/
        < a=b; path=/cookie-parser-result
        > a=b; x=y
        PATH0004
        < x=y; path=/cookie-parser-result
        < a=b; path=/
        > x=y; a=b
        PATH0005
        < foo=bar; path=/cookie-parser-result/foo
        PATH0006
        < foo=bar
        < foo=qux; path=/cookie-parser-result/foo
        > foo=bar
        PATH0007
        < foo=bar; path=/cookie-parser-result/foo
        @ /cookie-parser-result/foo?path0007
        > foo=bar
        PATH0008
        < foo=bar; path=/cookie-parser-result/foo
        @ /cookie-parser-result/bar?path0008
        PATH0009
        < foo=bar; path=/cookie-parser-result/foo/qux
        @ /cookie-parser-result/foo?path0009
        PATH0010
        < foo=bar; path=/cookie-parser-result/foo/qux
        @ /cookie-parser-result/foo/qux?path0010
        > foo=bar
        PATH0011
        < foo=bar; path=/cookie-parser-result/foo/qux
        @ /cookie-parser-result/bar/qux?path0011
        PATH0012
        < foo=bar; path=/cookie-parser-result/foo/qux
        @ /cookie-parser-result/foo/baz?path0012
        PATH0013
        < foo=bar; path=/cookie-parser-result/foo/qux/
        @ /cookie-parser-result/foo/baz?path0013
        PATH0014
        < foo=bar; path=/cookie-parser-result/foo/qux/
        @ /cookie-parser-result/foo/qux?path0014
        PATH0015
        < foo=bar; path=/cookie-parser-result/foo/qux/
        @ /cookie-parser-result/foo/qux/?path0015
        > foo=bar
        PATH0016
        < foo=bar; path=/cookie-parser-result/foo/
        @ /cookie-parser-result/foo/qux?path0016
        > foo=bar
        PATH0017
        < foo=bar; path=/cookie-parser-result/foo/
        @ /cookie-parser-result/foo//qux?path0017
        > foo=bar
        PATH0018
        < foo=bar; path=/cookie-parser-result/foo/
        @ /cookie-parser-result/fooqux?path0018
        PATH0019
        < foo=bar; path
        > foo=bar
        PATH0020
        < foo=bar; path=
        > foo=bar
        PATH0021
        < foo=bar; path=/
        > foo=bar
        PATH0022
        < foo=bar; path= /
        > foo=bar
        PATH0023
        < foo=bar; Path=/cookie-PARSER-result
        PATH0024
        < foo=bar; path=/cookie-parser-result/foo/qux?
        @ /cookie-parser-result/foo/qux?path0024
        PATH0025
        < foo=bar; path=/cookie-parser-result/foo/qux#
        @ /cookie-parser-result/foo/qux?path0025
        PATH0026
        < foo=bar; path=/cookie-parser-result/foo/qux;
        @ /cookie-parser-result/foo/qux?path0026
        > foo=bar
        PATH0027
        < foo=bar; path="/cookie-parser-result/foo/qux;"
        @ /cookie-parser-result/foo/qux?path0027
        > foo=bar
        PATH0028
        < foo=bar; path=/cookie-parser-result/f%6Fo/bar
        @ /cookie-parser-result/foo/bar?path0028
        PATH0029
        < a=b;       path    =       /cookie-parser-result  ␠
        < x=y;       path    =       /book  ␠
        > a=b
        PATH0030
        < foo=bar; path=/dog; path=
        > foo=bar
        PATH0031
        < foo=bar; path=; path=/dog
        PATH0032
        < foo=bar; path=/cookie-parser-result
        < foo=qux; path=/cookie-parser-result/
        @ /cookie-parser-result/dog?path0032
        > foo=qux; foo=bar
        VALUE0001
        < foo=  bar
        > foo=bar
        VALUE0002
        < foo="bar"
        > foo="bar"
        VALUE0003
        < foo="  bar "
        > foo="  bar "
        VALUE0004
        < foo="bar;baz"
        > foo="bar
        VALUE0005
        < foo="bar=baz"
        > foo="bar=baz"
        VALUE0006
        <    foo     =       bar             ;       ttt
        > foo=bar
        """#
}
