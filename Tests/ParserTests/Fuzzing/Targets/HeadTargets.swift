import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport

@testable import PiuPiuValues

extension FuzzTarget {
    private static let heads = [
        "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n",
        "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nX-Sum: 1\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n\r\n",
        "HTTP/1.1 200 OK\nA: b\n c\n\td\nContent-Encoding: gzip, br\n\n",
        "HTTP/2 404 \r\ncontent-length: 0\r\nx-empty:\r\n\r\n",
        "HTTP/1.1 301 Moved\r\nLocation: /next\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length : 3\r\nContent-Length: 4\r\n 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: \u{0}\r\nY: schön\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b",
        "HTTP/1.1 200 OK\r\n\r\nA: b\r\n c\r\nContent-Length: 1\r\n 2\r\nSet-Cookie: x\r\nD\r\n: e\r\nF:\r\n\r\n",
    ]
    private static let words = [
        "HTTP/1.1 ", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 \r\n\r\n", "Content-Length", "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding", "identity", "Content-Encoding: gzip\r\n", "\r\n",
        "\r\n\r\n", "\r", "\n ", "\r\n\t", ": ", " :", "\r:", "\t:", "101", "999", "X-A: b\r\n", "\r\r\n",
    ]

    // MARK: HeadCollector

    static let headCollector = FuzzTarget("HeadCollector", seeds: heads, tokens: words) { input, random in
        let limit = random.element(of: [20, 100, max(0, input.count - 1), input.count, 100_000])
        let lines = input.lines
        let (fresh, failure) = collected(lines, by: HeadCollector(limit: limit))
        let sizes = lines.reduce(into: [0]) { sizes, line in sizes.append((sizes.last ?? 0) + line.count) }
        // A line may be refused for what it is before the limit is reached, and none may be taken beyond it.
        try demand(sizes[fresh.count] <= limit, "lines beyond the limit are taken")
        if failure == .tooLarge { try demand(sizes[fresh.count + 1] > limit, "it is too large below the limit") }

        var used = HeadCollector(limit: limit)
        for line in lines.shuffled(using: &random) { _ = try? line.withUnsafeBytes { try used.append($0) } }
        used.reset()
        let (again, otherFailure) = collected(lines, by: used)
        try demand(failure == otherFailure && again.map(\.event) == fresh.map(\.event), "a reset changes the outcome")
        try demand(again.map(\.collector.bytes) == fresh.map(\.collector.bytes), "a reset leaves bytes")
        for step in fresh where step.event == .final || step.event == .informational { try agrees(step.collector) }
        try kept(fresh)
    }

    /// What is kept besides the final head is what arrived, and nothing of it is in the head.
    private static func kept(_ steps: [Step]) throws {
        guard let last = steps.last else { return }
        let heads = steps.filter { $0.event == .informational && $0.collector.statusCode != 100 }.map(\.collector.bytes)
        try demand(last.collector.informational == Array(heads.prefix(16)), "other interim heads are kept")
        guard let final = steps.first(where: { $0.event == .final }) else {
            return try demand(last.collector.trailers.isEmpty, "there are trailers before the end of the head")
        }
        try demand(last.collector.bytes == final.collector.bytes, "a trailer changes the head")
        try agrees(last.collector)
        let fields = TrailerFields.parse(last.collector.trailers)
        try demand(fields.count <= steps.filter { $0.event == .trailer }.count, "there are more trailers than lines")
        for field in fields {
            try demand(TrailerFields.allows(field.name), "a trailer is kept that is forbidden")
            try demand(field.name.utf8.allSatisfy(\.isTokenCharacter), "the name of a trailer is no token")
            try demand(!field.value.utf8.contains { [0, 10, 13].contains($0) }, "a trailer has a line end or NUL")
        }
    }

    private typealias Step = (event: HeadCollector.Event, collector: HeadCollector)

    private static func collected(_ lines: [[UInt8]], by collector: HeadCollector) -> ([Step], HeadCollector.Failure?) {
        var collector = collector
        var steps: [Step] = []
        for line in lines {
            let result = line.withUnsafeBytes { bytes in
                Result { () throws(HeadCollector.Failure) in try collector.append(bytes) }
            }
            switch result {
            case .success(let event): steps.append((event, collector))
            case .failure(let failure): return (steps, failure)
            }
        }
        return (steps, nil)
    }

