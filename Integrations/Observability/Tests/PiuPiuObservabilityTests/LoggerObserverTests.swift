import InMemoryLogging
import Logging
import PiuPiuAsync
import PiuPiuTesting
import Testing
import Tracing

@testable import PiuPiuObservability

@Suite(.timeLimit(.minutes(2))) struct LoggerObserverTests {
    /// A value that a metadata provider reads.
    @TaskLocal static var user: String?

    @Test func aResponseIsOneLine() async throws {
        let bench = try Bench()
        bench.server.route("/users/7", .response(body: "hello"))
        var options = RequestOptions()
        options.routeTemplate = "/users/{id}"

        _ = try await bench.dispatcher.data(from: bench.server.url("/users/7?token=1"), options: options)

        let line = try #require(bench.lines.first)
        #expect(bench.lines.count == 1)
        #expect(line.level == .debug)
        #expect(line.message == "HTTP exchange succeeded")
        #expect(line["http.request.method"] == "GET")
        #expect(line["url.full"] == "http://127.0.0.1:\(bench.server.port)/users/7")
        #expect(line["url.template"] == "/users/{id}")
        #expect(line["http.response.status_code"] == "200")
        #expect(line["network.peer.address"] == "127.0.0.1")
        #expect(line["network.peer.port"] == "\(bench.server.port)")
        #expect(line["network.protocol.version"] == "1.1")
        #expect(line["piupiu.connection"] == "new")
        #expect(line["piupiu.attempt"] == "1")
        for key in ["http.client.request.duration", "piupiu.time.queued", "piupiu.time.first_byte"] {
            let seconds = try #require(line[key].flatMap(Double.init), "\(key)")
            #expect((0..<60).contains(seconds))
        }
        #expect(line["http.request.size"].flatMap(Int.init) == bench.server.requests.first?.head.count)
        #expect(line["http.response.size"].flatMap(Int.init) == bench.server.bytesSent)
        for key in ["error.type", "error.message", "piupiu.cause", "piupiu.redirects", "http.request.resend_count"] {
            #expect(line[key] == nil)
        }

        _ = try await bench.dispatcher.data(from: bench.server.url("/users/7"))
        #expect(bench.lines.last?["piupiu.connection"] == "reused")
        #expect(bench.lines.map { $0["piupiu.call"] } == ["1", "2"])
        #expect(bench.isSettled)
    }

    @Test func attemptsAndRedirectsSayWhy() async throws {
        let bench = try Bench(interceptors: [RetryPolicy.prompt])
        bench.server.sequence("/old", [[.response(status: 503)], [.redirect(to: "/new")]])
        bench.server.route("/new", .response(status: 404))

        _ = try await bench.dispatcher.data(from: bench.server.url("/old"))

        let lines = bench.lines
        #expect(lines.map { $0["http.response.status_code"] } == ["503", "302", "404"])
        #expect(lines.map { $0["error.type"] } == ["503", nil, "404"])
        #expect(lines.map(\.level) == [.info, .debug, .info])
        #expect(lines.map { $0["piupiu.attempt"] } == ["1", "2", "2"])
        #expect(lines.map { $0["piupiu.cause"] } == [nil, "503", "503"])
        #expect(lines.map { $0["piupiu.redirects"] } == [nil, nil, "1"])
        #expect(lines.map { $0["http.request.resend_count"] } == [nil, "1", "2"])
        #expect(Set(lines.map { $0["piupiu.call"] }) == ["1"])
    }

    @Test func failuresAreNamed() async throws {
        let bench = try Bench(logging: { LoggerObserver($0, levels: .init(failure: .error, cancelled: .notice)) })
        bench.server.route("/", .stall)
        let port = try RefusingPort()
        _ = try? await bench.dispatcher.data(from: port.url)
        let call = Task { try await bench.dispatcher.data(from: bench.server.url("/")) }
        await bench.server.waitForRequests(1)
        call.cancel()
        _ = await call.result
        await bench.dispatcher.shutdown()

        #expect(bench.lines.map(\.level) == [.error, .notice])
        #expect(bench.lines.map { "\($0.message)" } == ["HTTP exchange failed", "HTTP exchange was cancelled"])
        #expect(bench.lines.map { $0["error.type"] } == ["cannotConnect", "cancelled"])
        #expect(bench.lines.first?["error.message"]?.hasPrefix("The connection could not be opened") == true)
        #expect(bench.lines.allSatisfy { $0.error == nil })
        #expect(bench.isSettled)
    }

    @Test func theMetadataProviderSeesTheCallersTask() async throws {
        let handler = InMemoryLogHandler()
        let provider = Logger.MetadataProvider { Self.user.map { ["user": "\($0)"] } ?? [:] }
        let bench = try Bench(logging: { _ in LoggerObserver(Bench.logger(handler, provider: provider)) })
        bench.server.route("/", .response())

        try await Self.$user.withValue("anna") {
            _ = try await bench.dispatcher.data(from: bench.server.url("/"))
        }
        try await Self.$user.withValue("bert") {
            let body = try await bench.dispatcher.stream(for: URLRequest(url: bench.server.url("/"))).data
            _ = try await body.collect(upTo: 1)
        }
        _ = try await bench.dispatcher.data(from: bench.server.url("/"))

        #expect(handler.entries.map { $0["user"] } == ["anna", "bert", nil])
    }

    @Test func linesAreLoggedInTheContextOfTheCaller() async throws {
        let handler = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in ContextLogHandler(handler) }
        let bench = try Bench(logging: { _ in LoggerObserver(logger) })
        bench.server.route("/", .response())
        var context = ServiceContext.topLevel
        context.user = "anna"

        try await ServiceContext.$current.withValue(context) {
            _ = try await bench.dispatcher.data(from: bench.server.url("/"))
        }
        _ = try await bench.dispatcher.data(from: bench.server.url("/"))

        #expect(handler.entries.map { $0["seen"] } == ["anna", nil])
    }

    @Test func theLoggerOfTheCallersTaskIsUsed() async throws {
        let handler = InMemoryLogHandler()
        let bench = try Bench(logging: { _ in LoggerObserver() })
        bench.server.route("/", .response())
        var logger = Bench.logger(handler)
        logger[metadataKey: "request"] = "42"

        try await withLogger(logger) { _ in
            _ = try await bench.dispatcher.data(from: bench.server.url("/"))
        }

        #expect(handler.entries.map { $0["request"] } == ["42"])
        #expect(handler.entries.map { $0["http.response.status_code"] } == ["200"])
    }

    @Test func linesBelowTheLoggersLevelAreNeitherWrittenNorPrepared() async throws {
        let asked = Protected(0)
        let provider = Logger.MetadataProvider {
            asked.withLock { $0 += 1 }
            return [:]
        }
        let bench = try Bench(logging: { _ in
            var logger = Bench.logger(InMemoryLogHandler(), provider: provider)
            logger.logLevel = .notice
            return LoggerObserver(logger)
        })
        bench.server.route("/", .response())
        _ = try await bench.dispatcher.data(from: bench.server.url("/"))
        #expect(asked.withLock { $0 } == 0)

        let silent = try Bench(logging: { LoggerObserver($0, levels: .init(success: nil)) })
        silent.server.route("/", .response())
        silent.server.route("/missing", .response(status: 404))
        _ = try await silent.dispatcher.data(from: silent.server.url("/"))
        _ = try await silent.dispatcher.data(from: silent.server.url("/missing"))
        #expect(silent.lines.map { $0["http.response.status_code"] } == ["404"])
        #expect(silent.isSettled)
    }
}

extension ServiceContext {
    private enum UserKey: ServiceContextKey {
        typealias Value = String
    }

    fileprivate var user: String? {
        get { self[UserKey.self] }
        set { self[UserKey.self] = newValue }
    }
}

/// A handler that reads the context when a line is written, as those do that look for its span.
private struct ContextLogHandler: LogHandler {
    var base: InMemoryLogHandler
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(_ base: InMemoryLogHandler) { self.base = base }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        event.metadata?["seen"] = ServiceContext.current?.user.map { "\($0)" }
        base.log(event: event)
    }
}
