import Foundation
import PiuPiuTesting
import Testing

@Suite(.timeLimit(.generous))
struct MisbehaviourTests {
    private static let get = "GET /a HTTP/1.1\r\n\r\n"

    @Test
    func resetIsSeenAsSuch() throws {
        let server = try LoopbackServer()
        server.route("/a", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .reset)
        let client = try RawClient(port: server.port)
        try client.write(Self.get)
        #expect(client.readAll().ending == .reset)
    }

    @Test
    func closeComesAfterTheLastByte() throws {
        let server = try LoopbackServer()
        let half = String(repeating: "x", count: 1_000_000)
        server.route("/a", .send(half), .send(Data("end".utf8)), .close, .send("never"))
        let client = try RawClient(port: server.port)
        try client.write(Self.get + "unread rubbish")
        #expect(client.readAll() == (half + "end", .closed))
    }

    @Test
    func halfClosedServerGoesOnReading() async throws {
        let server = try LoopbackServer()
        server.route("/a", .send("bye"), .closeWrite, .send("never"), .repeat("never"))
        let client = try RawClient(port: server.port)
        try client.write(Self.get)
        #expect(client.readAll() == ("bye", .closed))
        try client.write([UInt8](repeating: 0, count: 8_000_000))
        #expect(server.openConnections == 1)
        client.finishWriting()
        #expect(await server.waitForOpenConnections(0))
    }

    @Test
    func stalledConnectionNoticesThatTheClientLeft() async throws {
        let server = try LoopbackServer()
        server.route("/a", .send("HTTP/1.1 200 OK\r\n"), .stall)
        var client: RawClient? = try RawClient(port: server.port)
        try client?.write(Self.get + Self.get)
        #expect(try client?.read(until: "\n") == "HTTP/1.1 200 OK\r\n")
        #expect(server.openConnections == 1)
        client = nil
        #expect(await server.waitForOpenConnections(0))
        #expect(server.requests.count == 1)
    }

    @Test(
        arguments: [
            [Step.sleep(.seconds(100))],
            [.hold("never")],
            [.repeat("x", every: .milliseconds(5))],
            [.repeat("x")],
        ]
    )
    func everyStepNoticesThatTheClientLeft(_ script: [Step]) async throws {
        let server = try LoopbackServer()
        server.route("/a", script)
        var client: RawClient? = try RawClient(port: server.port)
        try client?.write(Self.get)
        await server.waitForRequests(1)
        client = nil
        #expect(await server.waitForOpenConnections(0))
    }

    @Test
    func countedRepetitionsAreExact() throws {
        let server = try LoopbackServer()
        let slow = Step.repeat("z", count: 3, every: .milliseconds(2))
        server.route("/a", .repeat("abc", count: 100_000), slow, .send("!"), .close)
        let nothing = [Step.repeat("abc", count: 0), .repeat("", count: 5), .repeat("abc", count: -1)]
        server.route("/none", nothing + [.send("!"), .close])
        let client = try RawClient(port: server.port)
        try client.write(Self.get)
        let (text, ending) = client.readAll()
        #expect(text == String(repeating: "abc", count: 100_000) + "zzz!")
        #expect(ending == .closed)
        let other = try RawClient(port: server.port)
        try other.write("GET /none HTTP/1.1\r\n\r\n")
        #expect(other.readAll() == ("!", .closed))
    }

    @Test
    func endlessRepetitionWaitsForTheClient() throws {
        let server = try LoopbackServer()
        server.route("/a", .repeat(Data(repeating: 7, count: 1000)))
        server.route("/b", .response(body: "b"))
        let client = try RawClient(port: server.port)
        try client.write(Self.get)
        _ = try client.read(1)
        for _ in 0..<100 {
            // The server still serves others while the first client does not read.
            let other = try RawClient(port: server.port)
            try other.write("GET /b HTTP/1.1\r\n\r\n")
            #expect(try other.readResponse().body == "b")
        }
        // What the buffers of the system take, which is far less than the 20 MB that come when they are read.
        #expect(server.bytesSent < 16_000_000)
        #expect(try client.read(20_000_000).allSatisfy { $0 == 7 })
    }

    @Test
    func ignoredBodyBlocksTheUploadUntilItIsDrained() async throws {
        let server = try LoopbackServer()
        server.route("/a", .ignoreBody, .hold("drain"), .drainBody, .response(body: "done"))
        let client = try RawClient(port: server.port)
        let body = [UInt8](repeating: 66, count: 64_000_000)
        try client.write("PUT /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: \(body.count)\r\n\r\n")
        let written = client.writeWithoutPatience(body)
        #expect(written < body.count)
        #expect(await server.waitUntilHeld("drain"))
        #expect(server.requests.first?.isBodyComplete == false)
        server.release("drain")
        try client.write(Array(body.dropFirst(written)))
        #expect(try client.readResponse().body == "done")
        try client.write(Self.get)
        #expect(try client.readResponse().body == "done")
    }

    @Test
    func drainedBodyArrivesDuringTheScript() throws {
        let server = try LoopbackServer()
        server.route("/a", .drainBody, .response(status: 413, body: "early"))
        let client = try RawClient(port: server.port)
        try client.write("PUT /a HTTP/1.1\r\nContent-Length: 5000000\r\n\r\n")
        #expect(try client.readResponse().body == "early")
        try client.write([UInt8](repeating: 66, count: 5_000_000))
        try client.write(Self.get)
        #expect(try client.readResponse().body == "early")
        #expect(server.requests.map(\.bodyLength) == [0, 0])
    }

    @Test
    func abandonedUploadIsRecordedAsIncomplete() async throws {
        let server = try LoopbackServer()
        var client: RawClient? = try RawClient(port: server.port)
        try client?.write("PUT /a HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc")
        client = nil
        #expect(await server.waitForRequests(1, path: "/a"))
        #expect(server.requests.first?.body == Data("abc".utf8))
        #expect(server.requests.first?.isBodyComplete == false)
    }

    @Test
    func stepsRunWhenAConnectionIsAccepted() async throws {
        let reset = try LoopbackServer(onConnect: [.reset])
        // A reset may be seen while connecting, while writing or while reading.
        if let client = try? RawClient(port: reset.port) {
            #expect(client.readAll().ending == .reset)
        }
        let close = try LoopbackServer(onConnect: [.close])
        let closed = try RawClient(port: close.port)
        try closed.write(Self.get)
        #expect(closed.readAll() == ("", .closed))
        let greet = try LoopbackServer(onConnect: [.send("hello "), .sleep(.milliseconds(5)), .echo])
        greet.route("/a", .response(body: "a"))
        let greeted = try RawClient(port: greet.port)
        try greeted.write(Self.get)
        #expect(try greeted.readResponse().head.hasPrefix("hello HTTP/1.1 200 OK\r\n"))
        #expect(try greeted.readResponse().body == "a")
        let stall = try LoopbackServer(onConnect: [.stall])
        var stalled: RawClient? = try RawClient(port: stall.port)
        try stalled?.write(Self.get)
        #expect(await stall.waitForOpenConnections(1))
        stalled = nil
        #expect(await stall.waitForOpenConnections(atMost: 0))
        #expect(stall.requests.isEmpty)
    }
}
