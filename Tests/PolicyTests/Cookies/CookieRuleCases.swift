/// Rules that the suite of RFC 6265 has no cases for.
///
/// `<` is a URL and the `Set-Cookie` field that it answers with, `+` lets seconds pass, and `>` is a URL and the `Cookie`
/// field of a request to it; `-` for none.
enum CookieRuleCases {
    enum Step {
        case set(url: String, field: String)
        case pass(Double)
        case send(url: String, field: String?)
    }

    static var all: [(name: String, steps: [Step])] {
        var cases: [(name: String, steps: [Step])] = []
        for line in text.split(separator: "\n") {
            let words = line.dropFirst(2).split(separator: " ", maxSplits: 1)
            switch line.first {
            case "<": cases[cases.count - 1].steps.append(.set(url: String(words[0]), field: String(words[1])))
            case "+": cases[cases.count - 1].steps.append(.pass(Double(words[0]) ?? 0))
            case ">":
                let field = words[1] == "-" ? nil : String(words[1])
                cases[cases.count - 1].steps.append(.send(url: String(words[0]), field: field))
            default: cases.append((String(line), []))
            }
        }
        return cases
    }

    private static let text = #"""
        Secure needs TLS to be set
        < http://a.example/ a=1; Secure
        > https://a.example/ -
        Secure needs TLS to be sent
        < https://a.example/ a=1; Secure
        > http://a.example/ -
        > https://a.example/ a=1
        localhost is as good as TLS
        < http://localhost:8080/ a=1; Secure
        > http://localhost/ a=1
        a name below localhost, too
        < http://app.localhost/ a=1; Secure
        > http://app.localhost/ a=1
        127.0.0.1, too
        < http://127.0.0.1/ a=1; Secure
        > http://127.0.0.1:81/ a=1
        all of 127, in any spelling
        < http://127.9.8.7/ a=1; Secure
        > http://127.0x9.0x0807/ a=1
        ::1, too
        < http://[::1]/ a=1; Secure
        > http://[0:0::1]/ a=1
        another address is not
        < http://10.0.0.1/ a=1; Secure
        > http://10.0.0.1/ -
        a name that begins like one is not
        < http://127.0.0.1.example.com/ a=1; Secure
        > http://127.0.0.1.example.com/ -
        a name that ends like localhost is not
        < http://evil-localhost/ a=1; Secure
        > http://evil-localhost/ -
        __Secure- needs Secure
        < https://a.example/ __Secure-a=1
        > https://a.example/ -
        __Secure- with Secure
        < https://a.example/ __Secure-a=1; Secure
        > https://a.example/ __Secure-a=1
        __secure- in any case
        < https://a.example/ __sEcUrE-a=1
        > https://a.example/ -
        __Host- with all it needs
        < https://a.example/x/y __Host-a=1; Secure; Path=/
        > https://a.example/ __Host-a=1
        __Host- needs Secure
        < https://a.example/ __Host-a=1; Path=/
        > https://a.example/ -
        __Host- needs a path
        < https://a.example/ __Host-a=1; Secure
        > https://a.example/ -
        __Host- needs the path of everything
        < https://a.example/ __Host-a=1; Secure; Path=/x
        > https://a.example/x -
        __Host- has no domain
        < https://a.example/ __Host-a=1; Secure; Path=/; Domain=a.example
        > https://a.example/ -
        __Host- with an empty domain
        < https://a.example/ __Host-a=1; Secure; Path=/; Domain=
        > https://a.example/ __Host-a=1
        __HOST- in any case
        < https://a.example/ __HOST-a=1; Secure
        > https://a.example/ -
        a value is not a name with a prefix
        < https://a.example/ =__Host-a=1; Secure; Path=/
        > https://a.example/ -
        nor one with the other prefix
        < https://a.example/ __Secure-a
        > https://a.example/ -
        SameSite=None needs Secure
        < https://a.example/ a=1; SameSite=None
        > https://a.example/ -
        SameSite=None with Secure
        < https://a.example/ a=1; SameSite=None; Secure
        > https://a.example/ a=1
        the other values of SameSite change nothing
        < https://a.example/ a=1; SameSite=Strict
        < https://a.example/ b=2; SameSite=Lax
        < https://a.example/ c=3; SameSite=Other
        > https://a.example/ a=1; b=2; c=3
        HttpOnly is sent
        < https://a.example/ a=1; HttpOnly
        > https://a.example/ a=1
        Max-Age is more than Expires
        < https://a.example/ a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:01 GMT
        > https://a.example/ a=1
        + 10
        > https://a.example/ -
        also in the other order
        < https://a.example/ a=1; Expires=Fri, 07 Aug 2099 08:04:19 GMT; Max-Age=0
        > https://a.example/ -
        Max-Age that is no number leaves Expires
        < https://a.example/ a=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=1x
        > https://a.example/ -
        the last Max-Age counts
        < https://a.example/ a=1; Max-Age=0; Max-Age=5
        > https://a.example/ a=1
        the last Expires counts if it is a date
        < https://a.example/ a=1; Expires=Fri, 07 Aug 2099 08:04:19 GMT; Expires=never
        > https://a.example/ a=1
        a cookie ends at its time
        < https://a.example/ a=1; Max-Age=5
        + 4.5
        > https://a.example/ a=1
        + 0.5
        > https://a.example/ -
        no cookie is older than 400 days
        < https://a.example/ a=1; Max-Age=99999999999999999999999999
        < https://a.example/ b=2; Expires=Fri, 07 Aug 9999 08:04:19 GMT
        + 34559999
        > https://a.example/ a=1; b=2
        + 1
        > https://a.example/ -
        one of the session does not end
        < https://a.example/ a=1
        + 99999999
        > https://a.example/ a=1
        a host of its own
        < https://a.example/ a=1
        > https://b.a.example/ -
        > https://example/ -
        a domain and what is below it
        < https://x.a.example/ a=1; Domain=a.example
        > https://a.example/ a=1
        > https://x.y.a.example/ a=1
        > https://ba.example/ -
        the port does not matter
        < https://a.example:444/ a=1
        > https://a.example:445/ a=1
        the case of a host does not matter
        < https://A.Example/ a=1; Domain=A.EXAMPLE
        > https://x.a.eXample/ a=1
        a public suffix is for nobody
        < https://a.github.io/ a=1; Domain=github.io
        > https://a.github.io/ -
        > https://b.github.io/ -
        nor one of two labels
        < https://a.co.uk/ a=1; Domain=co.uk
        > https://a.co.uk/ -
        nor one that no list has
        < https://a.internal/ a=1; Domain=internal
        > https://a.internal/ -
        a public suffix may have a cookie of its own
        < https://github.io/ a=1; Domain=github.io
        > https://github.io/ a=1
        > https://a.github.io/ -
        nor amazonaws.com, above the one of the host
        < https://evil.s3.amazonaws.com/ a=1; Domain=amazonaws.com
        > https://evil.s3.amazonaws.com/ -
        > https://victim.s3.amazonaws.com/ -
        > https://amazonaws.com/ -
        nor compute.amazonaws.com, above the one of the host
        < https://evil.eu-west-1.compute.amazonaws.com/ a=1; Domain=compute.amazonaws.com
        > https://evil.eu-west-1.compute.amazonaws.com/ -
        > https://victim.eu-west-1.compute.amazonaws.com/ -
        > https://compute.amazonaws.com/ -
        nor fastly.net, above the one of the host
        < https://evil.global.ssl.fastly.net/ a=1; Domain=fastly.net
        > https://evil.global.ssl.fastly.net/ -
        > https://victim.global.ssl.fastly.net/ -
        > https://fastly.net/ -
        nor kyoto.jp, above the one of the host
        < https://evil.ide.kyoto.jp/ a=1; Domain=kyoto.jp
        > https://evil.ide.kyoto.jp/ -
        > https://victim.ide.kyoto.jp/ -
        > https://kyoto.jp/ -
        nor kawasaki.jp, above the one of the host
        < https://evil.b.kawasaki.jp/ a=1; Domain=kawasaki.jp
        > https://evil.b.kawasaki.jp/ -
        > https://victim.b.kawasaki.jp/ -
        > https://kawasaki.jp/ -
        nor paas.massivegrid.net, above the one of the host
        < https://evil.ny-1.paas.massivegrid.net/ a=1; Domain=paas.massivegrid.net
        > https://evil.ny-1.paas.massivegrid.net/ -
        > https://victim.ny-1.paas.massivegrid.net/ -
        > https://paas.massivegrid.net/ -
        a host that is a public suffix has no domain above
        < https://s3.amazonaws.com/ a=1; Domain=amazonaws.com
        < https://s3.amazonaws.com/ b=2; Domain=s3.amazonaws.com
        < https://s3.amazonaws.com/ c=3
        > https://s3.amazonaws.com/ b=2; c=3
        > https://evil.s3.amazonaws.com/ -
        above no suffix, a domain may be shared with its own names
        < https://console.amazonaws.com/ a=1; Domain=amazonaws.com
        > https://other.amazonaws.com/ a=1
        an exception of the list is a domain of its own
        < https://a.city.kawasaki.jp/ a=1; Domain=city.kawasaki.jp
        < https://a.city.kawasaki.jp/ b=2; Domain=kawasaki.jp
        > https://b.city.kawasaki.jp/ a=1
        a domain below the registrable one
        < https://x.y.a.co.uk/ a=1; Domain=y.a.co.uk
        > https://z.y.a.co.uk/ a=1
        > https://a.co.uk/ -
        a name of one label has cookies of its own
        < http://localhost/ a=1; Domain=localhost
        > http://localhost:8080/ a=1
        > http://app.localhost/ -
        a dot at the end of both
        < https://x.a.com./ a=1; Domain=a.com.
        > https://y.a.com./ a=1
        an address is no domain
        < http://10.1.2.3/ a=1; Domain=2.3
        > http://10.1.2.3/ -
        but it is itself
        < http://10.1.2.3/ a=1; Domain=10.1.2.3
        > http://10.1.2.3/ a=1
        > http://9.10.1.2.3.example/ -
        an address of IPv6
        < http://[2001:db8::1]/ a=1
        > http://[2001:DB8:0::1]/ a=1
        > http://[2001:db8::2]/ -
        a name in Punycode
        < https://xn--bcher-kva.example/ a=1; Domain=xn--bcher-kva.example
        > https://www.xn--bcher-kva.example/ a=1
        a domain that is not ASCII
        < https://xn--bcher-kva.example/ a=1; Domain=bücher.example
        > https://xn--bcher-kva.example/ -
        a dot at the end is another host
        < https://a.example/ a=1
        > https://a.example./ -
        and no way around the suffixes
        < https://a.com./ a=1; Domain=com.
        > https://b.com./ -
        TLS protects its cookies from those without
        < https://a.example/ a=1; Secure; Path=/x
        < http://a.example/x/y a=2; Path=/x/y
        > https://a.example/x/y a=1
        also those of a domain from those of a host
        < https://a.example/ a=1; Secure; Domain=a.example
        < http://b.a.example/ a=2
        > https://b.a.example/ a=1
        and those of a host from those of a domain
        < https://b.a.example/ a=1; Secure
        < http://c.a.example/ a=2; Domain=a.example
        > https://b.a.example/ a=1
        > https://c.a.example/ -
        but not those with another name or path
        < https://a.example/ a=1; Secure; Path=/x
        < http://a.example/ a=2; Path=/
        < http://a.example/ A=3; Path=/x
        > https://a.example/x a=1; A=3; a=2
        with TLS, everything is replaced
        < https://a.example/ a=1; Secure
        < https://a.example/ a=2
        > http://a.example/ a=2
        a cookie keeps its place when it is replaced
        < https://a.example/ a=1
        + 1
        < https://a.example/ b=2
        + 1
        < https://a.example/ a=3
        > https://a.example/ a=3; b=2
        but not when it was removed
        < https://a.example/ a=1
        < https://a.example/ b=2
        < https://a.example/ a=; Max-Age=0
        < https://a.example/ a=3
        > https://a.example/ b=2; a=3
        a cookie of the host is another than that of the domain
        < https://a.example/ a=1
        < https://a.example/ a=2; Domain=a.example
        > https://a.example/ a=1; a=2
        longer paths are first
        < https://a.example/ a=1; Path=/
        < https://a.example/ b=2; Path=/x/y
        < https://a.example/ c=3; Path=/x
        > https://a.example/x/y/z b=2; c=3; a=1
        the path of a request
        < https://a.example/x/y?z=/w a=1
        > https://a.example/x a=1
        > https://a.example/x/z a=1
        > https://a.example/xy -
        a path without a slash
        < https://a.example?x=/y/z a=1
        > https://a.example a=1
        > https://a.example/q a=1
        a cookie without a name
        < https://a.example/ x
        < https://a.example/ =y
        > https://a.example/ y
        an attribute that is too long
        < https://a.example/ a=1; Path=/…
        > https://a.example/ a=1
        a value that is as long as it may be
        < https://a.example/ a=‥
        > https://a.example/ a=‥
        and one that is longer
        < https://a.example/ ab=‥
        > https://a.example/ -
        a control character
        < https://a.example/ a=1␇
        > https://a.example/ -
        a tab is none
        < https://a.example/ a=1␉2
        > https://a.example/ a=1␉2
        another scheme
        < ftp://a.example/ a=1
        > https://a.example/ -
        user information is not the host
        < https://a.example@b.example/ a=1
        > https://a.example/ -
        > https://b.example/ a=1
        """#
}
