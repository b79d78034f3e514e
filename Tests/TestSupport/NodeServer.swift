import Foundation
import PiuPiuAsync

/// An HTTP/2 server of Node.js, which goes away gracefully after a number of streams of a connection, as RFC 9113 §6.8
/// describes it, and keeps a log of the requests that it has processed.
///
/// It answers with the path. `?head=N` asks for N bytes of fields beside.
public final class NodeServer: Sendable {
    private struct State {
        var port: Int?
        var log: [NginxVariant.Entry] = []
        var hasEnded = false
    }

    /// The port.
    public let port: Int
    /// The certificate of the authority to trust.
    public let authority: URL
    private let companion: Companion
    private let state: Observed<State>

    /// Starts a server.
    ///
    /// - Parameter streamsPerConnection: After how many streams it goes away.
    /// - Throws: An error if node or openssl is missing.
    public init(streamsPerConnection: Int) async throws {
        let node = try Command("node")
        let certificates = try Certificates.shared.get()
        authority = certificates.authority
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "JavaScript/http2_server.js")
        let files = [script.path, certificates.key("good").path, certificates.certificate("good").path]
        let companion = try Companion(node, files + ["\(streamsPerConnection)"])
        let state = Observed(State())
        let thread = Thread {
            companion.readLines { line in
                state.update { state in
                    if state.port == nil {
                        state.port = Int(line) ?? 0
                    } else if let entry = NginxVariant.Entry(line) {
                        state.log.append(entry)
                    }
                }
            }
            state.update { $0.hasEnded = true }
        }
        thread.start()
        _ = await state.wait { $0.port != nil || $0.hasEnded }
        guard let port = state.value.port else { throw Command.Failure(description: "node does not listen") }
        self.companion = companion
        self.state = state
        self.port = port
    }

    /// A URL of the server.
    ///
    /// - Parameter path: Path and query, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ path: String) -> URL {
        URL(string: "https://localhost:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// Stops the server and reads its log.
    ///
    /// - Returns: Every request that was processed.
    public func finish() async -> [NginxVariant.Entry] {
        companion.stop()
        _ = await state.wait { $0.hasEnded }
        return state.value.log
    }
}
