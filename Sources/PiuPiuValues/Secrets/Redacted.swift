/// A type that can hold secrets, and shows only the values it names.
///
/// `print`, string interpolation, `dump`, mirrors and debuggers show ``shown`` and nothing else. A conforming type with
/// its own `description` keeps it.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The values to show, without secrets.
    var shown: KeyValuePairs<String, Any> { get }
}

extension Redacted {
    /// The type and the values to show, without secrets.
    public var description: String {
        let parts = shown.map { "\($0.key): \($0.value)" }
        return "\(Self.self)(\(parts.joined(separator: ", ")))"
    }

    /// The same text as `description`.
    public var debugDescription: String { description }

    /// A mirror of the values to show, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: shown) }
}
