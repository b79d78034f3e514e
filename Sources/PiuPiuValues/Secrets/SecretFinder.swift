/// Finds any number of secrets in a text, in one pass over its bytes.
///
/// A server can build a text from the request: from hundreds of cookies, or from one that repeats itself. The time therefore
/// depends on neither. At each position, the finder looks up the first bytes of a secret in a table; only if they match, it
/// compares secrets, and counts the comparisons. If they exceed the needs of any honest text, the finder hides the text as a
/// whole.
package struct SecretFinder: Sendable {
    /// The length of the shortest secret, in bytes; a shorter one would match unrelated text.
    package static let shortest = 6

    /// The number of bytes that the finder may compare; see ``SecretFinder/allowance(for:)``.
    package struct Allowance: Sendable {
        /// The number of bytes left.
        package var rest: Int
        /// The number of positions and bytes looked at so far.
        package private(set) var steps = 0

        /// Creates an allowance of a number of bytes.
        package init(_ rest: Int) { self.rest = rest }

        fileprivate mutating func take(_ count: Int) {
            rest -= count
            steps += count
        }

        fileprivate mutating func pass(_ count: Int) { steps += count }
    }

    /// The secrets with the same first bytes; an empty slot has no key.
    private struct Slot {
        var key: UInt64 = 0
        var secrets: Range<Int32> = 0..<0
    }

    /// The bytes of all secrets, sorted.
    private var bytes: [UInt8] = []
    /// The range of each secret in ``bytes``.
    private var places: [Range<Int>] = []
    /// For each secret, the longest other secret that is its prefix; -1 if there is none.
    private var beginnings: [Int32] = []
    private var slots: [Slot] = []
    private var shift: UInt64 = 0

    /// Creates a finder; secrets shorter than ``shortest`` are left out.
    package init(_ secrets: some Sequence<some Sequence<UInt8>>) {
        var sorted = secrets.map { Array($0) }.filter { $0.count >= Self.shortest }
        guard !sorted.isEmpty else { return }
        sorted.sort { $0.lexicographicallyPrecedes($1) }
        var open: [Int32] = []
        for secret in sorted {
            if let last = places.last, bytes[last].elementsEqual(secret) { continue }
            // The prefixes of this secret are among the previous secrets that are prefixes of each other.
            while let last = open.last, !secret.starts(with: bytes[places[Int(last)]]) { open.removeLast() }
            beginnings.append(open.last ?? -1)
            open.append(Int32(places.count))
            places.append(bytes.count..<bytes.count + secret.count)
            bytes += secret
        }
        makeTable()
    }

    private mutating func makeTable() {
        // A table of this size has an empty slot for most positions.
        var capacity = 256
        while capacity < places.count * 8 { capacity *= 2 }
        slots = [Slot](repeating: Slot(), count: capacity)
        shift = UInt64(64 - capacity.trailingZeroBitCount)
        for (number, place) in places.enumerated() {
            let key = bytes[place.prefix(Self.shortest)].reduce(0) { Self.key($0, adding: $1) } | Self.mark
            var index = Self.index(of: key, shift)
            while slots[index].key != 0, slots[index].key != key { index = (index + 1) % capacity }
            let first = slots[index].key == 0 ? Int32(number) : slots[index].secrets.lowerBound
            slots[index] = Slot(key: key, secrets: first..<Int32(number) + 1)
        }
    }

    /// Whether there is nothing to find.
    package var isEmpty: Bool { places.isEmpty }

    /// Returns the number of bytes that may be compared in a text of a length: enough for a text that consists of secrets.
    package static func allowance(for length: Int) -> Allowance { Allowance(2 * length + 64 * 1024) }

    /// Returns a text without the secrets; `nil` if it contains none.
    ///
    /// Subtracts the compared bytes from the allowance.
    package func hidden(in text: UnsafeBufferPointer<UInt8>, _ allowance: inout Allowance) -> [UInt8]? {
        guard !isEmpty, text.count >= Self.shortest else { return nil }
        allowance.pass(text.count)
        guard allowance.rest > 0 else { return Array(Redaction.placeholder.utf8) }
        let found = found(in: text, &allowance)
        guard allowance.rest > 0 else { return Array(Redaction.placeholder.utf8) }
        return found.isEmpty ? nil : replacing(found, in: text) { _ in Redaction.placeholder }
    }

    private func replacing(
        _ places: [Range<Int>],
        in text: UnsafeBufferPointer<UInt8>,
        by replacement: (Slice<UnsafeBufferPointer<UInt8>>) -> String
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = 0
        for place in places {
            result += text[position..<place.lowerBound]
            result += replacement(text[place]).utf8
            position = place.upperBound
        }
        result += text[position...]
        return result
    }

    /// The replacement of a secret in a body.
    package enum Replacement: Sendable {
        /// The placeholder.
        case placeholder
        /// The placeholder, or 0 for a secret that may be a number in JSON.
        case keepingTypes
        /// As many asterisks as the secret has bytes.
        case keepingLengths
        /// A text of the same length and alphabet.
        case standIns(SecretStandIns)

        fileprivate func text(for secret: Slice<UnsafeBufferPointer<UInt8>>) -> String {
            switch self {
            case .placeholder: return Redaction.placeholder
            case .keepingTypes: return SecretFinder.isNumber(secret) ? "0" : Redaction.placeholder
            case .keepingLengths: return String(repeating: "*", count: secret.count)
            case .standIns(let standIns):
                let replacement = SecretReplacement.standIns(standIns)
                return String(
                    decoding: SecretFinder.isNumber(secret)
                        ? replacement.number(for: secret)
                        : replacement.text(for: secret, or: Array(Redaction.placeholder.utf8)),
                    as: UTF8.self
                )
            }
        }
    }

    /// Hides the secrets in a body.
    ///
    /// Text with two or four bytes per character is hidden as a whole if it contains a secret.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - isCut: Whether the body is truncated, so that it may end within a secret.
    ///   - replacement: The replacement of a secret.
    /// - Returns: The body, unchanged if it contains no secret.
    package func hidden(in body: Data, isCut: Bool, _ replacement: Replacement) -> Data {
        guard !isEmpty, body.count >= Self.shortest else { return body }
        let shown = hiddenText(in: body, isCut: isCut, replacement)
        guard shown == nil, body.contains(0) else { return shown ?? body }
        return hiddenText(in: body.filter { $0 != 0 }, isCut: isCut, replacement) == nil
            ? body : Data(Redaction.placeholder.utf8)
    }

    private func hiddenText(in body: Data, isCut: Bool, _ replacement: Replacement) -> Data? {
        // Spellings of a secret start alike, and so do tokens of one issuer and consecutive identifiers.
        var allowance = Allowance(16 * body.count + 256 * 1024)
        var rest = allowance
        return body.withUnsafeBytes { bytes in
            let text = bytes.bindMemory(to: UInt8.self)
            var places = found(in: text, &allowance)
            // If more digits follow, it is another number.
            places.removeAll { place in
                let isInside =
                    place.lowerBound > 0 && Self.isDigit(text[place.lowerBound - 1])
                    || place.upperBound < text.count && Self.isDigit(text[place.upperBound])
                return isInside && Self.isNumber(text[place])
            }
            if isCut, let start = cutOff(in: text, &rest) {
                let overlapping = places.last.flatMap { $0.upperBound > start ? $0.lowerBound : nil }
                let begin = min(start, overlapping ?? start)
                places.removeAll { $0.upperBound > begin }
                places.append(begin..<text.count)
            }
            guard allowance.rest > 0, rest.rest > 0 else { return Data(Redaction.placeholder.utf8) }
            return places.isEmpty ? nil : Data(replacing(places, in: text) { replacement.text(for: $0) })
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Whether bytes may be a number in JSON (RFC 8259 §6).
    private static func isNumber(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var previous: UInt8 = 0x65
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x2E, 0x45, 0x65: break
            // A sign starts a number or its exponent.
            case 0x2B, 0x2D: if previous | 0x20 != 0x65 { return false }
            default: return false
            }
            previous = byte
        }
        return isDigit(previous)
    }

    /// Returns a text without the secrets, and subtracts the compared bytes from the allowance.
    package func hidden(in text: String, _ allowance: inout Allowance) -> String {
        guard !isEmpty else { return text }
        var copy = text
        // Compare bytes, because a combining mark after a secret changes its last character.
        let hidden = copy.withUTF8 { self.hidden(in: $0, &allowance) }
        return hidden.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    // MARK: The search

    /// Shifts a byte into a key, which holds as many bytes as the shortest secret has.
    private static func key(_ key: UInt64, adding byte: UInt8) -> UInt64 { key >> 8 | UInt64(byte) << 40 }

    /// Tells a key of zero bytes from an empty slot.
    private static let mark: UInt64 = 1 << 63

    private static func index(of key: UInt64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    /// Returns the ranges of the secrets; overlapping ones are merged.
    private func found(in text: UnsafeBufferPointer<UInt8>, _ allowance: inout Allowance) -> [Range<Int>] {
        var found: [Range<Int>] = []
        slots.withUnsafeBufferPointer { slots in
            var key: UInt64 = 0
            for end in 0..<text.count {
                key = Self.key(key, adding: text[end])
                guard end >= Self.shortest - 1 else { continue }
                let marked = key | Self.mark
                var index = Self.index(of: marked, shift)
                while slots[index].key != 0, slots[index].key != marked { index = (index + 1) & (slots.count - 1) }
                guard slots[index].key != 0 else { continue }
                let start = end - (Self.shortest - 1)
                let length = longest(of: slots[index].secrets, at: start, in: text, &allowance)
                guard allowance.rest > 0 else { return }
                guard length > 0 else { continue }
                if let last = found.last, start < last.upperBound {
                    found[found.count - 1] = last.lowerBound..<max(last.upperBound, start + length)
                } else {
                    found.append(start..<start + length)
                }
            }
        }
        return found
    }

    /// Returns the start of the secret that the end of a text cuts off, if the text contains at least ``shortest`` bytes of it.
    private func cutOff(in text: UnsafeBufferPointer<UInt8>, _ allowance: inout Allowance) -> Int? {
        let most = places.map(\.count).max() ?? 0
        let first = max(0, text.count - most + 1)
        for start in stride(from: first, through: text.count - Self.shortest, by: 1) where allowance.rest > 0 {
            // Search the first secret that does not sort before the rest of the text.
            var (lower, upper) = (0, places.count)
            var isBegun = false
            while lower < upper {
                let middle = (lower + upper) / 2
                let place = places[middle]
                let common = common(place, text, start)
                allowance.take(common + 1)
                let isWhole = common == text.count - start
                let isBefore =
                    !isWhole && (common == place.count || bytes[place.lowerBound + common] < text[start + common])
                if isBefore {
                    lower = middle + 1
                } else {
                    (upper, isBegun) = (middle, isWhole)
                }
            }
            if isBegun { return start }
        }
        return nil
    }

    /// Counts the bytes that a secret and a text have in common from a position on.
    private func common(_ place: Range<Int>, _ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var common = 0
        let most = min(place.count, text.count - start)
        while common < most, bytes[place.lowerBound + common] == text[start + common] { common += 1 }
        return common
    }

    /// Returns the length of the longest secret in a range at a position; 0 if there is none.
    private func longest(
        of secrets: Range<Int32>,
        at start: Int,
        in text: UnsafeBufferPointer<UInt8>,
        _ allowance: inout Allowance
    ) -> Int {
        var (lower, upper) = (Int(secrets.lowerBound), Int(secrets.upperBound))
        // The last secret that does not sort after the text, and the number of bytes they have in common.
        var last = (number: Int32(-1), common: 0)
        while lower < upper, allowance.rest > 0 {
            let middle = (lower + upper) / 2
            let place = places[middle]
            let common = common(place, text, start)
            allowance.take(common + 8)
            let isAfter =
                common < min(place.count, text.count - start)
                ? bytes[place.lowerBound + common] > text[start + common] : common < place.count
            if isAfter {
                upper = middle
            } else {
                last = (Int32(middle), common)
                lower = middle + 1
            }
        }
        var number = last.number
        while number >= 0, places[Int(number)].count > last.common {
            number = beginnings[Int(number)]
            allowance.take(1)
        }
        return number < 0 ? 0 : places[Int(number)].count
    }
}

extension SecretFinder: Redacted {
    /// The number of secrets.
    package var shown: KeyValuePairs<String, Any> { ["count": places.count] }
}
