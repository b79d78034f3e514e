import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Many requests of one dispatcher, large ones, and what is left of a dispatcher afterwards.
@Suite(.timeLimit(.generous))
struct ManyRequestsTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        // A body that comes in many pieces, and is another one for each number.
        server.route("/many") { request in
            let number = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 0
            let piece = Self.piece(number)
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(piece.utf8.count * 40)\r\n\r\n"),
                .repeat(piece, count: 40),
            ]
        }
        server.route("/large", .response(body: Data(count: 4 << 20)))
    }

    private static func piece(_ number: Int) -> String { String(repeating: "\(number),", count: 300) }

    // K7, K9, rule 15
    @Test func requestsFromManyThreadsAtOnceAllEndWithTheirOwnBodies() async throws {
        // Not used before, so that all of them are the first to use it.
        let dispatcher = URLRequestDispatcher.forTests { $0.connections.perHost = 8 }
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask { [server] in
                    let future = dispatcher.dataFuture(from: URLRequest(url: server.url("/many?n=\(number)")))
                    let text = try await future.decodedString().fetchResult().data
                    #expect(text == String(repeating: Self.piece(number), count: 40))
                    return number
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(numbers.count == 64)
        // One set of connections for all, not a session for each.
        #expect(server.acceptedConnections <= 8)
    }

    // K9
    @Test func aBodyInMemoryHasALimitAndADownloadNeedsNone() async throws {
        let dispatcher = URLRequestDispatcher.forTests { $0.maximumBufferedBody = 1 << 20 }
        let request = URLRequest(url: server.url("/large"))
        let error = try await failure { try await dispatcher.dataFuture(from: request).fetchResult() }
        #expect((error as? TransportError)?.code == .bodyTooLarge)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let saved = try await dispatcher.downloadFuture(from: request, to: file).fetchResult()
        #expect(try Data(contentsOf: saved.data).count == 4 << 20)
    }

    // K9: its session and the session's delegate kept each other alive.
    @Test func aDispatcherIsLetGoOfWhileItsFuturesAreKept() async throws {
        var dispatcher: URLRequestDispatcher? = .forTests()
        weak let released = dispatcher
        let futures = try ["/large", "/many?n=1", "/none"].map { path in
            try #require(dispatcher).dataFuture(from: URLRequest(url: server.url(path)))
        }
        _ = try await futures[0].fetchResult()
        _ = try await futures[1].fetchResult()
        #expect(server.openConnections > 0)
        dispatcher = nil
        #expect(released == nil)
        #expect(await server.waitForOpenConnections(atMost: 0))
        #expect(futures.map(\.status) == [.success, .success, .created])
    }
}
