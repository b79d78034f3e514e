/// Makes responses, most of them good ones.
enum ResponseSample {
    static let tokens: [[UInt8]] = [
        "HTTP/1.1 ", "HTTP/1.0 200 OK\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 \r\n\r\n", "HTTP/1.1 204 No\r\n",
        " 304 ", "Content-Length: 5\r\n", "Content-Length: 0\r\n", "Content-Length", "Content-Length: 5, 6\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: identity\r\n", "Transfer-Encoding", "gzip, chunked",
        "Connection: close\r\n", "Connection: keep-alive\r\n", "Connection", "close", ", ", "Keep-Alive: timeout=0\r\n",
        "\r\n", "\r\n\r\n", "\n\n", "\r", "\n ", "\r\n\t", " :", "\r:", ":", "0\r\n\r\n", "0\r\n", "5\r\nhello\r\n",
        "5;a=b\r\n", "5 ;\r\n", "00000000000000005\r\n", "FFFFFFFFFFFFFFF\r\n", "T: 1\r\n", "10000000000000000\r\n",
        ";", "\"", "a=\"b\r\n\"",
    ].map { Array($0.utf8) }

    private static let fields = [
        "Server: a", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "X:", "X-Long: " + String(repeating: "x", count: 90),
        "Connection: keep-alive", "Connection: close", "Keep-Alive: timeout=5, max=100", "Content-Type: text/plain",
        "Content-Encoding: gzip", "Set-Cookie: a=b; Path=/", "Trailer: T", "Connexion: no", "Te: x", "X: \u{E9}",
    ]

    static let make: @Sendable (inout FuzzRandom) -> [UInt8] = { random in
        var text = ""
        while random.picks(15) { text += head(random.element(of: [100, 102, 103]), [], &random) }
        let body = String(repeating: "body of a response ", count: 8).prefix(random.element(of: [0, 1, 5, 16, 130]))
        let code = random.element(of: [200, 200, 200, 201, 204, 304, 404, 500, 999])
        switch random.below(10) {
        case 0...3:
            let length = body.utf8.count + (random.picks(15) ? random.element(of: [1, -1, 300]) : 0)
            text += head(code, ["Content-Length: \(max(0, length))"], &random) + body
        case 4...7: text += head(code, ["Transfer-Encoding: chunked"], &random) + chunks(body, &random)
        case 8: text += head(code, [], &random) + body
        default:
            let both = ["Content-Length: \(body.utf8.count)", "Transfer-Encoding: chunked"]
            text += head(code, both, &random) + chunks(body, &random)
        }
        if random.picks(20) { text += "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nfoo" }
        return [UInt8(random.picks(60) ? random.below(2) * 8 : random.below(8))] + Array(text.utf8)
    }

    private static func head(_ code: Int, _ framing: [String], _ random: inout FuzzRandom) -> String {
        var lines = framing + (0..<random.below(5)).map { _ in random.element(of: fields) }
        lines.shuffle(using: &random)
        let end = random.picks(95) ? "\r\n" : "\n"
        let version = random.picks(90) ? "HTTP/1.1" : "HTTP/1.0"
        return (["\(version) \(code) OK"] + lines).map { $0 + end }.joined() + end
    }

    private static func chunks(_ body: Substring, _ random: inout FuzzRandom) -> String {
        var (text, rest) = ("", body)
        while !rest.isEmpty {
            let piece = rest.prefix(1 + random.below(20))
            rest = rest.dropFirst(piece.count)
            let size = String(piece.count, radix: 16, uppercase: random.picks(50))
            var zeros = String(repeating: "0", count: random.picks(10) ? random.below(20) : 0)
            // A size that is as it should be in its last bits.
            if random.picks(2) {
                zeros = random.element(of: ["1", "8", "10"]) + String(repeating: "0", count: 15 - size.count)
            }
            text += zeros + size + (random.picks(10) ? ";a=b" : "") + "\r\n" + piece + "\r\n"
        }
        return text + "0\r\n" + (random.picks(20) ? "T: 1\r\nX-Sum: 2\r\n" : "") + "\r\n"
    }
}
