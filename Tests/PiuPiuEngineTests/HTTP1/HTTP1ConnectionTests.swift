#if os(Linux)
import Testing

@testable import PiuPiuEngine

/// What a connection does with its bytes, one turn after the other.
struct HTTP1ConnectionTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// An exchange that sends pieces; `nil` is a pause.
    private func upload(_ pieces: String?..., patience: Int64? = nil) -> ScriptedExchange {
        let upload = ScriptedExchange()
        upload.contentFraming = .length
        if let patience { upload.continuePatience = patience }
        upload.content = pieces.map { $0.map { Array($0.utf8) } }
        return upload
    }

    @Test func anExchangeLeavesAConnectionThatIsFree() throws {
        let bench = try ConnectionBench()
        for number in 1...2 {
            let exchange = ScriptedExchange()
            bench.connection.begin(exchange)
            #expect(String(decoding: bench.arrived(), as: UTF8.self) == exchange.head)
            bench.respond(Self.ok)
            #expect(exchange.hasSucceeded && exchange.text == "ok")
            #expect(exchange.wholeReports == 1)
            #expect(bench.freed == number && bench.connection.isAlive())
        }
    }

    @Test func whatArrivesBetweenTwoExchangesClosesTheConnection() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        bench.connection.begin(exchange)
        bench.respond(Self.ok)
        bench.respond("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray")
        #expect(!bench.connection.isAlive())
        #expect(bench.connection.isClosed && bench.closes == [true])
    }

    @Test func whatFollowsTheResponseInOneReadClosesTheConnection() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        bench.connection.begin(exchange)
        bench.respond(Self.ok + Self.ok)
        #expect(exchange.hasSucceeded && exchange.text == "ok")
        #expect(bench.freed == 0 && bench.closes == [false])
    }

    @Test func theCallersWishToCloseIsKept() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        exchange.closesConnection = true
        bench.connection.begin(exchange)
        bench.respond(Self.ok)
        #expect(exchange.hasSucceeded)
        #expect(bench.freed == 0 && bench.closes == [false])
    }

    @Test func nothingOfABrokenConnectionIsSentOnAnother() throws {
        let broken = try ConnectionBench()
        let other = try ConnectionBench(sharing: broken)
        let upload = upload("first", nil, "second")
        upload.head = "POST /other HTTP/1.1\r\n\r\n"
        other.connection.begin(upload)
        let secret = ScriptedExchange()
        secret.head = "GET /secret HTTP/1.1\r\nAuthorization: hush\r\n\r\n"
        broken.closePeer()
        broken.connection.begin(secret)
        broken.turn()
        #expect(secret.ends.count == 1 && !secret.hasSucceeded)
        other.connection.resume(upload, sending: true)
        #expect(String(decoding: other.arrived(), as: UTF8.self) == "POST /other HTTP/1.1\r\n\r\nfirstsecond")
    }

    @Test func theNextExchangeSendsItsBytesInOrder() throws {
        let bench = try ConnectionBench()
        let first = upload("a", nil, "b")
        let second = ScriptedExchange()
        (second.head, second.contentFraming) = ("PUT /2 HTTP/1.1\r\n\r\n", .length)
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        second.content = stride(from: 0, to: content.count, by: 10_000).map { Array(content[$0..<($0 + 10_000)]) }
        // The second begins as soon as the first has ended, while the first's last bytes are being sent.
        first.whenEnded = { bench.connection.begin(second) }
        bench.connection.begin(first)
        bench.respond(Self.ok)
        #expect(first.ends.isEmpty)
        _ = bench.arrived()
        bench.connection.resume(first, sending: true)
        #expect(first.hasSucceeded)
        var arrived: [UInt8] = []
        for _ in 0..<1000 where arrived.count < content.count {
            arrived += bench.arrived()
            bench.turn(1)
        }
        arrived += bench.arrived()
        #expect(arrived == Array("b".utf8) + Array(second.head.utf8) + content)
        bench.respond(Self.ok)
        #expect(second.hasSucceeded)
    }

    @Test func anAnswerBeforeTheResetIsRead() throws {
        let bench = try ConnectionBench()
        let upload = upload("a", nil, "b")
        bench.connection.begin(upload)
        bench.answer("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
        bench.closePeer()
        bench.connection.resume(upload, sending: true)
        bench.turn()
        #expect(upload.statusCodes == [413] && upload.text == "no")
        #expect(upload.hasSucceeded && bench.freed == 0)
    }

    @Test func aResetIsNotTheEndOfABody() throws {
        let bench = try ConnectionBench()
        let upload = upload("a", nil, "b")
        bench.connection.begin(upload)
        bench.respond("HTTP/1.1 200 OK\r\n\r\nhalf")
        // Unread bytes at the other end make its close a reset.
        bench.closePeer()
        bench.connection.resume(upload, sending: true)
        bench.turn()
        #expect(upload.text == "half")
        #expect(upload.ends.count == 1 && !upload.hasSucceeded)
    }

    @Test func contentWaitsForContinue() throws {
        let bench = try ConnectionBench()
        let upload = upload("content", patience: 60_000_000_000)
        bench.connection.begin(upload)
        bench.turn()
        #expect(String(decoding: bench.arrived(), as: UTF8.self) == upload.head)
        bench.respond("HTTP/1.1 100 Continue\r\n\r\n")
        #expect(String(decoding: bench.arrived(), as: UTF8.self) == "content")
        bench.respond(Self.ok)
        #expect(upload.statusCodes == [100, 200] && upload.hasSucceeded && bench.freed == 1)
    }

    @Test func aRefusalInOneReadWithContinueIsRead() throws {
        let bench = try ConnectionBench()
        let upload = upload(String(repeating: "\u{1}", count: 100_000), patience: 60_000_000_000)
        bench.connection.begin(upload)
        _ = bench.arrived()
        bench.answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
        bench.closePeer()
        bench.turn()
        #expect(upload.statusCodes == [100, 403] && upload.text == "no" && upload.hasSucceeded)
    }

    @Test func aRefusalEndsThePauseOfAnUpload() throws {
        let bench = try ConnectionBench()
        let upload = ScriptedExchange()
        upload.contentFraming = .chunked
        upload.content = [Array("a".utf8), nil]
        bench.connection.begin(upload)
        #expect(upload.pauses.last == true)
        bench.respond("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n")
        #expect(upload.pauses.last == false)
        #expect(upload.ends.isEmpty)
    }

    @Test func aReaderThatIsNotReadyGetsTheSameBytesAgain() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        exchange.isStreamed = true
        exchange.answers = [.proceed, .pause, .pause]
        bench.connection.begin(exchange)
        bench.respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n")
        #expect(exchange.text == "a" && exchange.pauses == [true])
        bench.connection.resume(exchange, sending: false)
        #expect(exchange.text == "a" && exchange.pauses == [true, false, true])
        bench.connection.resume(exchange, sending: false)
        bench.turn()
        #expect(exchange.text == "abcdef" && exchange.hasSucceeded && bench.freed == 1)
    }

    @Test func chunksAndTrailersAreWritten() throws {
        let bench = try ConnectionBench()
        let upload = ScriptedExchange()
        (upload.contentFraming, upload.contentTrailers) = (.chunked, ["T: 1"])
        upload.content = [Array("hello".utf8), nil, Array("!".utf8)]
        bench.connection.begin(upload)
        bench.connection.resume(upload, sending: true)
        let text = String(decoding: bench.arrived(), as: UTF8.self).dropFirst(upload.head.count)
        #expect(text == "0005\r\nhello\r\n0001\r\n!\r\n0\r\nT: 1\r\n\r\n")
        bench.respond(Self.ok)
        #expect(upload.hasSucceeded && upload.wholeReports == 1)
    }
}
#endif
