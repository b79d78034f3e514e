import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on WebSockets, and of the documentation comments of its types; most are run.
@Suite(.enabled(if: WebSocketServer.shared != nil, "There is no python3"), .timeLimit(.generous))
struct WebSocketSamplesTests {
    private let server: WebSocketServer
    private let dispatcher = URLRequestDispatcher.forTests()
    private let print = Printed()

    init() throws {
        server = try #require(WebSocketServer.shared)
    }

    private func show<Value>(_ value: Value) { print(value) }

    private actor Book {
        func reload() {}
        func update(_ price: Price) {}
        func take(_ message: WebSocketMessage) {}
    }

    private let book = Book()
    private let prices = Book()

    // MARK: Runs

    @Test func aScopeOpensAndClosesIt() async throws {
        try await echo(dispatcher, server.url("/echo"))
        #expect(print.lines == ["hello"])
        try await read(dispatcher, server.url("/binary"))
        #expect(print.lines == ["hello", "one", "two"])
    }

    @Test func aChatEndsWithItsLinesOrByTheServer() async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        for line in ["one", "two"] { continuation.yield(line) }
        continuation.finish()
        try await chat(dispatcher, server.url("/echo"), lines)
        #expect(print.lines == ["one", "two"])
        let (open, writer) = AsyncStream.makeStream(of: String.self)
        try await chat(dispatcher, server.url("/binary"), open)
        #expect(print.lines == ["one", "two", "one", "two"])
        let error = await #expect(throws: WebSocketError.self) {
            try await chat(dispatcher, server.url("/lost"), open)
        }
        #expect(error?.code == .connectionLost)
        writer.finish()
    }

    @Test func subprotocolsAreAgreedOn() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        var options = settings(&configuration)
        options.compression = .none
        let request = URLRequest(url: server.url("/name"))
        let socket = try #require(try await agree(dispatcher, request, options))
        #expect(try await socket.receive()?.text == "graphql-transport-ws")
        options.subprotocols = ["chat"]
        #expect(try await agree(dispatcher, request, options) == nil)
    }

    @Test func aCloseHasACode() async throws {
        let socket = try await dispatcher.webSocket(for: URLRequest(url: server.url("/echo")))
        try await close(socket)
        #expect(socket.closure?.code.rawValue == 4000 && socket.closure?.isClean == true && print.lines.isEmpty)
    }

    @Test func errorsAreCaught() async throws {
        #expect(try await refusals(dispatcher, URLRequest(url: server.url("/none"))) == nil)
        #expect(print.lines == ["404 none"])
        for path in ["/full", "/lost"] {
            try await errors(try await dispatcher.webSocket(for: URLRequest(url: server.url(path))))
        }
        #expect(print.lines.contains("1011 (internal error)"))
    }

    // MARK: The article

    private func echo(_ dispatcher: URLRequestDispatcher, _ url: URL) async throws {
        let request = URLRequest(url: url)  // wss://echo.example.com/
        try await dispatcher.withWebSocket(for: request) { socket in
            try await socket.send("hello")
            let answer = try await socket.receive()
            print(answer?.text ?? "The server closed it.")
        }
    }

    func chat(_ dispatcher: URLRequestDispatcher, _ room: URL, _ lines: AsyncStream<String>) async throws {
        try await dispatcher.withWebSocket(for: URLRequest(url: room)) { socket in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await line in lines { try await socket.send(line) }
                    try await socket.close()
                }
                for try await message in socket.messages {
                    if let text = message.text { show(text) }
                }
                group.cancelAll()
            }
        }
    }

    struct Price: Decodable, Sendable {
        var symbol: String
        var euros: Double
    }

    private func feed(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        var options = WebSocketOptions()
        options.keepAlive = .init(interval: .seconds(20), timeout: .seconds(10))
        let feed = dispatcher.webSocketMessages(for: request, options: options) { socket in
            try await socket.send(#"{"subscribe": ["BTC", "ETH"]}"#)
        }
        for try await element in feed {
            switch element {
            case .opened(_, after: nil):
                break
            case .opened(_, after: let gap?):
                print("No prices for \(gap.duration), because of \(gap.closure.code).")
                await book.reload()
            case .message(let message):
                await book.update(try JSONDecoder().decode(Price.self, from: message.data))
            }
        }
    }

    private func close(_ socket: WebSocket) async throws {
        let closure = try await socket.close(code: WebSocketCloseCode(rawValue: 4000), reason: "moved to another room")
        if !closure.isClean { print("The server did not answer in time.") }
    }

    private func settings(_ configuration: inout URLRequestDispatcher.Configuration) -> WebSocketOptions {
        var options = WebSocketOptions()
        options.subprotocols = ["graphql-transport-ws"]
        options.keepAlive = .init(interval: .seconds(30), timeout: .seconds(10))

        options.compression = .deflate(minimumSize: 200)
        configuration.connections = ConnectionLimits(total: 2000, streamsPerHost: 1000)
        return options
    }

    private func agree(
        _ dispatcher: URLRequestDispatcher,
        _ request: URLRequest,
        _ options: WebSocketOptions
    ) async throws -> WebSocket? {
        let socket = try await dispatcher.webSocket(for: request, options: options)
        guard socket.subprotocol == "graphql-transport-ws" else {
            try await socket.close(code: .protocolError, reason: "no common subprotocol")
            return nil
        }
        return socket
    }

    private func refusals(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws -> WebSocket? {
        do {
            return try await dispatcher.webSocket(for: request)
        } catch let error as WebSocketError where error.code == .handshakeRejected {
            print(error.response?.statusCode.rawValue ?? 0, String(decoding: error.body ?? Data(), as: UTF8.self))
            return nil
        }
    }

    private func read(_ dispatcher: URLRequestDispatcher, _ url: URL) async throws {
        try await dispatcher.withWebSocket(for: URLRequest(url: url)) { socket in
            for try await message in socket.messages {
                if let text = message.text { show(text) }
            }
        }
    }

    // MARK: Comments

    private func greet(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        try await dispatcher.withWebSocket(for: request) { socket in
            try await socket.send("hello")
            for try await message in socket.messages {
                print(message.text ?? "binary")
            }
        }
    }

    private func errors(_ socket: WebSocket) async throws {
        do {
            for try await message in socket.messages { show(message) }
        } catch let error as WebSocketError where error.code == .closed {
            print(error.closure?.code ?? .abnormalClosure)
        } catch WebSocketError.Code.connectionLost {
            // messages on the way may be lost, in both directions
        }
    }

    private func subscribe(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        let feed = dispatcher.webSocketMessages(for: request) { socket in
            try await socket.send(#"{"subscribe": "prices"}"#)
        }
        for try await element in feed {
            switch element {
            case .opened(_, after: let gap): if gap != nil { await prices.reload() }
            case .message(let message): await prices.take(message)
            }
        }
    }
}
