import PiuPiuEngine

/// Names of secrets, found by word: `password` is in `user[password]`, `newPassword` and `PASSWORD_CONFIRMATION`, but not in
/// `passwordless`.
///
/// A name is taken apart at everything but letters and digits, between letters and digits, and as camel case is. Some
/// consecutive words that together are a name on the list make it a secret, so that `accesstoken`, `access_token` and
/// `x-accessToken` are all found by `access-token`. It is none if its last word says that it is something about a secret, as
/// in `token_type`, or if the words end one of the terms in ``SecretWords/harmless`` that is longer than the name on the
/// list.
///
/// A body can consist of nothing but names, so that they are taken apart in one pass over their bytes, in which a hash tells
/// most of them from those on the list.
package struct NameSet: Sendable {
    /// How many words a name on the list may have; the letters of a name in mixed case are words, too.
    private static let mostWords = 8
    /// How many bytes of a name count: those at its end.
    private static let mostBytes = 256

    private let names: PhraseTable
    /// Names that count only if they are the whole name.
    private let wholeNames: PhraseTable
    /// Names that are too long for a table, which count only if they are the whole name, too.
    private let longNames: Set<[UInt8]>
    /// Words at the end of the name of something about a secret.
    private let attributes: PhraseTable

    /// Creates a list.
    ///
    /// - Parameter names: The names. Those in ``SecretWords/ambiguous`` count only if they are the whole name.
    package init(_ names: some Sequence<String>) {
        self.init(names, whole: SecretWords.ambiguous)
    }

    /// Creates a list, of which some names count only if they are the whole name.
    init(
        _ names: some Sequence<String>,
        whole ambiguous: Set<String>,
        attributes: PhraseTable = SecretWords.attributes
    ) {
        let names = Set(names.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } })
        self.names = PhraseTable(names.subtracting(ambiguous))
        wholeNames = PhraseTable(names.intersection(ambiguous))
        longNames = Set(names.filter { $0.utf8.count > PhraseTable.longest }.map { Array($0.utf8) })
        self.attributes = attributes
    }

    /// Returns whether a name is that of a secret.
    ///
    /// - Parameter name: The name in UTF-8. Byte order marks in it do not count, some of which Foundation drops.
    /// - Returns: `true` if it is.
    func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let name = UnsafeBufferPointer(rebasing: name.suffix(Self.mostBytes))
        if let isSecret = isSecret(name) { return isSecret }
        // Without the case of the letters that are not in ASCII; the sign of the kelvin becomes a K.
        var text = String(decoding: name, as: UTF8.self).unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isASCII {
                text.unicodeScalars.append(scalar)
            } else if scalar != "\u{FEFF}" {
                text += scalar.properties.lowercaseMapping
            }
        }
        return text.withUTF8 { isSecret($0, isLowercase: true) } ?? false
    }

    /// Returns whether a name is that of a secret.
    ///
    /// - Parameter name: The name.
    /// - Returns: `true` if it is.
    package func contains(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { contains($0) }
    }

    /// Whether a name is that of a secret; `nil` if letters that are not in ASCII have to be in lower case first.
    private func isSecret(_ name: UnsafeBufferPointer<UInt8>, isLowercase: Bool = false) -> Bool? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { letters in
            withUnsafeTemporaryAllocation(of: NameWords.Start.self, capacity: name.count) { starts in
                var words = NameWords(letters, starts)
                /// The number of words up to the end of the last secret; 0 for none.
                var secret = 0
                func endWord() {
                    guard words.endWord() else { return }
                    let found = words.match(names, atMost: Self.mostWords)
                    // A harmless term that is on the list is a secret.
                    if found > 0, found >= words.match(SecretWords.harmless, atMost: Self.mostWords) {
                        secret = words.count
                    }
                }
                for index in name.indices {
                    guard let kind = LetterKind(name[index]) else {
                        endWord()
                        continue
                    }
                    if kind == .other, !isLowercase { return nil }
                    if Self.begins(kind, at: index, in: name) { endWord() }
                    words.append(name[index].asciiLowercased)
                }
                endWord()
                if !longNames.isEmpty, words.areAll(in: longNames) { return true }
                guard secret > 0 else { return words.matchAll(wholeNames) }
                return secret == words.count || words.match(attributes, atMost: 1) == 0
            }
        }
    }

    /// Whether a letter begins a word although it follows another letter or a digit.
    private static func begins(_ kind: LetterKind, at index: Int, in name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index > 0, let before = LetterKind(name[index - 1]) else { return false }
        if (before == .digit) != (kind == .digit) { return true }
        guard kind == .upper else { return false }
        // "accessToken", and "APIKey"
        return before != .upper || index + 1 < name.count && LetterKind(name[index + 1]) == .lower
    }
}

private enum LetterKind {
    case lower, upper, digit, other

    /// Creates the kind of a byte of a word; `nil` for one between words.
    init?(_ byte: UInt8) {
        switch byte {
        case 0x61...0x7A: self = .lower
        case 0x41...0x5A: self = .upper
        case 0x30...0x39: self = .digit
        case 0x80...0xFF: self = .other
        default: return nil
        }
    }
}

/// The words of a name that is read.
private struct NameWords {
    /// What is before a word.
    struct Start {
        let hash: UInt64
        let count: Int
    }

    private let letters: UnsafeMutableBufferPointer<UInt8>
    private let starts: UnsafeMutableBufferPointer<Start>
    private var hash: UInt64 = 0
    private var length = 0
    private var isInWord = false
    /// The number of words.
    private(set) var count = 0

    /// Creates an empty list; the buffers have room for each letter.
    init(_ letters: UnsafeMutableBufferPointer<UInt8>, _ starts: UnsafeMutableBufferPointer<Start>) {
        (self.letters, self.starts) = (letters, starts)
    }

    mutating func append(_ letter: UInt8) {
        if !isInWord {
            starts.initializeElement(at: count, to: Start(hash: hash, count: length))
            isInWord = true
            count += 1
        }
        letters.initializeElement(at: length, to: letter)
        hash = PhraseTable.hash(hash, adding: letter)
        length += 1
    }

    /// Ends a word; returns whether there was one.
    mutating func endWord() -> Bool {
        defer { isInWord = false }
        return isInWord
    }

    /// The length of the longest phrase that a number of words at the end, or all of them, are together; 0 for none.
    func match(_ table: PhraseTable, atMost most: Int) -> Int {
        guard count > 0 else { return 0 }
        if most > 1, count > most, matchAll(table) { return length }
        for word in max(0, count - most)..<count where matches(table, from: starts[word]) {
            return length - starts[word].count
        }
        return 0
    }

    /// Whether all words together are one of some long names.
    func areAll(in names: Set<[UInt8]>) -> Bool {
        length > PhraseTable.longest && names.contains(Array(letters[..<length]))
    }

    /// Whether all words are a phrase together.
    func matchAll(_ table: PhraseTable) -> Bool {
        count > 0 && matches(table, from: starts[0])
    }

    private func matches(_ table: PhraseTable, from start: Start) -> Bool {
        guard table.mayHave(length - start.count) else { return false }
        let hash = PhraseTable.hash(hash, without: start.hash, length: length - start.count)
        return table.contains(UnsafeBufferPointer(rebasing: letters[start.count..<length]), hash: hash)
    }
}
