import PiuPiuAsync

/// A client of a language model that streams its answer, by the protocol that most of them share.
///
/// The whole conversation is sent with each question. The answer arrives as server-sent events, each with a piece of text.
struct Chat {
    struct Message: Codable, Sendable {
        var role: String
        var content: String
    }

    private struct Question: Encodable {
        var model: String
        var messages: [Message]
        var stream = true
    }

    private struct Piece: Decodable {
        struct Choice: Decodable {
            var delta: Delta
        }
        struct Delta: Decodable {
            var content: String?
        }
        var choices: [Choice]
    }

    let model: String
    private let api: URLRequestDispatcher
    private(set) var messages: [Message] = []

    init(server: URL, token: String, model: String) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = server
        // A model may think for long before it begins, and then never be silent for long.
        configuration.timeouts.head = .seconds(120)
        configuration.timeouts.idle = .seconds(30)
        self.model = model
        api = URLRequestDispatcher(
            configuration: configuration,
            requestAdapters: [try BearerToken(token, origins: [server])]
        )
    }

    /// Asks a question, and passes the answer on piece by piece, as it arrives.
    ///
    /// Cancelling the task, or an error of `show`, closes the connection, so that the model stops.
    mutating func ask(_ question: String, show: (String) throws -> Void) async throws {
        messages.append(Message(role: "user", content: question))
        let request = try api.request(
            .post,
            "/v1/chat/completions",
            headers: [.accept: "text/event-stream"],
            body: .json(Question(model: model, messages: messages))
        )
        var answer = ""
        let response = try await api.stream(for: request).validated()
        for try await event in response.data.serverSentEvents {
            if event.data == "[DONE]" { break }
            let piece = try JSONDecoder().decode(Piece.self, from: Data(event.data.utf8))
            let text = piece.choices.first?.delta.content ?? ""
            answer += text
            try show(text)
        }
        messages.append(Message(role: "assistant", content: answer))
    }
}
