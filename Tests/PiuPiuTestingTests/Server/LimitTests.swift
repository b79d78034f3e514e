import PiuPiuTesting
import Testing

@Suite(.timeLimit(.generous))
struct LimitTests {
    @Test(.serialized, arguments: [1000, 4000])
    func manyConnectionsSleepAtTheSameTime(_ count: Int) async throws {
        let server = try LoopbackServer()
        server.route("/a", .sleep(.milliseconds(300)), .response(body: "ok"))
        let clients = try (0..<count).map { _ in try RawClient(port: server.port) }
        #expect(await server.waitForOpenConnections(count))
        for client in clients {
            try client.write("GET /a HTTP/1.1\r\n\r\n")
        }
        for client in clients {
            #expect(try client.readResponse().body == "ok")
        }
        #expect(server.requests.count == count)
        #expect(Set(server.requests.map(\.connection)).count == count)
    }

    @Test
    func tooLargeHeadIsRefused() throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        try client.write("GET / HTTP/1.1\r\nX: ")
        _ = client.writeSome([UInt8](repeating: 65, count: 1_100_000))
        let (text, ending) = client.readAll()
        #expect(text.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
        #expect(ending == .closed)
    }

    @Test
    func largeHeadIsAccepted() throws {
        let server = try LoopbackServer()
        server.route("/", .response(body: "ok"))
        let client = try RawClient(port: server.port)
        try client.write("GET / HTTP/1.1\r\nX: " + String(repeating: "A", count: 1_000_000) + "\r\n\r\n")
        #expect(try client.readResponse().body == "ok")
        #expect(server.requests.first?.header("x")?.utf8.count == 1_000_000)
    }

    @Test(
        arguments: [
            ("rubbish\r\n\r\n", "400"),
            ("GET / HTTP/2.0\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\n: x\r\n\r\n", "400"),
            ("\r\n\r\n \r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\n", "413"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "400"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", "400"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFF\r\n", "413"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFF\r\n", "400"),
        ]
    )
    func oddInputIsRefused(_ input: String, _ status: String) throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        try client.write(input)
        let (text, ending) = client.readAll()
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(ending == .closed)
    }

    @Test
    func bytesAreCountedAndACrowdedClientGetsNoMore() throws {
        let server = try LoopbackServer()
        server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("0123456789"))
        server.route("/small", .response(body: "ok"))
        let counting = try RawClient(port: server.port)
        // The answer to the second request says that the first one's was counted.
        func roundTrip() throws -> Int {
            try counting.write("GET /small HTTP/1.1\r\n\r\n")
            let response = try counting.readResponse()
            return response.head.utf8.count + response.body.utf8.count
        }
        let size = try roundTrip()
        #expect(try roundTrip() == size)
        #expect((size...2 * size).contains(server.bytesSent))

        let crowded = try RawClient(port: server.port)
        try crowded.write("GET /endless HTTP/1.1\r\n\r\n")
        var others: [Int] = []
        // Each round trip takes the server through a turn in which it would have written what it could.
        repeat {
            _ = try roundTrip()
            others.append(server.bytesSent - (others.count + 3) * size)
        } while others.count < 20_000 && (others.count < 20 || Set(others.suffix(20)).count > 1)
        #expect(Set(others.suffix(20)).count == 1)
        #expect((1...64 << 20).contains(others.last ?? 0))
    }

    @Test
    func randomBytesDoNoHarm() async throws {
        let server = try LoopbackServer()
        server.route("/", .echoRequest)
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("GET / HTTP/1.1\r\n\r\n:0aF;,\u{0}é".utf8)
        for _ in 0..<100 {
            let client = try RawClient(port: server.port)
            let prefix = Bool.random() ? "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" : ""
            let bytes = (0..<500).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
            _ = client.writeSome(Array(prefix.utf8) + bytes)
            client.finishWriting()
            #expect([.closed, .reset].contains(client.readAll().ending))
        }
        #expect(await server.waitForOpenConnections(0))
    }
}
