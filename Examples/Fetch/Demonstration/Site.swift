import Foundation
import PiuPiuTesting

/// The server of the demonstration.
struct Site {
    private static let blockSize = 64 * 1024
    private static let blockCount = 96
    private static let pause = Duration.milliseconds(20)

    /// The names of what can be downloaded, each more slowly than the one before.
    static let files = ["first.bin", "second.bin", "third.bin"]

    private static let json = """
        {"name":"PiuPiu","version":2.0,"modules":["PiuPiuAsync","PiuPiuFutures"],"isStable":true,"parent":null}
        """

    let server: LoopbackServer
    /// What it serves: 6 MiB, no two blocks of which are the same.
    let content: Data
    /// How many bytes arrive before the broken download breaks.
    let brokenAfter = 40 * Self.blockSize

    /// Starts the server.
    init() throws {
        var content = Data()
        for block in 0..<Self.blockCount {
            content += Data((0..<Self.blockSize).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8 &+ block) })
        }
        self.content = content
        server = try LoopbackServer()
        server.route("GET", "/data.json", .json(Self.json))
        for (index, name) in Self.files.enumerated() {
            let pause = Self.pause * (index + 1) / 2
            server.route("GET", "/\(name)", Self.slowly(Self.head(200, content.count), content, pause))
        }
        server.route("GET", "/broken.bin") { [content, brokenAfter] in
            Self.broken($0, content, after: brokenAfter)
        }
        server.route("PUT", "/upload") { request in
            [.json(#"{"received":\#(request.bodyLength)}"#, status: 201)]
        }
    }

    /// Breaks off, unless a range is asked for.
    private static func broken(_ request: RecordedRequest, _ content: Data, after limit: Int) -> [Step] {
        let tag = "\"one\""
        // Without the tag in `If-Range`, the client could not know that the rest belongs to its part.
        guard let start = start(ofRange: request.header("Range")), start < content.count,
            request.header("If-Range") == tag
        else {
            return slowly(head(200, content.count, ["ETag: \(tag)"]), content.prefix(limit)) + [.close]
        }
        let range = "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)"
        return slowly(head(206, content.count - start, ["ETag: \(tag)", range]), content.dropFirst(start))
    }

    /// The number in `bytes=100-`.
    private static func start(ofRange value: String?) -> Int? {
        guard let value, value.hasPrefix("bytes="), value.hasSuffix("-") else { return nil }
        return Int(value.dropFirst(6).dropLast())
    }

    private static func head(_ status: Int, _ length: Int, _ fields: [String] = []) -> String {
        (["HTTP/1.1 \(status) \(status == 206 ? "Partial Content" : "OK")", "Content-Length: \(length)"] + fields)
            .joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static func slowly(_ head: String, _ body: Data, _ pause: Duration = pause) -> [Step] {
        var steps = [Step.send(head)]
        var rest = body[...]
        while !rest.isEmpty {
            steps += [.send(Data(rest.prefix(blockSize))), .sleep(pause)]
            rest = rest.dropFirst(blockSize)
        }
        return steps
    }
}
