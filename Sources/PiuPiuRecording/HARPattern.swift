import PiuPiuAsync

/// A recorded text in which a redacted value matches anything.
struct HARPattern {
    private let pieces: [Data]

    init(_ text: String) {
        self.init(Data(text.utf8))
    }

    init(_ bytes: Data) {
        var pieces = [bytes]
        for placeholder in SecretReplacement.placeholders {
            pieces = pieces.flatMap { $0.pieces(between: Data(placeholder.utf8)) }
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
        let middle = bytes.dropFirst(first.count).dropLast(last.count)
        var position = middle.startIndex
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let place = ByteSearch(piece).firstPlace(in: middle, from: position) else { return false }
            position = place.upperBound
        }
        return true
    }
}
