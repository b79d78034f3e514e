import PiuPiuAsync

/// The failure of a transport to do what a case requires.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The ``TransportConformance/Case/name`` of the case.
    public let name: String
    /// What the case requires of a transport, as a sentence.
    public let summary: String
    /// Where the requirement is written.
    public let source: String
    /// What was expected at the point where it failed.
    public let expected: String
    /// What was seen instead.
    public let seen: String

    init(_ example: TransportConformance.Case, expected: String, seen: String) {
        name = example.name
        summary = example.summary
        source = example.source
        self.expected = expected
        self.seen = seen
    }

    /// The failure as a few lines of text.
    public var description: String {
        "\(name): \(summary) (\(source))\nexpected: \(expected)\nseen: \(seen)"
    }
}
