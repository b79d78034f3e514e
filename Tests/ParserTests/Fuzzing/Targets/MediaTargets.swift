import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
@testable import PiuPiuCurl

extension FuzzTarget {
    // MARK: MediaType

    static let mediaType = FuzzTarget(
        "MediaType",
        seeds: [
            "text/html; charset=utf-8", "application/problem+json", "*/*", "application/*+json", " Text/Plain ;a=b",
            "a/b/c", "/", "", "text/", "image/svg+xml;x=\";\"",
        ],
        tokens: ["/", ";", "*", "+json", "application", " ", "\t", "; charset=\"utf-8\""],
        limit: 200
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        let type = MediaType(text)
        let essence = Array(text.utf8.prefix { $0 != UInt8(ascii: ";") })
        let parts = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { part in
            part.drop(while: \.isHTTPWhitespace).reversed().drop(while: \.isHTTPWhitespace).reversed()
        }
        let isType = parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isTokenCharacter) }
        try demand((type != nil) == isType, "it is a media type, or is none")
        guard let type else { return }
        try demand(MediaType("\(type.type)/\(type.subtype)") == type, "it is another one when it is written")
        try demand(
            Array("\(type.type)/\(type.subtype)".utf8) == parts.joined(separator: [0x2F]).map(\.asciiLowercased),
            "the text differs"
        )
        guard let all = MediaType("*/*") else { throw FuzzFailure("*/* is no pattern") }
        try demand(type.matches(type) && type.matches(all), "it does not match itself")
    }

    // MARK: HTTP2TraceEvent and HTTP2Monitor

    static let http2Trace = FuzzTarget(
        "HTTP2Trace",
        seeds: [
            "[HTTP/2] [3] CLOSED\n[HTTP/2] [3] cf_recv(len=16384) -> 81, 0, window=0/20905984, connection 1/2",
            "[HTTP/2] [1] <- FRAME[DATA, len=11, eos=1, padlen=0]\n[HTTP/2] [1] CLOSED",
            "[HTTP/2] [1] <- FRAME[RST_STREAM, len=4, flags=0, error=0]\n[HTTP/2] [1] CLOSED",
            "[HTTP/2] [0] <- FRAME[GOAWAY, error=0, reason=', last_stream=1', last_stream=41]",
            "received GOAWAY, error=0, last_stream=1",
            "[HTTP/2] [0] -> FRAME[GOAWAY, error=1, reason='', last_stream=0]",
            "Downgrades to HTTP/1.1", "[HTTP/2] [5] REFUSED_STREAM, try again on a new connection",
            "HTTP/2 stream 5 refused by server, try again on a new connection",
            "[HTTP/2] [1] <- FRAME[HEADERS, len=13, hend=1, eos=1]",
        ],
        tokens: [
            "[HTTP/2] [", "] ", "<- FRAME[", "-> FRAME[", "eos=1", "eos=0", "last_stream=", "RST_STREAM,", "GOAWAY,",
            "DATA,", "HEADERS,", "CLOSED", "received GOAWAY", "\n", "2147483647", "9999999999", "99999999999",
        ],
        limit: 600
    ) { input, _ in
        var monitor = HTTP2Monitor()
        var ended: Set<Int> = []
        var reset: Int?
        var last: Int?
        for line in input.lines {
            guard let event = line.withUnsafeBytes({ HTTP2TraceEvent($0) }) else { continue }
            let more = (line + Array(" \n".utf8)).withUnsafeBytes { HTTP2TraceEvent($0) }
            try demand(more == event, "a space at the end changes a line")
            monitor.note(event)
            switch event {
            case .ended(let stream): (_, reset) = (ended.insert(stream), nil)
            case .reset(let stream): reset = stream
            case .otherFrame: reset = nil
            case .goAway(let stream): last = min(last ?? .max, stream)
            case .closed(let stream):
                let isCut = !ended.contains(stream) && reset == stream
                try demand(monitor.closed(stream) == isCut, "a stream is cut off, or is not")
                ended.remove(stream)
            case .received, .refused, .gaveUp: break
            }
            for stream in [1, 3, 41] {
                try demand(
                    monitor.hasLeftAlone(stream) == (last.map { stream > $0 } ?? false),
                    "a stream is left alone"
                )
            }
        }
    }
}
