import PiuPiuFutures
import PiuPiuTesting
import Testing

#if os(Linux) || os(macOS)
/// Tests that nothing is printed, whatever happens to a future; in a process of its own, where no other test prints.
@Suite(.timeLimit(.generous)) struct SilenceTests {
    // K19
    @Test func nothingIsPrinted() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let server = try LoopbackServer()
            server.route("/", .response(body: "hello"))
            server.route("/broken", .response(status: 500))
            server.route("/silent", .hold("here"), .stall)
            let folder = FileManager.default.temporaryDirectory.appending(path: "PiuPiu-\(UUID().uuidString)")
            let file = folder.appending(path: "file")
            defer { try? FileManager.default.removeItem(at: folder) }
            do {
                let dispatcher = URLRequestDispatcher.forTests()
                for form in RequestForm.allCases {
                    for path in ["/", "/", "/broken"] {
                        let destination = folder.appending(path: form.rawValue)
                        _ = try? await form.future(dispatcher, server.url(path), to: destination).fetchResult()
                    }
                }
                // Over a file that is there already.
                let request = URLRequest(url: server.url("/"))
                for _ in 0..<2 { _ = try await dispatcher.downloadFuture(from: request, to: file).fetchResult() }
                let future = RequestForm.data.future(dispatcher, server.url("/silent"))
                future.send()
                await server.waitUntilHeld("here")
                future.cancel()
                _ = RequestForm.data.future(dispatcher, server.url("/"))
            }
            let mock = MockURLRequestDispatcher { try .makeMockResponse(with: $0, statusCode: .ok) }
            _ = try await mock.dataFuture(from: URLRequest(url: server.url("/"))).safeResult().fetchResult()
            await server.waitForOpenConnections(atMost: 0)
        }
        let output = try #require(result?.standardOutputContent)
        #expect(String(decoding: output, as: UTF8.self) == "")
    }
}
#endif