    /// What the collector says of the framing is what readers of the head find in it.
    private static func agrees(_ collector: HeadCollector) throws {
        let head = RawHead(bytes: collector.bytes)
        let fields = head.fields
        try demand(head.statusCode == collector.statusCode, "the status codes differ")
        try demand((100...999).contains(collector.statusCode) && collector.statusCode != 101, "a status code is wrong")
        try demand(!collector.bytes.contains(0), "there is a NUL in the head")
        let lengths = Set(fields.values(for: "Content-Length").map { Int($0) })
        try demand(lengths == (collector.contentLength.map { [$0] } ?? []), "the head shows another length")
        let codings = fields.values(for: "Transfer-Encoding").filter { $0.lowercased() != "identity" }
        let expected = collector.hasTransferEncoding ? ["chunked"] : []
        try demand(codings.map { $0.lowercased() } == expected, "the head shows another transfer coding")
        let isCompressed = fields.contains("Content-Encoding")
        try demand(!isCompressed || collector.mayHaveContentEncoding, "a content coding is missed")
    }

    // MARK: RawHead

    static let rawHead = FuzzTarget("RawHead", seeds: heads, tokens: words) { input, random in
        let head = RawHead(bytes: input)
        let fields = head.fields
        try demand(fields.count <= input.lines.count, "there are more fields than lines")
        for field in fields {
            try demand(!field.name.isEmpty && field.name.utf8.allSatisfy(\.isTokenCharacter), "a name is no token")
            try demand(!field.value.utf8.contains { [0, 10, 13].contains($0) }, "a value has a line end or NUL")
            let first = head.firstValue(of: field.name.uppercased())
            try demand(first == fields.values(for: field.name).first, "the first value is not that of the fields")
        }
        try demand(head.firstValue(of: "x-not-there-\(random.below(9))") == nil, "there is a field that is not there")
        try demand(head.statusCode.map { (0...999).contains($0) } ?? true, "a status code has more than three digits")
        try demand(!head.version.utf8.contains { [10, 13, 32].contains($0) }, "the version goes too far")
        let response = ResponseHead(record: ResponseRecord(.raw(head), to: Fixture.request))
        try demand(response.headers == fields, "the head has other fields")
        _ = (response.urlResponse.allHeaderFields, "\(response)", response.httpVersion)
        if random.below(500) == 0 {
            let piece = input
            try Growth.check(16 << 10) { size in
                let bytes = Array(repeatElement(piece, count: size / max(1, piece.count) + 1).joined().prefix(size))
                _ = (RawHead(bytes: bytes).fields, RawHead(bytes: bytes).firstValue(of: "x-not-there"))
            }
        }
    }

    // MARK: HTTPHeaderFields

    /// Each byte is an operation, compared with a list.
    static let headerFields = FuzzTarget(
        "HTTPHeaderFields",
        bytes: [Array(0...255), [1, 1, 65, 130, 195]],
        tokens: ["A", "a", "B", "\u{7F}"],
        limit: 60
    ) { input, random in
        let names = ["A", "a", "Set-Cookie", "set-cookie", "İ", "K", "\u{212A}", "é", "e\u{301}"]
        var fields = HTTPHeaderFields()
        var list: [(name: [UInt8], value: String)] = []
        func key(_ name: String) -> [UInt8] { name.utf8.map(\.asciiLowercased) }
        for (number, byte) in input.prefix(300).enumerated() {
            let name = names[Int(byte >> 2) % names.count]
            let value = "\(number)"
            switch byte & 3 {
            case 0:
                fields[name] = value
                let place = list.firstIndex { $0.name == key(name) }
                list.removeAll { $0.name == key(name) }
                list.insert((key(name), value), at: place ?? list.count)
            case 1 where byte > 200:
                fields[name] = nil
                list.removeAll { $0.name == key(name) }
            default:
                fields.append(name: name, value: value)
                list.append((key(name), value))
            }
            let values = list.filter { $0.name == key(name) }.map(\.value)
            try demand(fields.values(for: name) == values, "the values differ")
            let isCookie = key(name) == key("set-cookie")
            let joined = values.isEmpty ? nil : isCookie ? values[0] : values.joined(separator: ", ")
            try demand(fields[name] == joined, "the joined value differs")
            try demand(fields.contains(name) == !values.isEmpty, "a field is there or is not")
        }
        try demand(fields.map(\.value) == list.map(\.value), "the order differs")
        let upper = HTTPHeaderFields(
            fields.map {
                HTTPHeaderField(
                    name: $0.name.utf8.allSatisfy { $0 < 128 } ? $0.name.uppercased() : $0.name,
                    value: $0.value
                )
            }
        )
        try demand(upper == fields && upper.hashValue == fields.hashValue, "the case of names counts")
        _ = "\(fields)"
    }
}
