/// A recorded text, in which what was redacted stands for anything.
struct HARPattern {
    /// What stands in the place of a secret, and how it looks in a URL.
    static let placeholders = [Redaction.placeholder, "%3Credacted%3E"]

    private let pieces: [Data]

    init(_ text: String) {
        self.init(Data(text.utf8))
    }

    init(_ bytes: Data) {
        var pieces = [bytes]
        for placeholder in Self.placeholders {
            pieces = pieces.flatMap { Self.split($0, at: Data(placeholder.utf8)) }
        }
        self.pieces = pieces
    }

    func matches(_ text: String) -> Bool {
        matches(Data(text.utf8))
    }

    func matches(_ bytes: Data) -> Bool {
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return pieces.first == bytes }
        guard bytes.count >= first.count + last.count, bytes.starts(with: first), bytes.suffix(last.count) == last
        else { return false }
        var rest = bytes.dropFirst(first.count).dropLast(last.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let range = rest.range(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    private static func split(_ bytes: Data, at separator: Data) -> [Data] {
        var pieces: [Data] = []
        var rest = bytes[...]
        while let range = rest.range(of: separator) {
            pieces.append(Data(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return pieces + [Data(rest)]
    }
}
