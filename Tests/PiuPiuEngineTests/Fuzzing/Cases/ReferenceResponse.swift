/// A response, read in one go and as RFC 9112 words it, to compare a parser with.
///
/// It says what a parser may conclude if it accepts the response, and whether it has to accept it.
struct ReferenceResponse {
    enum Framing: Equatable {
        case none, length(Int), chunked, untilClose
        /// The head says several things, or something that nobody can tell.
        case unclear
    }

    /// The status codes of all heads.
    private(set) var codes: [Int] = []
    /// Where the body begins; `nil` if the final head is not complete.
    private(set) var bodyStart: Int?
    /// Whether every byte so far is as the grammar has it, so that nobody may refuse it.
    private(set) var isStrict = true
    private(set) var framing = Framing.unclear
    /// Whether the head says, or may be read to say, that nothing may follow on the connection.
    private(set) var closes = false
    private var lines: [ArraySlice<UInt8>] = []

    init(_ bytes: [UInt8], isHEAD: Bool) {
        var position = 0
        while let feed = bytes[position...].firstIndex(of: 0x0A) {
            let line = bytes[position...feed]
            position = feed + 1
            guard line.elementsEqual([0x0D, 0x0A]) || line.count == 1 else {
                lines.append(line)
                continue
            }
            if line.count == 1 { isStrict = false }
            let code = readHead()
            codes.append(code)
            guard code < 200 else {
                bodyStart = position
                chooseFraming(isHEAD: isHEAD, code)
                return
            }
            lines = []
        }
        // What there is of a head is not looked at.
        if position < bytes.count || !lines.isEmpty { isStrict = false }
    }

    // MARK: The grammar

    private mutating func readHead() -> Int {
        guard let first = lines.first else {
            isStrict = false
            return 999
        }
        let text = String(decoding: first, as: Unicode.ASCII.self)
        let parts = text.split(maxSplits: 2, omittingEmptySubsequences: true) { $0 == " " || $0 == "\t" }
        let code = parts.count > 1 ? Int(parts[1].prefix(3).filter { $0.isASCII && $0.isNumber }) ?? 0 : 0
        let start = ["HTTP/1.1 ", "HTTP/1.0 "].first { text.hasPrefix($0) }
        let reason = first.dropFirst(12)
        let isLine = reason.elementsEqual([0x0D, 0x0A]) || reason.first == 0x20 && Self.isStrictText(reason)
        if start == nil || !isLine || !first.dropFirst(9).prefix(3).allSatisfy({ (0x30...0x39).contains($0) }) {
            isStrict = false
        }
        if code < 100 || code == 101 { isStrict = false }
        if !lines.dropFirst().allSatisfy(Self.isStrictField) { isStrict = false }
        if code < 200, !values("content-length").isEmpty || !values("transfer-encoding").isEmpty { isStrict = false }
        return code
    }

    /// Whether a line is printable text to its end, which is CR and LF.
    private static func isStrictText(_ line: ArraySlice<UInt8>) -> Bool {
        line.suffix(2).elementsEqual([0x0D, 0x0A])
            && line.dropLast(2).allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Whether a line is a field as the grammar has it.
    static func isStrictField(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex else { return false }
        let letters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8
        return line[..<colon].allSatisfy(letters.contains) && isStrictText(line[colon...])
    }

    // MARK: Framing

    /// The values of a field, with continued lines joined, and with a bare CR as a space (RFC 9112 §2.2, §5.2).
    private func values(_ name: String) -> [String] {
        var fields: [[UInt8]] = []
        for line in lines.dropFirst() {
            let clean = line.dropLast().map { $0 == 0x0D ? 0x20 : $0 }
            if clean.first == 0x20 || clean.first == 0x09, !fields.isEmpty {
                fields[fields.count - 1] += clean
            } else {
                fields.append(clean)
            }
        }
        return fields.compactMap { field in
            guard let colon = field.firstIndex(of: 0x3A), Self.trimmed(field[..<colon]) == name else { return nil }
            return Self.trimmed(field[(colon + 1)...])
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return String(decoding: bytes[start..<end].map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    private static func items(_ values: [String]) -> [String] {
        values.flatMap { value in
            value.utf8.split(separator: 0x2C, omittingEmptySubsequences: false).map { trimmed(Array($0)[...]) }
        }
    }

    private mutating func chooseFraming(isHEAD: Bool, _ code: Int) {
        let version = lines.first?.dropFirst(5).prefix(3) ?? []
        let options = Self.items(values("connection"))
        let lengths = Self.items(values("content-length"))
        let codings = Self.items(values("transfer-encoding")).filter { $0 != "identity" }
        let isOld = version.elementsEqual("1.0".utf8)
        closes = options.contains("close") || isOld && !options.contains("keep-alive") || isOld && !codings.isEmpty
        let digits = lengths.map { $0.drop { $0 == "0" } }
        let isLength = lengths.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        let isUnclear = !lengths.isEmpty && !codings.isEmpty || Set(digits).count > 1 || !isLength
        if isUnclear || codings.count > 1 || codings.contains(where: { $0 != "chunked" }) {
            isStrict = false
            framing = .unclear
            return
        }
        // Nobody has to understand more than 63 bits.
        if digits.contains(where: { $0.utf8.count > 18 }) { isStrict = false }
        if lengths.count > 1 || values("transfer-encoding").contains("identity") || isOld && !codings.isEmpty {
            isStrict = false
        }
        if isHEAD || code == 204 || code == 304 {
            framing = .none
            // Content where there is none shows what the other side takes for the next response.
            if code == 204, !codings.isEmpty || !(digits.first?.isEmpty ?? true) { closes = true }
        } else if !codings.isEmpty {
            framing = .chunked
        } else if let first = digits.first {
            // Beyond what fits into 63 bits, it is as good as endless.
            framing = .length(first.isEmpty ? 0 : Int(String(first)) ?? .max)
        } else {
            framing = .untilClose
        }
    }
}
