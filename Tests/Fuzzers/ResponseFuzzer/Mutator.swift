import TestSupport

/// Damages responses.
enum Mutator {
    /// Changes some bytes.
    ///
    /// - Parameters:
    ///   - bytes: The response.
    ///   - random: The generator of the choices.
    /// - Returns: The name of the mutation.
    static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) -> String {
        guard !bytes.isEmpty else {
            bytes = Array("HTTP/1.1 ".utf8)
            return "grow"
        }
        switch random.below(20) {
        case 0:
            bytes[place(bytes, &random)] ^= 1 << UInt8(random.below(8))
            return "flip"
        case 1, 2:
            bytes.insert(interesting(&random), at: place(bytes, &random))
            return "insert"
        case 3:
            let start = place(bytes, &random)
            bytes.removeSubrange(start..<min(bytes.count, start + 1 + random.below(4)))
            return "delete"
        case 4, 5:
            bytes[place(bytes, &random)] = interesting(&random)
            return "replace"
        case 6, 7: return changeNumber(&bytes, &random)
        case 8:
            bytes.removeSubrange(random.below(bytes.count)...)
            return "truncate"
        case 9:
            // A little before the end, where last chunks and trailers are.
            bytes.removeLast(min(bytes.count, 1 + random.below(24)))
            return "shorten"
        case 10:
            bytes += Array(bytes.prefix(random.below(bytes.count)))
            return "append"
        case 11:
            let start = place(bytes, &random)
            let piece = Array(bytes[start..<min(bytes.count, start + 1 + random.below(40))])
            bytes.insert(contentsOf: piece, at: place(bytes, &random))
            return "copy"
        case 12: return separateWithLineFeeds(&bytes, &random)
        default: return changeLines(&bytes, &random)
        }
    }

    /// Puts the beginning of one response before the end of another.
    static func splice(_ bytes: inout [UInt8], _ other: [UInt8], _ random: inout SeededRandom) {
        bytes = Array(bytes.prefix(random.below(bytes.count + 1))) + other.dropFirst(random.below(other.count + 1))
    }

    /// Makes sure that no line begins with white space.
    static func removeFolds(_ bytes: inout [UInt8]) {
        for index in bytes.indices where bytes[index] == 0x20 || bytes[index] == 0x09 {
            if index == 0 || bytes[index - 1] == 0x0A || bytes[index - 1] == 0x0D { bytes[index] = 0x5F }
        }
    }

    /// A place; mostly in the head, which is the smaller part of many responses.
    private static func place(_ bytes: [UInt8], _ random: inout SeededRandom) -> Int {
        random.picks(60) ? random.below(min(bytes.count, 160)) : random.below(bytes.count)
    }

    private static let interestingBytes: [UInt8] =
        Array(" \t\r\n:;,0123456789-+=/\"aAxXfF".utf8) + [0x00, 0x0A, 0x0D, 0x0B, 0x1F, 0x7F, 0x80, 0xC2, 0xFF]

    private static func interesting(_ random: inout SeededRandom) -> UInt8 {
        random.element(of: interestingBytes)
    }

    private static let numbers = [
        "0", "1", "-1", "+5", "00", "010", "0x5", "5 ", " 5", "5 5", "5,5", "5, 6", "5;", "", "7fffffff", "80000000",
        "ffffffff", "2147483648", "4294967296", "4294967301", "9223372036854775807", "9223372036854775808",
        "18446744073709551616", "18446744073709551621", "99999999999999999999999999", "fffffffffffffffff1", "1e3",
        "5.0",
        "100", "101", "204", "304", "199", "600", "999", "1000",
    ]

    private static func changeNumber(_ bytes: inout [UInt8], _ random: inout SeededRandom) -> String {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let starts = bytes.indices.filter { isDigit(bytes[$0]) && ($0 == 0 || !isDigit(bytes[$0 - 1])) }
        guard !starts.isEmpty else { return "nothing" }
        let start = starts[random.below(random.picks(60) ? min(starts.count, 8) : starts.count)]
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        let old = String(decoding: bytes[start..<end], as: UTF8.self)
        let new =
            random.picks(40)
            ? Int(old).map { String($0 &+ (random.picks(50) ? 1 : -1)) } ?? "1" : random.element(of: numbers)
        bytes.replaceSubrange(start..<end, with: new.utf8)
        return "number"
    }

    private static func separateWithLineFeeds(_ bytes: inout [UInt8], _ random: inout SeededRandom) -> String {
        let percent = random.picks(50) ? 100 : 20
        var result: [UInt8] = []
        for index in bytes.indices {
            let isEnd = bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
            if !isEnd || !random.picks(percent) { result.append(bytes[index]) }
        }
        bytes = result
        return "lineFeeds"
    }

    // MARK: Lines

    private static func changeLines(_ bytes: inout [UInt8], _ random: inout SeededRandom) -> String {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        let last = max(1, min(lines.count - 1, random.picks(80) ? 12 : lines.count))
        let index = random.below(last)
        let other = random.below(last)
        defer { bytes = Array(lines.joined(separator: [0x0A])) }
        switch random.below(11) {
        case 0:
            lines.insert(lines[index], at: other)
            return "duplicateLine"
        case 1:
            lines.remove(at: index)
            return "deleteLine"
        case 2:
            lines.swapAt(index, other)
            return "swapLines"
        case 3:
            guard index + 1 < lines.count else { return "nothing" }
            lines[index] += lines.remove(at: index + 1)
            return "joinLines"
        case 4:
            let place = random.below(lines[index].count + 1)
            let rest = Array(lines[index][place...])
            lines[index] = Array(lines[index][..<place]) + [0x0D]
            lines.insert(rest, at: index + 1)
            return "splitLine"
        case 5, 6:
            lines[index].insert(contentsOf: random.element(of: [" ", "\t", "  ", " \t "]).utf8, at: 0)
            return "fold"
        case 7:
            let count = [100, 1000, 8000, 17_000, 70_000, 102_400, 300_000][random.below(7)]
            let place = random.below(lines[index].count + 1)
            lines[index].insert(contentsOf: repeatElement(0x61, count: count), at: place)
            return "longLine"
        case 8:
            let count = [10, 100, 400, 1000, 5500][random.below(5)]
            let line = random.picks(50) ? Array("X-Many: 1\r".utf8) : lines[index]
            if line.count * count < 400_000 { lines.insert(contentsOf: repeatElement(line, count: count), at: other) }
            return "manyLines"
        default:
            lines.insert(Array(random.element(of: strangeLines).utf8), at: index)
            return "strangeLine"
        }
    }

    private static let strangeLines = [
        "HTTP/1.1 200 OK\r", "HTTP/1.1 200 OK: x\r", "HTTP/1.1 100 Continue\r", "HTTP/2 200\r", "HTTP/0.9 200 OK\r",
        "http/1.1 200 OK\r", "Content-Length: 0\r", "Content-Length: 5\r", "Content-Length : 5\r", "Content-Length:\r",
        "content-length: 1000\r", "Transfer-Encoding: chunked\r", "Transfer-Encoding: identity\r",
        "Transfer-Encoding: gzip, chunked\r", "Transfer-Encoding: chunked, chunked\r", "Transfer-Encoding: xchunked\r",
        "Transfer-Encoding:\r", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r",
        "Content-Encoding: gzip\r",
        "Content-Encoding: deflate\r", "Content-Encoding: gzip, gzip\r", "Content-Encoding: br\r",
        "Content-Encoding: unknown\r", "Content-Encoding: identity\r", "Connection: close\r",
        "Connection: keep-alive\r",
        "Connection: upgrade\r", "Upgrade: h2c\r", "Keep-Alive: timeout=0\r", "Trailer: X\r", ": no name\r",
        "no colon\r", "Set-Cookie: a=b; path=/\r", "Location: /t/1\r", "Location:\r", "Retry-After: 1\r",
        "WWW-Authenticate: Basic realm=\"x\"\r", "Proxy-Authenticate: NTLM\r", "Alt-Svc: h2=\":443\"\r",
        "Content-Range: bytes 0-4/5\r", "Accept-Ranges: bytes\r", "ETag: \"x\"\r",
        "Strict-Transport-Security: max-age=1\r",
        "\r", "\r\r", "", "\u{0}\r", "0\r", "5\r", "ffffffffffffffff\r", "-1\r", ";\r",
    ]
}
