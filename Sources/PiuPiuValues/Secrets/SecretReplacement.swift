/// The replacement of a secret in a text.
package enum SecretReplacement: Sendable {
    /// The placeholder.
    case placeholder
    /// A text of the same length and alphabet.
    case standIns(SecretStandIns)

    /// The placeholder in each of its spellings.
    package static let placeholders = [Redaction.placeholder, "%3Credacted%3E", "&lt;redacted&gt;"]
    private static let placeholderBytes = placeholders.map { Array($0.utf8) }

    /// Returns the replacement of a secret, in the spelling of its place.
    ///
    /// A text that is already a replacement stays unchanged.
    package func text(for secret: some Collection<UInt8>, or placeholder: [UInt8]) -> [UInt8] {
        guard !Self.isPlaceholder(secret), case .standIns(let standIns) = self else { return placeholder }
        return standIns.text(for: secret) ?? placeholder
    }

    /// Returns the replacement of a secret.
    package func text(for secret: String) -> String {
        String(decoding: text(for: secret.utf8, or: Array(Redaction.placeholder.utf8)), as: UTF8.self)
    }

    /// Returns the replacement of a number in JSON.
    package func number(for secret: some Collection<UInt8>) -> [UInt8] {
        if case .standIns(let standIns) = self { standIns.number(for: secret) } else { [0x30] }
    }

    /// Whether a text is the placeholder in one of its spellings.
    package static func isPlaceholder(_ text: some Collection<UInt8>) -> Bool {
        placeholderBytes.contains { $0.count == text.count && $0.elementsEqual(text) }
    }
}
