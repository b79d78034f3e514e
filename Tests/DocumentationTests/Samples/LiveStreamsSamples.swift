import PiuPiuAsync

/// The samples of the article on live streams.
struct LiveStreamsSamples {
    private func show(_ text: String) {}

    struct Question: Encodable {
        var model: String
        var prompt: String
        var stream = true
    }

    struct Piece: Decodable {
        var text: String
    }

    private func tokens(_ dispatcher: URLRequestDispatcher, _ url: URL) async throws {
        var request = URLRequest(url: url, method: .post)
        try request.setJSONBody(Question(model: "small", prompt: "Why is the sky blue?"))
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")

        let response = try await dispatcher.stream(for: request).validated()
        for try await event in response.data.serverSentEvents {
            if event.data == "[DONE]" { break }
            show(try JSONDecoder().decode(Piece.self, from: Data(event.data.utf8)).text)
        }
    }

    private func limits(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws -> Response<
        ResponseBody
    > {
        var options = dispatcher.configuration.options
        options.timeouts.head = .seconds(90)
        options.timeouts.idle = .seconds(120)
        options.timeouts.total = .seconds(600)
        let response = try await dispatcher.stream(for: request, options: options)
        return response
    }

    private func feed(_ dispatcher: URLRequestDispatcher, _ url: URL) async throws {
        let reconnection = ServerSentEventReconnection(initialDelay: .seconds(1), maximumAttempts: 10)
        for try await event in dispatcher.serverSentEvents(for: URLRequest(url: url), reconnection: reconnection) {
            switch event.type {
            case "price": show(event.data)
            case "end": return
            default: break
            }
        }
    }

    private func rows(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) async throws {
        let rows = try await dispatcher.stream(for: request).validated().data.jsonLines(of: Piece.self)
        for try await row in rows {
            show(row.text)
        }
    }

    @MainActor
    final class Answer {
        private(set) var text = ""
        private var task: Task<Void, any Error>?

        func ask(_ dispatcher: URLRequestDispatcher, _ request: URLRequest) {
            task?.cancel()
            text = ""
            task = Task {
                let response = try await dispatcher.stream(for: request).validated()
                for try await event in response.data.serverSentEvents where event.data != "[DONE]" {
                    text += event.data
                }
            }
        }

        func stop() {
            task?.cancel()
        }
    }
}
