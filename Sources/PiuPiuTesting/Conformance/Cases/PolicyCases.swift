import PiuPiuAsync

extension TransportConformance.Case {
    /// Policies that a transport leaves to other layers.
    static let policies: [Self] = [
        .semantics("policies.redirects", "A redirect is a response like any other.", "HTTPTransport") { bench in
            bench.peer.answer("/target", with: .response(body: "target"))
            for status in [300, 301, 302, 303, 307, 308] {
                for method in ["GET", "POST"] {
                    let location = bench.peer.url("/target").absoluteString
                    let steps = [PeerStep].response(status, headers: ["Location": location], body: "moved")
                    let response = try await bench.response(to: method, with: steps)
                    try expect("the status", response.head.statusCode.rawValue, is: status)
                    try expect("Location", response.head.headers["Location"], is: location)
                    try expect("the body", response.text, is: "moved")
                }
            }
            try expect("the requests for the target", bench.peer.requests(for: "/target").count, is: 0)
        },
        .semantics("policies.challenges", "A 401 or 407 is a response, and asks nobody.", "HTTPTransport") { bench in
            var url = URLComponents(url: bench.peer.url("/"), resolvingAgainstBaseURL: false)
            for scheme in ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", ""] {
                let fields: HTTPHeaderFields = ["WWW-Authenticate": scheme]
                bench.peer.answer("/", with: .response(401, headers: fields, body: "who?"))
                url?.user = "ada"
                let before = bench.peer.requests(for: "/").count
                let request = TransportRequest(to: try expectValue("a URL", url?.url))
                let response = try await bench.transport.send(request)
                try expect("the status", response.head.statusCode, is: .unauthorized)
                try expect("the body", response.text, is: "who?")
                try expect("the requests", bench.peer.requests(for: "/").count - before, is: 1)
            }
        },
        .semantics("policies.cookies", "Cookies are neither kept nor sent.", "HTTPTransport") { bench in
            let transport = try bench.transport
            bench.peer.answer("/", with: .response(headers: ["Set-Cookie": "a=1; Path=/"]))
            for _ in 0..<2 { _ = try await transport.send(bench.request()) }
            for request in bench.peer.requests(for: "/") { try expect("Cookie", request.headers["Cookie"], is: nil) }
        },
        .semantics("policies.cache", "Nothing is answered from a cache.", "HTTPTransport") { bench in
            let transport = try bench.transport
            let fields: HTTPHeaderFields = ["Cache-Control": "public, max-age=3600", "ETag": "\"1\""]
            bench.peer.answer("/", with: .response(headers: fields, body: "first"))
            _ = try await transport.send(bench.request())
            bench.peer.answer("/", with: .response(headers: fields, body: "second"))
            try expect("the body", try await transport.send(bench.request()).text, is: "second")
            let last = try expectValue("a request", bench.peer.requests(for: "/").last)
            try expect("If-None-Match", last.headers["If-None-Match"], is: nil)
        },
        .semantics("policies.retries", "A failure of the server's is not tried again.", "HTTPTransport") { bench in
            for status in [408, 421, 425, 429, 500, 502, 503, 504] {
                let steps = [PeerStep].response(status, headers: ["Retry-After": "0"], body: "later")
                let before = bench.peer.requests(for: "/").count
                let response = try await bench.response(with: steps)
                try expect("the status", response.head.statusCode.rawValue, is: status)
                try expect("the requests", bench.peer.requests(for: "/").count - before, is: 1)
            }
        },
    ]
}
