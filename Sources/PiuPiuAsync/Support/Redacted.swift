/// A type that can hold a secret, and shows only what it names.
///
/// `print`, string interpolation, `dump`, mirrors and debuggers show ``shown`` and nothing else. A conforming type that
/// has a `description` of its own keeps it.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What may be shown, without secrets.
    var shown: KeyValuePairs<String, Any> { get }
}

extension Redacted {
    /// The type and what may be shown of the value, without secrets.
    public var description: String {
        let parts = shown.map { "\($0.key): \($0.value)" }
        return "\(Self.self)(\(parts.joined(separator: ", ")))"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror of what may be shown, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: shown) }
}
