import PiuPiuAsync
import PiuPiuTesting

/// The server of the example: a model that knows two answers, and takes its time for each word.
struct Service {
    static let answers = [["Birds ", "build ", "nests", "."], ["Of ", "twigs, ", "moss ", "and ", "hair", "."]]

    private let server: LoopbackServer

    var url: URL { server.baseURL }

    init() throws {
        let server = try LoopbackServer()
        self.server = server
        server.route("POST", "/v1/chat/completions") { request in
            guard request.header("Authorization") == "Bearer t0ken" else {
                return [.json(#"{"error":{"message":"Who are you?"}}"#, status: 401)]
            }
            // The conversation so far is in the body.
            let number = server.requests(for: "/v1/chat/completions").count - 1
            let events = Self.answers[number % Self.answers.count].map { word -> [Step] in
                [.sleep(.milliseconds(40)), .chunk(#"data: {"choices":[{"delta":{"content":"\#(word)"}}]}"# + "\n\n")]
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            return [.send(head)] + events.joined() + [.chunk("data: [DONE]\n\n"), .send("0\r\n\r\n")]
        }
    }

    /// Whether the second question came with the first one and its answer.
    var isContent: Bool {
        let bodies = server.requests(for: "/v1/chat/completions").map { String(decoding: $0.body, as: UTF8.self) }
        return bodies.count == 2 && bodies[1].contains("What do birds build?")
            && bodies[1].contains("Birds build nests.")
    }
}

extension Step {
    /// A chunk of a body whose length is not known in advance (RFC 9112 §7.1).
    fileprivate static func chunk(_ text: String) -> Step {
        .send(String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n")
    }
}
