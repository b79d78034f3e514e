#if os(Linux)
import Testing

@testable import PiuPiuEngine

/// What a connection does with its bytes, one turn after the other.
struct HTTP1ConnectionTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func anExchangeLeavesAConnectionThatIsFree() throws {
        let bench = try ConnectionBench()
        for number in 1...2 {
            let exchange = ScriptedExchange()
            bench.connection.begin(exchange)
            #expect(String(decoding: bench.arrived(), as: UTF8.self) == exchange.head)
            bench.answer(Self.ok)
            bench.turn()
            #expect(exchange.hasSucceeded && exchange.text == "ok")
            #expect(exchange.wholeReports == 1)
            #expect(bench.freed == number && bench.connection.isAlive())
        }
    }

    @Test func whatArrivesBetweenTwoExchangesClosesTheConnection() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        bench.connection.begin(exchange)
        bench.answer(Self.ok)
        bench.turn()
        bench.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray")
        bench.turn()
        #expect(!bench.connection.isAlive())
        #expect(bench.connection.isClosed && bench.closes == [true])
    }

    @Test func whatFollowsTheResponseInOneReadClosesTheConnection() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        bench.connection.begin(exchange)
        bench.answer(Self.ok + Self.ok)
        bench.turn()
        #expect(exchange.hasSucceeded && exchange.text == "ok")
        #expect(bench.freed == 0 && bench.closes == [false])
    }

    @Test func theCallersWishToCloseIsKept() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        exchange.closesConnection = true
        bench.connection.begin(exchange)
        bench.answer(Self.ok)
        bench.turn()
        #expect(exchange.hasSucceeded)
        #expect(bench.freed == 0 && bench.closes == [false])
    }

    @Test func nothingOfABrokenConnectionIsSentOnAnother() throws {
        let broken = try ConnectionBench()
        let other = try ConnectionBench(sharing: broken)
        let upload = ScriptedExchange()
        (upload.head, upload.contentFraming) = ("POST /other HTTP/1.1\r\n\r\n", .length)
        upload.content = [Array("first".utf8), nil, Array("second".utf8)]
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
        let first = ScriptedExchange()
        first.contentFraming = .length
        first.content = [Array("a".utf8), nil, Array("b".utf8)]
        let second = ScriptedExchange()
        (second.head, second.contentFraming) = ("PUT /2 HTTP/1.1\r\n\r\n", .length)
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        second.content = stride(from: 0, to: content.count, by: 10_000).map { Array(content[$0..<($0 + 10_000)]) }
        // The second begins as soon as the first has ended, while the first's last bytes are being sent.
        first.whenEnded = { bench.connection.begin(second) }
        bench.connection.begin(first)
        bench.answer(Self.ok)
        bench.turn()
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
        bench.answer(Self.ok)
        bench.turn()
        #expect(second.hasSucceeded)
    }

    @Test func anAnswerBeforeTheResetIsRead() throws {
        let bench = try ConnectionBench()
        let upload = ScriptedExchange()
        upload.contentFraming = .length
        upload.content = [Array("a".utf8), nil, Array("b".utf8)]
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
        let upload = ScriptedExchange()
        upload.contentFraming = .length
        upload.content = [Array("a".utf8), nil, Array("b".utf8)]
        bench.connection.begin(upload)
        bench.answer("HTTP/1.1 200 OK\r\n\r\nhalf")
        bench.turn()
        // Unread bytes at the other end make its close a reset.
        bench.closePeer()
        bench.connection.resume(upload, sending: true)
        bench.turn()
        #expect(upload.text == "half")
        #expect(upload.ends.count == 1 && !upload.hasSucceeded)
    }

    @Test func contentWaitsForContinue() throws {
        let bench = try ConnectionBench()
        let upload = ScriptedExchange()
        (upload.contentFraming, upload.continuePatience) = (.length, 60_000_000_000)
        upload.content = [Array("content".utf8)]
        bench.connection.begin(upload)
        bench.turn()
        #expect(String(decoding: bench.arrived(), as: UTF8.self) == upload.head)
        bench.answer("HTTP/1.1 100 Continue\r\n\r\n")
        bench.turn()
        #expect(String(decoding: bench.arrived(), as: UTF8.self) == "content")
        bench.answer(Self.ok)
        bench.turn()
        #expect(upload.statusCodes == [100, 200] && upload.hasSucceeded && bench.freed == 1)
    }

    @Test func aRefusalInOneReadWithContinueIsRead() throws {
        let bench = try ConnectionBench()
        let upload = ScriptedExchange()
        (upload.contentFraming, upload.continuePatience) = (.length, 60_000_000_000)
        upload.content = [[UInt8](repeating: 1, count: 100_000)]
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
        bench.answer("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n")
        bench.turn()
        #expect(upload.pauses.last == false)
        #expect(upload.ends.isEmpty)
    }

    @Test func aReaderThatIsNotReadyGetsTheSameBytesAgain() throws {
        let bench = try ConnectionBench()
        let exchange = ScriptedExchange()
        exchange.isStreamed = true
        exchange.answers = [.proceed, .pause, .pause]
        bench.connection.begin(exchange)
        bench.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n")
        bench.turn()
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
        bench.answer(Self.ok)
        bench.turn()
        #expect(upload.hasSucceeded && upload.wholeReports == 1)
    }
}
#endif
