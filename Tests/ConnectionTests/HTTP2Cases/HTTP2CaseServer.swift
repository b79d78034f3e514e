#if os(Linux)
import PiuPiuAsync
import TestSupport

/// A server that answers the first request with the frames of a case and each other one with "next", and remembers what the
/// client sends.
struct HTTP2CaseServer {
    /// How the frames are written.
    enum Manner: CaseIterable, Sendable {
        case atOnce, inPieces

        func write(_ bytes: [UInt8], to peer: HTTP2Peer) {
            let size = self == .atOnce ? bytes.count : max(1, bytes.count / 300)
            for start in stride(from: 0, to: bytes.count, by: size) {
                peer.send(Array(bytes[start..<min(bytes.count, start + size)]))
            }
        }
    }

    /// What has arrived on the connections, by their numbers.
    struct Record: Sendable {
        var frames: [Int: [HTTP2Frame]] = [:]
        var ended: Set<Int> = []

        /// Whether the first connection has ended.
        var isClosed: Bool { ended.contains(1) }

        /// The frames of a kind on the first connection.
        func first(_ kind: HTTP2Frame.Kind) -> [HTTP2Frame] { frames[1, default: []].filter { $0.isOf(kind) } }

        /// The frames of PING and SETTINGS that acknowledge others.
        func acknowledgements(_ kind: HTTP2Frame.Kind) -> [HTTP2Frame] { first(kind).filter(\.isAcknowledgement) }
    }

    /// The PING behind the frames of a case, whose answer shows that the client has dealt with them.
    static let last = HTTP2Frame.ping("the last")

    let script: HTTP2Script
    let record = Observed(Record())

    init(_ row: HTTP2Case, _ manner: Manner) throws {
        script = try HTTP2Script(
            tls: nil,
            received: { [record] number, frame in record.update { $0.frames[number, default: []].append(frame) } },
            ended: { [record] number in record.update { _ = $0.ended.insert(number) } }
        ) { exchange in
            guard exchange.request.path == "/case" else { return exchange.respond(body: "next") }
            var frames = row.frames(exchange.request.stream)
            // If the case leaves a head unfinished, a PING would be wrong as well.
            if case .closesConnection = row.reaction {} else { frames.append(Self.last) }
            manner.write(frames.flatMap(\.bytes), to: exchange.peer)
        }
    }

    /// A dispatcher that speaks HTTP/2 with the server.
    func dispatcher() throws -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration.forTests
        configuration.transport.cleartextHTTP2 = [script.urlWithoutTLS("/")]
        let transport = try SocketTransport(configuration: configuration.transport)
        return URLRequestDispatcher(configuration: configuration, transport: transport)
    }

    /// Waits until the client has closed the connection or dealt with all frames.
    ///
    /// It acknowledges PING before it resets a stream, if it sends both at once; a later request comes behind both.
    func waitForReaction() async {
        _ = await record.wait { record in
            record.isClosed || record.acknowledgements(.ping).contains { $0.payload == Self.last.payload }
        }
    }
}
#endif
