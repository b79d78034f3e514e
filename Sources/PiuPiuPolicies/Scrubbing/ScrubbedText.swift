/// A text in which ranges are replaced from the beginning to the end; the bytes between them are copied.
struct ScrubbedText {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var result: [UInt8] = []
    /// The start of the bytes that are not copied yet.
    private(set) var copied = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Replaces a range that starts at ``copied`` or later.
    mutating func replace(_ range: Range<Int>, with replacement: some Collection<UInt8>) {
        if result.isEmpty { result.reserveCapacity(bytes.count) }
        result += bytes[copied..<range.lowerBound]
        result += replacement
        copied = range.upperBound
    }

    /// Copies the rest and returns the text; `nil` if nothing was replaced.
    mutating func finish() -> [UInt8]? {
        guard copied > 0 else { return nil }
        result += bytes[copied...]
        return result
    }
}

/// Replaces the secrets of one kind in a text.
protocol TextScrubber {
    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ replacement: SecretReplacement,
        _ isSecret: @escaping (UnsafeBufferPointer<UInt8>) -> Bool
    )

    /// Returns the text without secrets; `nil` if it contains none.
    mutating func scrubbed() -> [UInt8]?
}

extension TextScrubber {
    /// Replaces the secrets in a text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - replacement: The replacement of a secret.
    ///   - isSecret: Returns whether a name, in UTF-8 and without an XML prefix, is that of a secret.
    /// - Returns: The text; `nil` if it contains no secret.
    static func scrubbed(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ replacement: SecretReplacement,
        isSecretName isSecret: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> [UInt8]? {
        withoutActuallyEscaping(isSecret) { isSecret in
            var scrubber = Self(bytes, replacement, isSecret)
            return scrubber.scrubbed()
        }
    }
}
