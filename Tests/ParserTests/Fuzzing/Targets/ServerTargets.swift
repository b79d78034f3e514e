import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuTesting
@testable import PiuPiuURLSession

extension FuzzTarget {
    private static let requests = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n\r\nPOST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
        "PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\n",
        "GET  / HTTP/1.0\r\nA:b\n\n", "GET / HTTP/2\r\n\r\n", "a\r\n: b\r\n\r\n",
    ]
    private static let requestTokens = [
        "\r\n", "\r\n\r\n", "HTTP/1.1", "Content-Length: ", "Transfer-Encoding: chunked\r\n", "chunked", ",", ":", ";",
        "0\r\n", "ffffffffffffffff\r\n", "7fffffffffffffff", "\n",
    ]

    // MARK: LoopbackServer's HeadParser

    static let loopbackHead = FuzzTarget("HeadParser", seeds: requests, tokens: requestTokens, limit: 800) {
        input,
        random in
        let whole = parsed([Data(input)])
        try demand(parsed(Data(input).pieces(&random)) == whole, "pieces give another request")
    }

    private static func parsed(_ pieces: [Data]) -> [String] {
        var parser = HeadParser()
        var buffer = InputBuffer()
        var requests: [String] = []
        for piece in pieces {
            let bytes = Array(piece)
            buffer.append(bytes.count, of: bytes)
            parsing: while true {
                switch parser.parse(&buffer, connection: 1) {
                case .needsMore: break parsing
                case .request(let request):
                    requests.append(String(decoding: request.head, as: UTF8.self) + request.target)
                case .malformed: return requests + ["malformed"]
                case .tooLarge: return requests + ["too large"]
                }
            }
        }
        return requests
    }

    // MARK: LoopbackServer's BodyDecoder

    /// The value of `Transfer-Encoding`, that of `Content-Length`, and the bytes.
    static let loopbackBody = FuzzTarget(
        "BodyDecoder",
        seeds: [
            "chunked\u{1E}\u{1E}3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\nrest", "\u{1E}5\u{1E}abcdefg", "\u{1E}\u{1E}",
            "gzip, chunked\u{1E}7\u{1E}A\r\n", "chunked\u{1E}\u{1E}7fffffffffffff\r\nabc",
        ],
        tokens: requestTokens + ["\u{1E}"],
        limit: 600
    ) { input, random in
        let parts = input.parts(3)
        var headers = HeaderList()
        for (name, value) in zip(["Transfer-Encoding", "Content-Length"], parts) where !value.isEmpty {
            headers.append(name, String(decoding: value, as: UTF8.self))
        }
        for records in [true, false] {
            let whole = decoded([Data(parts[2])], headers, records)
            let pieces = decoded(Data(parts[2]).pieces(&random), headers, records)
            try demand(pieces == whole || parts[2].isEmpty, "pieces give another body")
        }
    }

    private static func decoded(_ pieces: [Data], _ headers: HeaderList, _ records: Bool) -> [String] {
        guard var decoder = BodyDecoder(headers: headers, records: records) else { return ["senseless"] }
        var buffer = InputBuffer()
        for piece in pieces {
            let bytes = Array(piece)
            buffer.append(bytes.count, of: bytes)
            switch decoder.decode(&buffer) {
            case .needsMore: continue
            case .complete: return ["complete", String(decoding: decoder.bytes, as: UTF8.self), "\(decoder.length)"]
            case .malformed: return ["malformed"]
            case .tooLarge: return ["too large"]
            }
        }
        return ["more", String(decoding: decoder.bytes, as: UTF8.self), "\(decoder.length)"]
    }

    // MARK: SessionHead

    /// A status code, `Content-Length`, `Content-Encoding`, `Transfer-Encoding`, another field.
    static let sessionHead = FuzzTarget(
        "SessionHead",
        seeds: [
            "200\u{1E}5\u{1E}gzip\u{1E}\u{1E}x", "204\u{1E}5, 5\u{1E}\u{1E}chunked\u{1E}",
            "101\u{1E}\u{1E}identity\u{1E}\u{1E}", "200\u{1E}5,6\u{1E}\u{1E}\u{1E}",
            "200\u{1E}9223372036854775808\u{1E}\u{1E}\u{1E}", "200\u{1E}٣\u{1E}\u{1E}\u{1E}",
        ],
        tokens: ["\u{1E}", ",", " ", "identity", "chunked", "-", "+"],
        limit: 200
    ) { input, _ in
        let texts = input.texts(5)
        var fields: [String: String] = [:]
        for (name, value) in zip(["Content-Length", "Content-Encoding", "Transfer-Encoding", "X-A"], texts[1...]) {
            if !value.isEmpty { fields[name] = value }
        }
        let code = Int(texts[0]).map { max(0, min($0, 999)) } ?? 200
        guard
            let response = HTTPURLResponse(
                url: Fixture.url,
                statusCode: code,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        else { return }
        let request = try PreparedRequest(TransportRequest(Fixture.request), userAgent: nil)
        guard SessionHead.check(response, request) == nil else { return }
        try demand(code >= 200, "an informational head is final")
        let length = SessionHead.expectedLength(response, request)
        try demand(length.map { $0 >= 0 } ?? true, "the length is negative")
        let isPlain = texts[2].isEmpty && texts[3].isEmpty && ![204, 304].contains(code)
        let digits = texts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
        let expected = UInt64(texts[1]).map { Int64(clamping: $0) }
        if isPlain, digits { try demand(length == expected, "the length is another") }
    }
}
