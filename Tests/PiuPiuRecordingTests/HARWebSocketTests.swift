import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// The messages of WebSockets in recordings.
@Suite(.timeLimit(.generous)) struct HARWebSocketTests {
    private static let url = "wss://chat.example/room?token=geheim"

    /// Records a WebSocket that sends messages and gets answers.
    private func record(
        _ recorder: HARRecorder,
        sending sent: [WebSocketMessage],
        answers: [WebSocketMessage]
    ) async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [recorder]
        let transport = MockTransport { _ in
            .webSocket { server in
                for _ in sent { _ = try await server.receive() }
                for message in answers { try await server.send(message) }
            }
        }
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        var request = URLRequest(url: try #require(URL(string: Self.url)))
        request.setValue("Bearer 0123456789abcdef", forHTTPHeaderField: "Authorization")
        let socket = try await dispatcher.webSocket(for: request)
        for message in sent { try await socket.send(message) }
        while try await socket.receive() != nil {}
        await dispatcher.shutdown()
    }

    @Test func messagesAreWrittenAsChromiumDoes() async throws {
        let recorder = HARRecorder()
        let before = Date().timeIntervalSince1970
        try await record(recorder, sending: [.text("hällo"), .binary(Data([0, 255]))], answers: [.text("a")])
        let file = try await saved(recorder.har)
        let entry = try #require(file.entries.first)
        #expect(entry["_resourceType"] as? String == "websocket")
        let request = try #require(entry["request"] as? [String: Any])
        #expect((request["url"] as? String)?.hasPrefix("wss://chat.example/room?token=") == true)
        #expect((request["url"] as? String)?.contains("geheim") == false)
        #expect((entry["response"] as? [String: Any])?["status"] as? Int == 101)
        let messages = try #require(entry["_webSocketMessages"] as? [[String: Any]])
        #expect(messages.map { $0["type"] as? String } == ["send", "send", "receive"])
        #expect(messages.map { $0["opcode"] as? Int } == [1, 2, 1])
        #expect(messages.map { $0["data"] as? String } == ["hällo", "AP8=", "a"])
        #expect(Set(messages[0].keys) == ["type", "time", "opcode", "data"])
        let times = messages.compactMap { $0["time"] as? Double }
        #expect(times.count == 3 && times == times.sorted())
        #expect(times.allSatisfy { $0 >= before - 1 && $0 <= before + 60 })
    }

    private struct File {
        let entries: [[String: Any]]
    }

    private func saved(_ har: HAR) async throws -> File {
        let folder = try DownloadFolder()
        let url = folder.url.appending(path: "a.har")
        try har.write(to: url)
        let log = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        return File(entries: (log?["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? [])
    }

    @Test func messagesAreReadBack() async throws {
        let recorder = HARRecorder()
        try await record(recorder, sending: [.text("a")], answers: [.binary(Data([1, 2, 3]))])
        let har = recorder.har
        let read = try HAR(JSONEncoder().encode(har))
        #expect(read.entries == har.entries)
        #expect(read.entries.first?.webSocketMessages.map(\.bytes) == [Data("a".utf8), Data([1, 2, 3])])
        #expect(read.entries.first?.comment == nil)
        #expect(read.entries.first?.response.error == nil)
        // A replay skips it.
        #expect(HARReplayer(read).unusedEntries.isEmpty)
    }

    @Test func aFileOfChromiumIsRead() throws {
        let text = """
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "entries": [{
              "_resourceType": "websocket", "_webSocketMessages": [
                {"type": "send", "time": 1558730482.5071218, "opcode": 1, "data": "Rock it with HTML5 WebSocket"},
                {"type": "receive", "time": 1558730482.5871, "opcode": 2, "data": "AQI="},
                {"type": "error", "time": 1558730483, "opcode": -1, "data": "broken"}],
              "startedDateTime": "2019-05-24T20:41:22.284Z", "time": 0,
              "request": {"method": "GET", "url": "wss://echo.example/?encoding=text", "httpVersion": "HTTP/1.1",
                "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
              "response": {"status": 101, "statusText": "Switching Protocols", "httpVersion": "HTTP/1.1", "headers": [],
                "cookies": [], "content": {"size": 0, "mimeType": "x-unknown"}, "redirectURL": "", "headersSize": -1,
                "bodySize": -1}, "cache": {}, "timings": {}}]}}
            """
        let har = try HAR(Data(text.utf8))
        let messages = try #require(har.entries.first).webSocketMessages
        #expect(messages.map(\.direction) == [.send, .receive])
        #expect(messages[0].time == 1_558_730_482.5071218)
        #expect(messages[1].bytes == Data([1, 2]))
    }

    @Test func secretsInMessagesAreReplaced() async throws {
        let recorder = HARRecorder()
        try await record(
            recorder,
            sending: [
                .text(#"{"password": "hunter22", "name": "Ada"}"#), .text("again: 0123456789abcdef"),
                .binary(Data("key 0123456789abcdef".utf8)),
            ],
            answers: [.text(#"{"access_token": "abc123def456ghi"}"#)]
        )
        let har = recorder.har
        let messages = try #require(har.entries.first).webSocketMessages
        let shown = messages.compactMap(\.bytes).map { String(decoding: $0, as: UTF8.self) }
        #expect(shown.count == 4)
        #expect(shown[0].contains("<redacted>") && shown[0].contains("Ada"))
        for secret in ["hunter22", "0123456789abcdef", "abc123def456ghi"] {
            #expect(!shown.joined().contains(secret))
        }
        // The replacement has the shape of the token.
        #expect(shown[3].count == #"{"access_token": "abc123def456ghi"}"#.count)
        #expect(!"\(messages)".contains("Ada"))
    }

    @Test func onlyTheBeginningOfLargeMessagesIsWritten() async throws {
        let recorder = HARRecorder(maximumMessage: 4)
        try await record(recorder, sending: [.text("abcdefgh"), .text("abcd")], answers: [])
        let messages = try #require(recorder.har.entries.first).webSocketMessages
        #expect(messages.map(\.data) == ["abcd", "abcd"])
        #expect(messages.map(\.size) == [8, nil])
    }

    @Test func theNumberOfMessagesIsBounded() async throws {
        let recorder = HARRecorder()
        let large = WebSocketMessage.text(String(repeating: "a", count: 16 * 1024))
        try await record(recorder, sending: Array(repeating: large, count: 300), answers: [])
        let entry = try #require(recorder.har.entries.first)
        #expect(entry.webSocketMessages.count == 255)
        #expect(entry.comment == "45 later messages are missing.")
    }

    @Test func anInterceptorRecordsTheHandshake() async throws {
        let recorder = HARRecorder()
        let dispatcher = URLRequestDispatcher(
            interceptors: [recorder],
            transport: MockTransport { _ in .webSocket { try await $0.send("a") } }
        )
        let request = URLRequest(url: try #require(URL(string: Self.url)))
        let socket = try await dispatcher.webSocket(for: request)
        while try await socket.receive() != nil {}
        await dispatcher.shutdown()
        let entry = try #require(recorder.har.entries.first)
        #expect(entry.response.status == 101 && entry.resourceType == "websocket")
        #expect(entry.webSocketMessages.isEmpty && entry.comment == nil)
    }
}
