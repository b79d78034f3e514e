/// Creates texts that stand in for secrets in a recording: of the same length and alphabet, equal for equal secrets, and
/// different for different ones.
///
/// A text is derived from a digest of the secret and of a random salt, which is never written. A reader of the text therefore
/// cannot guess the secret by trying, however short it is. The text reveals only the length, the alphabet and the punctuation.
/// Secrets of a few characters may have the same text.
package struct SecretStandIns: Sendable {
    /// The length of the longest text that the list contains unchanged, in bytes; it contains digests of longer ones.
    private static let longestListed = 64
    /// The length of the shortest created text that is recognized, in bytes; a shorter one may be a secret by chance.
    private static let shortestKnown = 8

    private let salt: [UInt8]
    /// The texts of an earlier list, which are recognized however short they are.
    private let earlier: Set<String>
    /// The texts created so far, which are not secrets.
    private let known: Locked<Set<String>>

    /// Creates texts with a new salt.
    package init() {
        self.init(salt: (0..<32).map { _ in UInt8.random(in: .min ... .max) }, [])
    }

    private init(salt: [UInt8], _ texts: Set<String>) {
        self.salt = salt
        earlier = texts
        known = Locked(texts)
    }

    /// Returns an instance with the same texts for the same secrets, and its own list of texts that are not secrets.
    ///
    /// The list starts with that of an earlier instance.
    package func knowing(_ texts: Set<String>) -> SecretStandIns { SecretStandIns(salt: salt, texts) }

    /// The texts created so far.
    package var texts: Set<String> { known.withLock { $0 } }

    private static func listed(_ text: [UInt8]) -> String {
        guard text.count > longestListed else { return String(decoding: text, as: UTF8.self) }
        return Data(SHA256.hash(text)).base64EncodedString()
    }

    /// Returns the text for a secret; `nil` if the secret consists of punctuation.
    ///
    /// Escapes of URLs, JSON and HTML are decoded first, so that all spellings of a secret have the same text, apart from the
    /// escapes.
    package func text(for secret: some Collection<UInt8>) -> [UInt8]? {
        let secret = Array(secret)
        guard !secret.isEmpty, !isMade(secret) else { return secret }
        let text = made(for: secret)
        if let text { note(text) }
        return text
    }

    private func made(for secret: [UInt8]) -> [UInt8]? {
        var alphabet = Alphabet()
        var digest = SHA256()
        digest.add(salt)
        var pending: [UInt8] = []
        Self.forEachUnit(of: secret) { byte, _ in
            alphabet.add(byte)
            pending.append(byte)
            if pending.count == 4096 {
                digest.add(pending)
                pending.removeAll(keepingCapacity: true)
            }
        }
        guard alphabet.isNeeded else { return nil }
        digest.add(pending)
        var letters = Letters(key: digest.finish(), alphabet.letters)
        // For a short secret, the text may equal the secret.
        for _ in 0..<8 {
            var text: [UInt8] = []
            text.reserveCapacity(secret.count)
            Self.forEachUnit(of: secret) { byte, place in
                if Alphabet.isKept(byte) { text += secret[place] } else { text.append(letters.next()) }
            }
            if text != secret { return text }
        }
        return nil
    }

    private func isMade(_ text: [UInt8]) -> Bool {
        let listed = Self.listed(text)
        if earlier.contains(listed) { return true }
        guard text.count >= Self.shortestKnown else { return false }
        return known.withLock { $0.contains(listed) }
    }

    private func note(_ text: [UInt8]) {
        let listed = Self.listed(text)
        known.withLock { _ = $0.insert(listed) }
    }

    /// Returns the number for a secret that is a number in JSON (RFC 8259 §6).
    ///
    /// The result is an integer with as many digits, whose first digit is at most that of the secret. It is 0 for a fraction,
    /// for a number with one digit or more than 19 digits, and if it would equal the secret by chance.
    func number(for secret: some Collection<UInt8>) -> [UInt8] {
        let digits = secret.drop { $0 == 0x2D }
        guard !isMade(Array(digits)) else { return Array(secret) }
        guard 2...19 ~= digits.count, let first = digits.first, 0x31...0x39 ~= first,
            digits.allSatisfy({ 0x30...0x39 ~= $0 }), var text = made(for: Array(digits))
        else { return [0x30] }
        text[0] = 0x31 + text[0] % max(1, first - 0x31)
        guard !text.elementsEqual(digits) else { return [0x30] }
        note(text)
        return secret.prefix { $0 == 0x2D } + text
    }

    // MARK: Spellings

    /// Calls `body` with each decoded byte of a text, and its range.
    private static func forEachUnit(of text: [UInt8], _ body: (_ byte: UInt8, _ place: Range<Int>) -> Void) {
        var index = 0
        while index < text.count {
            let (byte, length) = unit(text, index)
            body(byte, index..<index + length)
            index += length
        }
    }

    private static func unit(_ text: [UInt8], _ index: Int) -> (byte: UInt8, length: Int) {
        let byte = text[index]
        switch byte {
        case 0x25: return number(text, index + 1, 2).map { (UInt8($0), 3) } ?? (byte, 1)
        case 0x26:
            for (entity, meaning) in entities where text[index...].starts(with: entity) {
                return (meaning, entity.count)
            }
            return (byte, 1)
        case 0x5C where index + 1 < text.count:
            let next = text[index + 1]
            if next == 0x75, let unit = number(text, index + 2, 4) { return (UInt8(clamping: unit), 6) }
            return escapes[next].map { ($0, 2) } ?? (byte, 1)
        default: return (byte, 1)
        }
    }

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x27: 0x27, 0x2F: 0x2F, 0x5C: 0x5C, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    private static let entities: [([UInt8], UInt8)] = [
        ("&amp;", 0x26), ("&lt;", 0x3C), ("&gt;", 0x3E), ("&quot;", 0x22), ("&#34;", 0x22), ("&#39;", 0x27),
        ("&#x27;", 0x27), ("&#x2F;", 0x2F), ("&#x3D;", 0x3D), ("&#43;", 0x2B), ("&#x2B;", 0x2B),
    ].map { (Array($0.utf8), $1) }

    private static func number(_ text: [UInt8], _ start: Int, _ count: Int) -> Int? {
        guard start + count <= text.count else { return nil }
        var number = 0
        for byte in text[start..<start + count] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | digit
        }
        return number
    }

    // MARK: Letters

    /// The letters that a secret consists of.
    private struct Alphabet {
        private var (hasDigits, hasLower, hasUpper, hasOther) = (false, false, false, false)
        /// Whether all letters are hexadecimal digits.
        private var isHexadecimal = true

        /// Whether there is anything to replace.
        var isNeeded: Bool { hasDigits || hasLower || hasUpper || hasOther }

        /// Whether a byte is punctuation that stays, because it separates the parts of a token.
        static func isKept(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x2D, 0x2E, 0x5F, 0x7E, 0x2F, 0x2B, 0x3D, 0x3A, 0x2C, 0x7C, 0x20, 0x09, 0x0A, 0x0D: true
            default: false
            }
        }

        mutating func add(_ byte: UInt8) {
            switch byte {
            case 0x30...0x39: hasDigits = true
            case 0x61...0x7A:
                hasLower = true
                if byte > 0x66 { isHexadecimal = false }
            case 0x41...0x5A:
                hasUpper = true
                if byte > 0x46 { isHexadecimal = false }
            default: if !Self.isKept(byte) { hasOther = true }
            }
        }

        var letters: [UInt8] {
            let last: UInt8 = isHexadecimal && hasDigits ? 6 : 26
            var letters: [UInt8] = hasDigits ? Array(0x30...0x39) : []
            if hasUpper { letters += 0x41..<0x41 + last }
            if hasLower || letters.isEmpty { letters += 0x61..<0x61 + last }
            return letters
        }
    }

    /// An endless sequence of letters from an alphabet, which reveal nothing about the key.
    private struct Letters {
        private let key: [UInt8]
        private let alphabet: [UInt8]
        private var block: [UInt8] = []
        private var number: UInt64 = 0

        init(key: [UInt8], _ alphabet: [UInt8]) {
            (self.key, self.alphabet) = (key, alphabet)
        }

        mutating func next() -> UInt8 {
            if block.isEmpty {
                block = SHA256.hash(key + withUnsafeBytes(of: number.littleEndian, Array.init))
                number += 1
            }
            // Two bytes make all letters about equally frequent.
            let value = Int(block.removeLast()) << 8 | Int(block.removeLast())
            return alphabet[value % alphabet.count]
        }
    }
}

extension SecretStandIns: Redacted {
    /// Nothing: the salt is a secret.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
