import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The samples in the comments of the sequences that read streams.
struct StreamSamplesTests {
    private func stream(_ text: String) -> AsyncStream<Data> {
        AsyncStream { continuation in
            continuation.yield(Data(text.utf8))
            continuation.finish()
        }
    }

    @Test func lines() async throws {
        let print = Printed()
        let body = stream("a\nb\r\nc")

        for try await line in body.lines {
            print(line)
        }

        #expect(print.lines == ["a", "b", "c"])
    }

    @Test func serverSentEvents() async throws {
        let print = Printed()
        let body = stream("id: 1\ndata: a\n\nevent: other\ndata: b\n\n")

        for try await event in body.serverSentEvents where event.type == "message" {
            print(event.id, event.data)
        }

        #expect(print.lines == ["1 a"])
    }

    @Test func jsonLines() async throws {
        let print = Printed()
        let body = stream(#"{"id":1,"title":"Hello"}"# + "\n" + #"{"id":2,"title":"Bye"}"#)

        for try await post in body.jsonLines(of: Post.self) {
            print(post.title)
        }

        #expect(print.lines == ["Hello", "Bye"])
    }
}
