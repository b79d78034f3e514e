/// Names of secrets, compared by word: `password` is in `user[password]`, `newPassword` and `PASSWORD_CONFIRMATION`, but not in
/// `passwordless`.
///
/// A name is split at everything but letters and digits, between letters and digits, and at the capitals of camel case. It is
/// that of a secret if consecutive words of it together are a name on the list, so `access-token` finds `accesstoken`,
/// `access_token` and `x-accessToken`. There are two exceptions: the last word says that the value only describes a secret, as
/// in `token_type`; or the words end one of the terms in ``SecretWords/harmless`` that is longer than the name on the list.
///
/// Because a body can consist of nothing but names, one pass over a name's bytes splits it, and a hash tells most names from
/// those on the list.
package struct NameSet: Sendable {
    /// The most words of a name on the list; the letters of a name in mixed case count as words, too.
    private static let mostWords = 8
    /// The number of bytes that are looked at: the last ones of a name.
    private static let mostBytes = 256

    private let names: PhraseTable
    /// Names that count only if they are the whole name.
    private let wholeNames: PhraseTable
    /// Names that are too long for a table; they, too, count only if they are the whole name.
    private let longNames: Set<[UInt8]>
    /// Last words of names that only describe a secret.
    private let attributes: PhraseTable

    /// Creates a list; names in ``SecretWords/ambiguous`` count only if they are the whole name.
    package init(_ names: some Sequence<String>) {
        self.init(names, whole: SecretWords.ambiguous)
    }

    /// Creates a list with some names that count only if they are the whole name.
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

    /// Returns whether a name in UTF-8 is that of a secret.
    ///
    /// Byte order marks are ignored, because Foundation drops some of them.
    package func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let name = UnsafeBufferPointer(rebasing: name.suffix(Self.mostBytes))
        if let isSecret = isSecret(name) { return isSecret }
        // Put letters outside ASCII in lower case; the Kelvin sign becomes a K.
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
    package func contains(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { contains($0) }
    }

    /// Whether a name is that of a secret; `nil` if letters outside ASCII must be put in lower case first.
    private func isSecret(_ name: UnsafeBufferPointer<UInt8>, isLowercase: Bool = false) -> Bool? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { letters in
            withUnsafeTemporaryAllocation(of: NameWords.Start.self, capacity: name.count) { starts in
                var words = NameWords(letters, starts)
                /// The number of words up to the end of the last secret; 0 if there is none.
                var secret = 0
                func endWord() {
                    guard words.endWord() else { return }
                    let found = words.match(names, atMost: Self.mostWords)
                    // A harmless term that is also on the list is a secret.
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

    /// Whether a letter starts a word although it follows another letter or a digit.
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

    /// Creates the kind of a byte of a word; `nil` for a byte between words.
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

/// The words of the name that is being read.
private struct NameWords {
    /// The state before a word.
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

    /// Creates an empty list; each buffer has room for every letter.
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

    /// Ends a word; returns `false` if it is empty.
    mutating func endWord() -> Bool {
        defer { isInWord = false }
        return isInWord
    }

    /// Returns the length of the longest phrase that the last words, or all of them, form; 0 if there is none.
    func match(_ table: PhraseTable, atMost most: Int) -> Int {
        guard count > 0 else { return 0 }
        if most > 1, count > most, matchAll(table) { return length }
        for word in max(0, count - most)..<count where matches(table, from: starts[word]) {
            return length - starts[word].count
        }
        return 0
    }

    /// Whether all words together are one of these long names.
    func areAll(in names: Set<[UInt8]>) -> Bool {
        length > PhraseTable.longest && names.contains(Array(letters[..<length]))
    }

    /// Whether all words together are a phrase.
    func matchAll(_ table: PhraseTable) -> Bool {
        count > 0 && matches(table, from: starts[0])
    }

    private func matches(_ table: PhraseTable, from start: Start) -> Bool {
        guard table.mayHave(length - start.count) else { return false }
        let hash = PhraseTable.hash(hash, without: start.hash, length: length - start.count)
        return table.contains(UnsafeBufferPointer(rebasing: letters[start.count..<length]), hash: hash)
    }
}
