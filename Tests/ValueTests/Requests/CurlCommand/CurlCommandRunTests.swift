#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

/// Runs commands by real shells and curl, and compares what a server gets with what the transport sends.
///
/// The order of the header fields may differ: PiuPiu sends them in the order of a dictionary.
@Suite(.enabled(if: ShellRun.hasCurl, "sh or curl is not installed"), .timeLimit(.generous))
struct CurlCommandRunTests {
    /// A request as the server got it.
    private struct Message: Hashable, CustomStringConvertible {
        let start: Data
        let fields: [Data]
        let body: Data

        init(_ request: RecordedRequest) {
            let head = [UInt8](request.head)
            var lines = head.split(separator: 10).map { Data($0) }
            start = lines.isEmpty ? Data() : lines.removeFirst()
            fields = lines.sorted { $0.lexicographicallyPrecedes($1) }
            body = request.body
        }

        var description: String {
            ([start] + fields + [body.prefix(200)]).map { String(decoding: $0, as: UTF8.self).debugDescription }
                .joined(separator: "\n")
        }
    }

    private let server: LoopbackServer
    private let transport: SocketTransport
    private let folder: DownloadFolder

    init() throws {
        server = try LoopbackServer()
        transport = try SocketTransport(configuration: TransportConfiguration(proxy: .none))
        folder = try DownloadFolder()
    }

    /// Returns what arrived, by the number of its case.
    private func takeMessages() -> [Int: [Message]] {
        let requests = server.requests
        server.forgetRequests()
        return Dictionary(grouping: requests) { Int($0.header("X-Case") ?? "") ?? -1 }
            .mapValues { $0.map(Message.init) }
    }

    @Test func curlSendsTheSameBytesForOddRequests() async throws {
        let mark = folder["mark"].path(percentEncoded: false)
        var source = OddRequests(base: server.baseURL, mark: mark, seed: 20_260)
        let requests = (0..<205).map { source.next($0) }

        for request in requests { _ = try await transport.send(TransportRequest(request)) }
        let expected = takeMessages()
        try #require(expected.count == requests.count && expected.values.allSatisfy { $0.count == 1 })

        let commands = try requests.map { try $0.curlCommand(showingSecrets: true) }
        let outputs = try await withThrowingTaskGroup(of: [Data?].self) { group in
            for shell in ShellRun.shells { group.addTask { try await ShellRun(shell).outputs(of: commands) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let sent = takeMessages()
        #expect(sent[-1] == nil)
        for (number, command) in commands.enumerated() {
            #expect(outputs.allSatisfy { $0[number] != nil }, "a shell or curl failed: \(command.prefix(3000))")
            let messages = ShellRun.shells.flatMap { _ in expected[number] ?? [] }
            #expect(sent[number] == messages, "\(command.prefix(3000))")
        }
        #expect(folder.listing == [], "a shell ran a part of a request")
    }

    @Test func hiddenRequestsAreSafeCommandsToo() async throws {
        let mark = folder["mark"].path(percentEncoded: false)
        var source = OddRequests(base: server.baseURL, mark: mark, seed: 20_261)
        let commands = try (0..<30).map { try source.next($0).curlCommand() }

        let outputs = try await ShellRun("sh").outputs(of: commands)

        #expect(outputs.allSatisfy { $0 != nil })
        #expect(takeMessages().count == 30)
        #expect(folder.listing == [])
    }

    @Test func curlSendsTheSameBodies() async throws {
        let mark = folder["mark"].path(percentEncoded: false)
        let odd = try folder.write("it's $(touch mark)\t\u{301}\n\n", Data([0, 1, 2, 0xFF]))
        let empty = try folder.write("-", Data())
        var form = MultipartFormData()
        form.append("it's 100% \\ $(touch \(mark))", name: "text")
        form.append(file: odd, name: "file")
        let text = Data(String(repeating: "text ", count: 1000).utf8)
        let bodies: [RequestBody] = [
            .file(odd), .file(empty), .multipart(form), .data(text).gzipped(), .data(Data()),
        ]
        let listing = folder.listing
        @Sendable func stream(_ length: Int64?) -> RequestBody {
            let (bytes, end) = AsyncStream.makeStream(of: Data.self)
            end.yield(Data("hello".utf8))
            end.finish()
            return .stream(bytes, length: length)
        }
        let makers = bodies.map { body in { body } } + [{ stream(nil) }, { stream(5) }]
        func request(_ number: Int, _ method: HTTPMethod) -> TransportRequest {
            var request = TransportRequest(URLRequest(url: server.url("/"), method: method))
            request.urlRequest.setValue(String(number), forHTTPHeaderField: "X-Case")
            request.body = makers[number]()
            return request
        }

        var commands: [String] = []
        for number in makers.indices {
            _ = try await transport.send(request(number, number % 2 == 0 ? .post : .put))
            commands.append(try await request(number, number % 2 == 0 ? .post : .put).curlCommand(showingSecrets: true))
        }
        let expected = takeMessages()
        try #require(expected.count == makers.count)
        for shell in ShellRun.shells {
            let outputs = try await ShellRun(shell).outputs(of: commands, input: "hello")
            #expect(outputs.allSatisfy { $0 != nil })
            let sent = takeMessages()
            for (number, command) in commands.enumerated() {
                #expect(sent[number] == expected[number], "\(shell): \(command)")
            }
        }
        #expect(folder.listing == listing)
    }

    @Test func aCompressedFileIsSentCompressed() async throws {
        let file = try folder.write("file", Data(String(repeating: "text ", count: 1000).utf8))
        var request = TransportRequest(URLRequest(url: server.url("/"), method: .post))
        request.body = .file(file).gzipped()
        _ = try await transport.send(request)
        _ = try await ShellRun("sh").outputs(of: [request.curlCommand(showingSecrets: true)])

        let messages = server.requests.map(Message.init)
        try #require(messages.count == 2)
        #expect(messages[0].start == messages[1].start && messages[0].fields == messages[1].fields)
        #expect(messages.allSatisfy { $0.body.starts(with: [0x1F, 0x8B]) && $0.body.count < 1000 })
    }
}
#endif
