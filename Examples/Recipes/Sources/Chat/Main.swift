import PiuPiuAsync

/// A conversation with a language model, in a terminal.
///
/// With `CHAT_SERVER`, `CHAT_TOKEN` and `CHAT_MODEL`, it asks a real one what is typed. Without them, it asks a server of its
/// own on 127.0.0.1 two questions, and its exit status is 0 if both were answered, piece by piece.
@main
struct Main {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let server = environment["CHAT_SERVER"].flatMap(URL.init(string:)) else { return try await demonstrate() }
        var chat = try Chat(
            server: server,
            token: environment["CHAT_TOKEN"] ?? "none",
            model: environment["CHAT_MODEL"] ?? "default"
        )
        while let question = readLine() {
            try await chat.ask(question, show: show)
            show("\n")
        }
    }

    private static func demonstrate() async throws {
        let service = try Service()
        var chat = try Chat(server: service.url, token: "t0ken", model: "parrot")
        var pieces = 0
        for question in ["What do birds build?", "Of what?"] {
            show("> \(question)\n")
            try await chat.ask(question) { text in
                pieces += 1
                show(text)
            }
            show("\n")
        }
        let last = chat.messages.last?.content
        guard chat.messages.count == 4, pieces > 8, last == Service.answers[1].joined(), service.isContent else {
            exit(1)
        }
    }

    /// Shows text at once, without waiting for the end of a line.
    private static func show(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
