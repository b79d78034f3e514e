import TestSupport

@testable import PiuPiuCurl

extension FuzzTarget {
    // MARK: AltSvcParser and HTTP3Alternatives

    static let altSvc = FuzzTarget(
        "AltSvc",
        seeds: [
            #"h3=":443"; ma=86400"#, #"h3=":443"; ma=3600; persist=1, h2="alt.example:8000""#, "clear",
            #"w%3Dx%3Ay#z="[2001:db8::1]:443";v="46,43""#, #"h3=":4\43"; note="a \", b; \\""#,
            #"junk, h3=":65535";ma="60""#, #"h3=":443"; ma=99999999999999999999"#, #"h3=":no end; ma=1, h3=":443""#,
        ],
        tokens: [
            "h3", "h2", "=", "\"", "\\", ":", ";", ",", "443", "65536", "ma=", "persist=1", "clear", "%33", "%", " ",
            "\t", "[::1]", "a.example", "h3=\":443\"",
        ],
        limit: 600
    ) { input, _ in
        let fields = input.texts(3)
        let read = fields.map { AltSvcParser.advertisement(in: [$0]) }
        let together = AltSvcParser.advertisement(in: fields)
        try demand(read.contains(.clear) == (together == .clear), "lines are read otherwise alone")
        var all: [AltSvcParser.Alternative] = []
        for case .alternatives(let some) in read { all += some }
        if case .alternatives(let some) = together {
            try demand(some == Array(all.prefix(AltSvcParser.maximumCount)), "lines together have other alternatives")
        }
        for one in all {
            try demand((1...65_535).contains(one.port), "there is no such port")
            try demand((0...AltSvcParser.maximumAge).contains(one.age), "the age is out of bounds")
            try demand(!one.protocolName.isEmpty, "the protocol has no name")
            guard one.isHTTP3(of: "https://a.example:443") else { continue }
            try demand(one.port == 443 && ["", "a.example"].contains(one.host), "the alternative is elsewhere")
        }
        var table = HTTP3Alternatives()
        table.note(together, of: "https://a.example:443", now: 0)
        let use = table.next(for: "https://a.example:443", now: 0)
        let isOffered = all.contains { $0.isHTTP3(of: "https://a.example:443") && $0.age > 0 }
        try demand(use == .none || use == .trial && isOffered && together != .clear, "what is not offered is tried")
        let later = Int64(AltSvcParser.maximumAge) * 1_000_000_000
        try demand(table.next(for: "https://a.example:443", now: later) == .none, "it does not expire")
    }
}
