import Foundation

/// Finds and parses the head of a request.
struct HeadParser {
    enum Outcome {
        case needsMore
        case request(RecordedRequest)
        case malformed
        case tooLarge
    }

    private static let largestHead = 1 << 20
    private static let headEnd: [UInt8] = [13, 10, 13, 10]
    private static let lineEnd: [UInt8] = [13, 10]
    private var scanned = 0

    /// Parses one head at the front of the input.
    mutating func parse(_ input: inout InputBuffer, connection: Int) -> Outcome {
        // Skips empty lines before the head, even if they arrive in two pieces.
        while input.starts(with: Self.lineEnd) {
            input.skip(2)
            scanned = 0
        }
        guard let length = input.distance(to: Self.headEnd, from: scanned - 3) else {
            scanned = input.count
            return scanned > Self.largestHead ? .tooLarge : .needsMore
        }
        scanned = 0
        guard length + 4 <= Self.largestHead else { return .tooLarge }
        let head = input.take(length + 4)
        return Self.request(from: head, connection: connection).map { .request($0) } ?? .malformed
    }

    private static func request(from head: [UInt8], connection: Int) -> RecordedRequest? {
        var lines = head.split(separator: 10).map { $0.last == 13 ? $0.dropLast() : $0 }.filter { !$0.isEmpty }
        guard !lines.isEmpty else { return nil }
        let words = lines.removeFirst().split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        var headers = HeaderList()
        for line in lines {
            guard let colon = line.firstIndex(of: 58), colon > line.startIndex else { return nil }
            headers.append(text(line[..<colon]), text(line[(colon + 1)...]))
        }
        return RecordedRequest(
            connection: connection,
            method: words[0],
            target: words[1],
            version: words[2],
            headers: headers,
            head: Data(head)
        )
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let last = bytes.last, last == 32 || last == 9 {
            bytes.removeLast()
        }
        return String(decoding: bytes.drop { $0 == 32 || $0 == 9 }, as: UTF8.self)
    }
}
